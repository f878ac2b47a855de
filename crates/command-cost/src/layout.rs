//! Another layout of a command's operands, in which it takes less time.

use crate::MilliCycles;

/// Another layout of a command's operands: what it takes is known by the same rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandLayout {
    /// Element-wise: rows go to the lanes that have no channel. What [`crate::TimePart::Channels`] and [`crate::TimePart::Positions`] take is
    /// won.
    RowsToLanes,
    /// A convolution of few input channels: the rows of its kernel become input channels.
    RowsToChannels(PackedConvolution),
    /// A convolution of as many channels as its result has: a depthwise command, if its filters do not mix channels.
    Depthwise {
        /// What it takes then.
        cycles: MilliCycles,
    },
}

/// What slides over the input of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// All input channels for each output channel: input channels, height, width.
    Dense([u32; 3]),
    /// Each channel by itself: height, width.
    Depthwise([u32; 2]),
}

/// A convolution whose kernel rows are input channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedConvolution {
    /// Input channels, kernel height and kernel width now.
    pub now: [u32; 3],
    /// Input channels that the matrix unit takes at once.
    pub at_once: u32,
    /// What it takes then.
    pub cycles: MilliCycles,
    /// Bytes that its input is larger: rows that several rows of the result need are there several times.
    pub more_bytes: u64,
}

impl PackedConvolution {
    /// Input channels, kernel height and kernel width then.
    #[must_use]
    pub fn then(&self) -> [u32; 3] {
        let [channels, height, width] = self.now;
        [channels.saturating_mul(height), 1, width]
    }
}
