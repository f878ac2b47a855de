//! A chain of measured layers: the best stages, found exactly and shown as a pipeline.

use bigtpu_emit_predict::pipeline::{Labels, Titled, write};
use bigtpu_messages::{error_message, message};
use bigtpu_model::costs::{CostsError, MeasuredPart, MeasuredRun};
use bigtpu_output::Written;
use bigtpu_predict::pipeline::{
    Cost, CostPer, PhaseSet, PipelineReport, Plan, Schedule, StageCosts,
};
use bigtpu_predict::search::{ChainMachine, ChainPart, ChainPlan, best_chain};

use super::SearchRequest;
use super::error::{FileProblem, SearchFailure};
use super::links::{ChargedLinks, Planned};
use crate::outputs::output_directory;
use crate::unused::Unused;

/// Layers of a chain.
const MOST_PARTS: usize = 2000;

/// Microbatches, where nothing is said.
const USUAL_MICROBATCHES: u32 = 64;

/// The best stages of a chain.
#[derive(Debug)]
pub struct ChainFound {
    /// The chain.
    pub parts: Vec<ChainPart>,
    /// Its stages.
    pub plan: ChainPlan,
    /// Its devices.
    pub devices: ChainMachine,
    /// Their links; `None` for one device.
    pub links: Option<ChargedLinks>,
    /// Time of all microbatches on one device, in ns.
    pub one_device_ns: f64,
    /// Share of the devices' time without work.
    pub bubble_ratio: f64,
    /// The pipeline's files.
    pub written: Vec<Written>,
}

impl ChainFound {
    /// Names of the layers from the first to the last of a stage.
    #[must_use]
    pub fn names(&self, layers: [usize; 2]) -> String {
        names(&self.parts, layers)
    }
}

/// Searches and writes.
pub(super) fn run(
    request: &SearchRequest,
    measured: &MeasuredRun,
    planned: &Planned,
) -> Result<ChainFound, SearchFailure> {
    let wrong = SearchFailure::file::<FileProblem>(&request.graph);
    // The time outside of the parts is no layer: it has neither weights nor a result.
    let (outside, parts): (Vec<_>, Vec<_>) =
        measured.parts.iter().partition(|part| part.is_outside());
    if parts.is_empty() {
        return Err(wrong(FileProblem::Costs(CostsError::NoParts)));
    }
    if parts.len() > MOST_PARTS {
        return Err(wrong(FileProblem::TooManyParts { parts: parts.len(), most: MOST_PARTS }));
    }
    let devices = planned.machine.devices();
    let unknown = |of: fn(&MeasuredPart) -> Option<u64>| parts.iter().any(|p| of(p).is_none());
    if !unknown(|part| part.activation_bytes) {
        let place = error_message!("problem-parts-say-bytes");
        Unused::refuse(&place, &[("--handed-bytes", request.handed_bytes.is_some())])?;
    }
    if devices > 1 && request.handed_bytes.is_none() && unknown(|part| part.activation_bytes) {
        return Err(wrong(FileProblem::NoHandedBytes));
    }
    let needs_are_known = parts.iter().any(|part| part.weight_bytes.is_some());
    if devices > 1 && !request.ignore_memory {
        match (request.memory, needs_are_known) {
            (_, false) => return Err(wrong(FileProblem::NoNeeds)),
            (None, true) => return Err(wrong(FileProblem::NoMemory)),
            (Some(_), true) => {}
        }
    }
    let divides_layers = parts.iter().all(|part| part.engines_known);
    let part = |part: &MeasuredPart| ChainPart {
        name: part.name.clone(),
        ns: part.pass_ns(),
        fixed_ns: part.idle_ns() * part.times,
        weight_bytes: part.weight_bytes.unwrap_or(0),
        activation_bytes: part.activation_bytes.or(request.handed_bytes).unwrap_or(0),
    };
    let mut parts: Vec<ChainPart> = parts.into_iter().map(part).collect();
    // What no device shortens stays with the layer that it follows.
    let fixed: f64 = outside.iter().map(|part| part.pass_ns()).sum();
    parts.iter_mut().rev().take(1).for_each(|last| {
        last.ns += fixed;
        last.fixed_ns += fixed;
    });
    let links = planned.links;
    let devices = ChainMachine {
        devices,
        // One device sends nothing.
        bytes_per_ns: links.map_or(f64::INFINITY, |links| links.gbps),
        latency_ns: links.map_or(request.link_latency.unwrap_or(0.0), |links| links.latency_ns),
        memory_bytes: request.memory,
        microbatches: request.microbatches.unwrap_or(USUAL_MICROBATCHES),
        divides_layers,
    };
    let plan =
        best_chain(&parts, devices).ok_or_else(|| wrong(FileProblem::NoPlan(devices.devices)))?;
    let report = pipeline(&plan)?;
    let one_device_ns =
        parts.iter().map(|part| part.ns).sum::<f64>() * f64::from(plan.microbatches);
    let bubble_ratio = report.bubble_ratio;
    let mut written = Vec::new();
    if let Some(dir) = &request.out {
        let out = output_directory(dir)?;
        let stages = plan.stages.iter().map(|stage| names(&parts, stage.layers).into()).collect();
        let rows = plan.stages.iter().enumerate().map(|(at, stage)| match stage.tensor_parallel {
            1 => message!("search-stage-number", stage = at.to_string()),
            devices => message!(
                "search-stage-on-devices",
                stage = at.to_string(),
                devices = devices.to_string()
            ),
        });
        let labels = Labels { unit: "ns".into(), stages, rows: rows.collect() };
        let titled = Titled { title: message!("search-best-chain"), report };
        written = write(&[titled], &labels, &out)?;
        out.publish()?;
    }
    Ok(ChainFound { parts, plan, devices, links, one_device_ns, bubble_ratio, written })
}

/// The plan as a pipeline of forward passes.
fn pipeline(plan: &ChainPlan) -> Result<PipelineReport, SearchFailure> {
    let costs = plan.stages.iter().map(|stage| Cost::new(stage.ns, 0, 0)).collect();
    let plan = Plan {
        costs: StageCosts::Stages(costs, CostPer::Stage),
        work: PhaseSet::Inference,
        ..Plan::uniform(Schedule::OneForwardOneBackward, 0, plan.microbatches, Cost::default())
    };
    Ok(PipelineReport::simulate(&plan, None)?)
}

fn names(parts: &[ChainPart], layers: [usize; 2]) -> String {
    let [first, last] =
        layers.map(|at| parts.get(at).map(|part| part.name.as_str()).unwrap_or_default());
    if first == last { first.to_owned() } else { format!("{first} to {last}") }
}
