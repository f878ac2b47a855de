//! One engine's events next to their kinds and columns.

use bigtpu_timeline::{EngineId, Events};

use crate::columns::Columns;
use crate::dependence::Dependence;
use crate::kind::CommandKind;
use bigtpu_chip::SyncMessage;

/// One engine's events: times, ids and tags in `events`, all else in `columns` and `kinds`.
#[derive(Debug, Clone, Copy)]
pub struct EngineTrack<'a> {
    /// Which engine of which core or port.
    pub engine_id: EngineId,
    /// Times in ns, cycles of the engine's clock, ids, tags.
    pub events: &'a Events,
    /// Kinds, bytes, stalls, messages, dependences.
    pub columns: &'a Columns,
    /// What the kind column counts in.
    pub kinds: &'a [CommandKind],
    /// Its times are on the common time line: see [`bigtpu_timeline::EngineEvents::is_placed`].
    pub is_placed: bool,
    /// A sync pair binds its clock to a core: of a CDMA port. The engines of a core share one clock.
    pub has_sync_pair: bool,
}

impl<'a> EngineTrack<'a> {
    /// Number of events.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.columns.kind.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.kind.is_empty()
    }

    /// An event's kind; `None` where the track has no such event.
    #[must_use]
    #[inline]
    pub fn kind(&self, i: usize) -> Option<&'a CommandKind> {
        self.kinds.get(*self.columns.kind.get(i)? as usize)
    }

    /// The kinds of all events, in the engine's order.
    #[inline]
    pub fn event_kinds(&self) -> impl Iterator<Item = &'a CommandKind> + use<'a> {
        let kinds = self.kinds;
        self.columns.kind.iter().filter_map(move |&kind| kinds.get(kind as usize))
    }

    /// `DMA data size(B)` of an event, system commands included; 0 for the TIU.
    #[must_use]
    #[inline]
    pub fn bytes(&self, i: usize) -> u64 {
        self.columns.bytes(i)
    }

    /// `Stall Cycle` of a DMA event; cycles that a TIU event lost to bank conflicts.
    #[must_use]
    #[inline]
    pub fn stall_cycles(&self, i: usize) -> u64 {
        let estimated = || self.kind(i).map_or(0, |kind| kind.cost.bank_conflict_cycles.into());
        self.columns.stalls(i).unwrap_or_else(estimated)
    }

    /// Whether the PMU counts the stalls of its events.
    #[must_use]
    pub fn counts_stalls(&self) -> bool {
        !self.columns.stalls.is_empty()
    }

    /// What an event waited for by command id; `None` where its command lacks the field or is known by its word.
    #[must_use]
    #[inline]
    pub fn dependence(&self, i: usize) -> Option<Dependence> {
        self.columns.dependence(i)
    }

    /// The fields of all events, [`Dependence::ABSENT`] where a command has none; nothing where no command of the track has one.
    #[must_use]
    pub fn dependences(&self) -> &'a [u32] {
        &self.columns.dependence
    }

    /// The message of a send or wait whose full bits are known.
    #[must_use]
    pub fn message(&self, i: usize) -> Option<SyncMessage> {
        self.columns.message(i)
    }
}
