//! What each event waited for, how much later it could have ended, and whether the critical path goes through it.

use std::ops::Range;

use bigtpu_sim::TaskTimes;
use bigtpu_timeline::EngineId;

use crate::dependence::{DependenceKind, NONE, Node};
use crate::graph::Step;
use crate::replay::Replay;

/// What an event waited for longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitCause {
    /// The engine of the event that ended last.
    pub engine_id: EngineId,
    /// That event's index on its engine.
    pub event: usize,
    /// Why it had to be waited for.
    pub kind: DependenceKind,
}

/// An engine, the number of its first event, and how many it has.
type OfEngine = (EngineId, Node, usize);

/// Slack, cause and critical path of every event of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventCauses {
    tracks: Vec<OfEngine>,
    slack: TaskTimes,
    /// Number of the event that ended last; no event's without one.
    cause: Vec<Node>,
    kind: Vec<DependenceKind>,
    on_path: Vec<bool>,
}

impl EventCauses {
    /// From the slack of each event in a run of the graph, the critical path, and what each event waited for.
    pub(crate) fn compute(
        replay: &Replay,
        slack: TaskTimes,
        path: Vec<Step>,
        cause: Vec<Node>,
        kind: Vec<DependenceKind>,
    ) -> Self {
        let mut on_path = vec![false; replay.events];
        for step in path {
            if let Some(is_step) = on_path.get_mut(step.node as usize) {
                *is_step = true;
            }
        }
        Self { tracks: replay.tracks_with_lengths().collect(), slack, cause, kind, on_path }
    }

    /// How many events there are.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.cause.len()
    }

    /// The events of an engine; `None` if it has none.
    #[must_use]
    pub fn of_engine(&self, engine_id: EngineId) -> Option<EngineCauses<'_>> {
        let track = self.tracks.iter().position(|(own, ..)| *own == engine_id)?;
        let (_, first, events) = *self.tracks.get(track)?;
        Some(EngineCauses { all: self, engine_id, track, first: first as usize, events })
    }

    /// The engine of an event's number; mostly it is next to the one at `near`.
    #[inline]
    fn engine(&self, node: Node, near: usize) -> Option<OfEngine> {
        let neighbours = self.tracks.get(near.saturating_sub(1)..)?;
        let holds = |track: &&OfEngine| event_of(track, node).is_some();
        neighbours.iter().take(3).find(holds).copied().or_else(|| self.search(node))
    }

    fn search(&self, node: Node) -> Option<OfEngine> {
        let after = self.tracks.partition_point(|(_, first, _)| *first <= node);
        // Engines without events begin at the same number as the next one.
        let holds = |track: &&OfEngine| event_of(track, node).is_some();
        self.tracks.get(..after)?.iter().rev().find(holds).copied()
    }

    /// The engine and index of an event's number.
    #[inline]
    fn event(&self, node: Node, near: usize) -> Option<(EngineId, usize)> {
        let track = self.engine(node, near)?;
        Some((track.0, event_of(&track, node)?))
    }
}

/// The index of an event's number on an engine, if it is there.
#[inline]
fn event_of((_, first, events): &OfEngine, node: Node) -> Option<usize> {
    let event = node.wrapping_sub(*first) as usize;
    (event < *events).then_some(event)
}

/// Slack, cause and critical path of an engine's events, by index. `None` behind the last.
#[derive(Debug, Clone, Copy)]
pub struct EngineCauses<'a> {
    all: &'a EventCauses,
    engine_id: EngineId,
    /// Its place among the engines.
    track: usize,
    first: usize,
    events: usize,
}

impl<'a> EngineCauses<'a> {
    /// How many events the engine has.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events
    }

    #[inline]
    fn node(&self, event: usize) -> Option<usize> {
        (event < self.events).then_some(self.first + event)
    }

    /// ns by which the event could have ended later without the run taking longer.
    #[must_use]
    #[inline]
    pub fn slack_ns(&self, event: usize) -> Option<i64> {
        Some(self.all.slack.get(self.node(event)?))
    }

    /// Reads the slack in ns of events that follow each other, from `first` on; what is behind the last event stays as
    /// it is.
    pub fn read_slack_ns(&self, first: usize, to: &mut [u64]) {
        let count = to.len().min(self.events.saturating_sub(first));
        let first = self.first + first;
        self.all.slack.read_bits(first..first + count, to);
    }

    /// What some events waited for, where it is of another engine, with the event's index.
    #[inline]
    pub fn foreign_causes(&self, events: Range<usize>, mut each: impl FnMut(usize, WaitCause)) {
        let Self { all, engine_id, first: own, events: count, track } = *self;
        let until = events.end.min(count);
        let rows = own + events.start.min(until)..own + until;
        let causes = all.cause.get(rows.clone()).unwrap_or_default();
        let kinds = all.kind.get(rows).unwrap_or_default();
        // The engine that was waited for last is mostly waited for next.
        let mut last: OfEngine = (engine_id, 0, 0);
        for (event, (cause, kind)) in (events.start..).zip(causes.iter().zip(kinds)) {
            if (*cause as usize).wrapping_sub(own) < count || *cause == NONE {
                continue;
            }
            let mut of_engine = cause.wrapping_sub(last.1) as usize;
            if of_engine >= last.2 {
                let Some(found) = all.engine(*cause, track) else { continue };
                last = found;
                of_engine = (cause - found.1) as usize;
            }
            each(event, WaitCause { engine_id: last.0, event: of_engine, kind: *kind });
        }
    }

    /// Whether the critical path goes through the event. Of several paths of the same length one is the critical path,
    /// so that an event with a slack of 0 need not be on it.
    #[must_use]
    pub fn is_on_path(&self, event: usize) -> Option<bool> {
        self.all.on_path.get(self.node(event)?).copied()
    }

    /// What the event waited for, where it is of another engine.
    #[must_use]
    #[inline]
    pub fn foreign_cause(&self, event: usize) -> Option<WaitCause> {
        let node = self.node(event)?;
        let cause = *self.all.cause.get(node)?;
        // Most events wait for the one before them.
        if (cause as usize).wrapping_sub(self.first) < self.events || cause == NONE {
            return None;
        }
        let (engine_id, event) = self.all.event(cause, self.track)?;
        Some(WaitCause { engine_id, event, kind: *self.all.kind.get(node)? })
    }

    /// What the event waited for: of a wait what released it, of any other event what ended last before it
    /// started. `None` for an event that waited for nothing known.
    #[must_use]
    pub fn cause(&self, event: usize) -> Option<WaitCause> {
        let node = self.node(event)?;
        let cause = *self.all.cause.get(node)?;
        let own = (cause as usize).wrapping_sub(self.first);
        // Most events wait for the one before them.
        let (engine_id, event) = match own < self.events {
            true => (self.engine_id, own),
            false if cause == NONE => return None,
            false => self.all.event(cause, self.track)?,
        };
        Some(WaitCause { engine_id, event, kind: *self.all.kind.get(node)? })
    }
}
