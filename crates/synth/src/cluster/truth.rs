//! `truth.json`: what really happened, for tests; the analysis never reads it.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::changes::Changes;
use super::devices::Devices;
use super::dump::records_span;
use super::options::ClusterOptions;
use super::plant::ClusterPlant;
use super::simulation::{Operation, Pair, Simulation};
use crate::Result;

/// Factors with which the cluster is simulated again, as `whatif` names them.
fn scales(options: &ClusterOptions, simulation: &Simulation<'_>) -> Vec<(String, ClusterPlant)> {
    let mut scales = Vec::new();
    for rank in 0..options.devices.min(8) {
        for factor in [0.5, 0.8] {
            let plant = ClusterPlant::LateRank { rank, factor };
            scales.push((format!("rank:{rank}={factor}"), plant));
        }
    }
    for link in simulation.links.all.iter().take(8) {
        let (from, to) = (link.from, link.to);
        let plant = ClusterPlant::SlowLink { from, to, factor: 0.5 };
        scales.push((format!("link:{from}>{to}=2"), plant));
    }
    scales
}

/// All of `truth.json`. Times are ns of true time; a rank's own ns since its first record are
/// `(time - a_ns) / (1 + b_ppm / 1e6) - first_ns`.
pub(super) fn text(
    options: &ClusterOptions,
    simulation: &Simulation<'_>,
    devices: &Devices,
) -> Result<String> {
    let mut text = String::from("{\n\"clocks\": [\n");
    let ranks = 0..options.devices;
    let mut rows = Vec::new();
    for rank in ranks.clone() {
        let clock = devices.clock(rank);
        let (host, device) = devices.place(rank);
        let first = records_span(options, simulation, devices, rank).0;
        rows.push(format!(
            "{{\"rank\": {rank}, \"host\": \"host{host}\", \"device\": {device}, \"a_ns\": {:.6}, \"b_ppm\": {:.9}, \
             \"knot_ns\": {:.1}, \"knot_b_ppm\": {:.9}, \"first_ns\": {first:.0}}}",
            clock.a,
            clock.b * 1e6,
            clock.knot.at,
            clock.knot.b * 1e6
        ));
    }
    let _ = write!(text, "{}\n],\n\"links\": [\n", rows.join(",\n"));
    let link = |l: &super::topology::Link| {
        format!(
            "{{\"from\": {{\"rank\": {}, \"port\": {}}}, \"to\": {{\"rank\": {}, \"port\": {}}}}}",
            l.from, l.from_port, l.to, l.to_port
        )
    };
    let rows: Vec<String> = simulation.links.all.iter().map(link).collect();
    let _ = write!(text, "{}\n],\n\"operations\": [\n", rows.join(",\n"));
    let rows = operations(simulation);
    let _ = write!(text, "{}\n],\n\"pairs\": [\n", rows.join(",\n"));
    let captured = |p: &&Pair| {
        simulation.links.all.get(p.link).is_some_and(|l| {
            devices.captures(l.from, p.operation) && devices.captures(l.to, p.operation)
        })
    };
    let rows: Vec<String> = simulation
        .pairs
        .iter()
        .filter(captured)
        .map(|p| {
            let times = |times: [f64; 4]| times.map(|t| format!("{t:.1}")).join(", ");
            format!(
                "{{\"link\": {}, \"operation\": {}, \"bytes\": {}, \"reduces\": {}, \"send\": [{}], \"receive\": [{}]}}",
                p.link,
                p.operation,
                p.bytes,
                p.reduces,
                times(p.send),
                times(p.receive)
            )
        })
        .collect();
    let _ = write!(text, "{}\n],\n\"work\": [\n", rows.join(",\n"));
    let own = simulation.work.iter().filter(|w| devices.captures(w.rank, w.operation));
    let rows: Vec<String> = own
        .map(|w| {
            format!(
                "{{\"rank\": {}, \"kernel\": \"{}\", \"start_ns\": {:.1}, \"loaded_ns\": {:.1}, \"end_ns\": {:.1}}}",
                w.rank, w.kernel, w.start, w.loaded, w.end
            )
        })
        .collect();
    let _ = write!(text, "{}\n],\n", rows.join(",\n"));
    let rows: Vec<String> = options.plants.iter().map(|p| format!("\"{p:?}\"")).collect();
    let _ = write!(text, "\"plants\": [{}],\n\"whatif\": [\n", rows.join(", "));
    let mut rows = Vec::new();
    let mut row = |scale: &str, end: f64| {
        rows.push(format!("{{\"scale\": \"{scale}\", \"end_ns\": {end:.1}}}"));
    };
    for (scale, plant) in scales(options, simulation) {
        let plants: Vec<ClusterPlant> = options.plants.iter().copied().chain([plant]).collect();
        row(&scale, Simulation::run(options, &plants, Changes::default())?.end());
    }
    let runs = |kernel: &str| simulation.work.iter().any(|work| work.kernel == kernel);
    for (scale, changes) in Changes::all(options) {
        if changes.kernel.is_none_or(|(kernel, _)| runs(kernel)) {
            row(&scale, Simulation::run(options, &options.plants, changes)?.end());
        }
    }
    let _ = write!(text, "{}\n],\n\"end_ns\": {:.1}\n}}\n", rows.join(",\n"), simulation.end());
    Ok(text)
}

/// Each operation with the arrival and end of each of its ranks.
fn operations(simulation: &Simulation<'_>) -> Vec<String> {
    let mut times: BTreeMap<(u32, u32), (f64, f64)> = BTreeMap::new();
    for pair in &simulation.pairs {
        let Some(link) = simulation.links.all.get(pair.link) else { continue };
        for (rank, of) in [(link.from, pair.send), (link.to, pair.receive)] {
            let entry = times.entry((pair.operation, rank)).or_insert((f64::INFINITY, 0.0));
            *entry = (entry.0.min(of[0]), entry.1.max(of[3]));
        }
    }
    let text = |(number, operation): (u32, &Operation)| {
        let ranks = operation.ranks.iter().filter_map(|&rank| {
            let (arrival, end) = times.get(&(number, rank))?;
            Some(format!(
                "{{\"rank\": {rank}, \"arrival_ns\": {arrival:.1}, \"end_ns\": {end:.1}}}"
            ))
        });
        let ranks: Vec<String> = ranks.collect();
        format!("{{\"kind\": \"{}\", \"ranks\": [{}]}}", operation.kind, ranks.join(", "))
    };
    (0..).zip(&simulation.operations).map(text).collect()
}

/// `rank_table.json`, as the runtime reads it.
pub(super) fn rank_table(options: &ClusterOptions, devices: &Devices) -> String {
    let is_swapped = options.plants.contains(&ClusterPlant::SwappedRanks);
    let hosts = options.devices.div_ceil(options.devices_per_host);
    let nodes = (0..hosts).map(|host| {
        let of_host = (0..options.devices).filter(|&rank| devices.place(rank).0 == host);
        let rows: Vec<String> = of_host
            .map(|rank| {
                let named = match rank {
                    0 | 1 if is_swapped => 1 - rank,
                    _ => rank,
                };
                let device = devices.place(rank).1;
                format!(
                    "{{\"device_id\": \"{device}\", \"local_rank\": \"{device}\", \"rank\": \"{named}\"}}"
                )
            })
            .collect();
        format!("{{\"device_list\": [\n{}\n]}}", rows.join(",\n"))
    });
    let nodes: Vec<String> = nodes.collect();
    format!("{{\"version\": \"1.0\", \"node_list\": [{}]}}\n", nodes.join(", "))
}

/// `topology.json`: the links.
pub(super) fn topology(options: &ClusterOptions, simulation: &Simulation<'_>) -> String {
    let is_wrong = options.plants.contains(&ClusterPlant::WrongTopology);
    let all = &simulation.links.all;
    let rows: Vec<String> = all
        .iter()
        .enumerate()
        .map(|(n, link)| {
            // A wrong table connects the first port with another's receiver.
            let other = if is_wrong { all.get((n + 2) % all.len()) } else { None };
            let to = other.filter(|other| other.to != link.from).unwrap_or(link);
            format!(
                "{{\"from\": {{\"rank\": {}, \"port\": {}}}, \"to\": {{\"rank\": {}, \"port\": {}}}, \"gbps\": null}}",
                link.from, link.from_port, to.to, to.to_port
            )
        })
        .collect();
    format!("{{\"links\": [\n{}\n]}}\n", rows.join(",\n"))
}
