//! A fault taken away: the run with some commands shorter, some idle times gone.

use std::ops::Range;

use bigtpu_sim::{Costs, TaskId, Time, Times};
use bigtpu_timeline::EngineId;

use crate::costs::{divide, rounded};
use crate::critical_path::Reason;
use crate::dependence::{DependenceKind, Node};
use crate::hand_over::HAND_OVER_NS;
use crate::input::{Class, Task};
use crate::replay::Replay;

/// What becomes of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Share {
    /// Its duration is multiplied by this.
    duration: f32,
    /// The time that it waited beyond the end of what it waited for is multiplied by this; the usual hand-over stays.
    idle: f32,
    /// Every time between the end of what it waited for and its start is multiplied by this, but for launches.
    pauses: f32,
    /// Whether it is one with the command before, so that no time passes between them.
    is_merged: bool,
}

impl Share {
    const ALL: Self = Self { duration: 1.0, idle: 1.0, pauses: 1.0, is_merged: false };
}

/// What becomes of some events of an engine.
#[derive(Debug, Clone, PartialEq)]
struct EngineShares {
    engine_id: EngineId,
    runs: Vec<Run>,
}

/// Events that follow one another, and what becomes of each.
#[derive(Debug, Clone, PartialEq)]
struct Run {
    /// Index of the first.
    first: u32,
    count: u32,
    share: Share,
}

/// A fault taken away from a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relief {
    engines: Vec<EngineShares>,
    launches: bool,
    hand_overs: bool,
    /// Events that still wait for what only the measured times make a dependence.
    kept: Vec<(EngineId, u32)>,
}

impl Relief {
    /// The gaps between launches are gone.
    #[must_use]
    pub fn of_launch_gaps() -> Self {
        Self { launches: true, ..Self::default() }
    }

    /// An engine starts its next command without waiting for what only the measured times make a dependence.
    #[must_use]
    pub fn of_hand_overs() -> Self {
        Self { hand_overs: true, ..Self::default() }
    }

    /// The event waits for what it waited for, also where such dependences are known from times only.
    pub fn keep_hand_over(&mut self, engine_id: EngineId, event: usize) {
        // No engine has more events than that.
        self.kept.extend(u32::try_from(event).ok().map(|event| (engine_id, event)));
    }

    /// The event's duration is multiplied by `factor`.
    pub fn scale(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let share = Share { duration: factor.max(0.0) as f32, ..Share::ALL };
        self.add(engine_id, event, share);
    }

    /// The event starts as soon as all that it waited for has ended.
    pub fn start_at_once(&mut self, engine_id: EngineId, event: usize) {
        self.add(engine_id, event, Share { idle: 0.0, ..Share::ALL });
    }

    /// The event is one with the command before on its engine, and its duration is multiplied by `factor`.
    pub fn merge(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let duration = factor.max(0.0) as f32;
        self.add(engine_id, event, Share { duration, is_merged: true, ..Share::ALL });
    }

    /// The event's duration and the idle time before it are multiplied by `factor`.
    pub fn compress(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let factor = factor.max(0.0) as f32;
        self.add(engine_id, event, Share { duration: factor, idle: factor, ..Share::ALL });
    }

    /// So many of such commands run, each as before: the event stands for its part of their durations and pauses.
    pub fn divide(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let factor = factor.max(0.0) as f32;
        self.add(engine_id, event, Share { duration: factor, pauses: factor, ..Share::ALL });
    }

    /// Events whose duration changes: their engine, their indices, and what it is multiplied by.
    pub fn scaled(&self) -> impl Iterator<Item = (EngineId, Range<usize>, f64)> + '_ {
        self.engines.iter().flat_map(|EngineShares { engine_id, runs }| {
            let changed = runs.iter().filter(|run| run.share.duration != 1.0);
            changed.map(|run| {
                let first = run.first as usize;
                (*engine_id, first..first + run.count as usize, f64::from(run.share.duration))
            })
        })
    }

    fn add(&mut self, engine_id: EngineId, event: usize, share: Share) {
        // No engine has more events than that.
        let Ok(event) = u32::try_from(event) else { return };
        let new = Run { first: event, count: 1, share };
        let Some(engine) = self.engines.last_mut().filter(|known| known.engine_id == engine_id)
        else {
            return self.engines.push(EngineShares { engine_id, runs: vec![new] });
        };
        match engine.runs.last_mut() {
            // A fault is often that of neighbours.
            Some(run) if event.checked_sub(run.first) == Some(run.count) && run.share == share => {
                run.count += 1;
            }
            _ => engine.runs.push(new),
        }
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.engines.is_empty() && !self.launches && !self.hand_overs
    }
}

/// Durations and lags of a run without faults.
struct Relieved {
    duration: Times,
    lag: Times,
}

impl Costs for Relieved {
    #[inline]
    fn duration(&self, task: TaskId) -> Time {
        self.duration.get(task as usize)
    }

    #[inline]
    fn lag(&self, dependence: usize) -> Time {
        self.lag.get(dependence)
    }
}

/// Durations and lags of a run in which commands of some classes take no time.
struct WithoutReason<'r> {
    replay: &'r Replay,
    /// By class.
    takes_time: Vec<bool>,
}

impl Costs for WithoutReason<'_> {
    #[inline]
    fn duration(&self, task: TaskId) -> Time {
        let class = self.replay.model.class.get(task as usize);
        let takes_time = class.and_then(|class| self.takes_time.get(*class as usize));
        if takes_time == Some(&false) { 0 } else { self.replay.graph.duration(task) }
    }

    #[inline]
    fn lag(&self, dependence: usize) -> Time {
        self.replay.graph.lag(dependence)
    }
}

fn scaled(time: Time, factor: f32) -> Time {
    if factor == 1.0 { time } else { rounded(time as f64 * f64::from(factor)) }
}

impl Replay {
    /// Wall time in ns of the run without these faults.
    #[must_use]
    pub fn wall_without<'r>(&self, faults: impl IntoIterator<Item = &'r Relief>) -> i64 {
        let mut run =
            Relieved { duration: self.graph.durations().clone(), lag: self.graph.lags().clone() };
        faults.into_iter().for_each(|relief| self.take_away(relief, &mut run));
        self.graph.replay_into(&run, &mut Vec::new())
    }

    /// Wall time in ns if nothing of this kind took any time: work by its reason, or gaps between launches.
    #[must_use]
    pub fn wall_without_reason(&self, reason: Reason) -> i64 {
        if reason == Reason::LaunchGap {
            return self.wall_without([&Relief::of_launch_gaps()]);
        }
        let takes_time = self.model.classes.iter().map(|class| Reason::of(class.task) != reason);
        let takes_time = takes_time.collect();
        self.graph.replay_into(&WithoutReason { replay: self, takes_time }, &mut Vec::new())
    }

    fn take_away(&self, relief: &Relief, run: &mut Relieved) {
        let kept = self.kept(relief);
        if relief.launches || relief.hand_overs {
            for (at, kind) in self.model.kinds.iter().enumerate() {
                if relief.launches && kind.is_launch() {
                    run.lag.set(at, 0);
                } else if relief.hand_overs
                    && *kind == DependenceKind::HandOver
                    && run.lag.get(at) <= HAND_OVER_NS
                    && kept.binary_search(&at).is_err()
                {
                    // What starts long after another engine's command waited for something else. Nothing ends
                    // later than in the measured run: this dependence never decides.
                    run.lag.set(at, -self.measured_ns());
                }
            }
        }
        let pauses: Vec<Option<Time>> = self.model.classes.iter().map(|c| self.pause(c)).collect();
        for EngineShares { engine_id, runs } in &relief.engines {
            let track = self.tracks_with_lengths().find(|(own, ..)| own == engine_id);
            let Some((_, first, length)) = track else { continue };
            for Run { first: event, count, share } in runs {
                let until = (event.saturating_add(*count) as usize).min(length) as Node;
                let tasks = first + event..first + until;
                if share.duration != 1.0 {
                    for task in tasks.clone().map(|task| task as usize) {
                        let duration = run.duration.get(task);
                        run.duration.set(task, scaled(duration, share.duration));
                    }
                }
                if share.is_merged {
                    tasks.clone().for_each(|task| self.drop_order(task, run));
                }
                if share.pauses != 1.0 {
                    tasks.clone().for_each(|task| self.scale_pauses(task, share.pauses, run));
                }
                if share.idle == 1.0 {
                    continue;
                }
                for task in tasks {
                    let class = self.model.class.get(task as usize);
                    let pause = class.and_then(|class| *pauses.get(*class as usize)?);
                    if let Some(pause) = pause {
                        self.shorten_idle(task, pause, share.idle, run);
                    }
                }
            }
        }
    }

    /// The dependences of a task, by number, with their kinds.
    #[inline]
    fn dependences_with_kinds(
        &self,
        task: TaskId,
    ) -> impl Iterator<Item = (usize, &DependenceKind)> {
        let dependences = self.graph.dependences(task);
        (dependences.start..).zip(self.model.kinds.get(dependences).unwrap_or_default())
    }

    /// Dependences of the events that keep theirs, in order.
    fn kept(&self, relief: &Relief) -> Vec<usize> {
        let mut kept = Vec::new();
        for (engine_id, event) in &relief.kept {
            let track = self.tracks_with_lengths().find(|(own, ..)| own == engine_id);
            if let Some((_, first, length)) = track
                && (*event as usize) < length
            {
                kept.extend(self.graph.dependences(first + event));
            }
        }
        kept.sort_unstable();
        kept
    }

    /// No time passes between a command and the one before it on its engine.
    fn drop_order(&self, task: TaskId, run: &mut Relieved) {
        for (at, kind) in self.dependences_with_kinds(task) {
            if *kind == DependenceKind::EngineOrder {
                run.lag.set(at, 0);
            }
        }
    }

    /// Multiplies the times between the ends of what a command waited for and its start.
    fn scale_pauses(&self, task: TaskId, factor: f32, run: &mut Relieved) {
        for (at, kind) in self.dependences_with_kinds(task) {
            let lag = run.lag.get(at);
            if lag > 0 && !kind.is_launch() && !kind.ends_wait() && *kind != DependenceKind::Origin
            {
                run.lag.set(at, scaled(lag, factor));
            }
        }
    }

    /// The usual time in ns between two commands of a class; `None` for waits, whose idle time is no fault of theirs.
    fn pause(&self, class: &Class) -> Option<Time> {
        (class.task != Task::Wait).then(|| self.floors.order(class.engine))
    }

    /// Shortens the time before a command beyond the usual hand-over. `pause`: the usual time after the command before.
    #[inline]
    fn shorten_idle(&self, task: TaskId, pause: Time, factor: f32, run: &mut Relieved) {
        for (at, kind) in self.dependences_with_kinds(task) {
            let lag = run.lag.get(at);
            let usual = match kind {
                kind if kind.is_launch() || kind.ends_wait() => continue,
                kind if kind.is_sync() => divide(*kind, lag).0,
                _ => lag.min(pause),
            };
            if lag != usual {
                run.lag.set(at, usual + scaled(lag - usual, factor));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;

    /// Neighbours with one fault are one run, whatever else lies between them in other engines.
    #[test]
    fn events_in_a_row_are_a_run() {
        let [tiu, gdma] = [Engine::Tiu, Engine::Gdma].map(|engine| EngineId { index: 0, engine });
        let mut relief = Relief::default();
        (3..7).for_each(|event| relief.scale(tiu, event, 0.5));
        relief.scale(tiu, 8, 0.5);
        relief.scale(tiu, 9, 0.25);
        relief.scale(gdma, 10, 0.25);
        relief.merge(gdma, 11, 0.25);
        let runs = |of: &EngineShares| -> Vec<(u32, u32)> {
            of.runs.iter().map(|run| (run.first, run.count)).collect()
        };
        let [of_tiu, of_gdma] = &relief.engines[..] else { panic!("{relief:?}") };
        assert_eq!(runs(of_tiu), [(3, 4), (8, 1), (9, 1)]);
        assert_eq!(runs(of_gdma), [(10, 1), (11, 1)]);
    }
}
