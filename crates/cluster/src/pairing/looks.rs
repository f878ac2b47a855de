//! Which threads may be partners: quick looks at all, and full ones at the best.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use rayon::prelude::*;

use super::first::{MEASURES, Scores, first_look};
use super::{Candidate, LEAST, Of, RESOLUTION, ThreadId};
use crate::alignment::{
    Alignment, Bursts, HOPELESS, Limits, QUICK, Quick, best_shifts, burst_shifts, pauses, places,
};
use crate::part::ThreadCommands;

/// Candidates of a thread that are looked at in full.
pub(super) const FULL: usize = 4;
/// Pairs are looked at in rounds, those first that are the first by most measures of their two threads: they are most likely links.
const ROUNDS: [Range<usize>; 4] = [3..usize::MAX, 2..3, 1..2, 0..1];
/// The rounds of the last look, whose candidates are listed where none is clear: with more rounds some of them would be left out.
const LAST_ROUNDS: [Range<usize>; 3] = [3..usize::MAX, 1..3, 0..1];
/// Comparisons of times that take less than a second.
const CHEAP: usize = 1 << 28;
/// Comparisons of times that take ten seconds.
const AFFORDABLE: usize = 4 << 30;
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

    /// Looks at whole bursts: only where records may be lost, or captures begin at different operations.
    pub(super) fn bursts(self, sends: &Times, receives: &Times) -> Vec<Quick> {
        let is_wide = self.shifts(sends.times.len(), receives.times.len());
        match is_wide.filter(|_| self == Self::Wide) {
            Some(_) => burst_shifts(sends.bursts(), receives.bursts()),
            None => Vec::new(),
        }
    }
}

/// What it costs to compare all threads at all shifts at once. Then a link whose captures begin at different operations is known while
/// others are judged; else it may be taken for missing, and a neighbour fits best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// Less than finding out whether fewer comparisons do.
    Cheap,
    /// Worth it where fewer comparisons leave a thread without a link.
    Affordable,
    /// Too much: only threads that are left are compared at all shifts.
    High,
}

impl Cost {
    pub(super) fn of_threads(sends: &[Of<'_>], receives: &[Of<'_>]) -> Self {
        let most = sends.iter().chain(receives).map(|(_, thread)| thread.commands.len()).max();
        let most = most.unwrap_or(0);
        let shifts = Slack::Wide.shifts(most, most).map_or(0, |shifts| 2 * shifts as usize + 1);
        let pairs = sends.len().saturating_mul(receives.len());
        match pairs.saturating_mul(shifts).saturating_mul(QUICK) {
            comparisons if comparisons <= CHEAP => Self::Cheap,
            comparisons if comparisons <= AFFORDABLE => Self::Affordable,
            _ => Self::High,
        }
    }
}

/// ns; when each command of a thread is seen by its partner: last data, or the end.
pub(super) fn times(thread: &ThreadCommands, moments: bool) -> Vec<i64> {
    let commands = &thread.commands;
    let time = |i| if moments { commands.last(i) } else { commands.end(i) };
    (0..commands.len()).map(time).collect()
}

/// ns; the least scores of some quick looks, by either measure.
fn least(quick: &[Quick]) -> f64 {
    quick.iter().map(|quick| quick.score.min(quick.steady)).fold(f64::INFINITY, f64::min)
}

/// A sender and a receiver that may be partners.
struct Pair<'t> {
    sends: &'t Times,
    receives: &'t Times,
    shifts: i64,
    slack: Slack,
    /// Moments of data decide.
    has_moments: bool,
}

impl<'t> Pair<'t> {
    fn new(
        (from, send): &Of<'_>,
        (to, receive): &Of<'_>,
        seen: [&'t Seen; 2],
        slack: Slack,
    ) -> Option<Self> {
        if to.rank == from.rank {
            return None;
        }
        let has_moments = send.has_moments && receive.has_moments;
        let [sends, receives] = seen.map(|seen| seen.times(has_moments));
        let shifts = slack.shifts(sends.times.len(), receives.times.len())?;
        Some(Self { sends, receives, shifts, slack, has_moments })
    }

    fn looks(&self) -> Vec<Quick> {
        let (sends, receives) = (self.sends, self.receives);
        let mut looks = best_shifts(&sends.times, &receives.times, &sends.places, self.shifts);
        looks.extend(self.slack.bursts(sends, receives));
        looks
    }
}

/// When a thread's commands are seen by their partners, and what quick looks compare of them.
#[derive(Default)]
pub(super) struct Times {
    pub(super) times: Vec<i64>,
    pub(super) places: Vec<usize>,
    pauses: Vec<usize>,
}

impl Times {
    fn new(thread: &ThreadCommands, moments: bool) -> Self {
        let times = times(thread, moments);
        let places = if thread.receives { Vec::new() } else { places(&times) };
        let pauses = pauses(&times);
        Self { times, places, pauses }
    }

    fn bursts(&self) -> Bursts<'_> {
        Bursts { times: &self.times, pauses: &self.pauses }
    }
}

/// When the partners see a thread's commands, and the places of a quick look at them.
#[derive(Default)]
pub(super) struct Seen {
    ends: Times,
    moments: Times,
    /// Commands behind a pause: others follow the one before them alike.
    bursts: usize,
}

/// Bursts of a thread's commands.
pub(super) fn bursts(thread: &ThreadCommands) -> usize {
    let commands = &thread.commands;
    let pause = |i: usize| commands.start.value_at(i).saturating_sub(commands.end(i - 1));
    1 + (1..commands.len()).filter(|i| pause(*i) > PAUSE_NS).count()
}

impl Seen {
    /// `all_moments`: no ends are looked at.
    fn new(thread: &ThreadCommands, all_moments: bool) -> Self {
        let look = |moments| Times::new(thread, moments);
        let moments = if thread.has_moments { look(true) } else { Default::default() };
        let ends = if all_moments { Default::default() } else { look(false) };
        Self { ends, moments, bursts: bursts(thread) }
    }

    pub(super) fn times(&self, moments: bool) -> &Times {
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
        threads.par_iter().map(|(_, thread)| Seen::new(thread, all_moments)).collect()
    };
    let (sends_seen, receives_seen) = (seen(sends), seen(receives));
    let pair = |sender: usize, at: usize| {
        let (send, receive) = (sends.get(sender)?, receives.get(at)?);
        Pair::new(send, receive, [sends_seen.get(sender)?, receives_seen.get(at)?], slack)
    };
    let scores = first_look((sends, &sends_seen), (receives, &receives_seen), slack);
    // The best of each sender, and of each receiver, by any measure, and how often each pair is the first.
    let mut firsts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut choose = |best: Vec<usize>, place: &dyn Fn(usize) -> (usize, usize)| {
        for (nth, other) in best.into_iter().enumerate() {
            *firsts.entry(place(other)).or_default() += usize::from(nth == 0);
        }
    };
    for measure in 0..MEASURES {
        let known = |(score, at): (&Scores, usize)| {
            let score = *score.get(measure)?;
            (!score.is_nan()).then_some((score.into(), at))
        };
        for (sender, own) in scores.iter().enumerate() {
            choose(best_few(own.iter().zip(0..).filter_map(known)), &|at| (sender, at));
        }
        for at in 0..receives.len() {
            let own = scores.iter().zip(0..).filter_map(|(of, sender)| Some((of.get(at)?, sender)));
            choose(best_few(own.filter_map(known)), &|sender| (sender, at));
        }
    }
    // `best`: ns; what is known to fit the sender and the receiver.
    let full = |sender: usize, at: usize, best: f64| {
        let pair = pair(sender, at)?;
        let mut looks = pair.looks();
        if least(&looks) > HOPELESS * best.max(RESOLUTION) {
            looks = steadiest_and_best(&looks);
        }
        let (s, r) = (&pair.sends.times, &pair.receives.times);
        let known = best.max(RESOLUTION);
        // Candidates of the last look are listed where none is clear: all are looked at as closely.
        let most = if slack == Slack::Wide { f64::INFINITY } else { HOPELESS * known };
        let (_, alignment) = Alignment::best(s, r, &looks, Limits { known, most })?;
        let shorter = s.len().min(r.len());
        let covered = alignment.covers(shorter);
        let score = if covered { alignment.score.max(RESOLUTION) } else { f64::INFINITY };
        let (from, to) = (sends.get(sender)?.0, receives.get(at)?.0);
        let (bursts, has_moments) = (sends_seen.get(sender)?.bursts, pair.has_moments);
        Some(Candidate { from, to, score, shorter, bursts, alignment, has_moments })
    };
    // The likeliest first: what fits a thread well shows that most others are hopeless.
    let mut found: Vec<Candidate> = Vec::new();
    let mut of_thread: HashMap<ThreadId, f64> = HashMap::new();
    let rounds = if slack == Slack::Wide { &LAST_ROUNDS[..] } else { &ROUNDS[..] };
    for round in rounds {
        let best = |thread: Option<&Of<'_>>| {
            thread.and_then(|(id, _)| of_thread.get(id)).copied().unwrap_or(f64::INFINITY)
        };
        let own: Vec<(usize, usize)> = firsts
            .iter()
            .filter(|(_, firsts)| round.contains(firsts))
            .map(|(pair, _)| *pair)
            .collect();
        let look =
            |(sender, at)| full(sender, at, best(sends.get(sender)).max(best(receives.get(at))));
        let looked_at: Vec<Candidate> = own.into_par_iter().filter_map(look).collect();
        for candidate in &looked_at {
            for thread in [candidate.from, candidate.to] {
                let best = of_thread.entry(thread).or_insert(f64::INFINITY);
                *best = best.min(candidate.score);
            }
        }
        found.extend(looked_at);
    }
    found.sort_by_key(|candidate| (candidate.from, candidate.to));
    found
}

/// The look that is best over all, and the one that is best somewhere.
fn steadiest_and_best(looks: &[Quick]) -> Vec<Quick> {
    let steady = looks.iter().min_by(|a, b| a.steady.total_cmp(&b.steady));
    let best = looks.iter().min_by(|a, b| a.score.total_cmp(&b.score));
    let best = best.filter(|best| steady.is_none_or(|steady| steady.shift != best.shift));
    steady.into_iter().chain(best).copied().collect()
}
