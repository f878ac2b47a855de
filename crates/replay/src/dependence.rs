//! Why a task had to wait for another one.

use serde::{Deserialize, Serialize};

/// How well a dependence is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// The hardware or the runtime works like this.
    Certain,
    /// Read from the commands, and no measured time contradicts it.
    Checked,
    /// Concluded from times alone.
    Inferred,
}

/// Why a task had to wait for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DependenceKind {
    /// The run began.
    Origin,
    /// The engine works in order.
    EngineOrder,
    /// `cmd_id_dep`: a command of the core's other engine had to be done.
    Command,
    /// A sync message, also of a barrier.
    Message,
    /// Waits of several engines or cores that ended together: all had to arrive.
    Barrier,
    /// The launch before had to end on the same core.
    Launch,
    /// The launch before had to end on all its cores.
    LaunchGroup,
    /// The engine started right after a command of another engine of its core had ended.
    HandOver,
    /// Collects the tasks that a launch or barrier waits for; takes no time.
    Gather,
}

impl DependenceKind {
    /// All kinds that a task can wait for.
    pub const ALL: [Self; 7] = {
        let [_origin, all @ .., _gather] = Self::NUMBERED;
        all
    };

    /// All kinds, each at its number.
    pub(crate) const NUMBERED: [Self; 9] = [
        Self::Origin,
        Self::EngineOrder,
        Self::Command,
        Self::Message,
        Self::Barrier,
        Self::Launch,
        Self::LaunchGroup,
        Self::HandOver,
        Self::Gather,
    ];

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::EngineOrder => "engine order",
            Self::Command => "command dependence",
            Self::Message => "message",
            Self::Barrier => "observed barrier",
            Self::Launch => "launch",
            Self::LaunchGroup => "launch group",
            Self::HandOver => "observed hand-over",
            Self::Gather => "gather",
        }
    }

    /// How well dependences of this kind are known.
    #[must_use]
    pub fn certainty(self) -> Certainty {
        match self {
            Self::Origin | Self::EngineOrder | Self::Message | Self::Launch | Self::Gather => {
                Certainty::Certain
            }
            Self::Command => Certainty::Checked,
            Self::Barrier | Self::LaunchGroup | Self::HandOver => Certainty::Inferred,
        }
    }

    /// Rank of the kind: if the predecessors of two dependences end together, the dependence with the greater rank
    /// counts.
    pub(crate) fn precedence(self) -> u8 {
        match self {
            Self::Origin | Self::Gather => 0,
            Self::HandOver => 1,
            Self::EngineOrder => 2,
            Self::Command => 3,
            Self::Message | Self::Barrier => 4,
            Self::Launch | Self::LaunchGroup => 5,
        }
    }

    /// Whether the lag is the launch's gap.
    pub(crate) fn is_launch(self) -> bool {
        matches!(self, Self::Launch | Self::LaunchGroup)
    }

    /// Whether it ends a wait.
    pub(crate) fn ends_wait(self) -> bool {
        matches!(self, Self::Message | Self::Barrier)
    }

    /// Whether the lag is time between the end of what was waited for and the start, and not that of a launch.
    pub(crate) const fn is_pause(self) -> bool {
        matches!(self, Self::EngineOrder | Self::Command | Self::HandOver | Self::Gather)
    }

    /// Whether the lag is a hand-over between engines.
    pub(crate) fn is_sync(self) -> bool {
        self.ends_wait() || matches!(self, Self::Command | Self::HandOver)
    }
}

/// Task number: events first, by track, then the origin of the run, then junctions.
pub(crate) type Node = u32;

/// No task.
pub(crate) const NONE: Node = Node::MAX;

/// A dependence of which few events have one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: Node,
    pub(crate) to: Node,
    /// When the predecessor ended, in ns from the first event.
    pub(crate) ended: i64,
}

/// A task that takes no time: it ends with the last of those that it gathers.
#[derive(Debug, Clone)]
pub(crate) struct Junction {
    pub(crate) members: Vec<Node>,
    /// The first of the members that ended last.
    pub(crate) last: Node,
    /// ns from the first event.
    pub(crate) end: i64,
}

impl Junction {
    /// Joins tasks, given with their ends.
    pub(crate) fn join(tasks: impl Iterator<Item = (Node, i64)> + Clone) -> Self {
        let last = tasks.clone().reduce(|last, next| if next.1 > last.1 { next } else { last });
        let (last, end) = last.unwrap_or((NONE, 0));
        Self { members: tasks.map(|(member, _)| member).collect(), last, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_at_its_number() {
        for (number, kind) in DependenceKind::NUMBERED.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }
}
