//! Errors of clocks and drifts.

use bigtpu_synth::{ClusterOptions, ClusterTraffic, Moments, Topology};
use rayon::prelude::*;

use crate::support::Run;
use crate::table::Table;

/// Worst error of clocks in ns, and of drifts in ppm, over some runs.
fn worst(runs: u64, of: impl Fn(u64) -> ClusterOptions + Sync) -> (f64, f64) {
    let one = |run: u64| {
        let options = of(run);
        let run = Run::make(&options);
        let cluster = run.join();
        let error = cluster.clocks.iter().map(|c| run.clock_error(&cluster, c.rank));
        let error = error.fold(0.0, f64::max);
        let reference = &run.truth["clocks"][cluster.islands[0].reference as usize];
        let drift = cluster.clocks.iter().map(|clock| {
            let own = &run.truth["clocks"][clock.rank as usize];
            let right = own["b_ppm"].as_f64().unwrap() - reference["b_ppm"].as_f64().unwrap();
            (clock.drift_ppm - right).abs()
        });
        (error, drift.fold(0.0, f64::max))
    };
    let all: Vec<(f64, f64)> = (0..runs).into_par_iter().map(one).collect();
    all.into_iter().fold((0.0, 0.0), |a, b| (a.0.max(b.0), a.1.max(b.1)))
}

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let runs = (runs / 10).max(4);
    let of = |devices: u32, run: u64| ClusterOptions {
        operations: 40,
        seed: seed * 1000 + run,
        ..ClusterOptions::for_devices(devices).unwrap()
    };
    let devices = |run: u64| [2, 4, 8, 16][run as usize % 4];
    let (error, drift) =
        worst(runs, |run| ClusterOptions { compute_us: 3000.0, ..of(devices(run), run) });
    table.row(
        "clocks, data times, window above 110 ms",
        "20 ns",
        format!("{error:.1} ns"),
        error <= 20.0,
    );
    table.row("drift there", "0.1 ppm", format!("{drift:.4} ppm"), drift <= 0.1);
    let (error, _) = worst(runs, |run| ClusterOptions {
        operations: 8,
        compute_us: 60.0,
        ..of(devices(run), run)
    });
    table.row(
        "clocks, data times, window of about 1 ms",
        "130 ns",
        format!("{error:.1} ns"),
        error <= 130.0,
    );
    let (error, _) = worst(runs, |run| ClusterOptions {
        topology: Topology::PipelineBackward,
        program: ClusterTraffic::Microbatches,
        ..of(2 + run as u32 % 7, run)
    });
    table.row(
        "clocks, pipeline forward and backward",
        "60 ns",
        format!("{error:.1} ns"),
        error <= 60.0,
    );
    let (error, _) = worst(runs, |run| ClusterOptions { moments: Moments::None, ..of(8, run) });
    table.row("clocks, ends only, 8 ranks", "250 ns", format!("{error:.1} ns"), error <= 250.0);
    let (error, _) = worst(runs, |run| ClusterOptions { asymmetry: 0.2, ..of(8, run) });
    table.row(
        "clocks, latencies unequal by 20%, 8 ranks",
        "150 ns",
        format!("{error:.1} ns"),
        error <= 150.0,
    );
}
