//! What each event waited for, how much later it could have ended, and whether the critical path goes through it.

use bigtpu_sim::Times;
use bigtpu_timeline::EngineId;

use crate::dependence::{DependenceKind, NONE, Node};
use crate::graph::Step;
use crate::replay::Replay;

/// What an event waited for longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// The engine of the event that ended last.
    pub engine_id: EngineId,
    /// That event's index on its engine.
    pub event: usize,
    /// Why it had to be waited for.
    pub kind: DependenceKind,
}

/// Slack, cause and critical path of every event of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventCauses {
    /// Which engine, the number of its first event, and how many it has.
    tracks: Vec<(EngineId, Node, usize)>,
    slack: Times,
    /// Number of the event that ended last; no event's without one.
    cause: Vec<Node>,
    kind: Vec<DependenceKind>,
    on_path: Vec<bool>,
}

impl EventCauses {
    /// From the slack of each event in a run of the graph, the critical path, and what each event waited for.
    pub(crate) fn of(
        replay: &Replay,
        slack: Times,
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

    /// The events of an engine; `None` if it has none.
    #[must_use]
    pub fn of_engine(&self, engine_id: EngineId) -> Option<EngineCauses<'_>> {
        let track = self.tracks.iter().position(|(own, ..)| *own == engine_id)?;
        let (_, first, events) = *self.tracks.get(track)?;
        Some(EngineCauses { all: self, engine_id, track, first: first as usize, events })
    }

    /// The event of a number; mostly it is of an engine next to the one at `near`.
    #[inline]
    fn event(&self, node: Node, near: usize) -> Option<(EngineId, usize)> {
        let of_engine = |&(engine_id, first, events): &(EngineId, Node, usize)| {
            let event = node.wrapping_sub(first) as usize;
            (event < events).then_some((engine_id, event))
        };
        let neighbours = self.tracks.get(near.saturating_sub(1)..)?;
        neighbours.iter().take(3).find_map(of_engine).or_else(|| self.search(node))
    }

    fn search(&self, node: Node) -> Option<(EngineId, usize)> {
        let after = self.tracks.partition_point(|(_, first, _)| *first <= node);
        // Engines without events begin at the same number as the next one.
        let holds =
            |(_, first, events): &&(EngineId, Node, usize)| ((node - first) as usize) < *events;
        let (engine_id, first, _) = self.tracks.get(..after)?.iter().rev().find(holds)?;
        Some((*engine_id, (node - first) as usize))
    }
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

impl EngineCauses<'_> {
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

    /// Whether the critical path goes through the event. Of several paths of the same length one is the critical path,
    /// so that an event with a slack of 0 need not be on it.
    #[must_use]
    pub fn is_on_path(&self, event: usize) -> Option<bool> {
        self.all.on_path.get(self.node(event)?).copied()
    }

    /// What the event waited for, where it is of another engine.
    #[must_use]
    #[inline]
    pub fn foreign_cause(&self, event: usize) -> Option<Cause> {
        let node = self.node(event)?;
        let cause = *self.all.cause.get(node)?;
        // Most events wait for the one before them.
        if (cause as usize).wrapping_sub(self.first) < self.events || cause == NONE {
            return None;
        }
        let (engine_id, event) = self.all.event(cause, self.track)?;
        Some(Cause { engine_id, event, kind: *self.all.kind.get(node)? })
    }

    /// What the event waited for: of a wait what released it, of any other event what ended last before it
    /// started. `None` for an event that waited for nothing known.
    #[must_use]
    pub fn cause(&self, event: usize) -> Option<Cause> {
        let node = self.node(event)?;
        let cause = *self.all.cause.get(node)?;
        let own = (cause as usize).wrapping_sub(self.first);
        // Most events wait for the one before them.
        let (engine_id, event) = match own < self.events {
            true => (self.engine_id, own),
            false if cause == NONE => return None,
            false => self.all.event(cause, self.track)?,
        };
        Some(Cause { engine_id, event, kind: *self.all.kind.get(node)? })
    }
}
