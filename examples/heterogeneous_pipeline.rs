//! A pipeline over two kinds of devices: two zero-bubble V graphs are built, filtered, merged and drawn.
//!
//! `cargo run --example heterogeneous_pipeline -- pipeline.svg`
#![allow(clippy::print_stdout, reason = "an example")]

use bigtpu_emit_predict::pipeline::{Labels, Titled, svg};
use bigtpu_messages::Message;
use bigtpu_predict::pipeline::{
    ChunkCosts, Cost, CostPer, Layout, PipelineError, PipelineReport, PipelineRules, Plan,
    Schedule, StageCosts, Timeline, Way, boundary_edges, perflow_graph,
};

const STAGES: u32 = 8;
const MICROBATCHES: u32 = 10;
/// The first stage of the second kind.
const BOUNDARY: u32 = 4;

/// Stages 0 to 3 on quick devices, 4 to 7 on slow ones, by PerFlow-AI's rules.
fn heterogeneous(quick: Cost, slow: Cost) -> Result<Timeline, PipelineError> {
    let layout =
        Layout { stages: STAGES, microbatches: MICROBATCHES, chunks: 2, way: Way::Turning };
    let graph = |cost| {
        let costs = ChunkCosts::of_stages(&[cost; STAGES as usize], layout.chunks, CostPer::Chunk);
        perflow_graph(Schedule::ZeroBubbleV, layout, &costs)
    };
    let first = graph(quick)?.filter(|event| event.stage < BOUNDARY);
    let second = graph(slow)?.filter(|event| event.stage >= BOUNDARY);
    let mut timeline = first.merge(&second, boundary_edges(layout, BOUNDARY))?.simulate()?;
    timeline.layout = layout;
    Ok(timeline)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (quick, slow) = (Cost::new(1315, 2733, 2650), Cost::new(2743, 4563, 4324));
    let timeline = heterogeneous(quick, slow)?;
    println!("makespan {}, bubble {:.1} %", timeline.makespan(), timeline.bubble_ratio() * 100.0);
    let plan = Plan {
        rules: PipelineRules::Perflow,
        costs: StageCosts::Stages(vec![quick; STAGES as usize], CostPer::Chunk),
        ..Plan::uniform(Schedule::ZeroBubbleV, STAGES, MICROBATCHES, quick)
    };
    let report = PipelineReport::of_timeline(&plan, &timeline, None);
    if let Some(path) = std::env::args().nth(1) {
        let title = Message::verbatim("zbv on two kinds of devices");
        std::fs::write(&path, svg(&Titled { title, report }, &Labels::default()).as_str())?;
        println!("written: {path}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_makespan_is_the_published_one() -> Result<(), PipelineError> {
        let timeline = heterogeneous(Cost::new(1315, 2733, 2650), Cost::new(2743, 4563, 4324))?;
        assert_eq!(timeline.makespan(), 283_887);
        Ok(())
    }
}
