//! Errors of pipelines.

use crate::pipeline::event::Event;
use crate::pipeline::schedule::Schedule;

/// Why a pipeline can't be built or simulated; each message is a sentence that says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PipelineError {
    /// A name that no schedule has.
    #[error(
        "'{name}' is not a schedule; use gpipe, 1f1b, 1f1b-eager, interleaved, zb, zb-h1, zb-h2, zbv or all"
    )]
    UnknownSchedule {
        /// The name.
        name: String,
    },
    /// A number that must be at least one.
    #[error("a pipeline needs at least one {what}; the plan has none")]
    Empty {
        /// `stage`, `microbatch` or `chunk`.
        what: &'static str,
    },
    /// More events than are simulated.
    #[error(
        "{stages} stages x {microbatches} microbatches x {chunks} chunks are too many: at most {most} events can be simulated"
    )]
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
    #[error(
        "the costs are too large: the sum of all durations exceeds 2^62; use a larger unit of time"
    )]
    TimeOverflow,
    /// Costs are missing for a stage, or given twice.
    #[error("stage {stage}: {problem}; give the costs of each of the {stages} stages exactly once")]
    StageCosts {
        /// The stage.
        stage: u32,
        /// What is wrong.
        problem: &'static str,
        /// Stages of the plan.
        stages: u32,
    },
    /// A schedule that has one chunk a stage was given more.
    #[error(
        "{schedule} has one chunk per stage, not {chunks}; use interleaved, zb or zbv for several chunks"
    )]
    OneChunk {
        /// The schedule.
        schedule: Schedule,
        /// Chunks asked for.
        chunks: u32,
    },
    /// A V shape needs pairs of chunks.
    #[error("{schedule} needs an even number of chunks, not {chunks}")]
    OddChunks {
        /// The schedule.
        schedule: Schedule,
        /// Chunks asked for.
        chunks: u32,
    },
    /// A pipeline that runs from both ends has other sizes.
    #[error(
        "dualpipe needs an even number of stages, 2 chunks, and an even number of microbatches, at least twice the stages; it can't have {stages} stages, {chunks} chunks and {microbatches} microbatches"
    )]
    NotBothWays {
        /// Stages asked for.
        stages: u32,
        /// Microbatches asked for.
        microbatches: u32,
        /// Chunks asked for.
        chunks: u32,
    },
    /// The schedule's order does not work with so few microbatches.
    #[error(
        "{schedule} with {stages} stages and {chunks} chunks: {microbatches} microbatches are too few for its order; use at least {least}"
    )]
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
    #[error(
        "{schedule} with {stages} stages and {microbatches} microbatches has a deadlock at {event}; use a multiple of {stages} microbatches"
    )]
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
    #[error(
        "--max-activations {given} is too few for {chunks} chunks per stage; allow at least {chunks}"
    )]
    TooFewActivations {
        /// The bound that was given.
        given: u32,
        /// Chunks of a stage.
        chunks: u32,
    },
    /// The compatible rules know no such schedule.
    #[error(
        "--compat perflow has no rules for {schedule}; leave --compat out, or use gpipe, 1f1b, 1f1b-eager, interleaved, zb or zbv"
    )]
    NotInPerflow {
        /// The schedule.
        schedule: Schedule,
    },
    /// The compatible rules have no such number of chunks.
    #[error("--compat perflow has no rules for zbv with {chunks} chunks; use 2")]
    PerflowChunks {
        /// Chunks asked for.
        chunks: u32,
    },
    /// The edges of a graph close a circle, or wait for an event that is not in the graph.
    #[error(
        "{event} can never start: it waits for itself through {through}; remove an edge of this cycle"
    )]
    Cycle {
        /// An event of the cycle.
        event: Event,
        /// Its predecessor in the cycle.
        through: Event,
    },
    /// An edge names an event that the graph does not have.
    #[error(
        "an edge names {event}, which the graph does not have; add the event or leave the edge out"
    )]
    MissingEvent {
        /// The event.
        event: Event,
    },
    /// A graph has no links that carry one result at a time.
    #[error(
        "a graph can't describe links that carry one result at a time; leave --link-occupancy out"
    )]
    BusyLinks,
    /// A file that is no graph.
    #[error("{0}")]
    GraphFile(String),
    /// Two graphs have the same event.
    #[error("{event} is in both graphs, or twice in one; filter one of them before merging")]
    DuplicateEvent {
        /// The event.
        event: Event,
    },
    /// Two graphs that are merged have policies for one stage.
    #[error(
        "stage {stage} has a policy in both graphs, and they differ; filter one of them before merging"
    )]
    TwoPolicies {
        /// The stage.
        stage: u32,
    },
    /// A policy's bound on activations lets nothing start.
    #[error(
        "{event} never starts: the bound on activations of its stage leaves no room; raise max_activations of its policy"
    )]
    NoRoom {
        /// The event.
        event: Event,
    },
}
