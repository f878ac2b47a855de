//! What a sequence of packets has said before: its texts, its clock, its track.

use bigtpu_perfetto_protos::trace_packet::SequenceFlags;
use bigtpu_perfetto_protos::{
    ClockSnapshot, DebugAnnotation, InternedData, TracePacket, debug_annotation,
};
use foldhash::HashMap;
use serde_json::{Map, Value};

/// A table of interned texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Table {
    Event,
    Category,
    ArgName,
    ArgValue,
}

#[derive(Debug, Default)]
struct Clock {
    now: i64,
    tick: i64,
    is_incremental: bool,
}

/// The state of a sequence.
#[derive(Debug, Default)]
pub(super) struct State {
    interned: HashMap<(Table, u64), String>,
    clocks: HashMap<u32, Clock>,
    clock: Option<u32>,
    /// The track of events that name none.
    pub(super) track: Option<u64>,
    /// The counters of values that come along with slices: whole numbers and doubles.
    pub(super) counters: (Vec<u64>, Vec<u64>),
}

impl State {
    pub(super) fn update(&mut self, packet: &TracePacket) {
        let flags = packet.sequence_flags.unwrap_or(0);
        if flags & SequenceFlags::SeqIncrementalStateCleared as u32 != 0 {
            *self = Self { clocks: std::mem::take(&mut self.clocks), ..Self::default() };
        }
        if let Some(defaults) = &packet.trace_packet_defaults {
            self.clock = defaults.timestamp_clock_id;
            if let Some(events) = &defaults.track_event_defaults {
                self.track = events.track_uuid;
                self.counters = (
                    events.extra_counter_track_uuids.clone(),
                    events.extra_double_counter_track_uuids.clone(),
                );
            }
        }
        if let Some(data) = &packet.interned_data {
            self.intern(data);
        }
    }

    fn intern(&mut self, data: &InternedData) {
        let events = data.event_names.iter().map(|e| (Table::Event, e.iid, e.name.clone()));
        let categories =
            data.event_categories.iter().map(|e| (Table::Category, e.iid, e.name.clone()));
        let names = &data.debug_annotation_names;
        let names = names.iter().map(|e| (Table::ArgName, e.iid, e.name.clone()));
        let values = data.debug_annotation_string_values.iter().map(|e| {
            let text = e.str.as_deref().map(|text| String::from_utf8_lossy(text).into_owned());
            (Table::ArgValue, e.iid, text)
        });
        for (table, iid, text) in events.chain(categories).chain(names).chain(values) {
            self.interned.insert((table, iid.unwrap_or(0)), text.unwrap_or_default());
        }
    }

    pub(super) fn read_clocks(&mut self, snapshot: &ClockSnapshot) {
        for clock in &snapshot.clocks {
            let tick = clock.unit_multiplier_ns.unwrap_or(1) as i64;
            let now = clock.timestamp.unwrap_or(0) as i64 * tick;
            let is_incremental = clock.is_incremental.unwrap_or(false);
            self.clocks.insert(clock.clock_id.unwrap_or(0), Clock { now, tick, is_incremental });
        }
    }

    /// When a packet is, in ns of the trace.
    pub(super) fn time(&mut self, packet: &TracePacket) -> i64 {
        let stamp = packet.timestamp.unwrap_or(0) as i64;
        let clock = packet.timestamp_clock_id.or(self.clock);
        let Some(clock) = clock.and_then(|id| self.clocks.get_mut(&id)) else { return stamp };
        let base = if clock.is_incremental { clock.now } else { 0 };
        clock.now = base + stamp * clock.tick;
        clock.now
    }

    pub(super) fn text(&self, table: Table, iid: u64) -> &str {
        self.interned.get(&(table, iid)).map_or("", String::as_str)
    }

    /// Arguments as an object.
    pub(super) fn args(&self, args: &[DebugAnnotation]) -> Map<String, Value> {
        args.iter().map(|arg| self.arg(arg)).collect()
    }

    fn arg(&self, arg: &DebugAnnotation) -> (String, Value) {
        use debug_annotation::{NameField, Value as Plain};
        let name = match &arg.name_field {
            Some(NameField::Name(name)) => name.clone(),
            Some(NameField::NameIid(iid)) => self.text(Table::ArgName, *iid).to_owned(),
            None => String::new(),
        };
        if !arg.dict_entries.is_empty() {
            return (name, Value::Object(self.args(&arg.dict_entries)));
        }
        if !arg.array_values.is_empty() {
            let items = arg.array_values.iter().map(|item| self.arg(item).1);
            return (name, Value::Array(items.collect()));
        }
        let value = match &arg.value {
            None => Value::Null,
            Some(Plain::BoolValue(value)) => (*value).into(),
            Some(Plain::UintValue(number) | Plain::PointerValue(number)) => (*number).into(),
            Some(Plain::IntValue(number)) => (*number).into(),
            Some(Plain::DoubleValue(number)) => (*number).into(),
            Some(Plain::StringValue(text) | Plain::LegacyJsonValue(text)) => text.clone().into(),
            Some(Plain::StringValueIid(iid)) => self.text(Table::ArgValue, *iid).into(),
        };
        (name, value)
    }
}
