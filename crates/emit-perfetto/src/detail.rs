//! How much a trace tells of each command. A viewer takes about 30 µs and 2.4 kB for a command with all that is known of it,
//! most of them for its arguments and for the samples of counters.

use crate::room::PIECE;

/// How much a trace tells of each command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TraceDetail {
    /// What queries and views read: no addresses and shapes, and of counters the mean of each [`Self::WINDOWS`]th of the run. What the
    /// views of `tpu.sql` find in other slices is not told again: the step in which a slice begins, id and block of a layer that its
    /// name tells, bandwidths that are 0. Each argument takes a viewer 0.8 µs.
    Light,
    /// All that is known, once.
    Full,
    /// The trace of bigTpuProfile 0.3.7: its tracks, in its order, and no others; also the arguments that repeat a slice's name
    /// and category, and the rate as a text.
    Compat,
}

impl TraceDetail {
    /// Above this many commands a trace is light unless it is asked to be full: with all that is known of them a viewer takes
    /// more than 8 s and more than a GB, which few wait for who only want to look.
    pub const MOST_FULL: usize = 200_000;

    /// Parts of a run of which a light trace has a counter's mean.
    pub const WINDOWS: i64 = 2048;

    /// Slices that a source writes in a turn. Of a light trace an importer takes a few turns in at a time (see [`crate::turn_ends`]): the
    /// smaller they are, the less it keeps in memory to sort.
    pub(crate) fn piece(self) -> usize {
        if self.is_full() { PIECE } else { PIECE / 4 }
    }

    /// Chooses the detail of a trace with that many commands.
    #[must_use]
    pub fn of_commands(commands: usize) -> Self {
        if commands > Self::MOST_FULL { Self::Light } else { Self::Full }
    }

    /// As options and metadata call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Full => "full",
            Self::Compat => "compat",
        }
    }

    /// Whether all that is known of a command is told.
    pub(crate) fn is_full(self) -> bool {
        self >= Self::Full
    }

    /// Whether the tracks are those of bigTpuProfile, and what name, category and rate say is told again.
    pub(crate) fn repeats(self) -> bool {
        self == Self::Compat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_traces_are_light() {
        let of = [TraceDetail::MOST_FULL, TraceDetail::MOST_FULL + 1].map(TraceDetail::of_commands);
        assert_eq!(of, [TraceDetail::Full, TraceDetail::Light]);
    }
}
