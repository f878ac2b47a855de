//! Torch profiler traces of pipelines: slices whose names start with `forward_step`, `backward_step` or `wgrad_step`, one
//! thread a device. `forward_step-K-CHUNK` is the K-th step of its kind on its device, and names its chunk.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::pipeline::cost::Cost;
use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::{Layout, Way};
use crate::pipeline::order::PhaseSet;
use crate::pipeline::plan::{Plan, StageCosts};
use crate::pipeline::schedule::Schedule;
use crate::pipeline::timeline::{Placed, Timeline};

/// Why a trace holds no pipeline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TorchError {
    /// Not the JSON that the profiler writes.
    #[error("{}", error_message!("error-predict-torch-json", value = .0))]
    Json(Message),
    /// An element without what every element must have.
    #[error("{}", error_message!("error-predict-torch-element", id, problem = Message::new(problem)))]
    Element {
        /// 1-based number of the element.
        id: usize,
        /// What is wrong: an id of the catalogue.
        problem: &'static str,
    },
    /// No slice of a pipeline.
    #[error("{}", error_message!("error-predict-torch-no-steps"))]
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
pub struct TorchStep {
    /// 1-based number of its element in the trace.
    pub id: usize,
    /// Forward, backward, or gradient of the weights.
    pub phase: Phase,
    /// The chunk that the name shows, else 0.
    pub chunk: u32,
    /// The device: the number of its thread.
    pub device: u32,
    /// Start in µs.
    pub start_us: f64,
    /// Duration in µs.
    pub duration_us: f64,
}

/// The steps of a trace in the order of the file, and the number of devices that the trace shows.
#[derive(Debug, Clone, PartialEq)]
pub struct TorchSteps {
    /// `distributedInfo.world_size`, or as many devices as have steps.
    pub devices: u32,
    /// The steps.
    pub steps: Vec<TorchStep>,
    /// Names that begin like a step of another kind, each once: they are left out.
    pub left_out: Vec<String>,
}

/// Chunks of a device that a trace may name.
const MOST_CHUNKS: u32 = 1 << 12;
/// Names of other steps that are kept.
const MOST_LEFT_OUT: usize = 8;

/// Reads a trace.
///
/// # Errors
/// Text that is no trace, or a trace without steps.
pub fn read_torch_steps(text: &str) -> Result<TorchSteps, TorchError> {
    let file: File =
        serde_json::from_str(text).map_err(|error| TorchError::Json(error.reason()))?;
    let mut steps = Vec::new();
    let mut left_out: Vec<String> = Vec::new();
    for (id, element) in (1..).zip(&file.events) {
        let problem = |problem| TorchError::Element { id, problem };
        let name = element.name.as_deref().ok_or_else(|| problem("problem-torch-name"))?;
        let Some((phase, rest)) = phase_of(name) else {
            let kind = name.split_once("_step").filter(|(kind, _)| is_word(kind));
            if let Some((kind, _)) = kind
                && left_out.len() < MOST_LEFT_OUT
                && !left_out.iter().any(|known| known == kind)
            {
                left_out.push(kind.to_owned());
            }
            continue;
        };
        let chunk = chunk_of(rest).unwrap_or(0);
        if chunk >= MOST_CHUNKS {
            return Err(problem("problem-torch-chunk"));
        }
        let device = device(&element.tid).ok_or_else(|| problem("problem-torch-tid"))?;
        let time = |time: Option<f64>| time.filter(|t| t.is_finite() && (0.0..9e15).contains(t));
        let start_us = time(element.ts).ok_or_else(|| problem("problem-torch-start"))?;
        let duration_us = time(element.dur).ok_or_else(|| problem("problem-torch-duration"))?;
        steps.push(TorchStep { id, phase, chunk, device, start_us, duration_us });
    }
    if steps.is_empty() {
        return Err(TorchError::NoSteps);
    }
    let seen = steps.iter().map(|step| step.device).max().map_or(0, |last| last + 1);
    Ok(TorchSteps { devices: file.distributed.world_size.unwrap_or(seen), steps, left_out })
}

/// The phase of a step's name, and what follows its kind.
fn phase_of(name: &str) -> Option<(Phase, &str)> {
    let known = [
        ("forward_step", Phase::Forward),
        ("backward_step", Phase::Backward),
        ("wgrad_step", Phase::Weight),
        ("weight_step", Phase::Weight),
        ("wgt_step", Phase::Weight),
    ];
    known.into_iter().find_map(|(kind, phase)| Some((phase, name.strip_prefix(kind)?)))
}

/// The second number of `-K-CHUNK`.
fn chunk_of(rest: &str) -> Option<u32> {
    let (number, chunk) = rest.strip_prefix('-')?.split_once('-')?;
    number.parse::<u64>().ok()?;
    chunk.parse().ok()
}

fn is_word(kind: &str) -> bool {
    !kind.is_empty() && kind.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

fn device(tid: &Value) -> Option<u32> {
    let number = tid.as_u64().or_else(|| tid.as_str()?.trim().parse().ok())?;
    u32::try_from(number).ok().filter(|&n| n < 1 << 16)
}

/// The measured pipeline in ns from its first start: devices that have steps become stages in the order of their
/// numbers, and the k-th step of a kind and a chunk on a device is that of microbatch k.
#[must_use]
pub fn measured_timeline(steps: &TorchSteps) -> Timeline {
    let mut devices: Vec<u32> = steps.steps.iter().map(|step| step.device).collect();
    devices.sort_unstable();
    devices.dedup();
    let origin = steps.steps.iter().map(|step| step.start_us).fold(f64::INFINITY, f64::min);
    let ns = |us: f64| (us * 1e3).round() as u64;
    let mut ordered: Vec<&TorchStep> = steps.steps.iter().collect();
    ordered.sort_by(|a, b| a.start_us.total_cmp(&b.start_us).then(a.id.cmp(&b.id)));
    let mut counts: BTreeMap<(usize, usize, u32), u32> = BTreeMap::new();
    let mut events = Vec::with_capacity(ordered.len());
    for step in ordered {
        let stage = devices.partition_point(|&device| device < step.device);
        let count = counts.entry((stage, step.phase.rank(), step.chunk)).or_default();
        let number = u32::try_from(stage).unwrap_or(u32::MAX);
        let event = Event::new(step.phase, number, *count, step.chunk);
        *count += 1;
        let start = ns(step.start_us - origin);
        events.push(Placed { event, start, end: start + ns(step.duration_us) });
    }
    let microbatches = counts.values().copied().max().unwrap_or(0);
    let stages = u32::try_from(devices.len()).unwrap_or(u32::MAX);
    let chunks = steps.steps.iter().map(|step| step.chunk + 1).max().unwrap_or(1);
    let way = way(&events, stages, chunks);
    if way != Way::BothWays {
        return Timeline::new(Layout { stages, microbatches, chunks, way }, events);
    }
    // Microbatches of the other end have numbers of their own.
    for placed in &mut events {
        placed.event.microbatch += placed.event.chunk * microbatches;
    }
    let microbatches = 2 * microbatches;
    Timeline::new(Layout { stages, microbatches, chunks, way }, events)
}

/// The way of a microbatch: it turns where the second chunk of the first one begins on the last stage and ends on the first
/// one. Where that does not wait for the first chunk, it is a microbatch of its own.
fn way(events: &[Placed], stages: u32, chunks: u32) -> Way {
    let start = |stage: u32, chunk: u32| {
        let wanted = Event::new(Phase::Forward, stage, 0, chunk);
        events.iter().find(|placed| placed.event == wanted).map(|placed| placed.start)
    };
    let is_before = |one: Option<u64>, other: Option<u64>| {
        one.zip(other).is_some_and(|(one, other)| one < other)
    };
    if stages < 2 || !chunks.is_multiple_of(2) {
        return Way::Straight;
    }
    let last = stages - 1;
    match is_before(start(last, 1), start(0, 1)) {
        true if chunks == 2 && is_before(start(last, 1), start(last, 0)) => Way::BothWays,
        true => Way::Turning,
        false => Way::Straight,
    }
}

/// The median cost of the events of each part on the way of a microbatch.
#[must_use]
pub fn median_costs(timeline: &Timeline) -> Vec<Cost> {
    let mut times: BTreeMap<(u32, usize), Vec<u64>> = BTreeMap::new();
    for placed in &timeline.events {
        let Event { stage, chunk, phase, .. } = placed.event;
        let key = (timeline.layout.position(stage, chunk), phase.rank());
        times.entry(key).or_default().push(placed.end - placed.start);
    }
    let mut median = |part: u32, phase: Phase| {
        let times = times.entry((part, phase.rank())).or_default();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or(0)
    };
    let mut cost = |part| {
        let [fwd, bwd, wgt] = Phase::ALL.map(|phase| median(part, phase));
        Cost::new(fwd, bwd, wgt)
    };
    (0..timeline.layout.parts()).map(&mut cost).collect()
}

/// The schedule whose order each stage of a recorded pipeline keeps, with the costs of its parts. Of several that have this
/// order, the first of [`Schedule::ALL`].
#[must_use]
pub fn recorded_schedule(timeline: &Timeline) -> Option<Schedule> {
    let layout = timeline.layout;
    let order = |timeline: &Timeline| {
        let mut stages: Vec<Vec<Event>> = vec![Vec::new(); layout.stages as usize];
        for placed in &timeline.events {
            if let Some(stage) = stages.get_mut(placed.event.stage as usize) {
                stage.push(placed.event);
            }
        }
        stages
    };
    let recorded = order(timeline);
    let has = |phase: Phase| timeline.events.iter().any(|placed| placed.event.phase == phase);
    let work = if has(Phase::Backward) { PhaseSet::Training } else { PhaseSet::Inference };
    let costs = StageCosts::Parts(median_costs(timeline), layout.stages);
    let base = Plan::uniform(Schedule::GPipe, 0, layout.microbatches, Cost::default());
    let is_it = |schedule: &Schedule| {
        if schedule.way() != layout.way || schedule.splits_backward() != has(Phase::Weight) {
            return false;
        }
        let chunks = Some(layout.chunks);
        let plan = Plan { schedule: *schedule, chunks, costs: costs.clone(), work, ..base.clone() };
        plan.simulate().is_ok_and(|simulated| order(&simulated) == recorded)
    };
    Schedule::ALL.into_iter().find(is_it)
}
