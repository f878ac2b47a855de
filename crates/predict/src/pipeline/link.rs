//! Transfers of results between stages.

use crate::pipeline::layout::Layout;

/// Transfers between stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Transfers {
    /// Time from the end of an event until its result is on another stage.
    pub comm: u64,
    /// A link carries one result at a time; otherwise any number at once.
    pub links_are_busy: bool,
}

/// Number of the link from one stage to another, below twice the number of stages. Stages talk to their neighbours only,
/// in a ring: two links leave each stage, one where there are two stages.
pub(crate) fn link(layout: Layout, from: u32, to: u32) -> u32 {
    let is_next = to == (from + 1) % layout.stages;
    from * 2 + u32::from(!is_next)
}
