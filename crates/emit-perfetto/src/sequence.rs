//! One packet sequence per track.
//!
//! A sequence opens with a packet that clears its state and sets its defaults: the track, and a private
//! clock whose timestamps are differences to the last one. Strings are interned when they first occur,
//! in the packet that needs them. Time never goes back within a sequence; see [`Sequence::at`].

use std::collections::HashMap;

use bigtpu_perfetto_protos::field::{
    clock_snapshot, debug_annotation, interned_data, trace, trace_packet, trace_packet_defaults,
    track_event, track_event_defaults,
};
use bigtpu_perfetto_protos::{BuiltinClock, trace_packet::SequenceFlags, track_event::Type};

use crate::names::{Arg, FIRST_FREE_NAME};
use crate::wire;

/// Private clock of every sequence: ns since the last packet.
const CLOCK: u64 = 64;

/// A sequence that is being written.
#[derive(Debug)]
pub(crate) struct Sequence {
    id: u64,
    track: u64,
    /// ns of the last packet; `None` before the first.
    now: Option<i64>,
    events: Strings,
    categories: Strings,
    names: Strings,
    values: Strings,
    /// Which [`Arg`] names are interned.
    known_args: u64,
    /// Interned entries that the packet in work brings.
    fresh: Vec<u8>,
    packet: Vec<u8>,
}

/// Strings with their interning ids.
#[derive(Debug)]
struct Strings {
    ids: HashMap<Box<str>, u64>,
    next: u64,
}

impl Strings {
    fn starting_at(next: u64) -> Self {
        Self { ids: HashMap::new(), next }
    }

    /// The id, and whether it is new.
    fn id(&mut self, text: &str) -> (u64, bool) {
        if let Some(&id) = self.ids.get(text) {
            return (id, false);
        }
        let id = self.next;
        self.next += 1;
        self.ids.insert(text.into(), id);
        (id, true)
    }
}

/// Appends an entry of the interned data: `id` and `text` are fields 1 and 2 of every kind.
fn entry(fresh: &mut Vec<u8>, kind: u32, id: u64, text: &str) {
    wire::message(fresh, kind, |out| {
        wire::varint(out, 1, id);
        wire::bytes(out, 2, text.as_bytes());
    });
}

impl Sequence {
    /// A sequence for one track. Ids of sequences and tracks are never 0.
    pub(crate) fn new(id: u64, track: u64) -> Self {
        Self {
            id,
            track,
            now: None,
            events: Strings::starting_at(1),
            categories: Strings::starting_at(1),
            names: Strings::starting_at(FIRST_FREE_NAME),
            values: Strings::starting_at(1),
            known_args: 0,
            fresh: Vec::new(),
            packet: Vec::new(),
        }
    }

    /// The packet that opens the sequence; its clock starts at `start` ns.
    fn open(&self, out: &mut Vec<u8>, start: i64) {
        wire::message(out, trace::PACKET, |out| {
            wire::varint(out, trace_packet::TRUSTED_PACKET_SEQUENCE_ID, self.id);
            wire::varint(
                out,
                trace_packet::SEQUENCE_FLAGS,
                SequenceFlags::SeqIncrementalStateCleared as u64,
            );
            wire::varint(out, trace_packet::FIRST_PACKET_ON_SEQUENCE, 1);
            wire::message(out, trace_packet::CLOCK_SNAPSHOT, |out| {
                for (clock, private) in [(CLOCK, true), (BuiltinClock::Boottime as u64, false)] {
                    wire::message(out, clock_snapshot::CLOCKS, |out| {
                        wire::varint(out, clock_snapshot::clock::CLOCK_ID, clock);
                        wire::varint(out, clock_snapshot::clock::TIMESTAMP, start as u64);
                        if private {
                            wire::varint(out, clock_snapshot::clock::IS_INCREMENTAL, 1);
                        }
                    });
                }
            });
            wire::message(out, trace_packet::TRACE_PACKET_DEFAULTS, |out| {
                wire::varint(out, trace_packet_defaults::TIMESTAMP_CLOCK_ID, CLOCK);
                wire::message(out, trace_packet_defaults::TRACK_EVENT_DEFAULTS, |out| {
                    wire::varint(out, track_event_defaults::TRACK_UUID, self.track);
                });
            });
        });
    }

    /// Appends a packet at `time` ns. Times that lie before the last packet's count as that one:
    /// callers sort, so it never happens. `write` fills in the track event.
    fn at(
        &mut self,
        out: &mut Vec<u8>,
        time: i64,
        kind: Type,
        write: impl FnOnce(&mut Self, &mut Vec<u8>),
    ) {
        let last = match self.now {
            Some(last) => last,
            None => {
                // Private clocks can't start below 0.
                let start = time.max(0);
                self.open(out, start);
                start
            }
        };
        debug_assert!(time >= last, "time goes back from {last} to {time}");
        let now = time.max(last);
        self.now = Some(now);
        let mut event = std::mem::take(&mut self.packet);
        event.clear();
        wire::varint(&mut event, track_event::TYPE, kind as u64);
        write(self, &mut event);
        wire::message(out, trace::PACKET, |out| {
            wire::varint(out, trace_packet::TIMESTAMP, (now - last) as u64);
            wire::varint(out, trace_packet::TRUSTED_PACKET_SEQUENCE_ID, self.id);
            if !self.fresh.is_empty() {
                wire::bytes(out, trace_packet::INTERNED_DATA, &self.fresh);
                self.fresh.clear();
            }
            wire::varint(
                out,
                trace_packet::SEQUENCE_FLAGS,
                SequenceFlags::SeqNeedsIncrementalState as u64,
            );
            wire::bytes(out, trace_packet::TRACK_EVENT, &event);
        });
        self.packet = event;
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
        self.at(out, time, kind, |sequence, event| {
            let name = sequence.event_name(name);
            wire::varint(event, track_event::NAME_IID, name);
            if !category.is_empty() {
                let category = sequence.category(category);
                wire::varint(event, track_event::CATEGORY_IIDS, category);
            }
            args(&mut Args { sequence, out: event, field: track_event::DEBUG_ANNOTATIONS });
        });
    }

    /// Closes the slice that was opened last.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>, time: i64) {
        self.at(out, time, Type::SliceEnd, |_, _| ());
    }

    /// A counter's value.
    pub(crate) fn count(&mut self, out: &mut Vec<u8>, time: i64, value: f64) {
        self.at(out, time, Type::Counter, |_, event| {
            if value == 0.0 {
                // The same value in 7 bytes less.
                wire::varint(event, track_event::COUNTER_VALUE, 0);
            } else {
                wire::double(event, track_event::DOUBLE_COUNTER_VALUE, value);
            }
        });
    }

    /// A counter's whole value.
    pub(crate) fn count_whole(&mut self, out: &mut Vec<u8>, time: i64, value: i64) {
        self.at(out, time, Type::Counter, |_, event| {
            wire::varint(event, track_event::COUNTER_VALUE, value as u64);
        });
    }

    fn event_name(&mut self, name: &str) -> u64 {
        let (id, fresh) = self.events.id(name);
        if fresh {
            entry(&mut self.fresh, interned_data::EVENT_NAMES, id, name);
        }
        id
    }

    fn category(&mut self, name: &str) -> u64 {
        let (id, fresh) = self.categories.id(name);
        if fresh {
            entry(&mut self.fresh, interned_data::EVENT_CATEGORIES, id, name);
        }
        id
    }

    fn value(&mut self, text: &str) -> u64 {
        let (id, fresh) = self.values.id(text);
        if fresh {
            entry(&mut self.fresh, interned_data::DEBUG_ANNOTATION_STRING_VALUES, id, text);
        }
        id
    }

    fn arg(&mut self, arg: Arg) -> u64 {
        let bit = 1 << (arg as u32);
        if self.known_args & bit == 0 {
            self.known_args |= bit;
            let name = Arg::NAMES.get(arg as usize).copied().unwrap_or_default();
            entry(&mut self.fresh, interned_data::DEBUG_ANNOTATION_NAMES, arg.iid(), name);
        }
        arg.iid()
    }

    fn name(&mut self, name: &str) -> u64 {
        let (id, fresh) = self.names.id(name);
        if fresh {
            entry(&mut self.fresh, interned_data::DEBUG_ANNOTATION_NAMES, id, name);
        }
        id
    }
}

/// Arguments of a slice or of a dictionary in it.
pub(crate) struct Args<'a> {
    sequence: &'a mut Sequence,
    out: &'a mut Vec<u8>,
    /// Which field the annotations are of.
    field: u32,
}

/// A value of an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ArgValue<'a> {
    Int(i64),
    Uint(u64),
    Double(f64),
    Bool(bool),
    Text(&'a str),
}

impl Args<'_> {
    fn annotation(&mut self, name: u64, write: impl FnOnce(&mut Vec<u8>)) {
        wire::message(self.out, self.field, |out| {
            wire::varint(out, debug_annotation::NAME_IID, name);
            write(out);
        });
    }

    /// A whole number.
    pub(crate) fn int(&mut self, arg: Arg, value: i64) {
        let name = self.sequence.arg(arg);
        self.annotation(name, |out| wire::varint(out, debug_annotation::INT_VALUE, value as u64));
    }

    /// A double.
    pub(crate) fn double(&mut self, arg: Arg, value: f64) {
        let name = self.sequence.arg(arg);
        self.annotation(name, |out| wire::double(out, debug_annotation::DOUBLE_VALUE, value));
    }

    /// A text.
    pub(crate) fn text(&mut self, arg: Arg, value: &str) {
        let name = self.sequence.arg(arg);
        let value = self.sequence.value(value);
        self.annotation(name, |out| {
            wire::varint(out, debug_annotation::STRING_VALUE_IID, value);
        });
    }

    /// A dictionary; an empty one is a name without a value.
    pub(crate) fn dict(&mut self, arg: Arg, entries: impl FnOnce(&mut Args<'_>)) {
        let name = self.sequence.arg(arg);
        self.nested(name, debug_annotation::DICT_ENTRIES, entries);
    }

    fn nested(&mut self, name: u64, field: u32, entries: impl FnOnce(&mut Args<'_>)) {
        let Self { sequence, out, field: own } = self;
        wire::message(out, *own, |out| {
            wire::varint(out, debug_annotation::NAME_IID, name);
            entries(&mut Args { sequence, out, field });
        });
    }

    /// A dictionary of any name.
    pub(crate) fn named_dict(&mut self, name: &str, entries: impl FnOnce(&mut Args<'_>)) {
        let name = self.sequence.name(name);
        self.nested(name, debug_annotation::DICT_ENTRIES, entries);
    }

    /// A list of any name.
    pub(crate) fn named_list(&mut self, name: &str, entries: impl FnOnce(&mut Args<'_>)) {
        let name = self.sequence.name(name);
        self.nested(name, debug_annotation::ARRAY_VALUES, entries);
    }

    /// A value of any name.
    pub(crate) fn named(&mut self, name: &str, value: ArgValue<'_>) {
        let name = self.sequence.name(name);
        let interned = match value {
            ArgValue::Text(text) => self.sequence.value(text),
            _ => 0,
        };
        self.annotation(name, |out| plain(out, value, interned));
    }

    /// A member of a list.
    pub(crate) fn item(&mut self, value: ArgValue<'_>) {
        let interned = match value {
            ArgValue::Text(text) => self.sequence.value(text),
            _ => 0,
        };
        wire::message(self.out, self.field, |out| plain(out, value, interned));
    }

    /// A member of a list that is a dictionary or list itself.
    pub(crate) fn nested_item(&mut self, is_dict: bool, entries: impl FnOnce(&mut Args<'_>)) {
        let inner =
            if is_dict { debug_annotation::DICT_ENTRIES } else { debug_annotation::ARRAY_VALUES };
        let Self { sequence, out, field } = self;
        wire::message(out, *field, |out| {
            entries(&mut Args { sequence, out, field: inner });
        });
    }

    /// A flow that starts at this slice (or goes on through it).
    pub(crate) fn flow(&mut self, id: u64) {
        wire::fixed64(self.out, track_event::FLOW_IDS, id);
    }

    /// A flow that ends at this slice.
    pub(crate) fn flow_end(&mut self, id: u64) {
        wire::fixed64(self.out, track_event::TERMINATING_FLOW_IDS, id);
    }
}

fn plain(out: &mut Vec<u8>, value: ArgValue<'_>, interned: u64) {
    match value {
        ArgValue::Int(n) => wire::varint(out, debug_annotation::INT_VALUE, n as u64),
        ArgValue::Uint(n) => wire::varint(out, debug_annotation::UINT_VALUE, n),
        ArgValue::Double(x) => wire::double(out, debug_annotation::DOUBLE_VALUE, x),
        ArgValue::Bool(b) => wire::varint(out, debug_annotation::BOOL_VALUE, b.into()),
        ArgValue::Text(_) => wire::varint(out, debug_annotation::STRING_VALUE_IID, interned),
    }
}
