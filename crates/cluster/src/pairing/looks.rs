//! Which threads may be partners: quick looks at all, and full ones at the best.

use rayon::prelude::*;

use super::{Candidate, LEAST, Of, RESOLUTION};
use crate::alignment::{Alignment, QUICK, Quick, best_shifts, places};
use crate::part::Thread;

/// Candidates of a thread that are looked at in full.
pub(super) const FULL: usize = 4;
/// Comparisons of times that take a few seconds.
const CHEAP: usize = 4 << 30;
/// ns; a longer pause of a thread holds something else than its port's own time.
const PAUSE_NS: i64 = 1500;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slack {
    /// Captures begin and end together, and nothing is lost: most links of most runs, found with few comparisons.
    Exact,
    /// Captures begin and end together, but for some lost records.
    Narrow,
    /// They may begin and end at other operations.
    Wide,
}

impl Slack {
    pub(super) const ALL: [Self; 3] = [Self::Exact, Self::Narrow, Self::Wide];

    pub(super) fn shifts(self, n: usize, m: usize) -> Option<i64> {
        let (less, more) = (n.min(m), n.max(m));
        match self {
            Self::Exact => (more - less <= 2).then_some(2),
            Self::Narrow => (more - less <= more / 50 + 2).then_some(more as i64 / 50 + 2),
            Self::Wide => (less >= LEAST).then_some((more as i64 / 3).min(2048) + 2),
        }
    }
}

/// Whether all threads can be compared at all shifts at once. Then a link whose captures begin at different operations
/// is known while others are judged; else it may be taken for missing, and a neighbour fits best.
pub(super) fn is_cheap(sends: &[Of<'_>], receives: &[Of<'_>]) -> bool {
    let most = sends.iter().chain(receives).map(|(_, thread)| thread.commands.len()).max();
    let most = most.unwrap_or(0);
    let shifts = Slack::Wide.shifts(most, most).map_or(0, |shifts| 2 * shifts as usize + 1);
    let pairs = sends.len().saturating_mul(receives.len());
    pairs.saturating_mul(shifts).saturating_mul(QUICK) <= CHEAP
}

/// ns; when each command of a thread is seen by its partner: last data, or the end.
pub(super) fn times(thread: &Thread, moments: bool) -> Vec<i64> {
    let commands = &thread.commands;
    let time = |i| if moments { commands.last(i) } else { commands.end(i) };
    (0..commands.len()).map(time).collect()
}

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

/// Bursts of a thread's commands.
pub(super) fn bursts(thread: &Thread) -> usize {
    let commands = &thread.commands;
    let pause = |i: usize| commands.start.at(i).saturating_sub(commands.end(i - 1));
    1 + (1..commands.len()).filter(|i| pause(*i) > PAUSE_NS).count()
}

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
        Self { ends, moments, bursts: bursts(thread) }
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

pub(super) fn candidates(sends: &[Of<'_>], receives: &[Of<'_>], slack: Slack) -> Vec<Candidate> {
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
            let (_, alignment) = Alignment::best(s, r, &looks)?;
            let shorter = s.len().min(r.len());
            let covered = alignment.covers(shorter);
            let score = if covered { alignment.score.max(RESOLUTION) } else { f64::INFINITY };
            let (from, to) = (sends.get(sender)?.0, receives.get(at)?.0);
            let bursts = sends_seen.get(sender)?.bursts;
            Some(Candidate { from, to, score, shorter, bursts, alignment, has_moments })
        })
        .collect()
}
