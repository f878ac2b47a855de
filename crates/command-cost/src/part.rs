//! What a command's time consists of.

use crate::MilliCycles;

/// A part of a command's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimePart {
    /// TIU: until the first result; a system command as a whole.
    StartUp,
    /// TIU: the work, were all lanes and positions used.
    Work,
    /// TIU: channels are no multiple of the lanes, or input channels of the matrix unit's.
    Channels,
    /// TIU: positions are no multiple of those that a lane handles in a cycle.
    Positions,
    /// TIU: inputs of one access are spread over several lines of local memory.
    LineCrossing,
    /// TIU: a second operand is read from local memory.
    SecondOperand,
    /// TIU: operand and result are in one bank of local memory.
    InPlace,
    /// TIU: requantization of the results.
    Requantize,
    /// DMA: before the first byte.
    Latency,
    /// DMA: bytes on the bus.
    Bus,
    /// DMA: beginnings and ends of runs that do not fill a line of the bus.
    PartLines,
    /// DMA: time that each run of bytes takes, however short.
    Runs,
    /// DMA: the first transfer of a run.
    First,
}

impl TimePart {
    /// All parts.
    pub const ALL: [Self; 13] = [
        Self::StartUp,
        Self::Work,
        Self::Channels,
        Self::Positions,
        Self::LineCrossing,
        Self::SecondOperand,
        Self::InPlace,
        Self::Requantize,
        Self::Latency,
        Self::Bus,
        Self::PartLines,
        Self::Runs,
        Self::First,
    ];

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StartUp => "start-up",
            Self::Work => "work",
            Self::Channels => "unused channels",
            Self::Positions => "unused positions",
            Self::LineCrossing => "line crossings",
            Self::SecondOperand => "second operand",
            Self::InPlace => "in place",
            Self::Requantize => "requantization",
            Self::Latency => "latency",
            Self::Bus => "bus",
            Self::PartLines => "incomplete bus lines",
            Self::Runs => "short pieces",
            Self::First => "first transfer",
        }
    }
}

/// The parts of a command's time, in thousandths of a cycle. A part can be negative where two rules of thumb overlap;
/// the sum is the command's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PartTimes([MilliCycles; TimePart::ALL.len()]);

impl PartTimes {
    /// A part.
    #[must_use]
    pub fn get(&self, part: TimePart) -> MilliCycles {
        self.0.get(part as usize).copied().unwrap_or(0)
    }

    /// Adds to a part.
    pub(crate) fn add(&mut self, part: TimePart, time: MilliCycles) {
        if let Some(sum) = self.0.get_mut(part as usize) {
            *sum = sum.saturating_add(time);
        }
    }

    /// Replaces all parts by one of `time` thousandths of a cycle: for tests of what reads costs.
    #[doc(hidden)]
    #[must_use]
    pub fn scaled_to(mut self, time: u64) -> Self {
        self.0 = Default::default();
        self.add(TimePart::Work, MilliCycles::try_from(time).unwrap_or(MilliCycles::MAX));
        self
    }

    /// The parts that are not 0.
    pub fn iter(&self) -> impl Iterator<Item = (TimePart, MilliCycles)> + '_ {
        TimePart::ALL.into_iter().zip(self.0).filter(|(_, time)| *time != 0)
    }

    /// The sum of all.
    #[must_use]
    pub fn total(&self) -> MilliCycles {
        self.0.iter().fold(0, |sum: MilliCycles, time| sum.saturating_add(*time))
    }
}
