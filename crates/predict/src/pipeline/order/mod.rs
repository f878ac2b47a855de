//! Fixed orders: the sequence of events of each stage, for the schedules that prescribe one.

mod dual_pipe;
mod interleaved;
mod one_f_one_b;
mod zero_bubble;

use crate::pipeline::event::Event;
use crate::pipeline::layout::Layout;
use crate::pipeline::schedule::Schedule;

pub(crate) use interleaved::{block_order, warm_up as interleaved_warm_up};
pub(crate) use one_f_one_b::warm_up as one_f_one_b_warm_up;

/// Which phases run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PhaseSet {
    /// Forward and backward passes.
    #[default]
    Training,
    /// Forward passes only.
    Inference,
}

/// The sequence of a stage; `None` for schedules that decide while they run.
pub(crate) fn of_stage(
    schedule: Schedule,
    layout: Layout,
    stage: u32,
    work: PhaseSet,
) -> Option<Vec<Event>> {
    if work == PhaseSet::Inference {
        return Some(match schedule {
            Schedule::DualPipe => dual_pipe::forwards(layout, stage),
            _ => interleaved::forwards(layout, stage),
        });
    }
    match schedule {
        Schedule::DualPipe => Some(dual_pipe::sequence(layout, stage)),
        Schedule::GPipe => Some(one_f_one_b::sequence(layout, stage, layout.microbatches)),
        Schedule::OneForwardOneBackward => {
            Some(one_f_one_b::sequence(layout, stage, one_f_one_b_warm_up(layout, stage, false)))
        }
        Schedule::EagerOneForwardOneBackward => {
            Some(one_f_one_b::sequence(layout, stage, one_f_one_b_warm_up(layout, stage, true)))
        }
        Schedule::Interleaved => Some(interleaved::sequence(layout, stage)),
        Schedule::ZeroBubbleH1 => Some(zero_bubble::sequence(layout, stage, 1)),
        Schedule::ZeroBubbleH2 => Some(zero_bubble::sequence(layout, stage, 2)),
        Schedule::ZeroBubble | Schedule::ZeroBubbleV => None,
    }
}
