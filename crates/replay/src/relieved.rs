//! Runs without some faults: how long each takes. They are made side by side.

use std::array::from_fn;

use bigtpu_sim::Time;
use rayon::prelude::*;

use crate::costs::divide;
use crate::critical_path::Reason;
use crate::dependence::{DependenceKind, Node};
use crate::fates::{Fate, Part, Without};
use crate::graph::{Changes, Count, Effect, EventTimes, Scale, Stretch, TimesOfRuns};
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Class, Task};
use crate::relief::Relief;
use crate::replay::Replay;

/// Runs that are made side by side: each takes 4 bytes an event at the same time, of a run of more than 4 s 8.
pub(crate) const MOST_TOGETHER: usize = 3;

impl Replay {
    /// Wall time in ns of the run without a fault.
    #[must_use]
    pub fn wall_without(&self, fault: &Relief) -> i64 {
        self.walls_without(&[vec![fault]]).first().copied().unwrap_or(0)
    }

    /// Returns the wall time in ns of several runs. Each run is without some faults, which are taken away one after the
    /// other.
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
        let runs = runs.map(|faults| Without::new(self, faults));
        self.graph.run_together(|| Together::new(self, &runs))
    }

    /// Wall time in ns if nothing of this kind took any time: work by its reason, or gaps between launches.
    #[must_use]
    pub fn wall_without_reason(&self, reason: Reason) -> i64 {
        if reason == Reason::LaunchGap {
            return self.wall_without(&Relief::of_launch_gaps());
        }
        let takes_time =
            self.model.classes.iter().map(|class| Reason::from_task(class.task) != reason);
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
    /// Whether commands of each class take time.
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

/// What becomes of the events of a lane that are being run.
#[derive(Clone, Copy)]
pub(crate) struct Now<'r, const K: usize> {
    /// The part that is next, by run.
    at: [usize; K],
    /// The fates, by run.
    fates: [&'r [Fate]; K],
    /// The first run with the same fates, by run: runs without several faults often have those of a run without one of
    /// them.
    alike: [usize; K],
}

/// Runs that are made side by side.
pub(crate) struct Together<'r, const K: usize> {
    replay: &'r Replay,
    runs: &'r [Without; K],
    /// What becomes of the events of each lane.
    now: Vec<Now<'r, K>>,
}

impl<'r, const K: usize> Together<'r, K> {
    pub(crate) fn new(replay: &'r Replay, runs: &'r [Without; K]) -> Self {
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

    fn stretch(&mut self, lane: usize, event: usize) -> Stretch<K> {
        let mut until = usize::MAX;
        let now = &mut self.now[lane];
        for (run, without) in self.runs.iter().enumerate() {
            let Some(own) = without.lanes.get(lane) else { continue };
            let at = &mut now.at[run];
            let is_before = |part: &Part| part.end as usize <= event;
            if at
                .checked_sub(1)
                .and_then(|at| own.parts.get(at))
                .is_some_and(|part| !is_before(part))
            {
                // The event is before the last one that was run.
                *at = own.parts.partition_point(is_before);
            }
            while own.parts.get(*at).is_some_and(is_before) {
                *at += 1;
            }
            let (fates, end) = match own.parts.get(*at) {
                Some(part) if part.first as usize <= event => (own.get(part.fates), part.end),
                Some(part) => (&[][..], part.first),
                None => (&[][..], u32::MAX),
            };
            now.fates[run] = fates;
            until = until.min(end as usize);
        }
        let effect = effect(&now.fates);
        if matches!(effect, Effect::Other) {
            let first_alike = |run: usize| now.fates.iter().position(|own| *own == now.fates[run]);
            now.alike = from_fn(|run| first_alike(run).unwrap_or(run));
        }
        Stretch { end: until, effect }
    }

    #[inline]
    fn now(&self, lane: usize) -> &Now<'_, K> {
        &self.now[lane]
    }

    #[inline(never)]
    fn change<T: Count>(
        &self,
        now: &Now<'_, K>,
        node: Node,
        kind: DependenceKind,
        measured: EventTimes<T>,
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

/// What becomes of the times of events with such fates, by run.
fn effect<const K: usize>(fates: &[&[Fate]; K]) -> Effect<K> {
    let mut changed = fates.iter().filter(|fates| !fates.is_empty());
    let Some(first) = changed.next() else { return Effect::Nothing };
    match **first {
        [Fate::Scaled(scaling)] if changed.all(|others| others == first) => {
            let of_runs = fates.map(|fates| usize::from(!fates.is_empty()));
            Effect::Scaled { scaling, of_runs }
        }
        _ => Effect::Other,
    }
}

impl<const K: usize> Together<'_, K> {
    /// What becomes of the times of an event.
    #[inline]
    fn changed<T: Count>(
        &self,
        fate: &Fate,
        node: Node,
        kind: DependenceKind,
        times: EventTimes<T>,
    ) -> EventTimes<T> {
        const ORDER: DependenceKind = DependenceKind::EngineOrder;
        let lag = |kind, ns: T| T::from_time(self.lag(fate, node, kind, ns.time()));
        match *fate {
            Fate::Scaled(scaling) => scaling.times(kind.is_pause(), times),
            Fate::Share(share) => EventTimes {
                order: lag(ORDER, times.order),
                lag: lag(kind, times.lag),
                duration: times.duration.scaled(share.duration.into()),
            },
            Fate::Free => EventTimes { lag: lag(kind, times.lag), ..times },
            Fate::Ready => {
                EventTimes { order: lag(ORDER, times.order), lag: lag(kind, times.lag), ..times }
            }
        }
    }

    /// What becomes of a lag of an event.
    fn lag(&self, fate: &Fate, node: Node, kind: DependenceKind, ns: Time) -> Time {
        let share = match fate {
            Fate::Scaled(scaling) => return scaled_pause(kind, ns, scaling.pauses),
            Fate::Share(share) => share,
            // What starts long after another engine's command waited for something else. Nothing ends later than in the measured
            // run: this dependence never decides.
            Fate::Free if kind == DependenceKind::HandOver && ns <= HAND_OVER_NS => {
                return -self.replay.measured_ns();
            }
            Fate::Free => return ns,
            Fate::Ready if kind == DependenceKind::EngineOrder => {
                return ns.min(self.pause(node).unwrap_or(0));
            }
            Fate::Ready => return -self.replay.measured_ns(),
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

/// The time between the end of what a command waited for and its start, multiplied by `factor`.
#[inline]
fn scaled_pause(kind: DependenceKind, ns: Time, factor: f64) -> Time {
    if kind.is_pause() { ns.scaled(factor) } else { ns }
}

/// The time before a command, shorter beyond the usual hand-over. `pause`: the usual time after the command before.
#[inline]
fn shorter_idle(kind: DependenceKind, ns: Time, pause: Time, factor: f64) -> Time {
    let usual = match kind {
        kind if kind.is_launch() || kind.ends_wait() => return ns,
        kind if kind.is_sync() => divide(kind, ns).0,
        _ => ns.min(pause),
    };
    if ns == usual { ns } else { usual + (ns - usual).scaled(factor) }
}
