//! The report of a simulated pipeline, for tables and JSON.

use serde::{Serialize, Serializer};

use crate::pipeline::cost::Cost;
use crate::pipeline::critical_path::{PathStep, critical_path};
use crate::pipeline::error::PipelineError;
use crate::pipeline::graph::EventGraph;
use crate::pipeline::link::{Sent, Transfers};
use crate::pipeline::memory::{MemoryCurve, StageMemory, memory_curves};
use crate::pipeline::order::PhaseSet;
use crate::pipeline::plan::{PipelineRules, Plan};
use crate::pipeline::schedule::Schedule;
use crate::pipeline::timeline::{Placed, Timeline};

/// Version of the JSON form.
const SCHEMA_VERSION: u32 = 1;

/// A simulated pipeline: the object that `pipeline --json` prints. Times have the plan's unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PipelineReport {
    /// Version of this form.
    pub schema_version: u32,
    /// The schedule; `graph` where a graph was simulated.
    #[serde(serialize_with = "schedule_name")]
    pub schedule: Option<Schedule>,
    /// Stages.
    pub stages: u32,
    /// Microbatches.
    pub microbatches: u32,
    /// Chunks of each stage.
    pub chunks: u32,
    /// The last end.
    pub makespan: u64,
    /// Share of the stages' time without work, 0 to 1.
    pub bubble_ratio: f64,
    /// Time that each stage computes.
    pub stage_busy: Vec<u64>,
    /// The most activations of each stage, in chunks.
    pub peak_activations: Vec<u32>,
    /// The most memory of each stage in bytes, where the plan gives memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub peak_memory: Vec<i64>,
    /// Events that start before their input is there: only under compatible rules.
    #[serde(skip_serializing_if = "is_zero")]
    pub violations: usize,
    /// The chain of events that determines the makespan.
    pub critical_path: Vec<PathStep>,
    /// All events, ordered by start, stage, type, microbatch and chunk.
    pub events: Vec<Placed>,
    /// The results that take time to another stage, as they leave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transfers: Vec<Sent>,
    /// Memory of each stage over time, where the plan gives memory.
    #[serde(skip)]
    pub memory: Vec<MemoryCurve>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference.
fn schedule_name<S: Serializer>(
    schedule: &Option<Schedule>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(schedule.map_or("graph", Schedule::name))
}

impl PipelineReport {
    /// The report of a graph, simulated by readiness or by PerFlow-AI's rule.
    ///
    /// # Errors
    /// An edge of an event that is missing, a cycle, or times that leave no room in 64 bits.
    pub fn of_graph(graph: &EventGraph, rules: PipelineRules) -> Result<Self, PipelineError> {
        let (timeline, path) = match rules {
            PipelineRules::Full => graph.simulate_by_readiness()?,
            PipelineRules::Perflow => {
                let timeline = graph.simulate()?;
                let path = critical_path(&timeline);
                (timeline, path)
            }
        };
        let plan = Plan {
            rules,
            ..Plan::uniform(Schedule::GPipe, 0, timeline.layout.microbatches, Cost::default())
        };
        // What an event needs is what its edges say, not what a layout says.
        let report = Self::of_timeline(&plan, &timeline, None);
        Ok(Self { schedule: None, violations: 0, critical_path: path, ..report })
    }

    /// Simulates a plan.
    ///
    /// # Errors
    /// A plan that its schedule or rules can't run.
    pub fn simulate(plan: &Plan, memory: Option<StageMemory>) -> Result<Self, PipelineError> {
        let timeline = plan.simulate()?;
        Ok(Self::of_timeline(plan, &timeline, memory))
    }

    /// The report of a timeline of a plan.
    #[must_use]
    pub fn of_timeline(plan: &Plan, timeline: &Timeline, memory: Option<StageMemory>) -> Self {
        let layout = timeline.layout;
        let compatible = plan.rules == PipelineRules::Perflow;
        // Forward passes alone keep nothing.
        let memory = memory.filter(|_| plan.work == PhaseSet::Training);
        let memory = memory.map(|memory| memory_curves(timeline, memory)).unwrap_or_default();
        Self {
            schema_version: SCHEMA_VERSION,
            schedule: Some(plan.schedule),
            stages: layout.stages,
            microbatches: layout.microbatches,
            chunks: layout.chunks,
            makespan: timeline.makespan(),
            bubble_ratio: timeline.bubble_ratio(),
            stage_busy: timeline.stage_busy(),
            peak_activations: if compatible {
                timeline.peak_in_flight()
            } else {
                timeline.peak_activations()
            },
            peak_memory: memory.iter().map(MemoryCurve::peak).collect(),
            violations: if compatible {
                timeline.violations(&Transfers::default()).len()
            } else {
                0
            },
            critical_path: critical_path(timeline),
            events: timeline.events.clone(),
            transfers: timeline.sent.clone(),
            memory,
        }
    }
}
