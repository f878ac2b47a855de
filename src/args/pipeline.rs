//! Arguments of `bigtpuprofile pipeline`.

use std::path::PathBuf;

use bigtpu_session::pipeline::{PipelineCompat, PipelineRequest, TimeOf};

use super::lang::LangArgs;
use super::out_dir::out_dir;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile pipeline --schedule all --stages 4 --microbatches 8 --fwd 1315 --bwd 2733 --wgt 2650
      all schedules side by side, shortest first
  bigtpuprofile pipeline --schedule zbv --stages 4 --microbatches 8 --fwd 1315 --bwd 2733 --wgt 2650 --comm 50 -o out
      one schedule as picture, page and trace
  bigtpuprofile pipeline --schedule 1f1b --costs costs.json --stages 4 --microbatches 16 -o out
      measured layers, cut into 4 stages as evenly as possible (forward only; --training adds gradients)
  bigtpuprofile pipeline --graph graph.json
      events and edges of your own; --save-graph writes those of a schedule
  bigtpuprofile pipeline --torch trace.json --schedule 1f1b,zb-h1 -o out
      a recorded pipeline compared with ideal schedules of its costs";

/// Simulate pipeline schedules: makespan, bubble, memory, pictures
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// gpipe, 1f1b, 1f1b-eager, interleaved, zb, zb-h1, zb-h2, zbv, dualpipe; several with commas; or all
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) schedule: Vec<String>,

    /// Stages (devices)
    #[arg(long, value_name = "N")]
    pub(crate) stages: Option<u32>,

    /// Microbatches
    #[arg(long, value_name = "N")]
    pub(crate) microbatches: Option<u32>,

    /// Chunks of each stage [default: 2 for interleaved, zbv and dualpipe, else 1]
    #[arg(long, value_name = "N")]
    pub(crate) chunks: Option<u32>,

    /// Time of a stage's forward pass, in any unit
    #[arg(long, value_name = "TIME")]
    pub(crate) fwd: Option<u64>,

    /// Time of a stage's backward pass (gradient of the input)
    #[arg(long, value_name = "TIME")]
    pub(crate) bwd: Option<u64>,

    /// Time of the gradient of a stage's weights
    #[arg(long, value_name = "TIME")]
    pub(crate) wgt: Option<u64>,

    /// Times of some stages, such as 0-3=1315,2733,2650; may be given several times
    #[arg(long, value_name = "STAGES=FWD,BWD,WGT")]
    pub(crate) stage: Vec<String>,

    /// Time until a result is on another stage
    #[arg(long, value_name = "TIME")]
    pub(crate) comm: Option<u64>,

    /// That time for two stages, such as 1-2=400, in both directions; may be given several times
    #[arg(long, alias = "link_time", value_name = "STAGES=TIME")]
    pub(crate) link_time: Vec<String>,

    /// A link carries one result at a time
    #[arg(long, alias = "link_occupancy")]
    pub(crate) link_occupancy: bool,

    /// Whether times are of a stage (divided over its chunks) or of each chunk [default: stage]
    #[arg(long, alias = "cost_per", value_name = "stage|chunk")]
    pub(crate) cost_per: Option<CostPerName>,

    /// Schedules that do not split the backward pass leave the gradient of the weights out
    #[arg(long, alias = "bwd_without_wgt")]
    pub(crate) bwd_without_wgt: bool,

    /// Most activations of a stage, in chunks, for zb and zbv
    #[arg(long, alias = "max_activations", value_name = "N")]
    pub(crate) max_activations: Option<u32>,

    /// Bytes of memory that a forward pass adds to its stage
    #[arg(long, alias = "mem_fwd", value_name = "BYTES")]
    pub(crate) mem_fwd: Option<i64>,

    /// Change of a stage's bytes by a backward pass
    #[arg(long, alias = "mem_bwd", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) mem_bwd: Option<i64>,

    /// Change of a stage's bytes by a gradient of weights
    #[arg(long, alias = "mem_wgt", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) mem_wgt: Option<i64>,

    /// Time that what a forward pass added takes to the host, and as much back: what fits between forward and backward goes
    #[arg(long = "offload-time", alias = "offload_time", value_name = "TIME")]
    pub(crate) offload_time: Option<u64>,

    /// Stages from the measured parts of this file, which `bigtpuprofile costs` writes
    #[arg(long, value_name = "FILE")]
    pub(crate) costs: Option<PathBuf>,

    /// Kind of parts to take from --costs: layer, scope or kernel
    #[arg(long, value_name = "KIND")]
    pub(crate) parts: Option<String>,

    /// Phase of the parts to take from --costs: prefill or decode
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<String>,

    /// Parts of each stage, such as 0-7,8-15 [default: the best cut into --stages stages]
    #[arg(long, value_name = "RANGES")]
    pub(crate) partition: Option<String>,

    /// Add times of gradients, which measured parts do not contain, by the role of each part
    #[arg(long)]
    pub(crate) training: bool,

    /// A torch profiler trace of a pipeline (JSON or .gz): compare it with ideal schedules
    #[arg(long, value_name = "FILE")]
    pub(crate) torch: Option<PathBuf>,

    /// Simulate the graph of this file (JSON), instead of a schedule
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schedule", "costs", "torch", "plan", "stage", "fwd", "bwd", "wgt", "sweep", "save_graph"])]
    pub(crate) graph: Option<PathBuf>,

    /// Write the graph of the schedule there (JSON): events with durations, and edges
    #[arg(long = "save-graph", alias = "save_graph", value_name = "FILE")]
    pub(crate) save_graph: Option<PathBuf>,

    /// A YAML file with these options; the command line has priority
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,

    /// Try several values of microbatches, stages, chunks or comm, such as microbatches=4,8,16; may be given several times
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) sweep: Vec<String>,

    /// Rules of another program: perflow
    #[arg(long, value_name = "NAME")]
    pub(crate) compat: Option<CompatName>,

    /// Unit of the times, for labels
    #[arg(long, value_name = "NAME")]
    pub(crate) unit: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write pipeline.svg, pipeline.html and pipeline.pftrace there
    #[arg(short, long = "out", value_name = "DIR", value_parser = out_dir())]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// To what a time belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CostPerName {
    /// A whole stage
    Stage,
    /// Each chunk
    Chunk,
}

/// Whose rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CompatName {
    /// PerFlow-AI 0.1
    Perflow,
}

impl Args {
    /// What is asked for.
    pub(crate) fn request(&self) -> PipelineRequest {
        PipelineRequest {
            schedule: self.schedule.clone(),
            stages: self.stages,
            microbatches: self.microbatches,
            chunks: self.chunks,
            fwd: self.fwd,
            bwd: self.bwd,
            wgt: self.wgt,
            stage: self.stage.clone(),
            comm: self.comm,
            link_time: self.link_time.clone(),
            link_occupancy: self.link_occupancy,
            cost_per: self.cost_per.map(Into::into),
            bwd_without_wgt: self.bwd_without_wgt,
            max_activations: self.max_activations,
            mem_fwd: self.mem_fwd,
            mem_bwd: self.mem_bwd,
            mem_wgt: self.mem_wgt,
            offload_time: self.offload_time,
            costs: self.costs.clone(),
            parts: self.parts.clone(),
            phase: self.phase.clone(),
            partition: self.partition.clone(),
            training: self.training,
            torch: self.torch.clone(),
            graph: self.graph.clone(),
            save_graph: self.save_graph.clone(),
            plan: self.plan.clone(),
            sweep: self.sweep.clone(),
            compat: self.compat.map(Into::into),
            unit: self.unit.clone(),
            out: self.out.clone(),
        }
    }
}

impl From<CostPerName> for TimeOf {
    fn from(of: CostPerName) -> Self {
        match of {
            CostPerName::Stage => Self::Stage,
            CostPerName::Chunk => Self::Chunk,
        }
    }
}

impl From<CompatName> for PipelineCompat {
    fn from(name: CompatName) -> Self {
        match name {
            CompatName::Perflow => Self::Perflow,
        }
    }
}
