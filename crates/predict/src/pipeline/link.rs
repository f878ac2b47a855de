//! Transfers of results between stages.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::pipeline::event::Event;
use crate::pipeline::layout::Layout;

/// Transfers between stages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transfers {
    /// Time from the end of an event until its result is on another stage.
    pub comm: u64,
    /// The time of some pairs of stages instead, in both directions; the lower stage is named first.
    pub pairs: BTreeMap<(u32, u32), u64>,
    /// A link carries one result at a time; otherwise any number at once.
    pub links_are_busy: bool,
}

impl Transfers {
    /// Time from the end of an event on one stage until its result is on the other one; 0 on the stage itself.
    #[must_use]
    pub fn time(&self, from: u32, to: u32) -> u64 {
        if from == to {
            return 0;
        }
        self.pairs.get(&(from.min(to), from.max(to))).copied().unwrap_or(self.comm)
    }

    /// The longest time of any pair.
    pub(crate) fn longest(&self) -> u64 {
        self.pairs.values().copied().fold(self.comm, u64::max)
    }
}

/// A result on its way to another stage. Written with the fields of the event that it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// The event whose result it is.
    #[serde(flatten)]
    pub event: Event,
    /// The stage that it goes to.
    pub to: u32,
    /// When it leaves, in the plan's unit of time.
    pub start: u64,
    /// When it arrives.
    pub end: u64,
}

/// Number of the link from one stage to another, below twice the number of stages. Stages talk to their neighbours only,
/// in a ring: two links leave each stage, one where there are two stages.
pub(crate) fn link(layout: Layout, from: u32, to: u32) -> u32 {
    let is_next = to == (from + 1) % layout.stages;
    from * 2 + u32::from(!is_next)
}
