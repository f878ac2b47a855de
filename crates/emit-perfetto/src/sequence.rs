//! One packet sequence per track.
//!
//! A sequence opens with a packet that clears its state and sets its default, the track. Strings are interned when they
//! first occur, in the packet that needs them. Time never goes back within a sequence; see [`Sequence::packet`].
//!
//! Timestamps are those of the trace's clock: see [`crate::clock`]. A private clock of differences would save a byte or two of
//! each, but a trace with a snapshot of clocks gets a group of its own for them in the viewer, and the viewer opens the tracks
//! of a run by itself only where nothing else is at the top: a run without a host has no snapshot.

mod constant;
mod counter;
mod counts;
mod head;
mod record;
mod slices;
mod texts;

pub(crate) use counter::{ROOM, Sample};
pub(crate) use head::{Head, Lengths};
pub(crate) use slices::{Ending, SliceOf};

use std::sync::Arc;

use bigtpu_perfetto_protos::field::{
    trace, trace_packet, trace_packet_defaults, track_event, track_event_defaults,
};
use bigtpu_perfetto_protos::{trace_packet::SequenceFlags, track_event::Type};
use foldhash::HashMap;

use crate::args::Args;
use crate::clock::TraceClock;
use crate::interned::{Known, TextKind, Vocabulary};
use crate::room::Room;
use crate::wire;
use constant::Constant;
use record::Recorded;

/// Packets need what earlier packets of their sequence interned.
const NEEDS_STATE: u64 = SequenceFlags::SeqNeedsIncrementalState as u64;

/// A sequence that is being written.
#[derive(Debug)]
pub(crate) struct Sequence {
    id: u64,
    track: u64,
    /// Track of the counter whose values come with the slices.
    counter: Option<u64>,
    /// Time that is the trace's 0, in ns.
    zero: i64,
    /// The trace's own clock, if its 0 is known on the wall clock.
    clock: Option<TraceClock>,
    /// Trace time of the last packet; 0 before the first.
    now: u64,
    /// The packet that opens the sequence is written.
    is_open: bool,
    /// Texts that have the same ids on other tracks.
    vocabulary: Arc<Vocabulary>,
    /// Texts by their kind.
    texts: [Known; TextKind::COUNT],
    /// Names of arguments that are no [`Arg`].
    names: HashMap<Box<str>, u64>,
    /// Which [`Arg`] names are interned.
    known_args: u64,
    /// Interned entries that the packet in work brings.
    fresh: Vec<u8>,
    constant: Constant,
    recorded: Recorded,
    /// Bytes that the lengths of the last packet and its event took: those of the next one are mostly the same.
    kept: [usize; 2],
}

impl Sequence {
    /// A sequence for one track, in a trace whose 0 is `zero` ns. Ids of sequences and tracks are never 0.
    pub(crate) fn new(id: u64, track: u64, zero: i64) -> Self {
        Self {
            constant: Constant::new(id),
            recorded: Recorded::default(),
            kept: [1, 1],
            id,
            track,
            counter: None,
            zero,
            clock: None,
            now: 0,
            is_open: false,
            vocabulary: Arc::default(),
            texts: Default::default(),
            names: HashMap::default(),
            known_args: 0,
            fresh: Vec::new(),
        }
    }

    /// Sets the clock of the trace that times are counted on.
    pub(crate) fn on_clock(self, clock: Option<TraceClock>) -> Self {
        Self { clock, ..self }
    }

    /// Adds a counter whose values come with the slices: see [`Args::count_of`] and [`Ending::Zero`].
    pub(crate) fn with_counter(self, track: u64) -> Self {
        Self { counter: Some(track), ..self }
    }

    /// Adds texts that have the same ids on other tracks.
    pub(crate) fn with_vocabulary(self, vocabulary: &Arc<Vocabulary>) -> Self {
        Self { vocabulary: Arc::clone(vocabulary), ..self }
    }

    /// The packet that opens the sequence.
    #[cold]
    fn open(&mut self, out: &mut Vec<u8>) {
        self.is_open = true;
        wire::message(out, trace::PACKET, |out| {
            wire::varint(out, trace_packet::TRUSTED_PACKET_SEQUENCE_ID, self.id);
            wire::varint(
                out,
                trace_packet::SEQUENCE_FLAGS,
                SequenceFlags::SeqIncrementalStateCleared as u64,
            );
            wire::varint(out, trace_packet::FIRST_PACKET_ON_SEQUENCE, 1);
            wire::message(out, trace_packet::TRACE_PACKET_DEFAULTS, |out| {
                if let Some(clock) = self.clock {
                    wire::varint(out, trace_packet_defaults::TIMESTAMP_CLOCK_ID, clock.id().into());
                }
                wire::message(out, trace_packet_defaults::TRACK_EVENT_DEFAULTS, |out| {
                    wire::varint(out, track_event_defaults::TRACK_UUID, self.track);
                    // Whole numbers and doubles are values of the same counter.
                    for field in [
                        track_event_defaults::EXTRA_COUNTER_TRACK_UUIDS,
                        track_event_defaults::EXTRA_DOUBLE_COUNTER_TRACK_UUIDS,
                    ] {
                        self.counter.iter().for_each(|track| wire::varint(out, field, *track));
                    }
                });
            });
        });
    }

    /// Trace time of a time in ns. Trace times can't lie below 0.
    #[inline]
    pub(crate) fn trace_time(&self, time: i64) -> u64 {
        time.max(self.zero).wrapping_sub(self.zero) as u64
    }

    /// Time that is the trace's 0, in ns.
    pub(crate) fn zero(&self) -> i64 {
        self.zero
    }

    /// Trace time of the last packet.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// Bytes of the entries that the next packet has to bring.
    #[inline]
    pub(crate) fn fresh_bytes(&self) -> usize {
        self.fresh.len()
    }

    /// Trace time of a packet at `time` ns. Times that lie before the last packet's count as that one: callers sort, so it
    /// never happens.
    #[inline]
    fn advance(&mut self, time: i64) -> u64 {
        let time = self.trace_time(time);
        debug_assert!(time >= self.now, "time goes back from {} to {time}", self.now);
        self.now = self.now.max(time);
        self.now
    }

    /// Appends a packet at `time` ns. `write` appends the fields of the track event.
    fn packet(
        &mut self,
        out: &mut Vec<u8>,
        time: i64,
        kind: Type,
        write: impl FnOnce(&mut Self, &mut Vec<u8>),
    ) {
        if !self.is_open {
            self.open(out);
        }
        let stamp = (trace_packet::TIMESTAMP, self.advance(time));
        let start = out.len();
        let [packet_kept, event_kept] = self.kept;
        wire::open(out, trace::PACKET, packet_kept, stamp);
        self.constant.event.append_to(out);
        let event_length = out.len();
        out.extend_from_slice(&[0; wire::MOST_KEPT][..event_kept]);
        let event = out.len();
        wire::varint(out, track_event::TYPE, kind as u64);
        write(self, out);
        if self.fresh.is_empty() {
            // From the inside out: the event's length counts for the packet's.
            let event_takes = wire::put_length(out, event_length, event_kept);
            let packet_takes = wire::put_length(out, start + 1, packet_kept);
            self.kept = [packet_takes, event_takes].map(|bytes| bytes.min(wire::MOST_KEPT));
        } else {
            let event = out.split_off(event);
            out.truncate(start);
            self.with_interned(out, stamp.1, &event);
        }
    }

    /// Appends a packet that brings the fresh entries.
    #[cold]
    fn with_interned(&mut self, out: &mut Vec<u8>, time: u64, event: &[u8]) {
        wire::message(out, trace::PACKET, |out| {
            wire::varint(out, trace_packet::TIMESTAMP, time);
            wire::varint(out, trace_packet::TRUSTED_PACKET_SEQUENCE_ID, self.id);
            wire::bytes(out, trace_packet::INTERNED_DATA, &self.fresh);
            self.fresh.clear();
            wire::varint(out, trace_packet::SEQUENCE_FLAGS, NEEDS_STATE);
            wire::bytes(out, trace_packet::TRACK_EVENT, event);
        });
    }

    /// Opens a slice.
    pub(crate) fn begin(
        &mut self,
        out: &mut Vec<u8>,
        time: i64,
        name: &str,
        category: &str,
        args: impl FnOnce(&mut Args<'_>),
    ) {
        self.named(out, time, Type::SliceBegin, name, category, args);
    }

    /// Puts a mark.
    pub(crate) fn instant(
        &mut self,
        out: &mut Vec<u8>,
        time: i64,
        name: &str,
        category: &str,
        args: impl FnOnce(&mut Args<'_>),
    ) {
        self.named(out, time, Type::Instant, name, category, args);
    }

    fn named(
        &mut self,
        out: &mut Vec<u8>,
        time: i64,
        kind: Type,
        name: &str,
        category: &str,
        args: impl FnOnce(&mut Args<'_>),
    ) {
        self.packet(out, time, kind, |sequence, event| {
            sequence.title(event, name, category);
            args(&mut Args::of_event(sequence, event));
        });
    }

    /// Closes the slice that was opened last.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>, time: i64) {
        let now = self.advance(time);
        self.constant.end.write(&mut Room::for_one(out), now, None);
    }

    /// Closes the slice; flows end with it.
    pub(crate) fn end_with_flows(
        &mut self,
        out: &mut Vec<u8>,
        time: i64,
        flows: impl Iterator<Item = u64>,
    ) {
        self.packet(out, time, Type::SliceEnd, |_, event| {
            flows.for_each(|flow| wire::fixed64(event, track_event::TERMINATING_FLOW_IDS, flow));
        });
    }

    /// A counter's whole value.
    pub(crate) fn count_whole(&mut self, out: &mut Vec<u8>, time: i64, value: i64) {
        self.packet(out, time, Type::Counter, |_, event| {
            wire::varint(event, track_event::COUNTER_VALUE, value as u64);
        });
    }
}
