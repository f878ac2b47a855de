//! The answer in a few sentences, and advice.

use std::collections::{BTreeMap, BTreeSet};

use crate::groups::STAGES;
use crate::report::{AdviceRow, Cluster};

/// A link that sends this share of its packets again is bad: any is worth a look.
const LEAST_REPLAYS: u64 = 1;
/// Share of a rank's window that exposed communication must be to be named.
const EXPOSED: f64 = 0.1;

/// ms with two places.
fn ms(ns: f64) -> String {
    format!("{:.2} ms", ns / 1e6)
}

fn window(cluster: &Cluster) -> f64 {
    cluster.states.iter().map(|s| s.window_ns).max().unwrap_or(0) as f64
}

/// How often each link is the slow one of an operation, the most frequent first.
fn slow_links(cluster: &Cluster) -> Vec<((u32, u32), usize)> {
    let mut count: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for slow in cluster.operations.iter().filter_map(|o| o.slow_link) {
        *count.entry((slow.from, slow.to)).or_default() += 1;
    }
    let mut all: Vec<_> = count.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    all
}

/// What made a rank late in most operations.
fn cause_of(cluster: &Cluster, rank: u32) -> Option<String> {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for operation in cluster.operations.iter().filter(|o| o.late_rank == rank) {
        for cause in &operation.late_because {
            *sums.entry(&cause.what).or_default() += cause.ns;
        }
    }
    let (what, ns) = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(format!("{what} takes {} longer than on the median rank", ms(ns)))
}

/// The answer, the most important sentence first.
pub(crate) fn verdict(cluster: &Cluster) -> Vec<String> {
    let mut sentences = Vec::new();
    let missing = cluster.ranks.iter().filter(|r| r.missing).count();
    if cluster.islands.len() > 1 {
        sentences.push(format!(
            "No link joins all ranks: there are {} islands, each with a time of its own, and nothing is compared across them.",
            cluster.islands.len()
        ));
    }
    if missing > 0 {
        sentences.push(format!(
            "{missing} of {} ranks have no dump; all shares are of the others.",
            cluster.ranks.len()
        ));
    }
    let total = window(cluster);
    let worst = cluster.stragglers.iter().find(|s| s.gain_ns > 0.0);
    if let Some(s) = worst {
        let of = cluster.operations.iter().filter(|o| o.ranks.iter().any(|m| m.rank == s.rank));
        let count = of.count();
        let because =
            cause_of(cluster, s.rank).map_or_else(String::new, |text| format!(": {text}"));
        sentences.push(format!(
            "Rank {} is late in {} of {count} operations{because}; without this the run would take {} instead of {}.",
            s.rank,
            s.late,
            ms(total - s.gain_ns),
            ms(total)
        ));
    }
    if let Some(((from, to), count)) = slow_links(cluster).first() {
        sentences.push(format!(
            "The link from rank {from} to rank {to} is slower than 0.8 of the median in {count} of {} operations.",
            cluster.operations.len()
        ));
    }
    if let Some(link) =
        cluster.links.iter().max_by_key(|l| l.replays).filter(|l| l.replays >= LEAST_REPLAYS)
    {
        sentences.push(format!(
            "The link from rank {} port {} to rank {} port {} sent {} packets again: check its cable and connectors.",
            link.from.rank, link.from.port, link.to.rank, link.to.port, link.replays
        ));
    }
    if sentences.is_empty() {
        sentences.push(match cluster.operations.len() {
            0 => "No communication between the ranks was found.".to_owned(),
            n => format!(
                "No rank and no link stands out in {n} operations of {} ranks.",
                cluster.clocks.len()
            ),
        });
    }
    sentences
}

/// Work of a pipeline's stage over the mean of all its stages, where a rank is one and works more.
fn stage_work(cluster: &Cluster, rank: u32) -> Option<f64> {
    let own = cluster.groups.iter().filter(|g| g.ranks.contains(&rank));
    let is_stage = own.clone().count() > 0 && own.clone().all(|g| g.role == Some(STAGES));
    let of_pipelines = cluster.groups.iter().filter(|g| g.role == Some(STAGES));
    let stages: BTreeSet<u32> = of_pipelines.flat_map(|g| g.ranks.iter().copied()).collect();
    let work = |rank: u32| {
        let row = cluster.states.iter().find(|row| row.rank == rank)?;
        Some((row.states.compute_ns + row.states.memory_ns) as f64)
    };
    let all: Vec<f64> = stages.iter().filter_map(|&rank| work(rank)).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let times = work(rank)? / mean.max(1.0);
    (is_stage && stages.len() > 2 && times > 1.05).then_some(times)
}

/// What to do, with gains where they are known.
pub(crate) fn advice(cluster: &Cluster) -> Vec<AdviceRow> {
    let mut rows = Vec::new();
    for s in cluster.stragglers.iter().filter(|s| s.gain_ns > 0.0).take(3) {
        let because = cause_of(cluster, s.rank)
            .unwrap_or_else(|| "its own time is above the median".to_owned());
        let is_launch = because.starts_with("launch gaps");
        let stage = stage_work(cluster, s.rank).filter(|_| !is_launch);
        let (id, text) = match (is_launch, stage) {
            (true, _) => ("late-launch", format!("rank {}: {because}", s.rank)),
            (_, Some(times)) => (
                "stage-imbalance",
                format!(
                    "the pipeline's stage on rank {} works {times:.2} times as long as the mean stage: move layers to others",
                    s.rank
                ),
            ),
            _ => ("late-rank", format!("rank {}: {because}", s.rank)),
        };
        rows.push(AdviceRow { id, text, gain_ns: Some(s.gain_ns) });
    }
    for ((from, to), count) in slow_links(cluster).into_iter().take(3) {
        let scale = format!("link:{from}>{to}=2");
        let gain = cluster.whatif.iter().find(|w| w.scale == scale).map(|w| w.gain_ns);
        rows.push(AdviceRow {
            id: "slow-link",
            text: format!("link {from}>{to} is the slow one of {count} operations; its gain is that of twice its speed"),
            gain_ns: gain,
        });
    }
    for link in cluster.links.iter().filter(|l| l.replays >= LEAST_REPLAYS) {
        rows.push(AdviceRow {
            id: "retrying-link",
            text: format!(
                "link from rank {} port {} to rank {} port {} sent {} packets again",
                link.from.rank, link.from.port, link.to.rank, link.to.port, link.replays
            ),
            gain_ns: None,
        });
    }
    let exposed: u64 = cluster.states.iter().map(|s| s.exposed_ns).sum();
    let all: u64 = cluster.states.iter().map(|s| s.window_ns - s.states.not_captured_ns).sum();
    let share = exposed as f64 / all.max(1) as f64;
    if share > EXPOSED {
        rows.push(AdviceRow {
            id: "exposed-communication",
            text: format!(
                "communication that no computation hides is {:.0}% of the ranks' time: start transfers before the work that does not need them",
                share * 100.0
            ),
            gain_ns: None,
        });
    }
    rows
}
