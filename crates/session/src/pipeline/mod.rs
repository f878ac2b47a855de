//! Schedules of a pipeline side by side.

mod error;
mod graph_file;
mod options;
mod plan_file;
mod ranges;
mod request;
mod stages;
mod sweep;
mod torch_trace;
mod transfers;

use bigtpu_emit_predict::pipeline::{Labels, Titled, write};
use bigtpu_messages::{Message, message};
use bigtpu_output::{Untrusted, Written};
use bigtpu_predict::pipeline::{
    PhaseSet, PipelineReport, PipelineRules, Plan, Schedule, StageMemory,
};

use crate::note::Say;
use crate::outputs::output_directory;

pub use error::PipelineFailure;
pub use request::{PipelineCompat, PipelineRequest, TimeOf};

/// Pipelines that were simulated.
#[derive(Debug)]
pub struct Simulated {
    /// They, the shortest first.
    pub shown: Vec<Titled>,
    /// What times and stages are called.
    pub labels: Labels,
    /// Their files.
    pub written: Vec<Written>,
    several: bool,
}

/// Simulates and writes.
///
/// # Errors
/// [`PipelineFailure`] when a file can't be read or written, or nothing can be simulated.
pub fn simulate(request: &PipelineRequest, say: Say<'_>) -> Result<Simulated, PipelineFailure> {
    let request = match &request.plan {
        Some(path) => request.clone().or_from_plan(plan_file::read(path)?),
        None => request.clone(),
    };
    options::check(&request)?;
    if let Some(path) = &request.graph {
        return graph_file::run(path, &request, say);
    }
    if let Some(path) = &request.torch {
        return torch_trace::run(path, &request, say);
    }
    let schedules = schedules(&request.schedule)?;
    let mut shown = Vec::new();
    let mut refused = Vec::new();
    let mut labels = Labels::default();
    for request in sweep::variants(&request)? {
        let built = stages::build(&request)?;
        for &schedule in &schedules {
            let chunks = chunks(&request, schedule, schedules.len());
            let (costs, names) = match built.stage_costs(&request, schedule, chunks) {
                Ok(found) => found,
                Err(error) => {
                    let several = schedules.len() > 1;
                    refused.push(if several { of_schedule(schedule, error) } else { error });
                    continue;
                }
            };
            let stages = names.into_iter().map(Untrusted::from).collect();
            labels = Labels { unit: built.unit(&request).into(), stages, ..Labels::default() };
            let mut plan = Plan {
                chunks,
                costs,
                backward_alone: request.bwd_without_wgt,
                work: if built.is_forward_only(&request) {
                    PhaseSet::Inference
                } else {
                    PhaseSet::Training
                },
                rules: rules(&request),
                max_activations: request.max_activations,
                ..Plan::uniform(
                    schedule,
                    0,
                    built.microbatches,
                    bigtpu_predict::pipeline::Cost::default(),
                )
            };
            let stages = plan.layout().map(|layout| layout.stages);
            plan.transfers = transfers::read(&request, stages.ok())?;
            if let Some(path) = &request.save_graph {
                graph_file::save(path, &plan, &request)?;
            }
            match PipelineReport::simulate(&plan, memory(&request, schedule)) {
                Ok(report) => {
                    shown.push(Titled { title: Message::verbatim(schedule.to_string()), report })
                }
                Err(error) => refused.push(error.into()),
            }
        }
    }
    let several = schedules.len() > 1 || !request.sweep.is_empty();
    Simulated::finish(&request, shown, &refused, labels, several, say)
}

fn of_schedule(schedule: Schedule, source: PipelineFailure) -> PipelineFailure {
    PipelineFailure::OfSchedule { schedule: schedule.to_string(), source: Box::new(source) }
}

impl Simulated {
    /// The reports as JSON: a list where several were asked for.
    ///
    /// # Errors
    /// Never for numbers that are some.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        let reports: Vec<&PipelineReport> =
            self.shown.iter().map(|titled| &titled.report).collect();
        let json = match reports.as_slice() {
            [only] if !self.several => serde_json::to_string(only)?,
            all => serde_json::to_string(all)?,
        };
        Ok(json + "\n")
    }

    /// Writes what was simulated; what could not be is said, and is an error where nothing is left.
    fn finish(
        request: &PipelineRequest,
        mut shown: Vec<Titled>,
        refused: &[PipelineFailure],
        labels: Labels,
        several: bool,
        say: Say<'_>,
    ) -> Result<Self, PipelineFailure> {
        if shown.is_empty() {
            let mut sentences: Vec<Message> =
                refused.iter().map(|error| Message::displayed(error)).collect();
            sentences.dedup();
            return Err(PipelineFailure::Refused(sentences));
        }
        for error in refused {
            say(message!("pipeline-schedule-left-out", what = Message::displayed(error)));
        }
        shown.sort_by(|a, b| {
            let share = |t: &Titled| u128::from(t.report.makespan);
            let (a_each, b_each) =
                (u128::from(a.report.microbatches), u128::from(b.report.microbatches));
            (share(a) * b_each).cmp(&(share(b) * a_each))
        });
        let written = match &request.out {
            Some(dir) => {
                let out = output_directory(dir)?;
                let written = write(&shown, &labels, &out)?;
                out.publish()?;
                written
            }
            None => Vec::new(),
        };
        Ok(Self { shown, labels, several, written })
    }
}

/// The schedules that the names represent, each once.
fn schedules(names: &[String]) -> Result<Vec<Schedule>, PipelineFailure> {
    let mut schedules = Vec::new();
    for name in names {
        if name == "all" {
            schedules.extend(Schedule::ALL);
        } else {
            schedules.push(name.parse()?);
        }
    }
    let mut seen = Vec::new();
    schedules.retain(|schedule| {
        let is_new = !seen.contains(schedule);
        seen.push(*schedule);
        is_new
    });
    if schedules.is_empty() {
        return Err(PipelineFailure::NoSchedule);
    }
    Ok(schedules)
}

/// Chunks of a stage; of several schedules those that can't be divided have their own number.
fn chunks(request: &PipelineRequest, schedule: Schedule, schedules: usize) -> Option<u32> {
    let divides = schedule.takes_chunks();
    request.chunks.filter(|_| divides || schedules == 1)
}

fn rules(request: &PipelineRequest) -> PipelineRules {
    match request.compat {
        Some(PipelineCompat::Perflow) => PipelineRules::Perflow,
        None => PipelineRules::Full,
    }
}

fn memory(request: &PipelineRequest, schedule: Schedule) -> Option<StageMemory> {
    if request.compat.is_some() {
        return None;
    }
    let split = schedule.splits_backward();
    request.mem_fwd.map(|fwd| StageMemory {
        offload: request.offload_time,
        ..StageMemory::complete(fwd, request.mem_bwd, request.mem_wgt, split)
    })
}
