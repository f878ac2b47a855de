//! Counts of events that were read, repaired, left out and lost.

use bigtpu_messages::Message;

use crate::error::EventError;

/// Something wrong with the text of the trace that did not stop the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where, in bytes of the JSON text (after decompression).
    pub offset: u64,
    /// What is wrong and what was done, in one sentence.
    pub message: Message,
}

/// One event that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEvent {
    /// Where it starts, in bytes of the JSON text (after decompression).
    pub offset: u64,
    /// Why.
    pub why: EventError,
}

/// What was read, repaired, left out and lost. Records themselves are counted by their lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bytes of JSON text (after decompression).
    pub text_bytes: u64,
    /// Items in the list of events, bad ones included.
    pub events: u64,
    /// Events that were left out because something is wrong with them.
    pub bad: u64,
    /// The first few of them.
    pub first_bad: Vec<BadEvent>,
    /// Events whose text is no strict JSON (`NaN`, bad UTF-8, …) and was repaired.
    pub repaired: u64,
    /// Values of counter events that are no finite numbers.
    pub skipped_counter_values: u64,
    /// `X` events without a `dur`, kept with a duration of 0.
    pub without_duration: u64,
    /// `B`, `b` and `S` events that nothing ends.
    pub unmatched_begins: u64,
    /// `E`, `e` and `F` events that end nothing.
    pub unmatched_ends: u64,
    /// What is wrong with the text as a whole.
    pub warnings: Vec<Warning>,
}

impl Stats {
    /// Counts an event that is left out, and keeps it if it is among the first `keep`.
    pub(crate) fn add_bad(&mut self, offset: u64, why: EventError, keep: usize) {
        self.bad += 1;
        if self.first_bad.len() < keep {
            self.first_bad.push(BadEvent { offset, why });
        }
    }
}
