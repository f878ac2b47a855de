//! ZB-H1 and ZB-H2: the gradient of the weights fills what 1F1B leaves idle.

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;

/// The order of a stage. `depth` 1 (ZB-H1) holds as many activations as 1F1B, `depth` 2 (ZB-H2) about twice as many:
/// `depth` forwards of warm-up for each stage that follows, and weight gradients that start `depth` iterations later
/// for each stage before this one.
pub(crate) fn sequence(layout: Layout, stage: u32, depth: u32) -> Vec<Event> {
    let microbatches = layout.microbatches;
    let event = |phase, microbatch| Event::new(phase, stage, microbatch, 0);
    let warm_up = depth.saturating_mul(layout.stages - stage - 1).min(microbatches);
    let first_weight = depth.saturating_mul(stage);
    let mut events: Vec<Event> = (0..warm_up).map(|m| event(Phase::Forward, m)).collect();
    let mut weights = (0..microbatches).map(|m| event(Phase::Weight, m));
    let steady = microbatches - warm_up;
    for m in 0..steady {
        events.push(event(Phase::Forward, warm_up + m));
        events.push(event(Phase::Backward, m));
        if m >= first_weight {
            events.extend(weights.next());
        }
    }
    for m in steady..microbatches {
        events.push(event(Phase::Backward, m));
        events.extend(weights.next());
    }
    events.extend(weights);
    events
}
