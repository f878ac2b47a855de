//! Why a pipeline can't be simulated.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
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
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Graph {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: PipelineError,
    },
    /// A plan can't be read.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Plan {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: PlanFileError,
    },
    /// A plan has other options.
    #[error("{}", error_message!("error-pipeline-plan-options", path = path.display(), reason = source.reason()))]
    PlanOptions {
        /// Its file.
        path: PathBuf,
        /// Which.
        source: serde_json::Error,
    },
    /// A recorded pipeline can't be used.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Torch {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: TorchError,
    },
    /// Measured parts can't be used.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Costs {
        /// Their file.
        path: PathBuf,
        /// Why.
        source: CostsError,
    },
    /// Several graphs for one file.
    #[error("{}", error_message!("error-pipeline-several-graphs"))]
    SeveralGraphs,
    /// Nothing says which schedule.
    #[error("{}", error_message!("error-pipeline-no-schedule"))]
    NoSchedule,
    /// Nothing says how many microbatches.
    #[error("{}", error_message!("error-pipeline-no-microbatches"))]
    NoMicrobatches,
    /// Nothing says how many stages.
    #[error("{}", error_message!("error-pipeline-no-stages"))]
    NoStages,
    /// Nothing says how many stages measured parts have.
    #[error("{}", error_message!("error-pipeline-no-stages-of-parts"))]
    NoStagesOfParts,
    /// A text that is no time of a link.
    #[error("{}", error_message!("error-pipeline-no-link-time", value = _0))]
    NoLinkTime(String),
    /// Two stages that hand nothing on to each other, or twice the same two.
    #[error("{}", error_message!("error-pipeline-no-such-link", value = text, stages))]
    NoSuchLink {
        /// As it was given.
        text: String,
        /// Stages.
        stages: u32,
    },
    /// More stages than are simulated.
    #[error("{}", error_message!("error-pipeline-too-many-stages", stages, most))]
    TooManyStages {
        /// Stages.
        stages: usize,
        /// The limit.
        most: usize,
    },
    /// Half of the usual cost.
    #[error("{}", error_message!("error-pipeline-half-cost"))]
    HalfCost,
    /// A text is no cost.
    #[error("{}", error_message!("error-pipeline-no-cost", value = .0))]
    NoCost(String),
    /// A cost is of a stage that is not there.
    #[error("{}", error_message!("error-pipeline-no-such-stage", stage, stages))]
    NoSuchStage {
        /// The stage.
        stage: usize,
        /// Stages.
        stages: usize,
    },
    /// A stage without a cost.
    #[error("{}", error_message!("error-pipeline-no-cost-of", value = .0))]
    NoCostOf(usize),
    /// A text is no range.
    #[error("{}", error_message!("error-pipeline-no-range", value = .0))]
    NoRange(String),
    /// A chain has too few parts.
    #[error("{}", error_message!("error-pipeline-too-few-parts", count, pieces))]
    TooFewParts {
        /// Parts.
        count: usize,
        /// Stages times chunks.
        pieces: usize,
    },
    /// Ranges of a partition have gaps.
    #[error("{}", error_message!("error-pipeline-gap", text, next, start))]
    Gap {
        /// The partition.
        text: String,
        /// Where the range should begin.
        next: usize,
        /// Where it begins.
        start: usize,
    },
    /// A partition ends elsewhere than the parts.
    #[error("{}", error_message!("error-pipeline-end", text, end, last))]
    End {
        /// The partition.
        text: String,
        /// Its last part.
        end: usize,
        /// The last part of all.
        last: usize,
    },
    /// A partition does not fit the chunks.
    #[error("{}", error_message!("error-pipeline-chunks", text, ranges, chunks))]
    Chunks {
        /// The partition.
        text: String,
        /// Its ranges.
        ranges: usize,
        /// Chunks of a stage.
        chunks: u32,
    },
    /// Values that can't be tried.
    #[error("{}", error_message!("error-pipeline-sweep", sweep, why))]
    Sweep {
        /// The text.
        sweep: String,
        /// Why.
        why: Message,
    },
    /// One of several schedules can't be simulated.
    #[error("{}", error_message!("error-pipeline-of-schedule", schedule, source))]
    OfSchedule {
        /// The schedule.
        schedule: String,
        /// Why.
        source: Box<PipelineFailure>,
    },
    /// No schedule can be simulated.
    #[error("{}", Message::clauses(.0.iter().cloned()))]
    Refused(Vec<Message>),
    /// The pipeline can't be simulated.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// A number is too large.
    #[error("{}", .0.reason())]
    Number(#[from] std::num::TryFromIntError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The result can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}
