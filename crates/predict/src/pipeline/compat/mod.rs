//! The graphs of PerFlow-AI 0.1, edge by edge in the order in which it adds them, for comparing with its figures.
//!
//! Some edges that data needs are missing in them (interleaved 1F1B hands no chunk over), so events may start early;
//! [`Timeline::violations`] finds these.

mod fixed;
mod zero_bubble;

use crate::pipeline::cost::ChunkCosts;
use crate::pipeline::error::PipelineError;
use crate::pipeline::event::{Event, Phase};
use crate::pipeline::graph::{EventEdge, EventGraph};
use crate::pipeline::layout::{Layout, Way};
use crate::pipeline::order::interleaved_warm_up;
use crate::pipeline::schedule::Schedule;
use crate::pipeline::timeline::Timeline;

/// The graph of a schedule.
///
/// # Errors
/// A schedule or a size that PerFlow-AI can't do.
pub fn perflow_graph(
    schedule: Schedule,
    layout: Layout,
    costs: &ChunkCosts,
) -> Result<EventGraph, PipelineError> {
    let Layout { stages, microbatches, chunks, .. } = layout;
    let phases = if schedule.splits_backward() { 3 } else { 2 };
    let mut graph = EventGraph::new();
    for stage in 0..stages {
        for phase in Phase::ALL.into_iter().take(phases) {
            for microbatch in 0..microbatches {
                for chunk in 0..chunks {
                    let duration = costs.get(stage, chunk).duration(phase);
                    graph.add_event(Event::new(phase, stage, microbatch, chunk), duration);
                }
            }
        }
    }
    match schedule {
        Schedule::GPipe => fixed::gpipe(&mut graph, layout),
        Schedule::OneForwardOneBackward => fixed::one_f_one_b(&mut graph, layout, false),
        Schedule::EagerOneForwardOneBackward => fixed::one_f_one_b(&mut graph, layout, true),
        Schedule::Interleaved => {
            let warm_up = interleaved_warm_up(layout, 0);
            if warm_up >= microbatches as usize * chunks as usize {
                let least = u32::try_from(warm_up / chunks as usize + 1).unwrap_or(u32::MAX);
                return Err(PipelineError::TooFewMicrobatches {
                    schedule,
                    stages,
                    chunks,
                    microbatches,
                    least,
                });
            }
            fixed::interleaved(&mut graph, layout);
        }
        Schedule::ZeroBubble => zero_bubble::edges(&mut graph, layout),
        Schedule::ZeroBubbleV if chunks == 2 => zero_bubble::edges(&mut graph, layout),
        Schedule::ZeroBubbleV => return Err(PipelineError::PerflowChunks { chunks }),
        Schedule::ZeroBubbleH1 | Schedule::ZeroBubbleH2 | Schedule::DualPipe => {
            return Err(PipelineError::NotInPerflow { schedule });
        }
    }
    Ok(graph)
}

/// The edges over the boundary before stage `stage`, for every microbatch and chunk: what a merge of two graphs needs.
#[must_use]
pub fn boundary_edges(layout: Layout, stage: u32) -> Vec<(Event, Event)> {
    let mut edges = Vec::new();
    let (before, after) = (stage.saturating_sub(1), stage);
    for chunk in 0..layout.chunks {
        for microbatch in 0..layout.microbatches {
            let at = |phase, stage| Event::new(phase, stage, microbatch, chunk);
            let turned = layout.way == Way::Turning && chunk % 2 == 1;
            let (forward, backward) = if turned { (after, before) } else { (before, after) };
            edges.push((at(Phase::Forward, forward), at(Phase::Forward, backward)));
            edges.push((at(Phase::Backward, backward), at(Phase::Backward, forward)));
        }
    }
    edges
}

/// Simulates the graph. Where stages differ in cost, the graph is merged from one graph for each run of equal stages,
/// as PerFlow-AI does it: the edges over the boundaries are then the youngest.
pub(crate) fn simulate(
    schedule: Schedule,
    layout: Layout,
    costs: &ChunkCosts,
) -> Result<Timeline, PipelineError> {
    let mut timeline = graph(schedule, layout, costs)?.simulate()?;
    timeline.layout = layout;
    Ok(timeline)
}

/// The graph that is simulated.
pub(crate) fn graph(
    schedule: Schedule,
    layout: Layout,
    costs: &ChunkCosts,
) -> Result<EventGraph, PipelineError> {
    let whole = perflow_graph(schedule, layout, costs)?;
    let differs = |&stage: &u32| {
        (0..layout.chunks).any(|chunk| costs.get(stage, chunk) != costs.get(stage - 1, chunk))
    };
    let boundaries: Vec<u32> = (1..layout.stages).filter(differs).collect();
    if boundaries.is_empty() { Ok(whole) } else { merged(&whole, layout, &boundaries) }
}

fn merged(
    whole: &EventGraph,
    layout: Layout,
    boundaries: &[u32],
) -> Result<EventGraph, PipelineError> {
    let group = |stage: u32| boundaries.partition_point(|&boundary| boundary <= stage);
    let mut graph = EventGraph::new();
    for number in 0..=boundaries.len() {
        let part = whole.filter(|event| group(event.stage) == number);
        graph = graph.merge(&part, std::iter::empty::<EventEdge>())?;
    }
    for &boundary in boundaries {
        for (from, to) in boundary_edges(layout, boundary) {
            graph.add_edge(from, to);
        }
    }
    // Chunks are handed over from the last stage to the first, across all boundaries.
    let far = |edge: &&EventEdge| edge.from.stage.abs_diff(edge.to.stage) > 1;
    for edge in whole.edges().iter().filter(far) {
        if group(edge.from.stage) != group(edge.to.stage) {
            graph.add(*edge);
        }
    }
    Ok(graph)
}
