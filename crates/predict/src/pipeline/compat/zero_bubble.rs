//! Edges of ZB and ZBV: data dependences, and an order within each phase only.

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::graph::EventGraph;
use crate::pipeline::layout::{Layout, Way};

/// Adds the edges that leave each event, in the order that decides between events which become ready together.
pub(super) fn edges(graph: &mut EventGraph, layout: Layout) {
    for stage in 0..layout.stages {
        for microbatch in 0..layout.microbatches {
            for chunk in 0..layout.chunks {
                let at = |phase| Event::new(phase, stage, microbatch, chunk);
                for to in after_forward(layout, at(Phase::Forward)).into_iter().flatten() {
                    graph.add_edge(at(Phase::Forward), to);
                }
                for to in after_backward(layout, at(Phase::Backward)).into_iter().flatten() {
                    graph.add_edge(at(Phase::Backward), to);
                }
                if let Some(to) = next_microbatch(layout, at(Phase::Weight)) {
                    graph.add_edge(at(Phase::Weight), to);
                }
            }
        }
    }
}

fn next_microbatch(layout: Layout, event: Event) -> Option<Event> {
    let microbatch = event.microbatch + 1;
    (microbatch < layout.microbatches).then_some(Event { microbatch, ..event })
}

fn after_forward(layout: Layout, event: Event) -> [Option<Event>; 3] {
    let position = layout.position(event.stage, event.chunk);
    let sibling = next_microbatch(layout, event);
    if position + 1 == layout.parts() {
        let backward = Event { phase: Phase::Backward, ..event };
        let is_turned = layout.way == Way::Turning && event.chunk % 2 == 1;
        return if is_turned {
            [Some(backward), sibling, None]
        } else {
            [sibling, Some(backward), None]
        };
    }
    let (stage, chunk) = layout.stage_and_chunk(position + 1, event.chunk);
    let onward = Some(Event { stage, chunk, ..event });
    let sibling_first = match (layout.way == Way::Turning, chunk == event.chunk) {
        (true, _) => event.chunk.is_multiple_of(2),
        // Interleaved chunks: a chunk is handed over before the next microbatch.
        (false, same_chunk) => same_chunk,
    };
    if sibling_first { [sibling, onward, None] } else { [onward, sibling, None] }
}

fn after_backward(layout: Layout, event: Event) -> [Option<Event>; 3] {
    let before = layout.position(event.stage, event.chunk).checked_sub(1);
    let onward = before.map(|position| {
        let (stage, chunk) = layout.stage_and_chunk(position, event.chunk);
        Event { stage, chunk, ..event }
    });
    let weight = Event { phase: Phase::Weight, ..event };
    [onward, next_microbatch(layout, event), Some(weight)]
}
