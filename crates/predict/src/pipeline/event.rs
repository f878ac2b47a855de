//! Events of a pipeline: one phase of one microbatch on one chunk of a stage.

use std::fmt;

use serde::{Serialize, Serializer};

/// What an event computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Gradient of the input (and of the weights, in schedules that do not split the backward pass).
    Backward,
    /// Forward pass.
    Forward,
    /// Gradient of the weights, in schedules that split the backward pass.
    Weight,
}

impl Phase {
    /// All phases, in the order in which a microbatch runs through them.
    pub const ALL: [Self; 3] = [Self::Forward, Self::Backward, Self::Weight];

    /// `F`, `B` or `W`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Forward => "F",
            Self::Backward => "B",
            Self::Weight => "W",
        }
    }

    /// `fwd`, `bwd` or `wgt`, as in option names and legends.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forward => "fwd",
            Self::Backward => "bwd",
            Self::Weight => "wgt",
        }
    }

    /// Position in [`Phase::ALL`].
    #[inline]
    pub(crate) const fn rank(self) -> usize {
        match self {
            Self::Forward => 0,
            Self::Backward => 1,
            Self::Weight => 2,
        }
    }
}

impl Serialize for Phase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.letter())
    }
}

/// One phase of one microbatch on one chunk of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Event {
    /// What it computes.
    #[serde(rename = "type")]
    pub phase: Phase,
    /// Stage (device) that runs it, from 0.
    pub stage: u32,
    /// Microbatch, from 0.
    pub microbatch: u32,
    /// Chunk of the stage, from 0.
    pub chunk: u32,
}

impl Event {
    /// The event of these coordinates.
    #[must_use]
    pub const fn new(phase: Phase, stage: u32, microbatch: u32, chunk: u32) -> Self {
        Self { phase, stage, microbatch, chunk }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { phase, stage, microbatch, chunk } = self;
        write!(f, "{}(stage {stage}, microbatch {microbatch}, chunk {chunk})", phase.letter())
    }
}
