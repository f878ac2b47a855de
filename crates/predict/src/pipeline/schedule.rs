//! The schedules, by the names that the literature gives them.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::pipeline::error::PipelineError;
use crate::pipeline::layout::Way;

/// How the stages of a pipeline order their events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Schedule {
    /// GPipe: all forwards, then all backwards.
    GPipe,
    /// PipeDream's one forward, one backward (1F1B), with a flush.
    OneForwardOneBackward,
    /// 1F1B that starts forwards earlier, so that transfers are hidden.
    EagerOneForwardOneBackward,
    /// Megatron's interleaved 1F1B: several chunks on each stage.
    Interleaved,
    /// Zero bubble without a fixed order: what is ready runs, within a bound on activations.
    ZeroBubble,
    /// ZB-H1: zero bubble with the memory of 1F1B.
    ZeroBubbleH1,
    /// ZB-H2: zero bubble with about twice the memory of 1F1B.
    ZeroBubbleH2,
    /// ZBV: zero bubble with two chunks a stage that are passed in the shape of a V.
    ZeroBubbleV,
    /// DeepSeek's DualPipe: half of the microbatches from each end.
    DualPipe,
}

impl Schedule {
    /// All schedules.
    pub const ALL: [Self; 9] = [
        Self::GPipe,
        Self::OneForwardOneBackward,
        Self::EagerOneForwardOneBackward,
        Self::Interleaved,
        Self::ZeroBubble,
        Self::ZeroBubbleH1,
        Self::ZeroBubbleH2,
        Self::ZeroBubbleV,
        Self::DualPipe,
    ];

    /// The name in options and outputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GPipe => "gpipe",
            Self::OneForwardOneBackward => "1f1b",
            Self::EagerOneForwardOneBackward => "1f1b-eager",
            Self::Interleaved => "interleaved",
            Self::ZeroBubble => "zb",
            Self::ZeroBubbleH1 => "zb-h1",
            Self::ZeroBubbleH2 => "zb-h2",
            Self::ZeroBubbleV => "zbv",
            Self::DualPipe => "dualpipe",
        }
    }

    /// Whether the gradient of the weights is an event of its own.
    #[must_use]
    pub const fn splits_backward(self) -> bool {
        matches!(
            self,
            Self::ZeroBubble
                | Self::ZeroBubbleH1
                | Self::ZeroBubbleH2
                | Self::ZeroBubbleV
                | Self::DualPipe
        )
    }

    /// Whether a stage may hold several chunks.
    #[must_use]
    pub const fn takes_chunks(self) -> bool {
        matches!(self, Self::Interleaved | Self::ZeroBubble | Self::ZeroBubbleV)
    }

    /// Chunks of a stage when the plan names none.
    #[must_use]
    pub const fn usual_chunks(self) -> u32 {
        match self {
            Self::Interleaved | Self::ZeroBubbleV | Self::DualPipe => 2,
            _ => 1,
        }
    }

    /// The way of a microbatch.
    #[must_use]
    pub const fn way(self) -> Way {
        match self {
            Self::ZeroBubbleV => Way::Turning,
            Self::DualPipe => Way::BothWays,
            _ => Way::Straight,
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Schedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl FromStr for Schedule {
    type Err = PipelineError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_ascii_lowercase().replace('_', "-");
        let known = match name.as_str() {
            "pipedream" => Some(Self::OneForwardOneBackward),
            "pipedream-eager" | "eager" | "eager-1f1b" => Some(Self::EagerOneForwardOneBackward),
            "interleaved1f1b" | "interleaved-1f1b" => Some(Self::Interleaved),
            "dual-pipe" => Some(Self::DualPipe),
            "zb-v" => Some(Self::ZeroBubbleV),
            "zbh1" => Some(Self::ZeroBubbleH1),
            "zbh2" => Some(Self::ZeroBubbleH2),
            name => Self::ALL.into_iter().find(|schedule| schedule.name() == name),
        };
        known.ok_or_else(|| PipelineError::UnknownSchedule { name: text.to_owned() })
    }
}
