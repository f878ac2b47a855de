//! When a result arrives on the stage that needs it.

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;

/// Transfers between stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Transfers {
    /// Time from the end of an event until its result is on another stage.
    pub comm: u64,
    /// A link carries one result at a time; otherwise any number at once.
    pub links_are_busy: bool,
}

/// Arrival times of results on other stages. A link joins two stages in one direction.
#[derive(Debug)]
pub(crate) struct Links {
    layout: Layout,
    transfers: Transfers,
    /// End of the last transfer: links to the next stage, to the stage before, and those that a chunk's end takes.
    free: Vec<u64>,
}

impl Links {
    pub(crate) fn new(layout: Layout, transfers: Transfers) -> Self {
        let links = if transfers.links_are_busy { layout.stages as usize * 2 } else { 0 };
        Self { layout, transfers, free: vec![0; links] }
    }

    /// The event on another stage that gets the result of `event`, and when it arrives there. Call it once for each
    /// event, in the order in which a stage runs them: so a link sees its transfers in the order of their readiness.
    pub(crate) fn send(&mut self, event: Event, end: u64) -> Option<(Event, u64)> {
        let position = self.layout.position(event.stage, event.chunk);
        let next = match event.phase {
            Phase::Forward => (position + 1 < self.layout.parts()).then_some(position + 1),
            Phase::Backward => position.checked_sub(1),
            Phase::Weight => None,
        }?;
        let (stage, chunk) = self.layout.at(next);
        let receiver = Event { stage, chunk, ..event };
        if stage == event.stage {
            return Some((receiver, end));
        }
        let comm = self.transfers.comm;
        let arrival = match self.free_of(event.stage, stage) {
            Some(free) => {
                *free = (*free).max(end) + comm;
                *free
            }
            None => end + comm,
        };
        Some((receiver, arrival))
    }

    /// Stages talk to their neighbours only, in a ring: two links leave each stage, one where there are two stages.
    fn free_of(&mut self, from: u32, to: u32) -> Option<&mut u64> {
        let is_next = to == (from + 1) % self.layout.stages;
        self.free.get_mut(from as usize * 2 + usize::from(!is_next))
    }
}
