//! What a command takes.

use crate::layout::{Filter, OperandLayout};
use crate::mark::Mark;
use crate::part::{PartTimes, TimePart};
use crate::transfer::TransferShape;
use crate::{MilliCycles, milli};

/// What a command takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandCost {
    /// How well it is known.
    pub mark: Mark,
    /// What it consists of.
    pub parts: PartTimes,
    /// What is moved, of a transfer.
    pub transfer: Option<TransferShape>,
    /// Channels of the result, and rounds in which the lanes work on them; of a TIU command.
    pub channels: Option<(u32, u32)>,
    /// Another layout in which it takes less, where one is known.
    pub layout: Option<OperandLayout>,
    /// What slides over the input, of a convolution or depthwise command.
    pub filter: Option<Filter>,
}

impl CommandCost {
    /// Nothing yet.
    #[must_use]
    pub fn new(mark: Mark) -> Self {
        let (transfer, channels, layout, filter) = (None, None, None, None);
        Self { mark, parts: PartTimes::default(), transfer, channels, layout, filter }
    }

    /// Adds whole cycles to a part.
    #[must_use]
    pub fn with(mut self, part: TimePart, cycles: u128) -> Self {
        self.parts.add(part, milli(cycles));
        self
    }

    /// Adds whole cycles to a part; negative cycles are taken away.
    pub(crate) fn with_signed(mut self, part: TimePart, cycles: i128) -> Self {
        let size = milli(cycles.unsigned_abs());
        self.parts.add(part, if cycles < 0 { -size } else { size });
        self
    }

    /// Replaces the mark by `mark`, if that is worse.
    pub(crate) fn at_most(mut self, mark: Mark) -> Self {
        self.mark = self.mark.max(mark);
        self
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> MilliCycles {
        self.parts.total().max(0)
    }

    /// The part that takes longer while other transfers use the same memory: all of a transfer but its latency.
    #[must_use]
    pub fn data(&self) -> MilliCycles {
        match self.transfer {
            Some(_) => self.total() - self.parts.get(TimePart::Latency),
            None => 0,
        }
    }
}
