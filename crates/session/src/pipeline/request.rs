//! What is asked for of a pipeline; a plan file has the same names.

use std::path::PathBuf;

use serde::Deserialize;

/// A pipeline: its schedules, its stages and what they take.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PipelineRequest {
    /// gpipe, 1f1b, 1f1b-eager, interleaved, zb, zb-h1, zb-h2, zbv, dualpipe; several with commas; or all.
    pub schedule: Vec<String>,

    /// Stages (devices).
    pub stages: Option<u32>,

    /// Microbatches.
    pub microbatches: Option<u32>,

    /// Chunks of each stage [default: 2 for interleaved, zbv and dualpipe, else 1].
    pub chunks: Option<u32>,

    /// Time of a stage's forward pass, in any unit.
    pub fwd: Option<u64>,

    /// Time of a stage's backward pass (gradient of the input).
    pub bwd: Option<u64>,

    /// Time of the gradient of a stage's weights.
    pub wgt: Option<u64>,

    /// Times of some stages, such as 0-3=1315,2733,2650; may be given several times.
    pub stage: Vec<String>,

    /// Time until a result is on another stage.
    pub comm: Option<u64>,

    /// Time until a result is on another stage for two stages, such as 1-2=400, in both directions; may be given
    /// several times.
    pub link_time: Vec<String>,

    /// A link carries one result at a time.
    pub link_occupancy: bool,

    /// Whether times are of a stage (divided over its chunks) or of each chunk [default: stage].
    pub cost_per: Option<TimeOf>,

    /// Schedules that do not split the backward pass leave the gradient of the weights out.
    pub bwd_without_wgt: bool,

    /// Most activations of a stage, in chunks, for zb and zbv.
    pub max_activations: Option<u32>,

    /// Bytes of memory that a forward pass adds to its stage.
    pub mem_fwd: Option<i64>,

    /// Change of a stage's bytes by a backward pass.
    pub mem_bwd: Option<i64>,

    /// Change of a stage's bytes by a gradient of weights.
    pub mem_wgt: Option<i64>,

    /// Time that what a forward pass added takes to the host, and as much back; what fits between forward and backward goes.
    pub offload_time: Option<u64>,

    /// Stages from the measured parts of this file, which `bigtpuprofile costs` writes.
    pub costs: Option<PathBuf>,

    /// Kind of parts to take from --costs: layer, scope or kernel.
    pub parts: Option<String>,

    /// Phase of the parts to take from --costs: prefill or decode.
    pub phase: Option<String>,

    /// Parts of each stage, such as 0-7,8-15 [default: the best cut into --stages stages].
    pub partition: Option<String>,

    /// Add times of gradients, which measured parts do not contain, by the role of each part.
    pub training: bool,

    /// A torch profiler trace of a pipeline (JSON or .gz): compare it with ideal schedules.
    pub torch: Option<PathBuf>,

    /// Simulate the graph of this file (JSON), instead of a schedule.
    #[serde(skip)]
    pub graph: Option<PathBuf>,

    /// Write the graph of the schedule there (JSON): events with durations, and edges.
    #[serde(skip)]
    pub save_graph: Option<PathBuf>,

    /// A YAML file with these options; the command line has priority.
    #[serde(skip)]
    pub plan: Option<PathBuf>,

    /// Try several values of microbatches, stages, chunks or comm, such as microbatches=4,8,16; may be given several times.
    pub sweep: Vec<String>,

    /// Rules of another program: perflow.
    pub compat: Option<PipelineCompat>,

    /// Unit of the times, for labels.
    pub unit: Option<String>,

    /// Write pipeline.svg, pipeline.html and pipeline.pftrace there.
    #[serde(skip)]
    pub out: Option<PathBuf>,
}

/// To what a time belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeOf {
    /// A whole stage.
    Stage,
    /// Each chunk.
    Chunk,
}

/// Whose rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PipelineCompat {
    /// PerFlow-AI 0.1.
    Perflow,
}

impl PipelineRequest {
    /// These options, and those of a plan where they say nothing.
    pub(super) fn or_from_plan(self, plan: Self) -> Self {
        let list = |own: Vec<String>, plan: Vec<String>| if own.is_empty() { plan } else { own };
        Self {
            schedule: list(self.schedule, plan.schedule),
            stages: self.stages.or(plan.stages),
            microbatches: self.microbatches.or(plan.microbatches),
            chunks: self.chunks.or(plan.chunks),
            fwd: self.fwd.or(plan.fwd),
            bwd: self.bwd.or(plan.bwd),
            wgt: self.wgt.or(plan.wgt),
            stage: list(self.stage, plan.stage),
            comm: self.comm.or(plan.comm),
            link_time: list(self.link_time, plan.link_time),
            link_occupancy: self.link_occupancy || plan.link_occupancy,
            cost_per: self.cost_per.or(plan.cost_per),
            bwd_without_wgt: self.bwd_without_wgt || plan.bwd_without_wgt,
            max_activations: self.max_activations.or(plan.max_activations),
            mem_fwd: self.mem_fwd.or(plan.mem_fwd),
            mem_bwd: self.mem_bwd.or(plan.mem_bwd),
            mem_wgt: self.mem_wgt.or(plan.mem_wgt),
            offload_time: self.offload_time.or(plan.offload_time),
            costs: self.costs.or(plan.costs),
            parts: self.parts.or(plan.parts),
            phase: self.phase.or(plan.phase),
            partition: self.partition.or(plan.partition),
            training: self.training || plan.training,
            torch: self.torch.or(plan.torch),
            sweep: list(self.sweep, plan.sweep),
            compat: self.compat.or(plan.compat),
            unit: self.unit.or(plan.unit),
            ..self
        }
    }
}
