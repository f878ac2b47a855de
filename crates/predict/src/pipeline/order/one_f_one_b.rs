//! Warm-up, then forwards and backwards in turn: 1F1B, and GPipe, whose warm-up is everything.

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;

/// Forwards before the first backward: as many as there are stages from here on, for the eager kind also the
/// transfers between them.
pub(crate) fn warm_up(layout: Layout, stage: u32, eager: bool) -> u32 {
    let left = layout.stages - stage;
    let forwards = if eager { 2 * left - 1 } else { left };
    forwards.min(layout.microbatches)
}

/// `warm_up` forwards, then a backward and a forward in turn, then the backwards that are left.
pub(crate) fn sequence(layout: Layout, stage: u32, warm_up: u32) -> Vec<Event> {
    let event = |phase, microbatch| Event::new(phase, stage, microbatch, 0);
    let mut events: Vec<Event> = (0..warm_up).map(|m| event(Phase::Forward, m)).collect();
    for m in 0..layout.microbatches {
        events.push(event(Phase::Backward, m));
        if warm_up + m < layout.microbatches {
            events.push(event(Phase::Forward, warm_up + m));
        }
    }
    events
}
