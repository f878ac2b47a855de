//! Operations: found, kinds, ranks, times, bytes.

use bigtpu_synth::{ClusterOptions, ClusterTraffic, Topology};
use rayon::prelude::*;

use crate::support::Run;
use crate::table::{Table, is_at_least, share};
use crate::variety::cluster;

/// Operations: of the truth, those found with the right ranks, and of these: right kinds, wrong kinds, bytes that are not wrong,
/// times within two sigma, known bytes.
type Counts = [usize; 7];

fn count(options: &ClusterOptions) -> Counts {
    let run = Run::make(options);
    let cluster = run.join();
    let truth = run.truth["operations"].as_array().unwrap();
    let mut bytes = vec![0u64; truth.len()];
    for pair in run.truth["pairs"].as_array().unwrap() {
        bytes[pair["operation"].as_u64().unwrap() as usize] += pair["bytes"].as_u64().unwrap();
    }
    let mut counts = [0; 7];
    let mut free: Vec<bool> = vec![true; cluster.operations.len()];
    for (number, right) in truth.iter().enumerate() {
        counts[0] += 1;
        let ranks = right["ranks"].as_array().unwrap();
        let of = |key: &'static str| ranks.iter().map(move |rank| rank[key].as_f64().unwrap());
        let start = of("arrival_ns").fold(f64::INFINITY, f64::min);
        let mut numbers: Vec<u64> = ranks.iter().map(|r| r["rank"].as_u64().unwrap()).collect();
        numbers.sort_unstable();
        let member = |row: &bigtpu_cluster::report::OperationRow| {
            let own = row.ranks.iter().map(|own| u64::from(own.rank));
            own.eq(numbers.iter().copied())
        };
        let near = |row: &bigtpu_cluster::report::OperationRow| {
            let reference = cluster.islands[row.island].reference;
            (row.start_ns - run.own_time(reference, start)).abs() < 20_000.0
        };
        let found = cluster
            .operations
            .iter()
            .zip(&mut free)
            .find(|(row, free)| **free && member(row) && near(row));
        let Some((row, free)) = found else { continue };
        *free = false;
        counts[1] += 1;
        // A broadcast of two ranks is one sender and one receiver.
        let kind = match right["kind"].as_str().unwrap() {
            "broadcast" if ranks.len() == 2 && row.source != "kernel" => "p2p",
            kind => kind,
        };
        counts[2] += usize::from(row.kind == kind);
        counts[3] += usize::from(row.kind != kind && !["ring", "unknown"].contains(&row.kind));
        // Where a link is open bytes are unknown; a wrong number is none.
        counts[4] += usize::from(row.wire_bytes.is_none_or(|known| known == bytes[number]));
        counts[6] += usize::from(row.wire_bytes.is_some());
        let sigma = cluster.clocks.iter().filter_map(|c| c.sigma_ns).fold(0.0, f64::max);
        // In time of the reference, whose crystal is up to 100 ppm off: a receive that was posted 10 ms before its sender
        // came has a skew of 10 ms, give or take a us.
        let reference = cluster.islands[row.island].reference;
        let of = |key| of(key).map(|time| run.own_time(reference, time));
        let (low, high) = of("arrival_ns")
            .fold((f64::INFINITY, f64::NEG_INFINITY), |a, t| (a.0.min(t), a.1.max(t)));
        let end = of("end_ns").fold(f64::NEG_INFINITY, f64::max);
        let (skew, transfer) = (high - low, (end - high).max(0.0));
        let is_near = |found: f64, right: f64| (found - right).abs() <= 2.0 * sigma + 4.0;
        counts[5] += usize::from(is_near(row.skew_ns, skew) && is_near(row.transfer_ns, transfer));
    }
    counts
}

fn sum(runs: u64, of: impl Fn(u64) -> ClusterOptions + Sync) -> Counts {
    let one = |run: u64| {
        let options = of(run);
        let counts = count(&options);
        if counts[1] < counts[0] || counts[3] > 0 || counts[4] < counts[1] || counts[5] < counts[1]
        {
            eprintln!(
                "  {counts:?} {:?} {:?} of {} mode {} named {} resets {} {:?} chunks {} jitter {} seed {}",
                options.topology,
                options.program,
                options.devices,
                options.mode,
                options.is_named,
                options.has_resets,
                options.moments,
                options.chunks,
                options.jitter_ns,
                options.seed
            );
        }
        counts
    };
    let all: Vec<Counts> = (0..runs).into_par_iter().map(one).collect();
    all.into_iter().fold([0; 7], |a, b| std::array::from_fn(|at| a[at] + b[at]))
}

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let runs = (runs / 5).max(4);
    let calm = |seed: u64, run: u64| ClusterOptions {
        jitter_ns: 20.0,
        shifts_windows: false,
        // A second link between two neighbours takes every second chunk.
        links: 1,
        ..cluster(seed, run)
    };
    let all = sum(runs, |run| {
        let options = calm(seed + 11, run);
        ClusterOptions { is_named: true, mode: options.mode.max(1), ..options }
    });
    table.row(
        "operations with kernel names found, with their ranks",
        "100%",
        share(all[1], all[0]),
        all[1] == all[0],
    );
    table.row("kinds right there", "100%", share(all[2], all[1]), all[2] == all[1]);
    table.row(
        "bytes exact where they are known",
        "100%",
        format!("{}; known of {}", share(all[4], all[1]), all[6]),
        all[4] == all[1],
    );
    table.row(
        "skew and transfer within 2 sigma of the clocks",
        "100%",
        share(all[5], all[1]),
        is_at_least(all[5], all[1], 99.0),
    );
    // Without names only the restart of ids tells calls apart. The rings of two planes and the exchange between them, and
    // the groups of a grid, follow each other without anything between: they are not one operation then.
    let unnamed = |seed: u64, run: u64| {
        let options = calm(seed, run);
        let is_one = !matches!(options.topology, Topology::TwoPlane | Topology::Grid(..));
        let (topology, program) = match is_one {
            true => (options.topology, options.program),
            false => (Topology::Ring, ClusterTraffic::AllReduce),
        };
        let operations = if is_one { options.operations } else { 10 };
        let devices = options.devices.max(2);
        let topology =
            if devices == 2 && topology == Topology::Ring { Topology::Pair } else { topology };
        ClusterOptions {
            is_named: false,
            has_resets: true,
            topology,
            program,
            operations,
            ..options
        }
    };
    let bits = sum(runs, |run| ClusterOptions { mode: 2, ..unnamed(seed + 12, run) });
    table.row(
        "kinds by reduce bits (mode 2, no names; rings, pipelines, alltoall)",
        "100%, 0 wrong",
        format!("{}, {} wrong", share(bits[2], bits[0]), bits[3]),
        bits[2] == bits[0] && bits[3] == 0,
    );
    let pattern =
        sum(runs, |run| ClusterOptions { mode: (run % 2) as u8, ..unnamed(seed + 13, run) });
    table.row(
        "kinds by pattern alone: p2p, broadcast, alltoall; the rest ring or unknown",
        "0 wrong",
        format!(
            "{}, {} wrong; found {}",
            share(pattern[2], pattern[0]),
            pattern[3],
            share(pattern[1], pattern[0])
        ),
        pattern[3] == 0,
    );
    let decidable = sum(runs / 2, |run| {
        let options = calm(seed + 14, run);
        let (topology, program) = match run % 3 {
            0 => (Topology::AllToAll, ClusterTraffic::AllToAll),
            1 => (Topology::PipelineBackward, ClusterTraffic::Microbatches),
            _ => (Topology::Ring, ClusterTraffic::Broadcast),
        };
        let devices = options.devices.clamp(3, 8);
        let operations = options.operations.max(9);
        ClusterOptions {
            is_named: false,
            has_resets: true,
            mode: 0,
            topology,
            program,
            devices,
            operations,
            splits_ports: false,
            ..options
        }
    });
    table.row(
        "kinds that a pattern can show",
        ">= 95%",
        share(decidable[2], decidable[0]),
        is_at_least(decidable[2], decidable[0], 95.0),
    );
}
