//! What the ledger says of places where records and commands are at odds.

use bigtpu_messages::{Message, message};

use crate::ledger::Notes;

/// A place where records and commands are at odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Break {
    /// The record, or the one behind the gap: its place among the free records, later among the events.
    pub(crate) record: usize,
    /// What the command belongs to.
    pub(crate) tag: u32,
    pub(crate) gap: Gap,
}

/// What is at odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// So many commands have no record.
    Lost(u64),
    /// So many records have no command.
    Extra(u64),
    /// A record's id is not that of its command.
    WrongId,
}

impl Break {
    /// From the place among the free records to that among the events.
    pub(crate) fn places(&mut self, free: &[usize]) {
        let behind = || free.last().map_or(0, |last| last + 1);
        self.record = free.get(self.record).copied().unwrap_or_else(behind);
    }
}

/// So many places are told one by one.
const MOST_TOLD: usize = 12;

/// Notes the places. `byte`: where a record is in the file; `launch`: the launch of a tag, in words.
pub(crate) fn tell(
    engine: &str,
    breaks: &[Break],
    byte: impl Fn(usize) -> Option<u64>,
    launch: impl Fn(u32) -> Message,
    notes: &mut Notes,
) {
    for at in breaks.iter().take(MOST_TOLD) {
        let of = launch(at.tag);
        let message = match at.gap {
            Gap::Lost(n) => {
                message!("note-records-lost", engine = engine, records = n, launch = of)
            }
            Gap::Extra(n) => {
                message!("note-records-extra", engine = engine, records = n, launch = of)
            }
            Gap::WrongId => message!("note-wrong-id", engine = engine, launch = of),
        };
        notes.loss_anywhere(byte(at.record), message);
    }
    let more = breaks.len().saturating_sub(MOST_TOLD);
    if more > 0 {
        notes.loss_anywhere(None, message!("note-more-places", engine = engine, more = more));
    }
}
