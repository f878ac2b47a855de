//! A fault taken away: the run with some commands shorter, some idle times gone.

use std::ops::Range;

use bigtpu_sim::Time;
use bigtpu_timeline::EngineId;

use crate::costs::{divide, rounded};
use crate::critical_path::Reason;
use crate::dependence::{DependenceKind, Node};
use crate::graph::{LaneTimes, Measured, Scale};
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
        self.scale_all(engine_id, event..event + 1, factor);
    }

    /// The events' durations are multiplied by `factor`.
    pub fn scale_all(&mut self, engine_id: EngineId, events: Range<usize>, factor: f64) {
        let share = Share { duration: factor.max(0.0) as f32, ..Share::ALL };
        self.add(engine_id, events, share);
    }

    /// The event starts as soon as all that it waited for has ended.
    pub fn start_at_once(&mut self, engine_id: EngineId, event: usize) {
        self.add(engine_id, event..event + 1, Share { idle: 0.0, ..Share::ALL });
    }

    /// The event is one with the command before on its engine, and its duration is multiplied by `factor`.
    pub fn merge(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let duration = factor.max(0.0) as f32;
        let share = Share { duration, is_merged: true, ..Share::ALL };
        self.add(engine_id, event..event + 1, share);
    }

    /// The event's duration and the idle time before it are multiplied by `factor`.
    pub fn compress(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let factor = factor.max(0.0) as f32;
        let share = Share { duration: factor, idle: factor, ..Share::ALL };
        self.add(engine_id, event..event + 1, share);
    }

    /// So many of such commands run, each as before: each event stands for its part of their durations and pauses.
    pub fn divide(&mut self, engine_id: EngineId, events: Range<usize>, factor: f64) {
        let factor = factor.max(0.0) as f32;
        self.add(engine_id, events, Share { duration: factor, pauses: factor, ..Share::ALL });
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

    fn add(&mut self, engine_id: EngineId, events: Range<usize>, share: Share) {
        // No engine has more events than that.
        let (Ok(event), Ok(count)) = (u32::try_from(events.start), u32::try_from(events.len()))
        else {
            return;
        };
        let new = Run { first: event, count, share };
        let Some(engine) = self.engines.last_mut().filter(|known| known.engine_id == engine_id)
        else {
            return self.engines.push(EngineShares { engine_id, runs: vec![new] });
        };
        match engine.runs.last_mut() {
            // A fault is often that of neighbours.
            Some(run) if event.checked_sub(run.first) == Some(run.count) && run.share == share => {
                run.count += count;
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

fn scaled(time: Time, factor: f32) -> Time {
    if factor == 1.0 { time } else { rounded(time as f64 * f64::from(factor)) }
}

/// A run without some faults.
#[derive(Debug, Clone)]
pub struct Relieved<'r> {
    replay: &'r Replay,
    /// By lane; `None` while they are as measured.
    times: Option<Vec<LaneTimes>>,
    /// Whether the gaps between launches are gone: nothing else changes them.
    is_without_launch_gaps: bool,
}

/// Times of a run without gaps between launches.
struct WithoutLaunchGaps;

impl Scale for WithoutLaunchGaps {
    #[inline]
    fn duration(&self, _: Node, ns: Time) -> Time {
        ns
    }

    #[inline]
    fn lag(&self, kind: DependenceKind, ns: Time) -> Time {
        if kind.is_launch() { 0 } else { ns }
    }
}

impl Relieved<'_> {
    /// The same without another fault.
    #[must_use]
    pub fn without(mut self, relief: &Relief) -> Self {
        self.is_without_launch_gaps |= relief.launches;
        if relief.hand_overs || !relief.engines.is_empty() {
            let times = self.times.get_or_insert_with(|| self.replay.graph.times.clone());
            self.replay.take_away(relief, times);
        }
        self
    }

    /// Wall time in ns.
    #[must_use]
    pub fn wall_ns(&self) -> i64 {
        let graph = &self.replay.graph;
        let times = self.times.as_ref().unwrap_or(&graph.times);
        if self.is_without_launch_gaps {
            graph.run(times, &WithoutLaunchGaps, &mut Vec::new())
        } else {
            graph.run(times, &Measured, &mut Vec::new())
        }
    }
}

impl Replay {
    /// The run with all its faults.
    #[must_use]
    pub fn with_all_faults(&self) -> Relieved<'_> {
        Relieved { replay: self, times: None, is_without_launch_gaps: false }
    }

    /// Wall time in ns of the run without a fault.
    #[must_use]
    pub fn wall_without(&self, fault: &Relief) -> i64 {
        self.with_all_faults().without(fault).wall_ns()
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

    fn take_away(&self, relief: &Relief, times: &mut [LaneTimes]) {
        if relief.hand_overs {
            self.drop_hand_overs(&self.kept(relief), times);
        }
        for EngineShares { engine_id, runs } in &relief.engines {
            let Some(number) = self.tracks.iter().position(|(own, _)| own == engine_id) else {
                continue;
            };
            let (Some(lane), Some(times)) = (self.graph.lanes.get(number), times.get_mut(number))
            else {
                continue;
            };
            let classes = self.model.class.get(lane.first as usize..).unwrap_or_default();
            for Run { first, count, share } in runs {
                let until = (first.saturating_add(*count) as usize).min(lane.link.len());
                let events = (*first as usize).min(until)..until;
                if share.duration != 1.0 {
                    times.map_durations(lane, events.clone(), |ns| scaled(ns, share.duration));
                }
                if share.is_merged {
                    // No time passes between a command and the one before it on its engine.
                    let is_order = |kind| kind == DependenceKind::EngineOrder;
                    let drop_order = |kind, ns| if is_order(kind) { 0 } else { ns };
                    times.map_lags(lane, events.clone(), drop_order);
                }
                if share.pauses != 1.0 {
                    let shorten = |kind, ns| scaled_pause(kind, ns, share.pauses);
                    times.map_lags(lane, events.clone(), shorten);
                }
                if share.idle == 1.0 {
                    continue;
                }
                // Neighbours are mostly of one class.
                let mut rest = events;
                while let Some(class) = classes.get(rest.start).filter(|_| !rest.is_empty()) {
                    let of_class = classes[rest.clone()].iter().take_while(|own| *own == class);
                    let same = rest.start..rest.start + of_class.count();
                    rest.start = same.end;
                    let class = self.model.classes.get(*class as usize);
                    if let Some(pause) = class.and_then(|class| self.pause(class)) {
                        let shorten = |kind, ns| shorter_idle(kind, ns, pause, share.idle);
                        times.map_lags(lane, same, shorten);
                    }
                }
            }
        }
    }

    /// Drops what only the measured times make a dependence, except for these events.
    fn drop_hand_overs(&self, kept: &[Node], times: &mut [LaneTimes]) {
        // What starts long after another engine's command waited for something else. Nothing ends later than in the measured
        // run: this dependence never decides.
        let never = -self.measured_ns();
        let drop = |kind, ns| {
            let is_dropped = kind == DependenceKind::HandOver && ns <= HAND_OVER_NS;
            if is_dropped { never } else { ns }
        };
        for (lane, times) in self.graph.lanes.iter().zip(times) {
            let end = lane.first + lane.link.len() as Node;
            let from = kept.partition_point(|node| *node < lane.first);
            let own = kept[from..].iter().take_while(|node| **node < end);
            let mut first = 0;
            for node in own {
                let event = (node - lane.first) as usize;
                times.map_lags(lane, first..event.max(first), drop);
                first = event + 1;
            }
            times.map_lags(lane, first..lane.link.len(), drop);
        }
    }

    /// The events that keep their dependences, in order.
    fn kept(&self, relief: &Relief) -> Vec<Node> {
        let mut kept = Vec::new();
        for (engine_id, event) in &relief.kept {
            let track = self.tracks_with_lengths().find(|(own, ..)| own == engine_id);
            if let Some((_, first, length)) = track
                && (*event as usize) < length
            {
                kept.push(first + event);
            }
        }
        kept.sort_unstable();
        kept
    }

    /// The usual time in ns between two commands of a class; `None` for waits, whose idle time is no fault of theirs.
    fn pause(&self, class: &Class) -> Option<Time> {
        (class.task != Task::Wait).then(|| self.floors.order(class.engine))
    }
}

/// The time between the end of what a command waited for and its start, multiplied by `factor`.
#[inline]
fn scaled_pause(kind: DependenceKind, ns: Time, factor: f32) -> Time {
    let is_pause = !kind.is_launch() && !kind.ends_wait() && kind != DependenceKind::Origin;
    if ns > 0 && is_pause { scaled(ns, factor) } else { ns }
}

/// The time before a command, shorter beyond the usual hand-over. `pause`: the usual time after the command before.
#[inline]
fn shorter_idle(kind: DependenceKind, ns: Time, pause: Time, factor: f32) -> Time {
    let usual = match kind {
        kind if kind.is_launch() || kind.ends_wait() => return ns,
        kind if kind.is_sync() => divide(kind, ns).0,
        _ => ns.min(pause),
    };
    if ns == usual { ns } else { usual + scaled(ns - usual, factor) }
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
