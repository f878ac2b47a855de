//! The answer in a few sentences, and advice.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_messages::{Arg, Message, message};

use crate::causes::{COMPUTING, GAPS, IDLE, MOVING};
use crate::gains::speed_up;
use crate::groups::STAGES;
use crate::numbers::thousandth;
use crate::report::{AdviceRow, Cluster, LinkRow, StragglerRow};

/// A link that sends this share of its packets again is bad: any is worth a look.
const LEAST_REPLAYS: u64 = 1;
/// Share of a rank's window that exposed communication must be to be named.
const EXPOSED: f64 = 0.1;
/// Share of the time of a pipeline's stages that bubbles must be to be named.
const BUBBLE: f64 = 0.1;

/// Share of the run that a gain must be for a word in the verdict.
const WORTH: f64 = 0.002;

/// Where a replay does not know what waited for what.
fn not_known() -> Message {
    message!("cluster-cost-without-partner")
}

fn time(ns: f64) -> Arg {
    Arg::TimeNs(ns.round() as i64)
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

/// What holds a rank up, as a clause; and what to look at where its launches are late.
fn because(straggler: &StragglerRow) -> Option<Message> {
    let cause = straggler.cause.as_ref()?;
    let what = match cause.what.as_str() {
        GAPS => message!("cluster-pauses-between-launches"),
        COMPUTING => message!("cluster-its-computation"),
        MOVING => message!("cluster-its-transfers"),
        IDLE => message!("cluster-its-pauses"),
        kernel => message!("cluster-its-kernel", kernel = kernel),
    };
    // The verb follows what it is of.
    let are_many = matches!(cause.what.as_str(), GAPS | MOVING | IDLE);
    let clause = match (cause.times, are_many) {
        (Some(times), true) => message!(
            "cluster-take-times",
            what = what,
            times = Arg::Factor(times),
            more = time(cause.ns)
        ),
        (Some(times), false) => message!(
            "cluster-takes-times",
            what = what,
            times = Arg::Factor(times),
            more = time(cause.ns)
        ),
        (None, true) => message!("cluster-take-longer", what = what, more = time(cause.ns)),
        (None, false) => message!("cluster-takes-longer", what = what, more = time(cause.ns)),
    };
    Some(match cause.what == GAPS {
        true => message!("cluster-host-is-late", clause = clause),
        false => clause,
    })
}

/// What the run would take without `gain` ns of `total`.
fn instead(total: f64, gain: f64) -> Message {
    message!("cluster-instead", after = time(total - gain), before = time(total))
}

/// The least share of the fastest link's rate that links between two ranks have; `None` if it is not known.
fn share_of_best(cluster: &Cluster, from: u32, to: u32) -> Option<f64> {
    let links = cluster.links.iter().filter(|l| (l.from.rank, l.to.rank) == (from, to));
    links.filter_map(|l| l.share_of_best).min_by(f64::total_cmp)
}

/// What a link is.
fn speed(share: Option<f64>) -> Message {
    match share {
        Some(share) => message!("cluster-share-of-fastest", share = Arg::Share(share)),
        None => message!("cluster-is-slow"),
    }
}

/// At what rate the gain of a link is.
fn rate(share: Option<f64>) -> Message {
    match share {
        Some(_) => message!("cluster-at-fastest-rate"),
        None => message!("cluster-at-twice-its-rate"),
    }
}

/// Sentence of the slowest link, with what the run gains at the rate of the fastest.
fn slow_link(cluster: &Cluster) -> Option<(Message, f64)> {
    let ((from, to), count) = slow_links(cluster).into_iter().next()?;
    let share = share_of_best(cluster, from, to);
    let gain = gain_of_link(cluster, from, to);
    let sentence = message!(
        "cluster-slow-link",
        from = Arg::Number(from.into()),
        to = Arg::Number(to.into()),
        speed = speed(share),
        count = count,
        all = cluster.operations.len()
    );
    let sentence = match gain {
        Some(gain) => message!(
            "cluster-link-then",
            link = sentence,
            rate = rate(share),
            then = instead(window(cluster), gain)
        ),
        None if !cluster.ambiguous.is_empty() => {
            message!("cluster-link-cost", link = sentence, cost = not_known())
        }
        None => sentence,
    };
    Some((message!("cluster-sentence", clause = sentence), gain.unwrap_or(0.0)))
}

/// A link that sends packets again, as a clause.
fn retries(link: &LinkRow) -> Message {
    message!(
        "cluster-retrying-link",
        from = Arg::Number(link.from.rank.into()),
        from_port = Arg::Number(link.from.port.into()),
        to = Arg::Number(link.to.rank.into()),
        to_port = Arg::Number(link.to.port.into()),
        packets = link.replays
    )
}

/// Sentence of the link that sends most packets again.
fn retrying_link(cluster: &Cluster) -> Option<(Message, f64)> {
    let worst = cluster.links.iter().max_by_key(|l| l.replays);
    let link = worst.filter(|l| l.replays >= LEAST_REPLAYS)?;
    let gain = gain_of_link(cluster, link.from.rank, link.to.rank);
    let total = window(cluster);
    let sentence = match gain.filter(|gain| *gain > WORTH * total) {
        Some(gain) => message!(
            "cluster-link-then",
            link = retries(link),
            rate = rate(share_of_best(cluster, link.from.rank, link.to.rank)),
            then = instead(total, gain)
        ),
        None => retries(link),
    };
    Some((message!("cluster-sentence", clause = sentence), gain.unwrap_or(0.0)))
}

/// ns; what the run gains if a link has the rate of the fastest, or twice its own where rates are not known; `None` if
/// this is nothing.
fn gain_of_link(cluster: &Cluster, from: u32, to: u32) -> Option<f64> {
    let scale = format!("link:{from}>{to}={}", speed_up(share_of_best(cluster, from, to)));
    let row = cluster.whatif.iter().find(|w| w.scale == scale);
    row.map(|w| w.gain_ns).filter(|gain| *gain > 0.0)
}

/// The answer, the most important sentence first.
pub(crate) fn verdict(cluster: &Cluster) -> Vec<Message> {
    let mut found: Vec<(Message, f64)> = Vec::new();
    found.extend(late_rank(cluster));
    found.extend(slow_link(cluster));
    found.extend(retrying_link(cluster));
    // What gains more comes first.
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut sentences: Vec<Message> = found.into_iter().map(|(sentence, _)| sentence).collect();
    if sentences.is_empty() {
        let ranks = cluster.clocks.len();
        sentences.push(match cluster.operations.len() {
            0 if !cluster.links.is_empty() => message!("cluster-not-placed"),
            0 if cluster.ledger.unpaired > 0 => {
                message!("cluster-not-joined", commands = cluster.ledger.unpaired)
            }
            0 => message!("cluster-no-communication"),
            count => message!("cluster-nothing-stands-out", count = count, ranks = ranks),
        });
    }
    if cluster.islands.len() > 1 {
        let islands = cluster.islands.len();
        // Where ports have no partner yet, there may be links that nobody found.
        sentences.push(match cluster.ambiguous.is_empty() {
            true => message!("cluster-islands", islands = islands),
            false => message!("cluster-islands-not-found", islands = islands),
        });
    }
    let mut all = not_covered(cluster);
    all.extend(sentences);
    all
}

/// Ranks that the answer is not about: those without a dump, and dumps that can't be read.
fn not_covered(cluster: &Cluster) -> Vec<Message> {
    let mut sentences = Vec::new();
    let missing = cluster.ranks.iter().filter(|r| r.missing).count();
    if missing > 0 {
        sentences.push(message!("cluster-missing", missing = missing, all = cluster.ranks.len()));
    }
    let left_out = cluster.ledger.left_out;
    if left_out > 0 {
        let all = left_out + cluster.ranks.len() - missing;
        sentences.push(message!("cluster-left-out", count = left_out, all = all));
    }
    sentences
}

/// Sentence of the rank that others wait for most, with what the run gains without that.
fn late_rank(cluster: &Cluster) -> Option<(Message, f64)> {
    let s = cluster.stragglers.iter().find(|s| s.inherited_from.is_none())?;
    let of = cluster.operations.iter().filter(|o| o.ranks.iter().any(|m| m.rank == s.rank));
    let without = match s.gain_ns > 0.0 {
        true => message!("cluster-without", then = instead(window(cluster), s.gain_ns)),
        false if cluster.ambiguous.is_empty() => message!("cluster-cost-of-ports"),
        false => not_known(),
    };
    let (rank, count) = (Arg::Number(s.rank.into()), of.count());
    let sentence = match because(s) {
        Some(why) => message!(
            "cluster-late-because",
            rank = rank,
            late = s.late,
            all = count,
            why = why,
            without = without
        ),
        None => {
            message!("cluster-late", rank = rank, late = s.late, all = count, without = without)
        }
    };
    Some((sentence, s.gain_ns))
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
        let because = because(s).unwrap_or_else(|| message!("cluster-above-median"));
        let stage = stage_work(cluster, s.rank).filter(|_| !is_launch);
        let rank = Arg::Number(s.rank.into());
        let (id, said) = match (is_launch, stage) {
            (true, _) => ("late-launch", message!("cluster-rank", rank = rank, text = because)),
            (_, Some(times)) => (
                "stage-imbalance",
                message!("cluster-stage-imbalance", rank = rank, times = Arg::Factor(times)),
            ),
            _ => ("late-rank", message!("cluster-rank", rank = rank, text = because)),
        };
        let gain_ns = (s.gain_ns > 0.0).then_some(s.gain_ns);
        rows.push(AdviceRow { id, said: said.into(), gain_ns });
    }
    for ((from, to), count) in slow_links(cluster).into_iter().take(3) {
        let share = share_of_best(cluster, from, to);
        let gain_ns = gain_of_link(cluster, from, to);
        let said = message!(
            "cluster-slow-link-advice",
            from = Arg::Number(from.into()),
            to = Arg::Number(to.into()),
            speed = speed(share),
            count = count
        );
        let said = match gain_ns {
            Some(_) => message!("cluster-gain-at-rate", advice = said, rate = rate(share)),
            None => said,
        };
        rows.push(AdviceRow { id: "slow-link", said: said.into(), gain_ns });
    }
    for link in cluster.links.iter().filter(|l| l.replays >= LEAST_REPLAYS) {
        rows.push(AdviceRow {
            id: "retrying-link",
            said: retries(link).into(),
            gain_ns: gain_of_link(cluster, link.from.rank, link.to.rank),
        });
    }
    let exposed: u64 = cluster.states.iter().map(|s| s.exposed_ns).sum();
    let all: u64 = cluster.states.iter().map(|s| s.window_ns - s.states.not_captured_ns).sum();
    let share = exposed as f64 / all.max(1) as f64;
    if share > EXPOSED {
        let said = match hiding > 0.0 {
            true => message!("cluster-exposed-with-gain", share = Arg::Share(share)),
            false => message!("cluster-exposed", share = Arg::Share(share)),
        };
        rows.push(AdviceRow {
            id: "exposed-communication",
            said: said.into(),
            gain_ns: (hiding > 0.0).then(|| thousandth(hiding)),
        });
    }
    rows.extend(bubbles(cluster));
    rows
}

/// Pipelines whose stages wait for each other.
fn bubbles(cluster: &Cluster) -> impl Iterator<Item = AdviceRow> + '_ {
    cluster.stages.chunk_by(|a, b| a.pipeline == b.pipeline).filter_map(|own| {
        let worst = own
            .iter()
            .max_by(|a, b| a.bubble_share.total_cmp(&b.bubble_share).then(b.stage.cmp(&a.stage)))?;
        let mean = own.iter().map(|row| row.bubble_share).sum::<f64>() / own.len().max(1) as f64;
        let said = message!(
            "cluster-bubble",
            stages = own.len(),
            mean = Arg::Share(mean),
            stage = Arg::Number(worst.stage as i64),
            rank = Arg::Number(worst.rank.into()),
            worst = Arg::Share(worst.bubble_share)
        );
        (mean > BUBBLE).then(|| AdviceRow {
            id: "pipeline-bubble",
            said: said.into(),
            gain_ns: None,
        })
    })
}
