//! Which threads are the two ends of a link.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::alignment::{Alignment, MOST_NS, QUICK, Quick, best_shifts, places};
use crate::part::{Command, Thread};
use crate::rank::Rank;

/// A thread of a rank's port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ThreadId {
    /// Index of the rank's part.
    pub(crate) rank: usize,
    /// Index of the thread in it.
    pub(crate) thread: usize,
}

/// How a link is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Given,
    Data,
}

/// Two threads whose commands belong together.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) from: ThreadId,
    pub(crate) to: ThreadId,
    pub(crate) alignment: Alignment,
    /// Times of data decided; else ends.
    pub(crate) has_moments: bool,
    pub(crate) how: How,
    /// Pairs whose bytes are known on both sides and differ.
    pub(crate) other_bytes: u64,
    /// The sender's bytes are those of its commands' shapes.
    pub(crate) has_shapes: bool,
}

impl Link {
    /// Bytes of a pair: those of the send's shape; where it is not known the greater of what the two records name.
    pub(crate) fn bytes(&self, send: &Command, receive: &Command) -> u64 {
        if self.has_shapes { send.bytes } else { send.bytes.max(receive.bytes) }
    }
}

/// A thread of the ranks.
pub(crate) fn thread_of(ranks: &[Rank], id: ThreadId) -> Option<&Thread> {
    ranks.get(id.rank)?.part.threads.get(id.thread)
}

/// A thread whose partner is not clear.
#[derive(Debug, Clone)]
pub(crate) struct Ambiguous {
    pub(crate) thread: ThreadId,
    pub(crate) why: &'static str,
    /// The best candidates and their residuals in ns.
    pub(crate) candidates: Vec<(ThreadId, f64)>,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairing {
    pub(crate) links: Vec<Link>,
    pub(crate) ambiguous: Vec<Ambiguous>,
    /// Given links that the data contradict.
    pub(crate) contradicted: Vec<(ThreadId, ThreadId)>,
}

/// Fewest commands of a link.
const LEAST: usize = 8;
/// How many times worse the second best must be at most, for few commands; many tell candidates apart more surely.
const MOST_DISTANCE: f64 = 4.0;
/// The same for many commands, and where the second best is another link of the same two devices.
const LEAST_DISTANCE: [f64; 2] = [2.0, 1.5];
/// How fast it falls: the mean of n residuals is uncertain by their root.
const PER_ROOT: f64 = 8.0;
/// Commands of a burst that count as proofs.
const PROOFS_OF_BURST: usize = 3;
/// Fewest bursts: through less points any straight line goes nearly.
const LEAST_BURSTS: usize = 4;
/// Proofs from which both directions of a link prove each other.
const MUTUAL_PROOFS: f64 = 12.0;
/// How many times the usual residual of links a link's may be.
const UNUSUAL: f64 = 3.0;
/// How many times the residual of the best partner that of a stated one may be.
const STATED: f64 = 1.25;
/// Share of the commands of a link that may have no partner.
const MOST_ALONE: f64 = 0.1;
/// Candidates of a thread that are looked at in full.
const FULL: usize = 4;
/// Resolution of residuals in ns.
const RESOLUTION: f64 = 1.0;

/// A candidate with its score.
struct Candidate {
    from: ThreadId,
    to: ThreadId,
    score: f64,
    /// ns; of the pairs alone.
    noise: f64,
    /// Pairs.
    count: usize,
    /// Bursts of the sender's commands.
    bursts: usize,
    /// Where the alignment begins.
    quick: Quick,
    has_moments: bool,
}

impl Candidate {
    /// The link that it is.
    fn link(&self, ranks: &[Rank]) -> Option<Link> {
        let (send, receive) = (thread_of(ranks, self.from)?, thread_of(ranks, self.to)?);
        let (s, r) = (times(send, self.has_moments), times(receive, self.has_moments));
        let alignment = Alignment::of(&s, &r, &self.quick)?;
        Some(Link {
            from: self.from,
            to: self.to,
            other_bytes: alignment.other_bytes(&send.commands, &receive.commands),
            alignment,
            has_moments: self.has_moments,
            how: How::Data,
            has_shapes: send.has_shapes,
        })
    }
}

/// Finds the links of the ranks. `given`: links that the user states.
pub(crate) fn pair(ranks: &[Rank], given: &[(ThreadId, ThreadId)]) -> Pairing {
    let threads: Vec<(ThreadId, &Thread)> = ranks
        .iter()
        .enumerate()
        .flat_map(|(rank, of)| {
            let threads = of.part.threads.iter().enumerate();
            threads.map(move |(thread, of)| (ThreadId { rank, thread }, of))
        })
        .filter(|(_, thread)| !thread.commands.is_empty())
        .collect();
    let sends: Vec<_> = threads.iter().filter(|(_, t)| !t.receives).copied().collect();
    let receives: Vec<_> = threads.iter().filter(|(_, t)| t.receives).copied().collect();
    let mut pairing = Pairing::default();
    let mut open = (sends.clone(), receives.clone());
    let slacks = if is_cheap(&sends, &receives) { &[Slack::Wide][..] } else { &Slack::ALL };
    for &slack in slacks {
        let candidates = candidates(&open.0, &open.1, slack);
        let mut found = assign(candidates, &mut pairing, slack == Slack::Wide);
        if slack != Slack::Wide {
            leave_unusual(&mut found, &pairing.links);
        }
        pairing.links.par_extend(found.par_iter().filter_map(|candidate| candidate.link(ranks)));
        let taken: BTreeSet<ThreadId> =
            pairing.links.iter().flat_map(|link| [link.from, link.to]).collect();
        open.0.retain(|(id, _)| !taken.contains(id));
        open.1.retain(|(id, _)| !taken.contains(id));
        if open.0.is_empty() || open.1.is_empty() {
            break;
        }
    }
    refuse_unusual(&mut pairing);
    check_given(&sends, &receives, given, &mut pairing);
    pairing.links.sort_by_key(|l| (l.from, l.to));
    pairing.ambiguous.sort_by_key(|a| a.thread);
    pairing
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slack {
    /// Captures begin and end together, and nothing is lost: most links of most runs, found with few comparisons.
    Exact,
    /// Captures begin and end together, but for some lost records.
    Narrow,
    /// They may begin and end at other operations.
    Wide,
}

impl Slack {
    const ALL: [Self; 3] = [Self::Exact, Self::Narrow, Self::Wide];

    fn shifts(self, n: usize, m: usize) -> Option<i64> {
        let (less, more) = (n.min(m), n.max(m));
        match self {
            Self::Exact => (more - less <= 2).then_some(2),
            Self::Narrow => (more - less <= more / 50 + 2).then_some(more as i64 / 50 + 2),
            Self::Wide => (less >= LEAST).then_some((more as i64 / 3).min(2048) + 2),
        }
    }
}

/// Comparisons of times that take a few seconds.
const CHEAP: usize = 4 << 30;

/// Whether all threads can be compared at all shifts at once. Then a link whose captures begin at different operations
/// is known while others are judged; else it may be taken for missing, and a neighbour fits best.
fn is_cheap(sends: &[Of<'_>], receives: &[Of<'_>]) -> bool {
    let most = sends.iter().chain(receives).map(|(_, thread)| thread.commands.len()).max();
    let most = most.unwrap_or(0);
    let shifts = Slack::Wide.shifts(most, most).map_or(0, |shifts| 2 * shifts as usize + 1);
    let pairs = sends.len().saturating_mul(receives.len());
    pairs.saturating_mul(shifts).saturating_mul(QUICK) <= CHEAP
}

/// The residual that links have, in ns: that of the best quarter. Links are alike, and where the right partners of many
/// are missing, most of what was found may be wrong.
fn usual(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let mut scores: Vec<f64> = scores.map(|score| score.max(RESOLUTION)).collect();
    scores.sort_by(f64::total_cmp);
    scores.get(scores.len().saturating_sub(1) / 4).copied()
}

/// Whether an alignment is as good as others are.
fn fits(alignment: &Alignment, usual: f64) -> bool {
    alignment.noise <= UNUSUAL * usual && alignment.alone <= MOST_ALONE
}

/// Leaves candidates whose residual is far above that of others for a look at more shifts.
fn leave_unusual(found: &mut Vec<Candidate>, links: &[Link]) {
    for has_moments in [false, true] {
        let known = links.iter().filter(|l| l.has_moments == has_moments);
        let known = known.map(|l| l.alignment.noise);
        let new = found.iter().filter(|c| c.has_moments == has_moments).map(|c| c.noise);
        let Some(usual) = usual(known.chain(new)) else { continue };
        found.retain(|c| c.has_moments != has_moments || c.noise <= UNUSUAL * usual);
    }
}

/// ns; when each command of a thread is seen by its partner: last data, or the end.
fn times(thread: &Thread, moments: bool) -> Vec<i64> {
    let commands = &thread.commands;
    let time = |i| if moments { commands.last(i) } else { commands.end(i) };
    (0..commands.len()).map(time).collect()
}

type Of<'t> = (ThreadId, &'t Thread);

/// ns; the best scores of some quick looks, by either measure.
fn scores_of(quick: &[Quick]) -> [f64; 2] {
    let least = |of: fn(&Quick) -> f64| quick.iter().map(of).fold(f64::INFINITY, f64::min);
    [least(|quick| quick.score), least(|quick| quick.steady)]
}

/// The best of the quick looks at a sender and a receiver, and whether moments of data decide.
fn look(
    (from, send): &Of<'_>,
    (to, receive): &Of<'_>,
    times: [&Seen; 2],
    slack: Slack,
) -> Option<(Vec<Quick>, bool)> {
    if to.rank == from.rank {
        return None;
    }
    let has_moments = send.has_moments && receive.has_moments;
    let [own, other] = times.map(|seen| seen.at(has_moments));
    let shifts = slack.shifts(own.0.len(), other.0.len())?;
    let quick = best_shifts(&own.0, &other.0, &own.1, shifts);
    (!quick.is_empty()).then_some((quick, has_moments))
}

/// When the partners see a thread's commands, and the places of a quick look at them.
#[derive(Default)]
struct Seen {
    ends: (Vec<i64>, Vec<usize>),
    moments: (Vec<i64>, Vec<usize>),
    /// Commands behind a pause: others follow the one before them alike.
    bursts: usize,
}

/// ns; a longer pause of a thread holds something else than its port's own time.
const PAUSE_NS: i64 = 1500;

impl Seen {
    /// `all_moments`: no ends are looked at.
    fn of(thread: &Thread, all_moments: bool) -> Self {
        let look = |moments| {
            let times = times(thread, moments);
            let places = if thread.receives { Vec::new() } else { places(&times) };
            (times, places)
        };
        let moments = if thread.has_moments { look(true) } else { Default::default() };
        let ends = if all_moments { Default::default() } else { look(false) };
        let commands = &thread.commands;
        let pause = |i: usize| commands.start.at(i).saturating_sub(commands.end(i - 1));
        let bursts = 1 + (1..commands.len()).filter(|i| pause(*i) > PAUSE_NS).count();
        Self { ends, moments, bursts }
    }

    fn at(&self, moments: bool) -> &(Vec<i64>, Vec<usize>) {
        if moments { &self.moments } else { &self.ends }
    }
}

/// The best few of many by score, the first of equals.
fn best_few(scores: impl Iterator<Item = (f64, usize)>) -> Vec<usize> {
    let mut best: Vec<(f64, usize)> = Vec::with_capacity(FULL + 1);
    for (score, at) in scores {
        let place = best.partition_point(|(other, _)| other.total_cmp(&score).is_le());
        if place < FULL {
            best.insert(place, (score, at));
            best.truncate(FULL);
        }
    }
    best.into_iter().map(|(_, at)| at).collect()
}

fn candidates(sends: &[Of<'_>], receives: &[Of<'_>], slack: Slack) -> Vec<Candidate> {
    let all_moments = sends.iter().chain(receives).all(|(_, thread)| thread.has_moments);
    let seen = |threads: &[Of<'_>]| -> Vec<Seen> {
        threads.par_iter().map(|(_, thread)| Seen::of(thread, all_moments)).collect()
    };
    let (sends_seen, receives_seen) = (seen(sends), seen(receives));
    let quick = |sender: usize, at: usize| {
        let (send, receive) = (sends.get(sender)?, receives.get(at)?);
        look(send, receive, [sends_seen.get(sender)?, receives_seen.get(at)?], slack)
    };
    // By sender and receiver; NaN: no candidate.
    let scores: Vec<Vec<[f64; 2]>> = (0..sends.len())
        .into_par_iter()
        .map(|sender| {
            let score =
                |at| quick(sender, at).map_or([f64::NAN; 2], |(quick, _)| scores_of(&quick));
            (0..receives.len()).map(score).collect()
        })
        .collect();
    // The best of each sender, and of each receiver, by either measure.
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for measure in [0, 1] {
        let known = |(score, at): (&[f64; 2], usize)| {
            let score = *score.get(measure)?;
            (!score.is_nan()).then_some((score, at))
        };
        for (sender, own) in scores.iter().enumerate() {
            let best = best_few(own.iter().zip(0..).filter_map(known));
            chosen.extend(best.into_iter().map(|at| (sender, at)));
        }
        for at in 0..receives.len() {
            let own = scores.iter().zip(0..).filter_map(|(of, sender)| Some((of.get(at)?, sender)));
            let best = best_few(own.filter_map(known));
            chosen.extend(best.into_iter().map(|sender| (sender, at)));
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
        .into_par_iter()
        .filter_map(|(sender, at)| {
            let (looks, has_moments) = quick(sender, at)?;
            let (s, _) = sends_seen.get(sender)?.at(has_moments);
            let (r, _) = receives_seen.get(at)?.at(has_moments);
            let (quick, alignment) = Alignment::best(s, r, &looks)?;
            let covered = alignment.covers(s.len().min(r.len()));
            let score = if covered { alignment.score.max(RESOLUTION) } else { f64::INFINITY };
            let (from, to) = (sends.get(sender)?.0, receives.get(at)?.0);
            let Alignment { count, noise, .. } = alignment;
            let bursts = sends_seen.get(sender)?.bursts;
            Some(Candidate { from, to, score, noise, count, bursts, quick, has_moments })
        })
        .collect()
}

/// Takes the best candidates first, each thread once, and refuses those that are not clearly the best. With `is_last`
/// what is refused is listed.
fn assign(mut candidates: Vec<Candidate>, pairing: &mut Pairing, is_last: bool) -> Vec<Candidate> {
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
        let proofs = c.count.min(PROOFS_OF_BURST * c.bursts) as f64;
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
                    by_count(c.count as f64).clamp(parallel, MOST_DISTANCE)
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
                        changed < distance * (c.score + theirs)
                    }
                    _ => true,
                }
            })
        });
        let why = if c.count < LEAST {
            Some("fewer than 8 commands")
        } else if c.bursts < LEAST_BURSTS {
            Some("fewer than 4 stretches of commands between pauses")
        } else if c.score > MOST_NS / 2.0 {
            Some("no candidate fits: the partner may not be captured")
        } else if is_close {
            Some("the second best candidate is not clearly worse")
        } else {
            None
        };
        match why {
            None => links.push(c),
            Some(why) if is_last => {
                for thread in [c.from, c.to] {
                    let mut candidates = scores.get(&thread).cloned().unwrap_or_default();
                    candidates.truncate(FULL);
                    pairing.ambiguous.push(Ambiguous { thread, why, candidates });
                }
            }
            Some(_) => {}
        }
    }
    links
}

/// Pairs of ranks each of which is the other's best partner in both directions.
fn mutual(
    candidates: &[Candidate],
    scores: &BTreeMap<ThreadId, Vec<(ThreadId, f64)>>,
) -> BTreeSet<(usize, usize)> {
    let is_best = |own: ThreadId, other: ThreadId| {
        let first = scores.get(&own).and_then(|all| all.first());
        first.is_some_and(|(best, _)| *best == other)
    };
    let best = candidates.iter().filter(|c| is_best(c.from, c.to) && is_best(c.to, c.from));
    let ways: BTreeSet<(usize, usize)> = best.map(|c| (c.from.rank, c.to.rank)).collect();
    ways.iter().filter(|(a, b)| a < b && ways.contains(&(*b, *a))).copied().collect()
}

/// Refuses links whose residual is far above that of the others: the right partner's dump is missing, and a neighbour's
/// commands fit best.
fn refuse_unusual(pairing: &mut Pairing) {
    for has_moments in [false, true] {
        let of_kind = |l: &Link| l.has_moments == has_moments;
        let noises = pairing.links.iter().filter(|l| of_kind(l)).map(|l| l.alignment.noise);
        let Some(usual) = usual(noises) else { continue };
        let (kept, refused): (Vec<Link>, Vec<Link>) = std::mem::take(&mut pairing.links)
            .into_iter()
            .partition(|l| !of_kind(l) || fits(&l.alignment, usual));
        pairing.links = kept;
        for link in refused {
            for (thread, partner) in [(link.from, link.to), (link.to, link.from)] {
                pairing.ambiguous.push(Ambiguous {
                    thread,
                    why: "the best candidate fits much worse than the ends of other links: its partner may not be captured",
                    candidates: vec![(partner, link.alignment.score)],
                });
            }
        }
    }
}

/// Given links: those that the data found too are given; those of threads that the data pair otherwise are
/// contradicted; the others are taken if their commands fit.
fn check_given(
    sends: &[Of<'_>],
    receives: &[Of<'_>],
    given: &[(ThreadId, ThreadId)],
    pairing: &mut Pairing,
) {
    for &(from, to) in given {
        if let Some(link) = pairing.links.iter_mut().find(|l| l.from == from && l.to == to) {
            link.how = How::Given;
            continue;
        }
        let is_taken = pairing.links.iter().any(|l| l.from == from || l.to == to);
        let send = sends.iter().find(|(id, _)| *id == from);
        let receive = receives.iter().find(|(id, _)| *id == to);
        let (Some((_, send)), Some((_, receive))) = (send, receive) else { continue };
        let has_moments = send.has_moments && receive.has_moments;
        let (s, r) = (times(send, has_moments), times(receive, has_moments));
        let slack = Slack::Wide.shifts(s.len(), r.len()).unwrap_or(2);
        let quick = best_shifts(&s, &r, &places(&s), slack);
        let found = Alignment::best(&s, &r, &quick).map(|(_, alignment)| alignment);
        // A better partner is known for one of the two: the statement is wrong.
        let better = pairing.ambiguous.iter().filter(|a| a.thread == from || a.thread == to);
        let partner = |a: &Ambiguous| if a.thread == from { to } else { from };
        let is_worse = found.as_ref().is_none_or(|own| {
            better.into_iter().any(|a| {
                let best = a.candidates.iter().find(|(id, _)| *id != partner(a));
                best.is_some_and(|(_, score)| own.score > STATED * score)
            })
        });
        // And it must fit as links do.
        let of_kind = pairing.links.iter().filter(|l| l.has_moments == has_moments);
        let usual = usual(of_kind.map(|l| l.alignment.noise)).unwrap_or(MOST_NS);
        let is_like = |own: &Alignment| own.score <= MOST_NS / 2.0 && fits(own, usual);
        match found {
            Some(own) if !is_taken && !is_worse && own.count > 0 && is_like(&own) => {
                let alignment = own;
                pairing.ambiguous.retain(|a| a.thread != from && a.thread != to);
                let other_bytes = alignment.other_bytes(&send.commands, &receive.commands);
                let (how, has_shapes) = (How::Given, send.has_shapes);
                let link = Link { from, to, alignment, has_moments, how, other_bytes, has_shapes };
                pairing.links.push(link);
            }
            _ => pairing.contradicted.push((from, to)),
        }
    }
}
