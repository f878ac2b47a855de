//! States against the truth: what the generator's own times give by the definitions of docs/cluster.md.

use bigtpu_cluster::report::StateRow;
use bigtpu_synth::ClusterOptions;
use rayon::prelude::*;
use serde_json::Value;

use crate::support::Run;
use crate::table::{Table, is_at_least, share};
use crate::variety::cluster;

/// Compute, memory, link, and all of a port's other time, in ns.
type Times = [f64; 4];

/// The true times of a rank: painted on a line of its window, the first that applies.
fn truth(run: &Run, rank: u32) -> Times {
    let number = |value: &Value| value.as_f64().unwrap();
    let links = run.truth["links"].as_array().unwrap();
    let mut layers: [Vec<(f64, f64)>; 4] = Default::default();
    for work in run.truth["work"].as_array().unwrap().iter().filter(|w| w["rank"] == rank) {
        layers[0].push((number(&work["loaded_ns"]), number(&work["end_ns"])));
        layers[1].push((number(&work["start_ns"]), number(&work["loaded_ns"])));
    }
    for pair in run.truth["pairs"].as_array().unwrap() {
        let link = &links[pair["link"].as_u64().unwrap() as usize];
        for (side, key) in [("from", "send"), ("to", "receive")] {
            if link[side]["rank"] == rank {
                let times: Vec<f64> = pair[key].as_array().unwrap().iter().map(number).collect();
                layers[2].push((times[1], times[2]));
                layers[3].push((times[0], times[3]));
            }
        }
    }
    let mut moments: Vec<(f64, usize, i32)> = Vec::new();
    for (layer, spans) in layers.iter().enumerate() {
        for (start, end) in spans {
            moments.push((*start, layer, 1));
            moments.push((*end, layer, -1));
        }
    }
    moments.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut now, mut times, mut at) = ([0; 4], [0.0; 4], 0.0);
    for (moment, layer, change) in moments {
        if let Some(first) = now.iter().position(|n| *n > 0) {
            times[first] += moment - at;
        }
        now[layer] += change;
        at = moment;
    }
    times
}

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let runs = (runs / 5).max(4);
    let one = |run: u64| {
        let options = ClusterOptions {
            jitter_ns: 20.0,
            shifts_windows: false,
            mode: 1 + (run % 2) as u8,
            moments: bigtpu_synth::Moments::Link,
            ..cluster(seed + 31, run)
        };
        let run = Run::make(&options);
        let cluster = run.join();
        let of = |row: &StateRow| {
            let s = &row.states;
            let waits = s.wait_late_sender_ns
                + s.wait_late_receiver_ns
                + s.wait_collective_ns
                + s.link_overhead_ns;
            let own = [s.compute_ns, s.memory_ns, s.link_ns, waits].map(|ns| ns as f64);
            let right = truth(&run, row.rank);
            let off = own.iter().zip(right).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let all = [s.sync_ns, s.launch_ns, s.idle_ns, s.not_captured_ns, s.lost_ns];
            let sum = own.iter().sum::<f64>() as u64 + all.iter().sum::<u64>();
            (off / row.window_ns.max(1) as f64, sum == row.window_ns)
        };
        let rows: Vec<(f64, bool)> = cluster.states.iter().map(of).collect();
        let worst = rows.iter().map(|(off, _)| *off).fold(0.0, f64::max);
        if worst > 0.01 {
            eprintln!(
                "  states off by {:.2}%: {:?} {:?} of {} seed {}",
                100.0 * worst,
                options.topology,
                options.program,
                options.devices,
                options.seed
            );
        }
        rows
    };
    let rows: Vec<(f64, bool)> = (0..runs).into_par_iter().flat_map(one).collect();
    let sums = rows.iter().filter(|(_, is_whole)| *is_whole).count();
    table.row(
        "ranks whose states are the window",
        "100%",
        share(sums, rows.len()),
        sums == rows.len(),
    );
    let near = rows.iter().filter(|(off, _)| *off <= 0.01).count();
    let worst = rows.iter().map(|(off, _)| *off).fold(0.0, f64::max);
    let text = format!("{}; worst {:.3}% of the window", share(near, rows.len()), 100.0 * worst);
    table.row(
        "each state within 1% of the window of the truth",
        "100%",
        text,
        is_at_least(near, rows.len(), 100.0),
    );
}
