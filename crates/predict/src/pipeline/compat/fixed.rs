//! Edges of GPipe, 1F1B and interleaved 1F1B.

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::graph::EventGraph;
use crate::pipeline::layout::Layout;
use crate::pipeline::order::{block_order, interleaved_warm_up, one_f_one_b_warm_up};

fn forward(stage: u32, microbatch: u32) -> Event {
    Event::new(Phase::Forward, stage, microbatch, 0)
}

fn backward(stage: u32, microbatch: u32) -> Event {
    Event::new(Phase::Backward, stage, microbatch, 0)
}

/// All forwards in order, then all backwards in order.
pub(super) fn gpipe(graph: &mut EventGraph, layout: Layout) {
    let Layout { stages, microbatches, .. } = layout;
    for s in 0..stages {
        for m in 0..microbatches {
            if m + 1 < microbatches {
                graph.add_edge(forward(s, m), forward(s, m + 1));
            }
            if s + 1 < stages {
                graph.add_edge(forward(s, m), forward(s + 1, m));
            }
        }
        graph.add_edge(forward(s, microbatches - 1), backward(s, 0));
        for m in 0..microbatches {
            if m + 1 < microbatches {
                graph.add_edge(backward(s, m), backward(s, m + 1));
            }
            if s > 0 {
                graph.add_edge(backward(s, m), backward(s - 1, m));
            }
        }
    }
}

/// Forwards are passed on in the warm-up only; later ones hang on the backward before them.
pub(super) fn one_f_one_b(graph: &mut EventGraph, layout: Layout, eager: bool) {
    let Layout { stages, microbatches, .. } = layout;
    for s in 0..stages {
        let warm_up = one_f_one_b_warm_up(layout, s, eager);
        for m in 1..warm_up {
            graph.add_edge(forward(s, m - 1), forward(s, m));
        }
        graph.add_edge(forward(s, warm_up - 1), backward(s, 0));
        if s + 1 < stages {
            for m in 0..warm_up {
                graph.add_edge(forward(s, m), forward(s + 1, m));
            }
            for m in 0..microbatches {
                graph.add_edge(backward(s + 1, m), backward(s, m));
            }
        }
        for m in 0..microbatches {
            let has_next = m + 1 < microbatches;
            if warm_up + m < microbatches {
                graph.add_edge(backward(s, m), forward(s, warm_up + m));
                if has_next {
                    graph.add_edge(forward(s, warm_up + m), backward(s, m + 1));
                }
            } else if has_next {
                graph.add_edge(backward(s, m), backward(s, m + 1));
            }
        }
    }
}

/// As 1F1B, over pairs of microbatch and chunk.
pub(super) fn interleaved(graph: &mut EventGraph, layout: Layout) {
    let order = block_order(layout);
    let last = layout.chunks - 1;
    let all = order.len();
    for s in 0..layout.stages {
        let warm_up = interleaved_warm_up(layout, s);
        let forward = |stage: u32, k: usize| {
            let (microbatch, chunk) = order[k];
            Event::new(Phase::Forward, stage, microbatch, chunk)
        };
        let backward = |stage: u32, k: usize| {
            let (microbatch, chunk) = order[k];
            Event::new(Phase::Backward, stage, microbatch, last - chunk)
        };
        for k in 0..warm_up {
            graph.add_edge(forward(s, k), forward(s, k + 1));
            if s + 1 < layout.stages {
                graph.add_edge(forward(s, k), forward(s + 1, k));
            }
        }
        for k in warm_up..all {
            graph.add_edge(forward(s, k), backward(s, k - warm_up));
        }
        for k in warm_up + 1..all {
            graph.add_edge(backward(s, k - warm_up - 1), forward(s, k));
        }
        for k in all - warm_up..all {
            graph.add_edge(backward(s, k - 1), backward(s, k));
        }
        if s > 0 {
            for k in 0..all {
                graph.add_edge(backward(s, k), backward(s - 1, k));
            }
        }
    }
}
