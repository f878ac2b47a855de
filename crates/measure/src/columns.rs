//! What differs from event to event: one engine's columns, row by row as the engine's events.

use bigtpu_timeline::Narrow;

use crate::dependence::Dependence;
use bigtpu_chip::SyncMessage;

/// One track's columns, next to those of its [`bigtpu_timeline::Events`].
///
/// | column | bytes | TIU | GDMA, SDMA, CDMA |
/// |---|---|---|---|
/// | kind | 4 | index into the table's kinds | the same |
/// | bytes | 4 | - | `DMA data size(B)` |
/// | stalls | 4 | bank conflicts, where the PMU counts them | `Stall Cycle` |
/// | dependence | 4 | `cmd_id_dep`, where any event has one | the same |
///
/// Messages are in a list of their own, by event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// Index into [`crate::CommandTable::kinds`], by event.
    pub kind: Vec<u32>,
    pub(crate) bytes: Narrow<u64, u32>,
    pub(crate) stalls: Narrow<u64, u32>,
    pub(crate) dependence: Vec<u32>,
    /// Messages of sends and waits whose full bits are known, by event.
    pub messages: Vec<(u32, SyncMessage)>,
}

impl Columns {
    /// Appends an event's counts.
    #[inline]
    pub fn push_counts(&mut self, bytes: u64, stalls: u64) {
        self.bytes.push(bytes);
        self.stalls.push(stalls);
    }

    /// Bytes that the PMU counted for an event; 0 for the TIU.
    #[inline]
    pub(crate) fn bytes(&self, i: usize) -> u64 {
        self.bytes.get(i).unwrap_or(0)
    }

    /// Stalls that the PMU counted for an event; `None` where it counts none.
    #[inline]
    pub(crate) fn stalls(&self, i: usize) -> Option<u64> {
        self.stalls.get(i)
    }

    /// `cmd_id_dep` of an event.
    #[inline]
    pub(crate) fn dependence(&self, i: usize) -> Option<Dependence> {
        self.dependence.get(i).and_then(|&raw| Dependence::of_column(raw))
    }

    /// The message of an event.
    pub(crate) fn message(&self, i: usize) -> Option<SyncMessage> {
        let event = u32::try_from(i).ok()?;
        let place = self.messages.binary_search_by_key(&event, |(event, _)| *event).ok()?;
        self.messages.get(place).map(|(_, message)| *message)
    }

    /// The columns of a track from those of its parts, in their order. Each part brings the numbers that its kinds have in the table.
    pub(crate) fn of_parts(parts: Vec<(Self, Vec<u32>)>) -> Self {
        let rows = |of: fn(&Self) -> usize| parts.iter().map(|(part, _)| of(part)).sum();
        let mut all = Self::default();
        // Exactly what is needed: a run may have millions of events.
        all.kind.reserve_exact(rows(|part| part.kind.len()));
        all.bytes.reserve_exact(rows(|part| part.bytes.len()));
        all.stalls.reserve_exact(rows(|part| part.stalls.len()));
        all.dependence.reserve_exact(rows(|part| part.dependence.len()));
        all.messages.reserve_exact(rows(|part| part.messages.len()));
        for (mut part, numbers) in parts {
            let number = |kind: &u32| numbers.get(*kind as usize).copied().unwrap_or(0);
            all.kind.extend(part.kind.iter().map(number));
            all.bytes.append(part.bytes);
            all.stalls.append(part.stalls);
            all.dependence.append(&mut part.dependence);
            all.messages.append(&mut part.messages);
        }
        all
    }
}
