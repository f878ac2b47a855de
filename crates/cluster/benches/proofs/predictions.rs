//! Predictions against the cluster simulated again.

use std::collections::BTreeMap;

use bigtpu_cluster::{JoinOptions, Scale};
use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Topology};
use rayon::prelude::*;

use crate::random::Random;
use crate::support::Run;
use crate::table::Table;

fn options(seed: u64, run: u64) -> ClusterOptions {
    let mut random = Random::seeded(seed, run);
    let devices = 3 + random.next_below(6) as u32;
    let (topology, program, devices) = match run % 5 {
        0 => (Topology::PipelineBackward, ClusterTraffic::Microbatches, devices),
        1 => (Topology::TwoPlane, ClusterTraffic::AllReduce, devices.max(6).next_multiple_of(2)),
        2 => (Topology::Grid(2, 2, 2), ClusterTraffic::Microbatches, 8),
        _ => (
            Topology::Ring,
            random.of_list(&[ClusterTraffic::AllReduce, ClusterTraffic::Mixed]),
            devices,
        ),
    };
    ClusterOptions {
        topology,
        program,
        operations: if program == ClusterTraffic::Microbatches { 3 } else { 12 },
        load_share: 0.3,
        seed: seed * 1000 + run,
        ..ClusterOptions::for_devices(devices).unwrap()
    }
}

/// The kind of a change: what stands before the `=`, without ranks and names.
fn kind(scale: &str) -> &str {
    scale.split([':', '=']).next().unwrap_or(scale)
}

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let runs = (runs / 10).max(5);
    let one = |run: u64| {
        let options = options(seed + 41, run);
        let run = Run::make(&options);
        let rows = run.truth["whatif"].as_array().unwrap();
        let scales: Vec<Scale> =
            rows.iter().filter_map(|row| row["scale"].as_str().unwrap().parse().ok()).collect();
        let refused = rows.len() - scales.len();
        let asked: Vec<String> = scales.iter().map(|scale| scale.text.clone()).collect();
        let cluster = run.join_with(&JoinOptions { scales, ..JoinOptions::default() });
        let end = run.truth["end_ns"].as_f64().unwrap();
        let mut errors: Vec<(String, f64)> = Vec::new();
        for row in rows {
            let scale = row["scale"].as_str().unwrap();
            let Some(found) = cluster
                .whatif
                .iter()
                .find(|w| w.scale == scale && asked.iter().any(|s| s == scale))
            else {
                continue;
            };
            let gain = end - row["end_ns"].as_f64().unwrap();
            let error = (found.gain_ns - gain).abs() / end;
            if error > 0.06 {
                eprintln!(
                    "  {scale}: predicted gain {:.0}, true {gain:.0} of {end:.0}: {:?} {:?} of {} seed {}",
                    found.gain_ns, options.topology, options.program, options.devices, options.seed
                );
            }
            errors.push((scale.to_owned(), error));
        }
        (errors, refused)
    };
    let all: Vec<(Vec<(String, f64)>, usize)> = (0..runs).into_par_iter().map(one).collect();
    let refused: usize = all.iter().map(|(_, refused)| refused).sum();
    let mut by_kind: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut errors: Vec<f64> = Vec::new();
    for (scale, error) in all.into_iter().flat_map(|(errors, _)| errors) {
        by_kind.entry(kind(&scale).to_owned()).or_default().push(error);
        errors.push(error);
    }
    errors.sort_by(f64::total_cmp);
    let median = errors.get(errors.len() / 2).copied().unwrap_or(1.0);
    let worst = errors.last().copied().unwrap_or(1.0);
    let kinds: Vec<String> = by_kind
        .iter()
        .map(|(kind, errors)| {
            let worst = errors.iter().copied().fold(0.0, f64::max);
            format!("{kind} {:.2}%", 100.0 * worst)
        })
        .collect();
    table.row(
        "predictions against the run simulated again",
        "median <= 2%, worst <= 6% of the run",
        format!(
            "{} of {} runs: median {:.2}%, worst {:.2}%; {refused} not taken",
            errors.len(),
            runs,
            100.0 * median,
            100.0 * worst
        ),
        median <= 0.02 && worst <= 0.06 && refused == 0,
    );
    table.row("worst by kind of change", "-", kinds.join(", "), true);
    gains(runs * 2, seed, table);
}

/// The gain of a straggler against the run without the fault.
fn gains(runs: u64, seed: u64, table: &mut Table) {
    let one = |run: u64| {
        let mut options = options(seed + 42, 3 + 5 * (run / 2) + run % 2);
        let mut random = Random::seeded(seed + 43, run);
        let rank = random.next_below(options.devices.into()) as u32;
        let healthy = Run::make(&options).truth["end_ns"].as_f64().unwrap();
        options.plants = vec![ClusterPlant::LateRank { rank, factor: 1.2 + random.unit() }];
        let run = Run::make(&options);
        let cluster = run.join();
        let end = run.truth["end_ns"].as_f64().unwrap();
        let gain = cluster.stragglers.iter().find(|s| s.rank == rank).map_or(0.0, |s| s.gain_ns);
        let error = (gain - (end - healthy)).abs() / end;
        if error > 0.02 {
            eprintln!(
                "  gain {gain:.0}, true {:.0} of {end:.0}: {:?} of {} seed {}",
                end - healthy,
                options.program,
                options.devices,
                options.seed
            );
        }
        error
    };
    let errors: Vec<f64> = (0..runs).into_par_iter().map(one).collect();
    let worst = errors.iter().copied().fold(0.0, f64::max);
    table.row(
        "gain of a straggler against the run without it",
        "2% of the run",
        format!("{:.2}% worst of {runs}", 100.0 * worst),
        worst <= 0.02,
    );
}
