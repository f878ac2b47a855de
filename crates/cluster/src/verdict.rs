//! The answer in a few sentences, and advice.

use std::collections::{BTreeMap, BTreeSet};

use crate::causes::{COMPUTING, GAPS, IDLE, MOVING};
use crate::gains::speed_up;
use crate::groups::STAGES;
use crate::join::thousandth;
use crate::report::{AdviceRow, Cluster, StragglerCause, StragglerRow};

/// A link that sends this share of its packets again is bad: any is worth a look.
const LEAST_REPLAYS: u64 = 1;
/// Share of a rank's window that exposed communication must be to be named.
const EXPOSED: f64 = 0.1;
/// Share of the time of a pipeline's stages that bubbles must be to be named.
const BUBBLE: f64 = 0.1;

/// Share of the run that a gain must be for a word in the verdict.
const WORTH: f64 = 0.002;

/// Where a replay does not know what waited for what.
const NOT_KNOWN: &str = "what this costs is not known, because ports have commands without partner";

/// ms: to a microsecond below 10 ms, so that the least gain that is told shows, and to two places above.
fn ms(ns: f64) -> String {
    let places = if ns < 10e6 { 3 } else { 2 };
    format!("{:.places$} ms", ns / 1e6)
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

/// What holds a rank up, as a clause.
fn clause(cause: &StragglerCause) -> String {
    let (verb, what) = match cause.what.as_str() {
        GAPS => ("take", "the pauses between its launches".to_owned()),
        COMPUTING => ("takes", "its computation".to_owned()),
        MOVING => ("take", "its transfers between memories".to_owned()),
        IDLE => ("take", "its pauses".to_owned()),
        kernel => ("takes", format!("its {kernel}")),
    };
    match cause.times {
        Some(times) => format!(
            "{what} {verb} {times:.2} times as long as on the median rank ({} more)",
            ms(cause.ns)
        ),
        None => format!("{what} {verb} {} longer than on the median rank", ms(cause.ns)),
    }
}

/// The clause of a straggler; what to look at where its launches are late.
fn because(straggler: &StragglerRow) -> Option<String> {
    let cause = straggler.cause.as_ref()?;
    let host = if cause.what == GAPS { ", so its host launches late" } else { "" };
    Some(format!("{}{host}", clause(cause)))
}

/// What the run would take without `gain` ns of `total`, as the end of a sentence.
fn instead(total: f64, gain: f64) -> String {
    format!("the run would take {} instead of {}", ms(total - gain), ms(total))
}

/// The least share of the fastest link's rate that links between two ranks have; `None` if it is not known.
fn share_of_best(cluster: &Cluster, from: u32, to: u32) -> Option<f64> {
    let links = cluster.links.iter().filter(|l| (l.from.rank, l.to.rank) == (from, to));
    links.filter_map(|l| l.share_of_best).min_by(f64::total_cmp)
}

/// What a link is, and at what rate its gain is.
fn speed(share: Option<f64>) -> (String, &'static str) {
    match share {
        Some(share) => (
            format!("has {:.0}% of the fastest link's rate", share * 100.0),
            "at the fastest's rate",
        ),
        None => ("is slow".to_owned(), "at twice its rate"),
    }
}

/// What the run would take at a rate, where that is worth a word.
fn then(cluster: &Cluster, rate: &str, gain: Option<f64>) -> String {
    let total = window(cluster);
    gain.filter(|gain| *gain > WORTH * total)
        .map_or_else(String::new, |gain| format!("; {rate} {}", instead(total, gain)))
}

/// Sentence of the slowest link, with what the run gains at the rate of the fastest.
fn slow_link(cluster: &Cluster) -> Option<(String, f64)> {
    let ((from, to), count) = slow_links(cluster).into_iter().next()?;
    let (speed, rate) = speed(share_of_best(cluster, from, to));
    let gain = gain_of_link(cluster, from, to);
    let then = match gain {
        Some(gain) => format!("; {rate} {}", instead(window(cluster), gain)),
        None if !cluster.ambiguous.is_empty() => format!("; {NOT_KNOWN}"),
        None => String::new(),
    };
    let all = cluster.operations.len();
    Some((
        format!(
            "The link from rank {from} to rank {to} {speed} and is the slow one in {count} of {all} operations{then}."
        ),
        gain.unwrap_or(0.0),
    ))
}

/// Sentence of the link that sends most packets again.
fn retrying_link(cluster: &Cluster) -> Option<(String, f64)> {
    let worst = cluster.links.iter().max_by_key(|l| l.replays);
    let link = worst.filter(|l| l.replays >= LEAST_REPLAYS)?;
    let gain = gain_of_link(cluster, link.from.rank, link.to.rank);
    let (_, rate) = speed(share_of_best(cluster, link.from.rank, link.to.rank));
    let then = then(cluster, rate, gain);
    Some((
        format!(
            "The link from rank {} port {} to rank {} port {} sent {} packets again: check its cable and connectors{then}.",
            link.from.rank, link.from.port, link.to.rank, link.to.port, link.replays
        ),
        gain.unwrap_or(0.0),
    ))
}

/// ns; what the run gains if a link has the rate of the fastest, or twice its own where rates are not known; `None` if
/// this is nothing.
fn gain_of_link(cluster: &Cluster, from: u32, to: u32) -> Option<f64> {
    let scale = format!("link:{from}>{to}={}", speed_up(share_of_best(cluster, from, to)));
    let row = cluster.whatif.iter().find(|w| w.scale == scale);
    row.map(|w| w.gain_ns).filter(|gain| *gain > 0.0)
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
            "{missing} of {} ranks {} no dump; all shares are of the others.",
            cluster.ranks.len(),
            if missing == 1 { "has" } else { "have" }
        ));
    }
    let left_out = cluster.ledger.left_out;
    if left_out > 0 {
        sentences.push(format!(
            "{left_out} of {} dumps could not be read and {} left out; all shares are of the others.",
            left_out + cluster.ranks.len() - missing,
            if left_out == 1 { "is" } else { "are" }
        ));
    }
    let total = window(cluster);
    let mut found: Vec<(String, f64)> = Vec::new();
    let worst = cluster.stragglers.iter().find(|s| s.inherited_from.is_none());
    if let Some(s) = worst {
        let of = cluster.operations.iter().filter(|o| o.ranks.iter().any(|m| m.rank == s.rank));
        let count = of.count();
        let because = because(s).map_or_else(String::new, |text| format!(": {text}"));
        let without = match s.gain_ns > 0.0 {
            true => format!("without this {}", instead(total, s.gain_ns)),
            false if cluster.ambiguous.is_empty() => {
                "what this costs is not known, because ports are not on their devices' clocks"
                    .to_owned()
            }
            false => NOT_KNOWN.to_owned(),
        };
        let sentence = format!(
            "Rank {} is late in {} of {count} operations{because}; {without}.",
            s.rank, s.late
        );
        found.push((sentence, s.gain_ns));
    }
    found.extend(slow_link(cluster));
    found.extend(retrying_link(cluster));
    // What gains more comes first.
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    sentences.extend(found.into_iter().map(|(sentence, _)| sentence));
    if sentences.is_empty() {
        sentences.push(match cluster.operations.len() {
            0 if !cluster.links.is_empty() => {
                "Ports are linked, but they are not on their devices' clocks: when operations ran is not known.".to_owned()
            }
            0 => "No communication between the ranks was found.".to_owned(),
            n => format!(
                "No rank and no link stands out in {n} operation{} of {} ranks.",
                if n == 1 { "" } else { "s" },
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

/// What to do, with gains where they are known. `hiding`: ns that the run gains at most if work hides transfers.
pub(crate) fn advice(cluster: &Cluster, hiding: f64) -> Vec<AdviceRow> {
    let mut rows = Vec::new();
    for s in cluster.stragglers.iter().filter(|s| s.inherited_from.is_none()).take(3) {
        let is_launch = s.cause.as_ref().is_some_and(|cause| cause.what == GAPS);
        let because = because(s).unwrap_or_else(|| "its own time is above the median".to_owned());
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
        rows.push(AdviceRow { id, text, gain_ns: (s.gain_ns > 0.0).then_some(s.gain_ns) });
    }
    for ((from, to), count) in slow_links(cluster).into_iter().take(3) {
        let (speed, rate) = speed(share_of_best(cluster, from, to));
        let gain_ns = gain_of_link(cluster, from, to);
        let what = if gain_ns.is_some() { format!("; the gain is {rate}") } else { String::new() };
        rows.push(AdviceRow {
            id: "slow-link",
            text: format!(
                "the link from rank {from} to rank {to} {speed} and is the slow one of {count} operations: check its cable, and what else uses it{what}"
            ),
            gain_ns,
        });
    }
    for link in cluster.links.iter().filter(|l| l.replays >= LEAST_REPLAYS) {
        rows.push(AdviceRow {
            id: "retrying-link",
            text: format!(
                "the link from rank {} port {} to rank {} port {} sent {} packets again: check its cable and connectors",
                link.from.rank, link.from.port, link.to.rank, link.to.port, link.replays
            ),
            gain_ns: gain_of_link(cluster, link.from.rank, link.to.rank),
        });
    }
    let exposed: u64 = cluster.states.iter().map(|s| s.exposed_ns).sum();
    let all: u64 = cluster.states.iter().map(|s| s.window_ns - s.states.not_captured_ns).sum();
    let share = exposed as f64 / all.max(1) as f64;
    if share > EXPOSED {
        let most = match hiding > 0.0 {
            true => "; the gain is what perfect overlap would give at most",
            false => "",
        };
        rows.push(AdviceRow {
            id: "exposed-communication",
            text: format!(
                "communication that no computation hides is {:.0}% of the ranks' time: start transfers before the work that does not need them{most}",
                share * 100.0
            ),
            gain_ns: (hiding > 0.0).then(|| thousandth(hiding)),
        });
    }
    rows.extend(bubbles(cluster));
    rows
}

/// Pipelines whose stages wait for each other.
fn bubbles(cluster: &Cluster) -> impl Iterator<Item = AdviceRow> + '_ {
    cluster.stages.chunk_by(|a, b| a.pipeline == b.pipeline).filter_map(|own| {
        let worst = own.iter().max_by(|a, b| {
            a.bubble_share.total_cmp(&b.bubble_share).then(b.stage.cmp(&a.stage))
        })?;
        let mean = own.iter().map(|row| row.bubble_share).sum::<f64>() / own.len().max(1) as f64;
        let text = format!(
            "the {} stages of a pipeline wait for each other in {:.0}% of their time, stage {} (rank {}) in {:.0}%: more and smaller microbatches make these bubbles smaller",
            own.len(),
            mean * 100.0,
            worst.stage,
            worst.rank,
            worst.bubble_share * 100.0
        );
        (mean > BUBBLE).then_some(AdviceRow { id: "pipeline-bubble", text, gain_ns: None })
    })
}
