//! Errors of pipelines.

use crate::pipeline::event::Event;
use crate::pipeline::schedule::Schedule;
use bigtpu_messages::{Message, error_message};

/// Why a pipeline can't be built or simulated; each message is a sentence that says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PipelineError {
    /// A name that no schedule has.
    #[error("{}", error_message!("error-predict-pipeline-unknown-schedule", name))]
    UnknownSchedule {
        /// The name.
        name: String,
    },
    /// A number that must be at least one.
    #[error("{}", error_message!("error-predict-pipeline-empty", what = Message::new(what)))]
    Empty {
        /// Stage, microbatch or chunk: an id of the catalogue.
        what: &'static str,
    },
    /// More events than are simulated.
    #[error("{}", error_message!("error-predict-pipeline-too-many-events", stages, microbatches, chunks, most))]
    TooManyEvents {
        /// Stages.
        stages: u32,
        /// Microbatches.
        microbatches: u32,
        /// Chunks of a stage.
        chunks: u32,
        /// The limit.
        most: u64,
    },
    /// Durations whose sum does not fit.
    #[error("{}", error_message!("error-predict-pipeline-time-overflow"))]
    TimeOverflow,
    /// Costs are missing for a stage, or given twice.
    #[error("{}", error_message!("error-predict-pipeline-stage-costs", stage, problem, stages))]
    StageCosts {
        /// The stage.
        stage: u32,
        /// What is wrong.
        problem: &'static str,
        /// Stages of the plan.
        stages: u32,
    },
    /// A schedule that has one chunk a stage was given more.
    #[error("{}", error_message!("error-predict-pipeline-one-chunk", schedule, chunks))]
    OneChunk {
        /// The schedule.
        schedule: Schedule,
        /// Chunks asked for.
        chunks: u32,
    },
    /// A V shape needs pairs of chunks.
    #[error("{}", error_message!("error-predict-pipeline-odd-chunks", schedule, chunks))]
    OddChunks {
        /// The schedule.
        schedule: Schedule,
        /// Chunks asked for.
        chunks: u32,
    },
    /// A pipeline that runs from both ends has other sizes.
    #[error("{}", error_message!("error-predict-pipeline-both-ways", stages, chunks, microbatches))]
    NotBothWays {
        /// Stages asked for.
        stages: u32,
        /// Microbatches asked for.
        microbatches: u32,
        /// Chunks asked for.
        chunks: u32,
    },
    /// The schedule's order does not work with so few microbatches.
    #[error("{}", error_message!("error-predict-pipeline-too-few-microbatches", schedule, stages, chunks, microbatches, least))]
    TooFewMicrobatches {
        /// The schedule.
        schedule: Schedule,
        /// Stages.
        stages: u32,
        /// Chunks of a stage.
        chunks: u32,
        /// Microbatches asked for.
        microbatches: u32,
        /// The fewest that work.
        least: u32,
    },
    /// The orders of the stages wait for each other.
    #[error("{}", error_message!("error-predict-pipeline-deadlock", schedule, stages, microbatches, event))]
    Deadlock {
        /// The schedule.
        schedule: Schedule,
        /// Stages.
        stages: u32,
        /// Microbatches.
        microbatches: u32,
        /// The first event that can't start.
        event: Event,
    },
    /// Too few activations for any event to proceed.
    #[error("{}", error_message!("error-predict-pipeline-too-few-activations", given, chunks))]
    TooFewActivations {
        /// The bound that was given.
        given: u32,
        /// Chunks of a stage.
        chunks: u32,
    },
    /// The compatible rules know no such schedule.
    #[error("{}", error_message!("error-predict-pipeline-not-in-perflow", schedule))]
    NotInPerflow {
        /// The schedule.
        schedule: Schedule,
    },
    /// The compatible rules have no such number of chunks.
    #[error("{}", error_message!("error-predict-pipeline-perflow-chunks", chunks))]
    PerflowChunks {
        /// Chunks asked for.
        chunks: u32,
    },
    /// The edges of a graph close a circle, or wait for an event that is not in the graph.
    #[error("{}", error_message!("error-predict-pipeline-cycle", event, through))]
    Cycle {
        /// An event of the cycle.
        event: Event,
        /// Its predecessor in the cycle.
        through: Event,
    },
    /// An edge names an event that the graph does not have.
    #[error("{}", error_message!("error-predict-pipeline-missing-event", event))]
    MissingEvent {
        /// The event.
        event: Event,
    },
    /// A graph has no links that carry one result at a time.
    #[error("{}", error_message!("error-predict-pipeline-busy-links"))]
    BusyLinks,
    /// A file that is no graph.
    #[error("{0}")]
    GraphFile(String),
    /// Two graphs have the same event.
    #[error("{}", error_message!("error-predict-pipeline-duplicate-event", event))]
    DuplicateEvent {
        /// The event.
        event: Event,
    },
    /// Two graphs that are merged have policies for one stage.
    #[error("{}", error_message!("error-predict-pipeline-two-policies", stage))]
    TwoPolicies {
        /// The stage.
        stage: u32,
    },
    /// A policy's bound on activations lets nothing start.
    #[error("{}", error_message!("error-predict-pipeline-no-room", event))]
    NoRoom {
        /// The event.
        event: Event,
    },
}
