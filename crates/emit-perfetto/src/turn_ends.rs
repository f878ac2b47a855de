//! Marks behind each turn of the sources, by which an importer knows up to where it has all.
//!
//! An importer sorts by time, and keeps all that it has read until it may do so. Behind a mark it takes in what lies before the mark
//! ahead of it, up to the first time between both. So whatever comes behind a mark must not be earlier than all between it and the mark
//! ahead of it: in each turn every source that has more appends something, and no source goes back in time.

use bigtpu_perfetto_protos::field::{trace, trace_packet, tracing_service_event};
use bigtpu_timeline::Profile;

use crate::detail::TraceDetail;
use crate::source::PlainSource;
use crate::wire;

/// Turns in which the commands of all engines are written.
pub(crate) fn turns_of_engines(profile: &Profile<'_>, detail: TraceDetail) -> usize {
    let longest = profile.tracks().map(|track| track.events.len()).max();
    longest.unwrap_or(0).div_ceil(detail.piece())
}

/// The last of the sources: a mark a turn.
pub(crate) struct TurnEnds {
    /// Marks that are to come.
    left: usize,
}

impl TurnEnds {
    /// Marks of so many turns.
    pub(crate) fn of_turns(turns: usize) -> Self {
        Self { left: turns }
    }
}

/// Two flushes, for those before the first may lack what the sources were about to write, and a read.
const EVENTS: [u32; 3] = [
    tracing_service_event::ALL_DATA_SOURCES_FLUSHED,
    tracing_service_event::ALL_DATA_SOURCES_FLUSHED,
    tracing_service_event::READ_TRACING_BUFFERS_COMPLETED,
];

impl PlainSource for TurnEnds {
    fn append(&mut self, out: &mut Vec<u8>) -> usize {
        let Some(left) = self.left.checked_sub(1) else { return 0 };
        self.left = left;
        for event in EVENTS {
            wire::message(out, trace::PACKET, |out| {
                wire::varint(out, trace_packet::TIMESTAMP, 0);
                wire::message(out, trace_packet::SERVICE_EVENT, |out| {
                    wire::varint(out, event, 1);
                });
            });
        }
        1
    }
}
