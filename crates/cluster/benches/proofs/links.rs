//! Links from data alone, their pairs, bounds of clocks, orders, the baseline of the replay: runs of all kinds.

use std::collections::BTreeMap;

use bigtpu_cluster::report::End;
use bigtpu_cluster::{JoinOptions, join};
use bigtpu_synth::{ClusterOptions, ClusterPlant};
use rayon::prelude::*;

use crate::pairs::{Outcome, outcome};
use crate::support::Run;
use crate::table::{Table, is_at_least, share};
use crate::variety::{JITTER_NS, cluster};

/// What one run shows.
struct Shown {
    jitter: f64,
    outcome: Outcome,
    /// Clocks, those whose truth is within the bounds, and within 3 sigma.
    clocks: (usize, usize, usize),
    violations: u64,
    is_exact: bool,
    /// Ranks whose states add up.
    what: String,
}

fn show(options: &ClusterOptions) -> Shown {
    let run = Run::make(options);
    let joined = join(run.ranks.clone(), &JoinOptions::default()).unwrap();
    let cluster = &joined.cluster;
    let mut clocks = (0, 0, 0);
    for row in &cluster.clocks {
        let sigma = row.sigma_ns.unwrap_or(f64::INFINITY);
        let error = run.clock_error(cluster, row.rank);
        clocks.0 += 1;
        clocks.1 += usize::from(run.is_within_bounds(cluster, row.rank));
        clocks.2 += usize::from(error <= 3.0 * sigma + 1.0);
    }
    let is_exact = cluster.ledger.notes.english().iter().all(|note| !note.contains("replay"));
    Shown {
        jitter: options.jitter_ns,
        outcome: outcome(&run, &joined),
        clocks,
        violations: cluster.ledger.violations,
        is_exact,
        what: format!(
            "{:?} {:?} of {}, mode {}, {:?}, jitter {}, operations {}, chunks {}, links {}, shifted {}, named {}, resets {}, seed {}",
            options.topology,
            options.program,
            options.devices,
            options.mode,
            options.moments,
            options.jitter_ns,
            options.operations,
            options.chunks,
            options.links,
            options.shifts_windows,
            options.is_named,
            options.has_resets,
            options.seed
        ),
    }
}

/// Shows one run.
pub(crate) fn debug(seed: u64, run: u64) {
    show_all(&cluster(seed, run));
}

/// Shows all that was found of a cluster.
pub(crate) fn show_all(options: &ClusterOptions) {
    let of = Run::make(options);
    let joined = join(of.ranks.clone(), &JoinOptions::default()).unwrap();
    println!("{options:?}\n{:?}", outcome(&of, &joined));
    let cluster = &joined.cluster;
    println!("islands {:?}", cluster.islands);
    for c in &cluster.clocks {
        let island = &cluster.islands[c.island];
        let right = of.own_time(island.reference, of.true_time(c.rank, 0.0));
        println!(
            "rank {} offset {:.1} right {right:.1} low {:?} high {:?} sigma {:?} drift {:.3} {} violated {} error {:.1}",
            c.rank,
            c.offset_ns,
            c.bound_low_ns,
            c.bound_high_ns,
            c.sigma_ns,
            c.drift_ppm,
            c.method,
            c.violations_after,
            of.clock_error(cluster, c.rank)
        );
    }
    for l in &cluster.links {
        println!(
            "{:?} {:?} n {} shift {} edges {} inside {} p50 {} p95 {}",
            l.from,
            l.to,
            l.commands,
            l.shift,
            l.unpaired_edges,
            l.unpaired_inside,
            l.residual_p50_ns,
            l.residual_p95_ns
        );
    }
    for a in &cluster.ambiguous {
        println!("{a:?}");
    }
    for rank in &of.ranks {
        let t: Vec<_> = rank
            .part
            .threads
            .iter()
            .map(|t| (t.port, t.receives, t.commands.len(), t.is_anchored, t.has_moments))
            .collect();
        println!(
            "{} {:?} events {} lost {} {t:?}",
            rank.number, rank.part.window, rank.part.events, rank.part.lost_records
        );
    }
    for o in cluster.operations.iter().take(6) {
        println!(
            "{} {} {:?} late {} skew {} transfer {} slow {:?} ranks {}",
            o.kind,
            o.source,
            o.group,
            o.late_rank,
            o.skew_ns,
            o.transfer_ns,
            o.slow_link,
            o.ranks.len()
        );
    }
    println!("{:?}", cluster.stragglers);
    println!("{:?}", cluster.whatif);
    for row in &cluster.states {
        println!("{} {:?}", row.rank, row.states);
    }
    println!("{:?}", cluster.ledger);
    println!("{:?}", of.truth["clocks"]);
}

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let shown: Vec<Shown> =
        (0..runs).into_par_iter().map(|run| show(&cluster(seed, run))).collect();
    let mut by_jitter: BTreeMap<u64, Outcome> = BTreeMap::new();
    let (mut all, mut clocks, mut violated, mut inexact) = (Outcome::default(), (0, 0, 0), 0, 0);
    for of in &shown {
        let o = of.outcome;
        by_jitter.entry(of.jitter as u64).or_default().add(o);
        all.add(o);
        clocks = (clocks.0 + of.clocks.0, clocks.1 + of.clocks.1, clocks.2 + of.clocks.2);
        violated += usize::from(of.violations > 0);
        inexact += usize::from(!of.is_exact);
        let bounds = of.clocks.0 - of.clocks.1;
        if o.wrong + o.wrong_pairs + bounds > 0
            || of.violations > 0
            || !of.is_exact
            || o.accepted < o.links && of.jitter <= 50.0
            || of.clocks.2 < of.clocks.0
        {
            eprintln!(
                "  {o:?} clocks {:?} violated {} exact {}: {}",
                of.clocks, of.violations, of.is_exact, of.what
            );
        }
    }
    let wrong = format!("{} of {} accepted in {runs} runs", all.wrong, all.accepted + all.wrong);
    table.row("wrong links, from data alone", "0", wrong, all.wrong == 0);
    let calm: Outcome = by_jitter.range(..=50).fold(Outcome::default(), |mut sum, (_, o)| {
        sum.add(*o);
        sum
    });
    table.row(
        "links accepted, jitter up to 50 ns",
        ">= 98%",
        share(calm.accepted, calm.links),
        is_at_least(calm.accepted, calm.links, 98.0),
    );
    let rest: Vec<String> = JITTER_NS
        .iter()
        .filter_map(|ns| by_jitter.get(&(*ns as u64)).map(|o| (ns, o)))
        .map(|(ns, o)| {
            format!("{ns} ns: {:.1}%", 100.0 * o.accepted as f64 / o.links.max(1) as f64)
        })
        .collect();
    table.row("by jitter; the rest is ambiguous", "-", rest.join(", "), true);
    table.row(
        "pairs of accepted links that are wrong",
        "0",
        format!("{} of {}", all.wrong_pairs, all.right + all.wrong_pairs),
        all.wrong_pairs == 0,
    );
    table.row("truth inside the bounds", "100%", share(clocks.1, clocks.0), clocks.1 == clocks.0);
    table.row(
        "error within 3 sigma",
        ">= 99%",
        share(clocks.2, clocks.0),
        is_at_least(clocks.2, clocks.0, 99.0),
    );
    table.row("runs with violated orders", "0", violated.to_string(), violated == 0);
    table.row("runs whose joint replay is not exact", "0", inexact.to_string(), inexact == 0);
}

/// A run with lost records and shifted windows.
fn lossy(seed: u64, run: u64) -> ClusterOptions {
    let share = [0.002, 0.01, 0.02][run as usize % 3];
    let calm = ClusterOptions { jitter_ns: 20.0, ..cluster(seed + 77, run) };
    let mut plants = vec![ClusterPlant::LostRecords { rank: 1, share }];
    if run.is_multiple_of(3) && calm.devices > 3 {
        plants.push(ClusterPlant::LostDump { rank: 2 });
    }
    // Two links between the same two devices have few commands each.
    let links = 1;
    ClusterOptions { plants, links, shifts_windows: true, operations: calm.operations + 8, ..calm }
}

/// Shows one of them.
pub(crate) fn debug_lost(seed: u64, run: u64) {
    show_all(&lossy(seed, run));
}

/// Pairs where records are lost and windows are shifted.
pub(crate) fn lost(runs: u64, seed: u64, table: &mut Table) {
    let runs = runs / 5;
    let of = |run: u64| {
        let options = lossy(seed, run);
        let run = Run::make(&options);
        let joined = join(run.ranks.clone(), &JoinOptions::default()).unwrap();
        let found = outcome(&run, &joined);
        if found.wrong + found.wrong_pairs > 0 || found.right * 100 < found.pairs * 99 {
            eprintln!(
                "  lost: {found:?} {:?} {:?} of {} seed {} {:?}",
                options.topology, options.program, options.devices, options.seed, options.moments
            );
        }
        found
    };
    let all: Vec<Outcome> = (0..runs).into_par_iter().map(of).collect();
    let mut sum = Outcome::default();
    all.into_iter().for_each(|o| sum.add(o));
    let wrong =
        format!("{} of {}; links {}", sum.wrong_pairs, sum.right + sum.wrong_pairs, sum.wrong);
    table.row(
        "wrong pairs with lost records and shifted windows",
        "0",
        wrong,
        sum.wrong_pairs + sum.wrong == 0,
    );
    table.row(
        "pairs found there",
        ">= 99%",
        share(sum.right, sum.pairs),
        is_at_least(sum.right, sum.pairs, 99.0),
    );
}

/// Wrong topologies are told and never used.
pub(crate) fn stated(runs: u64, seed: u64, table: &mut Table) {
    let runs = runs / 5;
    let of = |run: u64| {
        let mut options = ClusterOptions { jitter_ns: 20.0, ..cluster(seed + 99, run) };
        options.plants = Vec::new();
        let run = Run::make(&options);
        let end = |value: &serde_json::Value| End {
            rank: value["rank"].as_u64().unwrap() as u32,
            port: value["port"].as_u64().unwrap() as u32,
        };
        let links = run.truth["links"].as_array().unwrap();
        // Each sender is said to reach the receiver of the link after the next.
        let count = links.len();
        let mut given = Vec::new();
        for (number, link) in links.iter().enumerate() {
            let other = &links[(number + 2) % count];
            if other["to"]["rank"] != link["from"]["rank"] && other["to"] != link["to"] {
                given.push((end(&link["from"]), end(&other["to"])));
            }
        }
        let cluster =
            run.join_with(&JoinOptions { given: given.clone(), ..JoinOptions::default() });
        let told = cluster.ambiguous.iter().filter(|row| row.why.contains("contradicts")).count();
        // Of threads that moved no data nothing can be said.
        let moved = |end: &End, receives: bool| {
            let rank = run.ranks.iter().find(|rank| rank.number == end.rank);
            rank.is_some_and(|rank| {
                let own = |t: &&bigtpu_cluster::ThreadCommands| {
                    t.port == end.port && t.receives == receives
                };
                rank.part.threads.iter().find(own).is_some_and(|t| t.commands.len() >= 8)
            })
        };
        let expected =
            given.iter().filter(|(from, to)| moved(from, false) && moved(to, true)).count();
        let used = run.wrong_links(&cluster);
        if told < expected || used > 0 {
            eprintln!(
                "  stated: told {told} of {expected}, used {used}: {:?} {:?} of {} seed {} {:?}",
                options.topology, options.program, options.devices, options.seed, options.moments
            );
        }
        (told.min(expected), expected, used)
    };
    let all: Vec<(usize, usize, usize)> = (0..runs).into_par_iter().map(of).collect();
    let sum = all.into_iter().fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
    let text = format!("{}; used {}", share(sum.0, sum.1), sum.2);
    table.row(
        "wrong statements of --topology that are told",
        "100%, none used",
        text,
        sum.0 == sum.1 && sum.2 == 0,
    );
}
