//! What each event waited for, how much later it could have ended, and whether the critical path goes through it.

use bigtpu_sim::{Binding, Schedule, Step, Time, slack};
use bigtpu_timeline::EngineId;

use crate::dependence::{DependenceKind, Node};
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
    slack: Slack,
    /// Number of the event that ended last; [`NONE`] without one.
    cause: Vec<Node>,
    kind: Vec<DependenceKind>,
    on_path: Vec<bool>,
}

const NONE: Node = Node::MAX;

/// ns by event, in 4 bytes where the run is short enough.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Slack {
    Short(Vec<u32>),
    Long(Vec<Time>),
}

impl Default for Slack {
    fn default() -> Self {
        Self::Short(Vec::new())
    }
}

impl Slack {
    fn of(mut all: Vec<Time>, events: usize) -> Self {
        all.truncate(events);
        let mut short = Vec::with_capacity(events);
        short.extend(all.iter().map_while(|ns| u32::try_from(*ns).ok()));
        if short.len() == all.len() { Self::Short(short) } else { Self::Long(all) }
    }

    fn ns(&self, node: usize) -> Option<i64> {
        match self {
            Self::Short(all) => all.get(node).copied().map(i64::from),
            Self::Long(all) => all.get(node).copied(),
        }
    }
}

impl EventCauses {
    /// From a run of the graph and its critical path.
    pub(crate) fn of(replay: &Replay, schedule: &Schedule<'_>, path: &[Step]) -> Self {
        let events = replay.events;
        let mut all = Self {
            tracks: replay.tracks_with_lengths().collect(),
            slack: Slack::of(slack(schedule), events),
            cause: Vec::with_capacity(events),
            kind: Vec::with_capacity(events),
            on_path: vec![false; events],
        };
        let bound_by = |node: Node| match schedule.binding(node) {
            Binding::Dependence(at) => Some((
                replay.graph.predecessor(at),
                replay.model.kinds.get(at).copied().unwrap_or(DependenceKind::Origin),
            )),
            Binding::Origin | Binding::Resource(_) => None,
        };
        for node in 0..events as Node {
            let mut bound = bound_by(node);
            // What gathers tasks stands for the one of them that ended last.
            if let Some((before, kind)) = bound.filter(|(before, _)| *before as usize > events) {
                bound = bound_by(before).map(|(last, _)| (last, kind));
            }
            let bound = bound.filter(|(before, _)| (*before as usize) < events);
            let (cause, kind) = bound.unwrap_or((NONE, DependenceKind::Origin));
            all.cause.push(cause);
            all.kind.push(kind);
        }
        for step in path {
            if let Some(on_path) = all.on_path.get_mut(step.task as usize) {
                *on_path = true;
            }
        }
        all
    }

    /// The events of an engine; `None` if it has none.
    #[must_use]
    pub fn of_engine(&self, engine_id: EngineId) -> Option<EngineCauses<'_>> {
        let (_, first, events) = *self.tracks.iter().find(|(own, ..)| *own == engine_id)?;
        Some(EngineCauses { all: self, first: first as usize, events })
    }

    /// The event of a number.
    fn event(&self, node: Node) -> Option<(EngineId, usize)> {
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
    first: usize,
    events: usize,
}

impl EngineCauses<'_> {
    /// How many events the engine has.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events
    }

    fn node(&self, event: usize) -> Option<usize> {
        (event < self.events).then_some(self.first + event)
    }

    /// ns by which the event could have ended later without the run taking longer.
    #[must_use]
    pub fn slack_ns(&self, event: usize) -> Option<i64> {
        self.all.slack.ns(self.node(event)?)
    }

    /// Whether the critical path goes through the event. Of several paths of the same length one is the critical path,
    /// so that an event with a slack of 0 need not be on it.
    #[must_use]
    pub fn is_on_path(&self, event: usize) -> Option<bool> {
        self.all.on_path.get(self.node(event)?).copied()
    }

    /// What the event waited for: of a wait what released it, of any other event what ended last before it
    /// started. `None` for an event that waited for nothing known.
    #[must_use]
    pub fn cause(&self, event: usize) -> Option<Cause> {
        let node = self.node(event)?;
        let (engine_id, event) = self.all.event(*self.all.cause.get(node)?)?;
        Some(Cause { engine_id, event, kind: *self.all.kind.get(node)? })
    }
}
