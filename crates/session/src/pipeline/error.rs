//! Why a pipeline can't be simulated.

use std::path::PathBuf;

use bigtpu_model::costs::CostsError;
use bigtpu_output::OutputError;
use bigtpu_predict::pipeline::{PipelineError, PlanFileError, TorchError};

use crate::Unreadable;
use crate::unused::Unused;

/// Why a pipeline can't be simulated.
#[derive(Debug, thiserror::Error)]
pub enum PipelineFailure {
    /// A file can't be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// An option without effect.
    #[error(transparent)]
    Unused(#[from] Unused),
    /// A graph can't be read or simulated.
    #[error("{}: {source}", path.display())]
    Graph {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: PipelineError,
    },
    /// A plan can't be read.
    #[error("{}: {source}", path.display())]
    Plan {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: PlanFileError,
    },
    /// A plan has other options.
    #[error(
        "{}: {source}; the keys are the options of `bigtpuprofile pipeline --help`",
        path.display()
    )]
    PlanOptions {
        /// Its file.
        path: PathBuf,
        /// Which.
        source: serde_json::Error,
    },
    /// A recorded pipeline can't be used.
    #[error("{}: {source}", path.display())]
    Torch {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: TorchError,
    },
    /// Measured parts can't be used.
    #[error("{}: {source}", path.display())]
    Costs {
        /// Their file.
        path: PathBuf,
        /// Why.
        source: CostsError,
    },
    /// Several graphs for one file.
    #[error("--save-graph needs one schedule; name one with --schedule, without --sweep")]
    SeveralGraphs,
    /// Nothing says which schedule.
    #[error("no schedule is named; give one with --schedule, such as 1f1b, or all")]
    NoSchedule,
    /// Nothing says how many microbatches.
    #[error("the number of microbatches is missing; give it with --microbatches")]
    NoMicrobatches,
    /// Nothing says how many stages.
    #[error("the number of stages is missing; give it with --stages")]
    NoStages,
    /// The same for measured parts.
    #[error(
        "the number of stages is missing; give it with --stages, or the parts of each with --partition"
    )]
    NoStagesOfParts,
    /// More stages than are simulated.
    #[error("{stages} stages are too many; at most {most} can be simulated")]
    TooManyStages {
        /// Stages.
        stages: usize,
        /// The limit.
        most: usize,
    },
    /// Half of the usual cost.
    #[error("one of --fwd and --bwd is missing; give both, or costs by stage with --stage")]
    HalfCost,
    /// A text is no cost.
    #[error("--stage {0}: not a cost; write it like 0-3=1315,2733,2650")]
    NoCost(String),
    /// A cost is of a stage that is not there.
    #[error("--stage names stage {stage}, and there are only {stages}; stages count from 0")]
    NoSuchStage {
        /// The stage.
        stage: usize,
        /// Stages.
        stages: usize,
    },
    /// A stage without a cost.
    #[error("stage {0} has no costs; give them with --stage, or --fwd, --bwd and --wgt for all")]
    NoCostOf(usize),
    /// A text is no range.
    #[error("'{0}' is not a range; write it like 0-3 or 7")]
    NoRange(String),
    /// A chain has too few parts.
    #[error(
        "{count} parts can't be cut into {pieces} pieces (stages x chunks); use at most {count}, and at least 1"
    )]
    TooFewParts {
        /// Parts.
        count: usize,
        /// Stages times chunks.
        pieces: usize,
    },
    /// Ranges of a partition have gaps.
    #[error(
        "--partition {text}: expected a range from part {next}, not from {start}; ranges must follow each other without gaps"
    )]
    Gap {
        /// The partition.
        text: String,
        /// Where the range should begin.
        next: usize,
        /// Where it begins.
        start: usize,
    },
    /// A partition ends elsewhere than the parts.
    #[error("--partition {text}: ends with part {end}, and the file has parts 0 to {last}")]
    End {
        /// The partition.
        text: String,
        /// Its last part.
        end: usize,
        /// The last part of all.
        last: usize,
    },
    /// A partition does not fit the chunks.
    #[error(
        "--partition {text}: {ranges} ranges are not a multiple of {chunks}, the chunks per stage"
    )]
    Chunks {
        /// The partition.
        text: String,
        /// Its ranges.
        ranges: usize,
        /// Chunks of a stage.
        chunks: u32,
    },
    /// Values that can't be tried.
    #[error("--sweep {sweep}: {why}; write it like microbatches=4,8,16 (or stages, chunks, comm)")]
    Sweep {
        /// The text.
        sweep: String,
        /// Why.
        why: &'static str,
    },
    /// One of several schedules can't be simulated.
    #[error("{schedule}: {source}")]
    OfSchedule {
        /// The schedule.
        schedule: String,
        /// Why.
        source: Box<PipelineFailure>,
    },
    /// No schedule can be simulated.
    #[error("{}", .0.join("; "))]
    Refused(Vec<String>),
    /// The pipeline can't be simulated.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// A number is too large.
    #[error(transparent)]
    Number(#[from] std::num::TryFromIntError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The result can't be made.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
