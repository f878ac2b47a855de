//! Torch profiler traces of pipelines: slices whose names start with `forward_step` or `backward_step`, one thread a
//! device.

use serde::Deserialize;
use serde_json::Value;

use crate::pipeline::cost::Cost;
use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;
use crate::pipeline::timeline::{Placed, Timeline};

/// Why a trace holds no pipeline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TorchError {
    /// Not the JSON that the profiler writes.
    #[error("it is not a torch profiler trace ({0}); give the JSON file of torch.profiler")]
    Json(String),
    /// An element without what every element must have.
    #[error(
        "element {id} of traceEvents {problem}; give the JSON file of torch.profiler unchanged"
    )]
    Element {
        /// 1-based number of the element.
        id: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// No slice of a pipeline.
    #[error(
        "no slice is named forward_step… or backward_step…; record the pipeline's schedule with these names"
    )]
    NoSteps,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "distributedInfo", default)]
    distributed: Distributed,
    #[serde(rename = "traceEvents")]
    events: Vec<Element>,
}

#[derive(Deserialize, Default)]
struct Distributed {
    world_size: Option<u32>,
}

#[derive(Deserialize)]
struct Element {
    name: Option<String>,
    #[serde(default)]
    tid: Value,
    ts: Option<f64>,
    dur: Option<f64>,
}

/// A slice of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// 1-based number of its element in the trace.
    pub id: usize,
    /// Forward or backward.
    pub phase: Phase,
    /// The device: the number of its thread.
    pub device: u32,
    /// Start in µs.
    pub start_us: f64,
    /// Duration in µs.
    pub duration_us: f64,
}

/// The steps of a trace in the order of the file, and the number of devices that the trace shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// `distributedInfo.world_size`, or as many devices as have steps.
    pub devices: u32,
    /// The steps.
    pub steps: Vec<Step>,
}

/// Reads a trace.
///
/// # Errors
/// Text that is no trace, or a trace without steps.
pub fn read_torch_steps(text: &str) -> Result<Steps, TorchError> {
    let file: File =
        serde_json::from_str(text).map_err(|error| TorchError::Json(error.to_string()))?;
    let mut steps = Vec::new();
    for (id, element) in (1..).zip(&file.events) {
        let problem = |problem| TorchError::Element { id, problem };
        let name = element.name.as_deref().ok_or_else(|| problem("has no name"))?;
        let phase = if name.starts_with("forward_step") {
            Phase::Forward
        } else if name.starts_with("backward_step") {
            Phase::Backward
        } else {
            continue;
        };
        let device = device(&element.tid).ok_or_else(|| problem("has no number as tid"))?;
        let time = |time: Option<f64>| time.filter(|t| t.is_finite() && (0.0..9e15).contains(t));
        let start_us = time(element.ts).ok_or_else(|| problem("has no time of start (ts)"))?;
        let duration_us = time(element.dur).ok_or_else(|| problem("has no duration (dur)"))?;
        steps.push(Step { id, phase, device, start_us, duration_us });
    }
    if steps.is_empty() {
        return Err(TorchError::NoSteps);
    }
    let seen = steps.iter().map(|step| step.device).max().map_or(0, |last| last + 1);
    Ok(Steps { devices: file.distributed.world_size.unwrap_or(seen), steps })
}

fn device(tid: &Value) -> Option<u32> {
    let number = tid.as_u64().or_else(|| tid.as_str()?.trim().parse().ok())?;
    u32::try_from(number).ok().filter(|&n| n < 1 << 16)
}

/// The measured pipeline in ns from its first start: devices that have steps become stages in the order of their
/// numbers, and the k-th step of a kind on a device is that of microbatch k.
#[must_use]
pub fn measured_timeline(steps: &Steps) -> Timeline {
    let mut devices: Vec<u32> = steps.steps.iter().map(|step| step.device).collect();
    devices.sort_unstable();
    devices.dedup();
    let origin = steps.steps.iter().map(|step| step.start_us).fold(f64::INFINITY, f64::min);
    let ns = |us: f64| (us * 1e3).round() as u64;
    let mut ordered: Vec<&Step> = steps.steps.iter().collect();
    ordered.sort_by(|a, b| a.start_us.total_cmp(&b.start_us).then(a.id.cmp(&b.id)));
    let mut counts = vec![[0_u32; 3]; devices.len()];
    let mut events = Vec::with_capacity(ordered.len());
    for step in ordered {
        let stage = devices.partition_point(|&device| device < step.device);
        let count = &mut counts[stage][step.phase.rank()];
        let event = Event::new(step.phase, u32::try_from(stage).unwrap_or(u32::MAX), *count, 0);
        *count += 1;
        let start = ns(step.start_us - origin);
        events.push(Placed { event, start, end: start + ns(step.duration_us) });
    }
    let microbatches = counts.iter().flatten().copied().max().unwrap_or(0);
    let stages = u32::try_from(devices.len()).unwrap_or(u32::MAX);
    Timeline::new(Layout { stages, microbatches, chunks: 1, v_shape: false }, events)
}

/// The median cost of each stage's events.
#[must_use]
pub fn median_costs(timeline: &Timeline) -> Vec<Cost> {
    let median = |stage: u32, phase: Phase| {
        let of_kind =
            timeline.events.iter().filter(|p| p.event.stage == stage && p.event.phase == phase);
        let mut times: Vec<u64> = of_kind.map(|placed| placed.end - placed.start).collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or(0)
    };
    let cost = |stage| Cost::new(median(stage, Phase::Forward), median(stage, Phase::Backward), 0);
    (0..timeline.layout.stages).map(cost).collect()
}
