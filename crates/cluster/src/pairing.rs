//! Which threads are the two ends of a link.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::alignment::{Alignment, Point, Quick, best_shifts, places};
use crate::part::Thread;
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
/// How many times worse the second best must be.
const DISTANCE: f64 = 3.0;
/// The same where the second best is another link of the same two devices: many commands tell these apart too.
const PARALLEL: (f64, f64) = (1.5, 8.0);
/// How many times the usual residual of links a link's may be.
const UNUSUAL: f64 = 4.0;
/// Candidates of a thread that are looked at in full.
const FULL: usize = 4;
/// Resolution of residuals in ns.
const RESOLUTION: f64 = 1.0;

/// A candidate with its score.
struct Candidate {
    from: ThreadId,
    to: ThreadId,
    score: f64,
    alignment: Alignment,
    has_moments: bool,
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
    for slack in [Slack::Exact, Slack::Narrow, Slack::Wide] {
        let candidates = candidates(&open.0, &open.1, slack);
        let found = assign(candidates, &mut pairing, slack == Slack::Wide);
        pairing.links.extend(found);
        let is_free = |id: ThreadId| !pairing.links.iter().any(|l| l.from == id || l.to == id);
        open.0.retain(|(id, _)| is_free(*id));
        open.1.retain(|(id, _)| is_free(*id));
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
    fn shifts(self, n: usize, m: usize) -> Option<i64> {
        let (less, more) = (n.min(m), n.max(m));
        match self {
            Self::Exact => (more - less <= 2).then_some(2),
            Self::Narrow => (more - less <= more / 50 + 2).then_some(more as i64 / 50 + 2),
            Self::Wide => (less >= LEAST).then_some((more as i64 / 3).min(2048) + 2),
        }
    }
}

/// The points of a thread: moments of data, if both sides have them.
fn points(thread: &Thread, moments: bool) -> Vec<Point> {
    let point = |c: &crate::part::Command| Point {
        time: if moments { c.last } else { c.end },
        bytes: c.bytes,
    };
    thread.commands.iter().map(point).collect()
}

type Of<'t> = (ThreadId, &'t Thread);

/// ns; score of the best of some quick looks.
fn score_of(quick: &[Quick]) -> f64 {
    quick.first().map_or(f64::INFINITY, |quick| quick.score)
}

fn candidates(sends: &[Of<'_>], receives: &[Of<'_>], slack: Slack) -> Vec<Candidate> {
    let of = |threads: &[Of<'_>]| -> Vec<[Vec<Point>; 2]> {
        threads.iter().map(|(_, t)| [points(t, false), points(t, true)]).collect()
    };
    let (send_points, receive_points) = (of(sends), of(receives));
    let quick: Vec<Vec<(usize, Vec<Quick>)>> = sends
        .par_iter()
        .zip(&send_points)
        .map(|((from, send), own)| {
            let mut found = Vec::new();
            let of_own = [places(&own[0]), places(&own[1])];
            for (at, ((to, receive), other)) in receives.iter().zip(&receive_points).enumerate() {
                if to.rank == from.rank {
                    continue;
                }
                let which = usize::from(send.has_moments && receive.has_moments);
                let (s, r) = (&own[which], &other[which]);
                let Some(slack) = slack.shifts(s.len(), r.len()) else { continue };
                let quick = best_shifts(s, r, &of_own[which], slack);
                if !quick.is_empty() {
                    found.push((at, quick));
                }
            }
            found.sort_by(|a, b| score_of(&a.1).total_cmp(&score_of(&b.1)).then(a.0.cmp(&b.0)));
            found
        })
        .collect();
    // The best of each sender, and of each receiver.
    let mut of_receiver: BTreeMap<usize, Vec<(f64, usize)>> = BTreeMap::new();
    for (sender, found) in quick.iter().enumerate() {
        for (at, quick) in found {
            of_receiver.entry(*at).or_default().push((score_of(quick), sender));
        }
    }
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for (sender, found) in quick.iter().enumerate() {
        chosen.extend(found.iter().take(FULL).map(|(at, ..)| (sender, *at)));
    }
    for (at, mut scores) in of_receiver {
        scores.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        chosen.extend(scores.iter().take(FULL).map(|(_, sender)| (*sender, at)));
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
        .into_par_iter()
        .filter_map(|(sender, at)| {
            let (from, send) = sends.get(sender)?;
            let (to, receive) = receives.get(at)?;
            let has_moments = send.has_moments && receive.has_moments;
            let which = usize::from(has_moments);
            let (s, r) = (&send_points.get(sender)?[which], &receive_points.get(at)?[which]);
            let (_, quick) = quick.get(sender)?.iter().find(|(other, ..)| *other == at)?;
            let alignment = Alignment::best(s, r, quick)?;
            let covered = alignment.pairs.len() * 2 >= s.len().min(r.len());
            let score = if covered { alignment.score.max(RESOLUTION) } else { f64::INFINITY };
            Some(Candidate { from: *from, to: *to, score, alignment, has_moments })
        })
        .collect()
}

/// Takes the best candidates first, each thread once, and refuses those that are not clearly the best. With `is_last`
/// what is refused is listed.
fn assign(mut candidates: Vec<Candidate>, pairing: &mut Pairing, is_last: bool) -> Vec<Link> {
    candidates.retain(|c| c.score.is_finite());
    candidates
        .sort_by(|a, b| a.score.total_cmp(&b.score).then((a.from, a.to).cmp(&(b.from, b.to))));
    // By thread: the scores of all its candidates, the best first.
    let mut scores: BTreeMap<ThreadId, Vec<(ThreadId, f64)>> = BTreeMap::new();
    for c in &candidates {
        scores.entry(c.from).or_default().push((c.to, c.score));
        scores.entry(c.to).or_default().push((c.from, c.score));
    }
    let mut taken: BTreeMap<ThreadId, ()> = BTreeMap::new();
    let mut links = Vec::new();
    for c in candidates {
        if taken.contains_key(&c.from) || taken.contains_key(&c.to) {
            continue;
        }
        taken.insert(c.from, ());
        taken.insert(c.to, ());
        let (least, per_root) = PARALLEL;
        let count = c.alignment.pairs.len() as f64;
        let parallel = (1.0 + per_root / count.sqrt()).clamp(least, DISTANCE);
        let mut others = [(c.from, c.to), (c.to, c.from)].into_iter().flat_map(|(own, partner)| {
            let all = scores.get(&own).into_iter().flatten();
            all.filter(move |(other, _)| *other != partner).map(move |(other, score)| {
                (if other.rank == partner.rank { parallel } else { DISTANCE }, *score)
            })
        });
        let is_close = others.any(|(distance, score)| score < distance * c.score);
        let why = if c.alignment.pairs.len() < LEAST {
            Some("fewer than 8 commands")
        } else if is_close {
            Some("the second best candidate is not 3 times worse")
        } else {
            None
        };
        match why {
            None => links.push(Link {
                from: c.from,
                to: c.to,
                alignment: c.alignment,
                has_moments: c.has_moments,
                how: How::Data,
            }),
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

/// Refuses links whose residual is far above that of the others: the right partner's dump is missing, and a neighbour's
/// commands fit best.
fn refuse_unusual(pairing: &mut Pairing) {
    for has_moments in [false, true] {
        let of_kind = |l: &Link| l.has_moments == has_moments;
        let mut scores: Vec<f64> = pairing
            .links
            .iter()
            .filter(|l| of_kind(l))
            .map(|l| l.alignment.score.max(RESOLUTION))
            .collect();
        scores.sort_by(f64::total_cmp);
        let Some(&usual) = scores.get(scores.len().saturating_sub(1) / 2) else { continue };
        let (kept, refused): (Vec<Link>, Vec<Link>) = std::mem::take(&mut pairing.links)
            .into_iter()
            .partition(|l| !of_kind(l) || l.alignment.score <= UNUSUAL * usual);
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
        let (s, r) = (points(send, has_moments), points(receive, has_moments));
        let slack = Slack::Wide.shifts(s.len(), r.len()).unwrap_or(2);
        let quick = best_shifts(&s, &r, &places(&s), slack);
        let found = Alignment::best(&s, &r, &quick);
        // A better partner is known for one of the two: the statement is wrong.
        let better = pairing.ambiguous.iter().filter(|a| a.thread == from || a.thread == to);
        let partner = |a: &Ambiguous| if a.thread == from { to } else { from };
        let is_worse = found.as_ref().is_none_or(|own| {
            better.into_iter().any(|a| {
                let best = a.candidates.iter().find(|(id, _)| *id != partner(a));
                best.is_some_and(|(_, score)| own.score > DISTANCE * score)
            })
        });
        match found {
            Some(alignment) if !is_taken && !is_worse && !alignment.pairs.is_empty() => {
                pairing.ambiguous.retain(|a| a.thread != from && a.thread != to);
                pairing.links.push(Link { from, to, alignment, has_moments, how: How::Given });
            }
            _ => pairing.contradicted.push((from, to)),
        }
    }
}
