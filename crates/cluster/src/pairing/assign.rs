//! Which of the candidates are links: each thread once, and none whose second best is not clearly worse.

use std::collections::{BTreeMap, BTreeSet};

use super::looks::FULL;
use super::{Ambiguous, Candidate, LEAST, NO_PARTNER, ThreadId};
use crate::alignment::MOST_NS;

/// How many times worse the second best must be at most, for few commands; many tell candidates apart more surely.
const MOST_DISTANCE: f64 = 6.0;
/// How many times worse the second best must be at least, for many commands: where it is a link of other devices, and
/// where it is another link of the same two devices.
const LEAST_DISTANCE: [f64; 2] = [2.0, 1.5];
/// How fast it falls: the mean of n residuals is uncertain by their root.
const PER_ROOT: f64 = 8.0;
/// Commands of a burst that count as proofs.
const PROOFS_OF_BURST: usize = 3;
/// Proofs from which both directions of a link prove each other.
const MUTUAL_PROOFS: f64 = 12.0;
/// ns; two latencies are never more.
const MOST_LATENCIES_NS: f64 = 20_000.0;
/// ns, and times their residual, by which the delays of both directions may be less than nothing.
const EARLY_NS: f64 = 1000.0;
const EARLY: f64 = 6.0;

/// Takes the best candidates first, each thread once, and refuses those that are not clearly the best, or whose commands
/// come in fewer than `least_bursts`; what is refused is listed.
pub(super) fn assign(
    mut candidates: Vec<Candidate>,
    least_bursts: usize,
    mut refused: Option<&mut Vec<Ambiguous>>,
) -> Vec<Candidate> {
    candidates.retain(|c| c.score.is_finite());
    candidates
        .sort_by(|a, b| a.score.total_cmp(&b.score).then((a.from, a.to).cmp(&(b.from, b.to))));
    // By thread: the scores of all its candidates, the best first.
    let mut scores: BTreeMap<ThreadId, Vec<(ThreadId, f64)>> = BTreeMap::new();
    for c in &candidates {
        scores.entry(c.from).or_default().push((c.to, c.score));
        scores.entry(c.to).or_default().push((c.from, c.score));
    }
    let mutual = mutual(&candidates, &scores);
    // Each thread once, the best first.
    let mut partner: BTreeMap<ThreadId, (ThreadId, f64)> = BTreeMap::new();
    candidates.retain(|c| {
        let is_free = !partner.contains_key(&c.from) && !partner.contains_key(&c.to);
        if is_free {
            partner.insert(c.from, (c.to, c.score));
            partner.insert(c.to, (c.from, c.score));
        }
        is_free
    });
    let score_of = |own: ThreadId, other: ThreadId| {
        let all = scores.get(&own).into_iter().flatten();
        all.filter(|(id, _)| *id == other).map(|(_, score)| *score).next().unwrap_or(MOST_NS)
    };
    let mut links = Vec::new();
    for c in candidates {
        // Commands of one operation follow each other alike: they are not as many proofs as there are commands.
        let proofs = c.alignment.count.min(PROOFS_OF_BURST * c.bursts) as f64;
        // And fewer commands fit more easily.
        let missing = c.shorter.saturating_sub(c.alignment.count) as f64 / c.shorter.max(1) as f64;
        let proofs = (proofs * (1.0 - 2.0 * missing)).max(1.0);
        let by_count = |n: f64| 1.0 + PER_ROOT / n.sqrt();
        // Two directions of a link are two proofs of the same: each needs the root.
        let is_mutual = mutual.contains(&(c.from.rank.min(c.to.rank), c.from.rank.max(c.to.rank)));
        let is_mutual = is_mutual && proofs >= MUTUAL_PROOFS;
        let needed = |distance: f64| if is_mutual { distance.sqrt() } else { distance };
        let is_close = [(c.from, c.to), (c.to, c.from)].into_iter().any(|(own, own_partner)| {
            let others = scores.get(&own).into_iter().flatten();
            others.filter(|(other, _)| *other != own_partner).any(|(other, score)| {
                let [least, parallel] = LEAST_DISTANCE;
                // Two links of the same two devices differ in each command.
                let distance = if other.rank == own_partner.rank {
                    by_count(c.alignment.count as f64).clamp(parallel, MOST_DISTANCE)
                } else {
                    by_count(proofs).clamp(least, MOST_DISTANCE)
                };
                let distance = needed(distance);
                if *score >= distance * c.score {
                    return false;
                }
                // Another that fits a third better is not to be had for its score alone: both links would change.
                match partner.get(other).filter(|(_, better)| better <= score) {
                    Some((third, theirs)) if *third != own => {
                        let changed = score + score_of(*third, own_partner);
                        // The residuals of two links would all have to be as they are by chance.
                        let both = by_count(2.0 * proofs).clamp(parallel, MOST_DISTANCE);
                        changed < distance.min(needed(both)) * (c.score + theirs)
                    }
                    _ => true,
                }
            })
        });
        let why = if c.alignment.count < LEAST {
            Some("cluster-few-commands")
        } else if c.bursts < least_bursts {
            Some("cluster-few-stretches")
        } else if least_bursts > 2 && missing > 0.0 && proofs < LEAST as f64 {
            Some("cluster-few-paired")
        } else if c.score > MOST_NS / 2.0 {
            Some(NO_PARTNER)
        } else if is_close {
            Some("cluster-second-best")
        } else {
            None
        };
        match why {
            None => links.push(c),
            Some(why) => {
                let Some(refused) = refused.as_deref_mut() else { continue };
                for thread in [c.from, c.to] {
                    let mut candidates = scores.get(&thread).cloned().unwrap_or_default();
                    candidates.truncate(FULL);
                    refused.push(Ambiguous { thread, why, candidates });
                }
            }
        }
    }
    links
}

/// Pairs of ranks each of which is the other's best partner in both directions, with delays that are possible.
fn mutual(
    candidates: &[Candidate],
    scores: &BTreeMap<ThreadId, Vec<(ThreadId, f64)>>,
) -> BTreeSet<(usize, usize)> {
    let is_best = |own: ThreadId, other: ThreadId| {
        let first = scores.get(&own).and_then(|all| all.first());
        first.is_some_and(|(best, _)| *best == other)
    };
    let mut ways: BTreeMap<(usize, usize), Vec<&Candidate>> = BTreeMap::new();
    for c in candidates.iter().filter(|c| is_best(c.from, c.to) && is_best(c.to, c.from)) {
        ways.entry((c.from.rank, c.to.rank)).or_default().push(c);
    }
    let is_mutual = |(a, b): &(usize, usize), there: &[&Candidate]| {
        let back = ways.get(&(*b, *a)).map(Vec::as_slice).unwrap_or_default();
        a < b && there.iter().any(|there| back.iter().any(|back| is_possible(there, back)))
    };
    ways.iter().filter(|(ends, there)| is_mutual(ends, there)).map(|(ends, _)| *ends).collect()
}

/// Whether the delays of both directions between two ranks are two latencies: their offsets cancel.
fn is_possible(there: &Candidate, back: &Candidate) -> bool {
    let time = there.alignment.line.center;
    let delay = there.alignment.line.value_at(time);
    let both = delay + back.alignment.line.value_at(time + delay);
    let early = EARLY_NS + EARLY * there.score.max(back.score);
    // Ends of sends may be behind those of receives.
    let is_by_data = there.has_moments && back.has_moments;
    both <= MOST_LATENCIES_NS && both >= if is_by_data { -early } else { -MOST_LATENCIES_NS }
}
