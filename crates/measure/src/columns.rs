//! What differs from event to event: one engine's columns, row by row as the engine's events.

use crate::dependence::Dependence;
use crate::message::Message;

/// One track's columns, next to those of its [`bigtpu_timeline::Events`].
///
/// | column | bytes | TIU | GDMA, SDMA, CDMA |
/// |---|---|---|---|
/// | kind | 4 | index into the table's kinds | the same |
/// | bytes | 4 | - | `DMA data size(B)` |
/// | stalls | 4 | bank conflicts, where the PMU counts them | `Stall Cycle` |
/// | dependence | 4 | `cmd_id_dep`, where any event has one | the same |
///
/// Counts that 4 bytes do not hold, and messages, are in lists of their own, by event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// Index into [`crate::CommandTable::kinds`], by event.
    pub kind: Vec<u32>,
    pub(crate) bytes: Vec<u32>,
    pub(crate) stalls: Vec<u32>,
    pub(crate) dependence: Vec<u32>,
    pub(crate) wide: Vec<(u32, Wide)>,
    /// Messages of sends and waits whose full bits are known, by event.
    pub messages: Vec<(u32, Message)>,
}

/// Counts of which at least one does not fit into its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wide {
    pub(crate) bytes: u64,
    pub(crate) stalls: u64,
}

/// What a column holds where the count is in the list of wide ones.
const WIDE: u32 = u32::MAX;

impl Columns {
    /// Appends an event's counts.
    pub fn push_counts(&mut self, event: u32, bytes: u64, stalls: u64) {
        let fits = |n: u64| u32::try_from(n).ok().filter(|&n| n != WIDE);
        let (narrow_bytes, narrow_stalls) = (fits(bytes), fits(stalls));
        if narrow_bytes.is_none() || narrow_stalls.is_none() {
            self.wide.push((event, Wide { bytes, stalls }));
        }
        self.bytes.push(narrow_bytes.unwrap_or(WIDE));
        self.stalls.push(narrow_stalls.unwrap_or(WIDE));
    }

    /// Bytes that the PMU counted for an event; 0 for the TIU.
    pub(crate) fn bytes(&self, i: usize) -> u64 {
        match self.bytes.get(i) {
            Some(&WIDE) => self.wide(i).map_or(u64::from(WIDE), |w| w.bytes),
            bytes => bytes.copied().unwrap_or(0).into(),
        }
    }

    /// Stalls that the PMU counted for an event; `None` where it counts none.
    pub(crate) fn stalls(&self, i: usize) -> Option<u64> {
        match *self.stalls.get(i)? {
            WIDE => Some(self.wide(i).map_or(u64::from(WIDE), |w| w.stalls)),
            stalls => Some(stalls.into()),
        }
    }

    /// `cmd_id_dep` of an event.
    pub(crate) fn dependence(&self, i: usize) -> Option<Dependence> {
        self.dependence.get(i).and_then(|&raw| Dependence::of_column(raw))
    }

    /// The message of an event.
    pub(crate) fn message(&self, i: usize) -> Option<Message> {
        let event = u32::try_from(i).ok()?;
        let place = self.messages.binary_search_by_key(&event, |(event, _)| *event).ok()?;
        self.messages.get(place).map(|(_, message)| *message)
    }

    fn wide(&self, i: usize) -> Option<Wide> {
        let event = u32::try_from(i).ok()?;
        let place = self.wide.binary_search_by_key(&event, |(event, _)| *event).ok()?;
        self.wide.get(place).map(|(_, wide)| *wide)
    }

    /// Appends the columns of a later part of the track.
    pub(crate) fn append(&mut self, mut later: Self) {
        self.kind.append(&mut later.kind);
        self.bytes.append(&mut later.bytes);
        self.stalls.append(&mut later.stalls);
        self.dependence.append(&mut later.dependence);
        self.wide.append(&mut later.wide);
        self.messages.append(&mut later.messages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_do_not_fit_are_kept_whole() {
        let mut columns = Columns::default();
        let counts = [(5, 7), (u64::from(u32::MAX), 1), (3, 1 << 40), (1 << 33, 2)];
        for (event, (bytes, stalls)) in counts.into_iter().enumerate() {
            columns.push_counts(event as u32, bytes, stalls);
        }
        let read: Vec<_> = (0..4).map(|i| (columns.bytes(i), columns.stalls(i).unwrap())).collect();
        assert_eq!(read, counts);
        assert_eq!(columns.wide.len(), 3);
    }
}
