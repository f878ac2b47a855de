//! Planted faults are named first, and none in healthy runs.

use bigtpu_cluster::report::Cluster;
use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Topology};
use rayon::prelude::*;

use crate::random::Random;
use crate::support::Run;
use crate::table::{Table, is_at_least, share};

fn options(seed: u64, run: u64) -> ClusterOptions {
    let mut random = Random::seeded(seed, run);
    let devices = 4 + random.next_below(9) as u32;
    let topology = random.of_list(&[Topology::Ring, Topology::Ring, Topology::TwoPlane]);
    let (devices, program) = match topology {
        Topology::TwoPlane => (devices.max(6).next_multiple_of(2), ClusterTraffic::AllReduce),
        _ => (devices, random.of_list(&[ClusterTraffic::AllReduce, ClusterTraffic::AllGather])),
    };
    ClusterOptions {
        topology,
        program,
        operations: 10 + random.next_below(15) as u32,
        mode: 1 + random.next_below(2) as u8,
        is_permuted: random.happens(50),
        jitter_ns: random.of_list(&[5.0, 20.0, 50.0]),
        seed: seed * 1000 + run,
        ..ClusterOptions::for_devices(devices).unwrap()
    }
}

/// A fault, and what the report says of a run with it.
fn planted(
    seed: u64,
    runs: u64,
    plant: impl Fn(&ClusterOptions, &mut Random) -> ClusterPlant + Sync,
    is_named: impl Fn(&Cluster, ClusterPlant) -> bool + Sync,
) -> usize {
    let one = |run: u64| {
        let mut options = options(seed, run);
        let plant = plant(&options, &mut Random::seeded(seed + 5, run));
        options.plants = vec![plant];
        let cluster = Run::make(&options).join();
        let named = is_named(&cluster, plant);
        if !named {
            let first: Vec<_> = cluster
                .stragglers
                .iter()
                .take(3)
                .map(|s| (s.rank, s.gain_ns, s.inherited_from.clone()))
                .collect();
            let advice: Vec<_> = cluster.advice.iter().map(|a| a.id).collect();
            eprintln!(
                "  {plant:?}: {:?} {:?} of {} seed {}: {first:?} {advice:?} {:?}",
                options.topology,
                options.program,
                options.devices,
                options.seed,
                cluster.verdict.first()
            );
        }
        usize::from(named)
    };
    (0..runs).into_par_iter().map(one).sum()
}

fn factor(random: &mut Random) -> f64 {
    1.2 + 0.6 * random.unit()
}

fn link(options: &ClusterOptions, random: &mut Random) -> (u32, u32) {
    let n = match options.topology {
        Topology::TwoPlane => options.devices / 2,
        _ => options.devices,
    };
    let from = random.next_below(n.into()) as u32;
    (from, (from + 1) % n)
}

/// Shows the run of a late rank.
pub(crate) fn debug(seed: u64, run: u64) {
    let seed = seed + 21;
    let mut options = options(seed, run);
    let mut random = Random::seeded(seed + 5, run);
    let rank = random.next_below(options.devices.into()) as u32;
    options.plants = vec![ClusterPlant::LateRank { rank, factor: factor(&mut random) }];
    crate::links::show_all(&options);
}

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let runs = (runs / 5).max(4);
    let all = runs as usize;
    let mut row = |what: &str, named: usize| {
        table.row(what, ">= 95%", share(named, all), is_at_least(named, all, 95.0));
    };
    let named = planted(
        seed + 21,
        runs,
        |o, r| ClusterPlant::LateRank {
            rank: r.next_below(o.devices.into()) as u32,
            factor: factor(r),
        },
        |cluster, plant| {
            let ClusterPlant::LateRank { rank, .. } = plant else { return false };
            let first = cluster.stragglers.first();
            first.is_some_and(|s| s.rank == rank && s.gain_ns > 0.0)
                && cluster.advice.first().is_some_and(|a| a.id == "late-rank")
        },
    );
    row("late rank named first, factor 1.2 to 1.8", named);
    let named = planted(
        seed + 22,
        runs,
        |o, r| {
            let (from, to) = link(o, r);
            ClusterPlant::SlowLink { from, to, factor: 1.0 + 2.0 * (factor(r) - 1.0) }
        },
        |cluster, plant| {
            let ClusterPlant::SlowLink { from, to, .. } = plant else { return false };
            let mut slow = cluster.operations.iter().filter_map(|o| o.slow_link).peekable();
            slow.peek().is_some()
                && slow.all(|l| (l.from, l.to) == (from, to))
                && cluster
                    .advice
                    .iter()
                    .find(|a| a.id != "exposed-communication")
                    .is_some_and(|a| a.id == "slow-link")
        },
    );
    row("slow link named first, factor 1.4 to 2.6", named);
    let named = planted(
        seed + 23,
        runs,
        |o, r| ClusterPlant::LateLaunch {
            rank: r.next_below(o.devices.into()) as u32,
            us: o.compute_us * (factor(r) - 1.0),
        },
        |cluster, plant| {
            let ClusterPlant::LateLaunch { rank, .. } = plant else { return false };
            cluster.stragglers.first().is_some_and(|s| s.rank == rank)
                && cluster.advice.first().is_some_and(|a| a.id == "late-launch")
        },
    );
    row("late launch named first, 1.2 to 1.8 times the work", named);
    let named = planted(
        seed + 24,
        runs,
        |o, r| {
            let (from, to) = link(o, r);
            ClusterPlant::Retries { from, to }
        },
        |cluster, plant| {
            let ClusterPlant::Retries { from, to } = plant else { return false };
            let mut bad = cluster.links.iter().filter(|l| l.replays > 0);
            bad.next().is_some_and(|l| (l.from.rank, l.to.rank) == (from, to))
                && bad.next().is_none()
                && cluster.advice.iter().any(|a| a.id == "retrying-link")
        },
    );
    row("retrying link named", named);
    let faults = ["late-rank", "late-launch", "slow-link", "retrying-link", "stage-imbalance"];
    let healthy = |run: u64| {
        let options = options(seed + 25, run);
        let cluster = Run::make(&options).join();
        let said: Vec<&str> =
            cluster.advice.iter().map(|a| a.id).filter(|id| faults.contains(id)).collect();
        let is_quiet = said.is_empty() && cluster.stragglers.is_empty();
        if !is_quiet {
            eprintln!(
                "  healthy {:?} {:?} of {} seed {}: {said:?} {:?}",
                options.topology,
                options.program,
                options.devices,
                options.seed,
                cluster.verdict.first()
            );
        }
        usize::from(!is_quiet)
    };
    let loud: usize = (0..runs).into_par_iter().map(healthy).sum();
    table.row("healthy runs with a named fault", "0", format!("{loud} of {runs}"), loud == 0);
}
