//! Interleaved 1F1B: microbatches in blocks of as many as there are stages, each block chunk by chunk.

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;

/// Microbatch and chunk of each forward, in order. A last block is as long as microbatches are left.
pub(crate) fn block_order(layout: Layout) -> Vec<(u32, u32)> {
    let mut order = Vec::with_capacity(layout.microbatches as usize * layout.chunks as usize);
    for first in (0..layout.microbatches).step_by(layout.stages as usize) {
        let end = first.saturating_add(layout.stages).min(layout.microbatches);
        for chunk in 0..layout.chunks {
            order.extend((first..end).map(|microbatch| (microbatch, chunk)));
        }
    }
    order
}

/// Forwards before the first backward in steady state (Megatron's number); it may pass the number of all forwards.
pub(crate) fn warm_up(layout: Layout, stage: u32) -> usize {
    let (stages, chunks, stage) = (layout.stages as usize, layout.chunks as usize, stage as usize);
    stages * (chunks - 1) + 2 * (stages - stage - 1)
}

/// All forwards of a stage.
pub(crate) fn forwards(layout: Layout, stage: u32) -> Vec<Event> {
    let order = block_order(layout).into_iter();
    order.map(|(microbatch, chunk)| Event::new(Phase::Forward, stage, microbatch, chunk)).collect()
}

/// The warm-up, then a forward and a backward in turn, then the backwards that are left; these take the chunks from
/// the last to the first.
pub(crate) fn sequence(layout: Layout, stage: u32) -> Vec<Event> {
    let forwards = forwards(layout, stage);
    let last = layout.chunks - 1;
    let backward =
        |forward: &Event| Event { phase: Phase::Backward, chunk: last - forward.chunk, ..*forward };
    let warm_up = warm_up(layout, stage).min(forwards.len());
    let (first, rest) = forwards.split_at(warm_up);
    let mut events = first.to_vec();
    let mut backwards = forwards.iter().map(backward);
    for &forward in rest {
        events.push(forward);
        events.extend(backwards.next());
    }
    events.extend(backwards);
    events
}
