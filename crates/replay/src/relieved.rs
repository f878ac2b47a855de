//! Runs without some faults: how long each takes. They are made side by side.

use std::array::from_fn;

use bigtpu_sim::Time;
use rayon::prelude::*;

use crate::costs::{divide, rounded};
use crate::critical_path::Reason;
use crate::dependence::{DependenceKind, Node};
use crate::graph::{Changes, Count, EventTimes, Scale, Stretch, TimesOfRuns};
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Class, Task};
use crate::relief::{Relief, Share};
use crate::replay::Replay;

/// Runs that are made side by side: each takes 8 bytes an event at the same time.
const MOST_TOGETHER: usize = 3;

impl Replay {
    /// Wall time in ns of the run without a fault.
    #[must_use]
    pub fn wall_without(&self, fault: &Relief) -> i64 {
        self.walls_without(&[vec![fault]]).first().copied().unwrap_or(0)
    }

    /// Of several runs the wall time in ns without some faults, which are taken away one after the other.
    #[must_use]
    pub fn walls_without(&self, runs: &[Vec<&Relief>]) -> Vec<i64> {
        // As many on each thread.
        let each = runs.len().div_ceil(rayon::current_num_threads().max(1));
        let walls = |runs: &[Vec<&Relief>]| match runs {
            [a] => self.walls([a]).to_vec(),
            [a, b] => self.walls([a, b]).to_vec(),
            [a, b, c] => self.walls([a, b, c]).to_vec(),
            // Chunks have no other length.
            _ => Vec::new(),
        };
        runs.par_chunks(each.clamp(1, MOST_TOGETHER)).flat_map_iter(walls).collect()
    }

    fn walls<const K: usize>(&self, runs: [&Vec<&Relief>; K]) -> [Time; K] {
        let runs = runs.map(|faults| Without::of(self, faults));
        self.graph.run_together(|| Together::of(self, &runs))
    }

    /// Wall time in ns if nothing of this kind took any time: work by its reason, or gaps between launches.
    #[must_use]
    pub fn wall_without_reason(&self, reason: Reason) -> i64 {
        if reason == Reason::LaunchGap {
            return self.wall_without(&Relief::of_launch_gaps());
        }
        let takes_time = self.model.classes.iter().map(|class| Reason::of(class.task) != reason);
        let takes_time = takes_time.collect();
        self.run(&WithoutReason { replay: self, takes_time }, &mut Vec::new())
    }

    /// The usual time in ns between two commands of a class; `None` for waits, whose idle time is no fault of theirs.
    fn pause(&self, class: &Class) -> Option<Time> {
        (class.task != Task::Wait).then(|| self.floors.order(class.engine))
    }
}

/// Times of a run in which commands of some classes take no time.
struct WithoutReason<'r> {
    replay: &'r Replay,
    /// By class.
    takes_time: Vec<bool>,
}

impl Scale for WithoutReason<'_> {
    #[inline]
    fn duration(&self, node: Node, ns: Time) -> Time {
        let class = self.replay.model.class.get(node as usize);
        let takes_time = class.and_then(|class| self.takes_time.get(*class as usize));
        if takes_time == Some(&false) { 0 } else { ns }
    }

    #[inline]
    fn lag(&self, _: DependenceKind, ns: Time) -> Time {
        ns
    }
}

/// What becomes of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    /// Its duration is multiplied by `duration`, and the times between the end of what it waited for and its start by `pauses`; see
    /// [`Share`].
    Scaled { duration: f64, pauses: f64 },
    /// Another share.
    Share(Share),
    /// It does not wait for what only the measured times make a dependence.
    Free,
}

/// A run without some faults.
struct Without {
    /// Whether there are no gaps between launches: nothing else changes them.
    is_without_launch_gaps: bool,
    /// By lane.
    lanes: Vec<Fates>,
}

/// What becomes of the events of a lane.
#[derive(Default)]
struct Fates {
    /// What becomes of some events, one after the other. Nothing becomes of others.
    parts: Vec<Part>,
    fates: Vec<Fate>,
}

/// Events with the same fates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    /// Index of the first event.
    first: u32,
    /// Behind the last one.
    end: u32,
    /// Places of the fates, in the order in which they befall the events.
    fates: (u32, u32),
}

/// The fate of some events: index of the first one, behind the last one.
type Run = (u32, u32, Fate);

impl Without {
    fn of(replay: &Replay, faults: &[&Relief]) -> Self {
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); replay.tracks.len()];
        for fault in faults {
            if fault.hand_overs {
                free(replay, fault, &mut runs);
            }
            for engine in &fault.engines {
                let known = replay.tracks.iter().position(|(own, _)| *own == engine.engine_id);
                let Some(lane) = known.and_then(|number| runs.get_mut(number)) else { continue };
                let fate = |run: &crate::relief::Run| {
                    (run.first, run.first.saturating_add(run.count), Fate::of(run.share))
                };
                lane.extend(engine.runs.iter().map(fate));
            }
        }
        let is_without_launch_gaps = faults.iter().any(|fault| fault.launches);
        Self { is_without_launch_gaps, lanes: runs.into_iter().map(Fates::of).collect() }
    }
}

/// Nothing waits for what only the measured times make a dependence, except for the events that are kept.
fn free(replay: &Replay, fault: &Relief, runs: &mut [Vec<Run>]) {
    let lanes = replay.tracks_with_lengths().zip(runs);
    for ((engine_id, _, length), runs) in lanes {
        let kept = fault.kept.iter().filter(|(own, _)| *own == engine_id);
        let mut kept: Vec<u32> = kept.map(|(_, event)| *event).collect();
        kept.sort_unstable();
        let mut first = 0;
        for end in kept.into_iter().chain([length as u32]) {
            if first < end {
                runs.push((first, end, Fate::Free));
            }
            first = end.saturating_add(1);
        }
    }
}

impl Fates {
    fn of(runs: Vec<Run>) -> Self {
        let are_apart = runs.is_sorted_by(|(_, end, _), (next, ..)| end <= next);
        if are_apart {
            let part = |(at, (first, end, _)): (u32, &Run)| Part {
                first: *first,
                end: *end,
                fates: (at, at + 1),
            };
            let parts = (0..).zip(&runs).map(part).collect();
            return Self { parts, fates: runs.into_iter().map(|(.., fate)| fate).collect() };
        }
        let mut bounds: Vec<u32> = runs.iter().flat_map(|(first, end, _)| [*first, *end]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut by_first: Vec<(usize, &Run)> = runs.iter().enumerate().collect();
        by_first.sort_by_key(|(_, (first, ..))| *first);
        let mut coming = by_first.into_iter().peekable();
        // The runs of the present part, by their number: in this order they befall the events.
        let mut now: Vec<(usize, &Run)> = Vec::new();
        let mut found = Self::default();
        for bound in bounds.windows(2) {
            let &[first, end] = bound else { continue };
            now.retain(|(_, run)| run.1 > first);
            while let Some(run) = coming.next_if(|(_, run)| run.0 <= first) {
                if run.1.1 > first {
                    now.push(run);
                }
            }
            now.sort_unstable_by_key(|(number, _)| *number);
            let from = found.fates.len() as u32;
            found.fates.extend(now.iter().map(|(_, run)| run.2));
            if !now.is_empty() {
                found.parts.push(Part { first, end, fates: (from, found.fates.len() as u32) });
            }
        }
        found
    }

    /// The fates at some places.
    #[inline]
    fn get(&self, (first, end): (u32, u32)) -> &[Fate] {
        self.fates.get(first as usize..end as usize).unwrap_or_default()
    }
}

/// What becomes of the events of a lane that are being run.
#[derive(Clone, Copy)]
struct Now<'r, const K: usize> {
    /// By run the part that is next.
    at: [usize; K],
    /// By run the fates.
    fates: [&'r [Fate]; K],
    /// By run the first one with the same fates: runs without several faults often have those of a run without one of them.
    alike: [usize; K],
}

/// Runs that are made side by side.
struct Together<'r, const K: usize> {
    replay: &'r Replay,
    runs: &'r [Without; K],
    /// By lane.
    now: Vec<Now<'r, K>>,
}

impl<'r, const K: usize> Together<'r, K> {
    fn of(replay: &'r Replay, runs: &'r [Without; K]) -> Self {
        let first = Now { at: [0; K], fates: [&[]; K], alike: [0; K] };
        Self { replay, runs, now: vec![first; replay.tracks.len()] }
    }

    /// The usual pause before an event; see [`Replay::pause`].
    #[inline]
    fn pause(&self, node: Node) -> Option<Time> {
        self.replay.pause(self.replay.class(node)?)
    }
}

impl<const K: usize> Changes<K> for Together<'_, K> {
    type Now<'n>
        = &'n Now<'n, K>
    where
        Self: 'n;

    fn stretch(&mut self, lane: usize, event: usize) -> Stretch {
        let mut stretch = Stretch { end: usize::MAX, is_changed: false };
        let now = &mut self.now[lane];
        for (run, without) in self.runs.iter().enumerate() {
            let Some(own) = without.lanes.get(lane) else { continue };
            let at = &mut now.at[run];
            while own.parts.get(*at).is_some_and(|part| part.end as usize <= event) {
                *at += 1;
            }
            let (fates, end) = match own.parts.get(*at) {
                Some(part) if part.first as usize <= event => (own.get(part.fates), part.end),
                Some(part) => (&[][..], part.first),
                None => (&[][..], u32::MAX),
            };
            now.fates[run] = fates;
            now.alike[run] = (0..run).find(|before| now.fates[*before] == fates).unwrap_or(run);
            stretch.end = stretch.end.min(end as usize);
            stretch.is_changed |= !fates.is_empty();
        }
        stretch
    }

    #[inline]
    fn now(&self, lane: usize) -> &Now<'_, K> {
        &self.now[lane]
    }

    #[inline]
    fn change<T: Count>(
        &self,
        now: &Now<'_, K>,
        node: Node,
        kind: DependenceKind,
        measured: EventTimes,
        all: &mut TimesOfRuns<T, K>,
    ) {
        for run in 0..K {
            let alike = now.alike[run];
            if alike < run {
                all.copy(run, alike);
            } else if let [first, rest @ ..] = now.fates[run] {
                let changed = self.changed(first, node, kind, measured);
                let each = |times, fate| self.changed(fate, node, kind, times);
                all.set(run, rest.iter().fold(changed, each));
            }
        }
    }

    fn lags(&self, now: &Now<'_, K>, node: Node, kind: DependenceKind, lag: Time) -> [Time; K] {
        from_fn(|run| {
            if kind.is_launch() && self.runs[run].is_without_launch_gaps {
                return 0;
            }
            now.fates[run].iter().fold(lag, |lag, fate| self.lag(fate, node, kind, lag))
        })
    }
}

impl<const K: usize> Together<'_, K> {
    /// What becomes of the times of an event.
    #[inline]
    fn changed(
        &self,
        fate: &Fate,
        node: Node,
        kind: DependenceKind,
        times: EventTimes,
    ) -> EventTimes {
        const ORDER: DependenceKind = DependenceKind::EngineOrder;
        match *fate {
            Fate::Scaled { duration, pauses } => EventTimes {
                order: scaled_pause(ORDER, times.order, pauses),
                lag: scaled_pause(kind, times.lag, pauses),
                duration: scaled(times.duration, duration),
            },
            Fate::Share(share) => EventTimes {
                order: self.lag(fate, node, ORDER, times.order),
                lag: self.lag(fate, node, kind, times.lag),
                duration: scaled(times.duration, share.duration.into()),
            },
            Fate::Free => EventTimes { lag: self.lag(fate, node, kind, times.lag), ..times },
        }
    }

    /// What becomes of a lag of an event.
    fn lag(&self, fate: &Fate, node: Node, kind: DependenceKind, ns: Time) -> Time {
        let share = match fate {
            Fate::Scaled { pauses, .. } => return scaled_pause(kind, ns, *pauses),
            Fate::Share(share) => share,
            // What starts long after another engine's command waited for something else. Nothing ends later than in the measured
            // run: this dependence never decides.
            Fate::Free if kind == DependenceKind::HandOver && ns <= HAND_OVER_NS => {
                return -self.replay.measured_ns();
            }
            Fate::Free => return ns,
        };
        // No time passes between a command and the one before it on its engine.
        let is_merged = share.is_merged && kind == DependenceKind::EngineOrder;
        let ns = scaled_pause(kind, if is_merged { 0 } else { ns }, share.pauses.into());
        if share.idle == 1.0 {
            return ns;
        }
        let pause = self.pause(node);
        pause.map_or(ns, |pause| shorter_idle(kind, ns, pause, share.idle.into()))
    }
}

impl Fate {
    fn of(share: Share) -> Self {
        if share.is_merged || share.idle != 1.0 {
            return Self::Share(share);
        }
        Self::Scaled { duration: share.duration.into(), pauses: share.pauses.into() }
    }
}

#[inline]
fn scaled(time: Time, factor: f64) -> Time {
    if factor == 1.0 { time } else { rounded(time as f64 * factor) }
}

/// The time between the end of what a command waited for and its start, multiplied by `factor`.
#[inline]
fn scaled_pause(kind: DependenceKind, ns: Time, factor: f64) -> Time {
    let is_pause = !kind.is_launch() && !kind.ends_wait() && kind != DependenceKind::Origin;
    if ns > 0 && is_pause { scaled(ns, factor) } else { ns }
}

/// The time before a command, shorter beyond the usual hand-over. `pause`: the usual time after the command before.
#[inline]
fn shorter_idle(kind: DependenceKind, ns: Time, pause: Time, factor: f64) -> Time {
    let usual = match kind {
        kind if kind.is_launch() || kind.ends_wait() => return ns,
        kind if kind.is_sync() => divide(kind, ns).0,
        _ => ns.min(pause),
    };
    if ns == usual { ns } else { usual + scaled(ns - usual, factor) }
}
