//! Advice on planted faults, and its gain against the cluster simulated again without them, in each topology.

use bigtpu_cluster::report::Cluster;
use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Moments, Topology};
use rayon::prelude::*;

use crate::random::Random;
use crate::support::Run;
use crate::table::Table;

/// Share of the run by which a gain may be off.
const TARGET: f64 = 0.02;

/// A healthy cluster of a topology.
fn options(topology: Topology, seed: u64, run: u64) -> ClusterOptions {
    let mut random = Random::seeded(seed, run);
    let devices = 3 + random.next_below(6) as u32;
    let (devices, program, operations) = match topology {
        Topology::Pair => {
            (2, random.of_list(&[ClusterTraffic::AllReduce, ClusterTraffic::AllGather]), 12)
        }
        Topology::TwoPlane => (devices.max(6).next_multiple_of(2), ClusterTraffic::AllReduce, 12),
        Topology::Grid(..) => (8, ClusterTraffic::Microbatches, 3),
        Topology::AllToAll => (devices, ClusterTraffic::AllToAll, 12),
        Topology::Pipeline | Topology::PipelineBackward => {
            (devices, ClusterTraffic::Microbatches, 3)
        }
        Topology::Ring => {
            (devices, random.of_list(&[ClusterTraffic::AllReduce, ClusterTraffic::Mixed]), 12)
        }
    };
    ClusterOptions {
        topology,
        program,
        operations,
        load_share: random.of_list(&[0.0, 0.3]),
        moments: random.of_list(&[Moments::Link, Moments::Link, Moments::Memory, Moments::None]),
        seed: seed * 1000 + run,
        ..ClusterOptions::for_devices(devices).unwrap()
    }
}

/// A fault, advice of which one is given, and the gain that the report says of it; `None` if it says none.
type Fault = (
    &'static str,
    &'static [&'static str],
    fn(&ClusterOptions, &mut Random, &[(u32, u32)]) -> ClusterPlant,
    fn(&Cluster, ClusterPlant) -> Option<f64>,
);

fn rank_of(options: &ClusterOptions, random: &mut Random) -> u32 {
    random.next_below(options.devices.into()) as u32
}

/// The gain of the straggler that a fault makes.
fn of_rank(cluster: &Cluster, plant: ClusterPlant) -> Option<f64> {
    let (ClusterPlant::LateRank { rank, .. } | ClusterPlant::LateLaunch { rank, .. }) = plant
    else {
        return None;
    };
    let row = cluster.stragglers.iter().find(|s| s.rank == rank)?;
    (row.gain_ns > 0.0).then_some(row.gain_ns)
}

/// The gain of the link that is slow.
fn of_link(cluster: &Cluster, plant: ClusterPlant) -> Option<f64> {
    let (ClusterPlant::SlowLink { from, to, .. } | ClusterPlant::Retries { from, to }) = plant
    else {
        return None;
    };
    let name = format!("link:{from}>{to}=");
    cluster.whatif.iter().find(|w| w.scale.starts_with(&name)).map(|w| w.gain_ns)
}

const FAULTS: [Fault; 4] = [
    (
        "late rank",
        &["late-rank", "stage-imbalance"],
        |options, random, _| {
            let rank = rank_of(options, random);
            ClusterPlant::LateRank { rank, factor: 1.2 + random.unit() }
        },
        of_rank,
    ),
    (
        "late launch",
        &["late-launch"],
        |options, random, _| {
            let rank = rank_of(options, random);
            ClusterPlant::LateLaunch { rank, us: options.compute_us * (0.2 + random.unit()) }
        },
        of_rank,
    ),
    (
        "slow link",
        &["slow-link"],
        |_, random, links| {
            let (from, to) = random.of_list(links);
            ClusterPlant::SlowLink { from, to, factor: 1.4 + random.unit() }
        },
        of_link,
    ),
    (
        "retrying link",
        &["retrying-link"],
        |_, random, links| {
            let (from, to) = random.of_list(links);
            ClusterPlant::Retries { from, to }
        },
        of_link,
    ),
];

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let runs = (runs / 5).max(5);
    let topologies = [
        ("pair", Topology::Pair),
        ("ring", Topology::Ring),
        ("two planes", Topology::TwoPlane),
        ("pipeline", Topology::Pipeline),
        ("pipeline backward", Topology::PipelineBackward),
        ("grid 2x2x2", Topology::Grid(2, 2, 2)),
        ("alltoall", Topology::AllToAll),
    ];
    for (name, topology) in topologies {
        let one = |run: u64| {
            let mut options = options(topology, seed + 61, run);
            let healthy = Run::make(&options);
            let of = |end: &serde_json::Value| end["rank"].as_u64().unwrap() as u32;
            let links = healthy.truth["links"].as_array().unwrap().iter();
            let links: Vec<(u32, u32)> = links.map(|l| (of(&l["from"]), of(&l["to"]))).collect();
            let without = healthy.truth["end_ns"].as_f64().unwrap();
            let faults = FAULTS.iter().flat_map(|(_, ids, ..)| *ids);
            let said = healthy.join().advice;
            let is_loud = said.iter().any(|row| faults.clone().any(|id| *id == row.id));
            let results = FAULTS.map(|(what, ids, plant, gain)| {
                let mut random = Random::seeded(seed + 62, run);
                let plant = plant(&options, &mut random, &links);
                options.plants = vec![plant];
                let run = Run::make(&options);
                let end = run.truth["end_ns"].as_f64().unwrap();
                let right = end - without;
                let cluster = run.join();
                let said = gain(&cluster, plant);
                // What gains nothing need not be said.
                let error = match said {
                    Some(gain) => Some((gain - right).abs() / end),
                    None if right <= TARGET * end => Some(right.max(0.0) / end),
                    None => None,
                };
                let is_advised = cluster.advice.iter().any(|row| ids.contains(&row.id))
                    || right <= TARGET * end;
                let error = error.filter(|_| is_advised);
                if error.is_none_or(|error| error > TARGET) {
                    eprintln!(
                        "  {what} {name}: gain {said:.0?}, true {right:.0} of {end:.0}: {plant:?} {:?} of {} {:?} seed {}: {} open, {:?}",
                        options.program,
                        options.devices,
                        options.moments,
                        options.seed,
                        cluster.ambiguous.len(),
                        cluster.verdict.first(),
                    );
                }
                error
            });
            (is_loud, results)
        };
        let all: Vec<(bool, [Option<f64>; 4])> = (0..runs).into_par_iter().map(one).collect();
        let loud = all.iter().filter(|(is_loud, _)| *is_loud).count();
        table.row(
            &format!("healthy runs with advice on a fault: {name}"),
            "0",
            format!("{loud} of {}", all.len()),
            loud == 0,
        );
        for (at, (what, ..)) in FAULTS.iter().enumerate() {
            let errors: Vec<f64> = all.iter().filter_map(|(_, errors)| errors[at]).collect();
            let worst = errors.iter().copied().fold(0.0, f64::max);
            let unknown = all.len() - errors.len();
            table.row(
                &format!("{what}: advice, and gain against the run without it: {name}"),
                "given, 2% of the run",
                format!("worst {:.2}% of {}; {unknown} not given", 100.0 * worst, errors.len()),
                worst <= TARGET && unknown == 0,
            );
        }
    }
}
