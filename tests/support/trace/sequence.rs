//! What a packet sequence remembers: interned strings, defaults and clocks.

use std::collections::HashMap;

use bigtpu_perfetto_protos::trace_packet::SequenceFlags;
use bigtpu_perfetto_protos::{
    BuiltinClock, ClockSnapshot, DebugAnnotation, InternedData, TracePacket, debug_annotation,
};

use super::value::Value;

/// The tables of interned strings, each with numbers of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Table {
    Event,
    Category,
    ArgName,
    ArgValue,
}

/// A clock's last reading, and what to add to it for the trace's time.
#[derive(Debug)]
struct Clock {
    now: i64,
    tick: i64,
    incremental: bool,
    to_trace: i64,
}

/// One sequence's state.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    interned: HashMap<(Table, u64), String>,
    clocks: HashMap<u32, Clock>,
    default_clock: Option<u32>,
    default_track: Option<u64>,
    /// Counters of the values that come with events of other tracks: of whole numbers, of doubles.
    extra_counters: (Vec<u64>, Vec<u64>),
    has_state: bool,
    last: Option<i64>,
}

impl Sequence {
    /// Takes in all of a packet but its event.
    pub(super) fn update(&mut self, packet: &TracePacket, problems: &mut Vec<String>) {
        let flags = packet.sequence_flags.unwrap_or(0);
        if flags & SequenceFlags::SeqIncrementalStateCleared as u32 != 0 {
            self.interned.clear();
            (self.default_clock, self.default_track) = (None, None);
            self.extra_counters = Default::default();
            self.has_state = true;
        }
        if flags & SequenceFlags::SeqNeedsIncrementalState as u32 != 0 && !self.has_state {
            problems.push("a packet needs a state that was never set".into());
        }
        if let Some(defaults) = &packet.trace_packet_defaults {
            self.default_clock = defaults.timestamp_clock_id;
            let events = defaults.track_event_defaults.clone().unwrap_or_default();
            self.default_track = events.track_uuid;
            self.extra_counters =
                (events.extra_counter_track_uuids, events.extra_double_counter_track_uuids);
        }
        if let Some(data) = &packet.interned_data {
            self.intern(data, problems);
        }
    }

    fn intern(&mut self, data: &InternedData, problems: &mut Vec<String>) {
        let events = data.event_names.iter().map(|e| (Table::Event, e.iid, e.name.clone()));
        let categories =
            data.event_categories.iter().map(|e| (Table::Category, e.iid, e.name.clone()));
        let names = &data.debug_annotation_names;
        let names = names.iter().map(|e| (Table::ArgName, e.iid, e.name.clone()));
        let values = data.debug_annotation_string_values.iter().map(|e| {
            let text = e.str.clone().and_then(|bytes| String::from_utf8(bytes).ok());
            (Table::ArgValue, e.iid, text)
        });
        for (table, iid, text) in events.chain(categories).chain(names).chain(values) {
            match (iid.unwrap_or(0), text) {
                (0, _) | (_, None) => problems.push(format!("a bad entry of {table:?}")),
                (iid, Some(text)) => {
                    if let Some(old) = self.interned.insert((table, iid), text) {
                        problems.push(format!("{table:?} {iid} ({old}) is interned twice"));
                    }
                }
            }
        }
    }

    /// Takes in readings of clocks; the trace's own clock is the one since boot.
    pub(super) fn read_clocks(&mut self, snapshot: &ClockSnapshot) {
        let tick = |ns: Option<u64>| ns.unwrap_or(1) as i64;
        let readings: Vec<_> = snapshot
            .clocks
            .iter()
            .map(|c| (c, c.timestamp.unwrap_or(0) as i64 * tick(c.unit_multiplier_ns)))
            .collect();
        let boot = readings
            .iter()
            .find(|(c, _)| c.clock_id == Some(BuiltinClock::Boottime as u32))
            .map_or(0, |(_, now)| *now);
        for (clock, now) in readings {
            let tick = tick(clock.unit_multiplier_ns);
            let incremental = clock.is_incremental.unwrap_or(false);
            let clock_id = clock.clock_id.unwrap_or(0);
            self.clocks.insert(clock_id, Clock { now, tick, incremental, to_trace: boot - now });
        }
    }

    /// The time of a packet on the trace's clock.
    ///
    /// `own`: the clock that the whole trace is on, if it has one of its own.
    pub(super) fn time(
        &mut self,
        packet: &TracePacket,
        own: Option<u32>,
        problems: &mut Vec<String>,
    ) -> i64 {
        let stamp = packet.timestamp.unwrap_or(0) as i64;
        let clock = packet.timestamp_clock_id.or(self.default_clock);
        if clock != own {
            problems.push(format!("a packet on clock {clock:?} of a trace on {own:?}"));
        }
        let time = match clock.filter(|_| clock != own) {
            None => stamp,
            Some(id) => match self.clocks.get_mut(&id) {
                Some(clock) => {
                    let base = if clock.incremental { clock.now } else { 0 };
                    clock.now = base + stamp * clock.tick;
                    clock.now + clock.to_trace
                }
                None => {
                    problems.push(format!("clock {id} was never read"));
                    stamp
                }
            },
        };
        if let Some(last) = self.last.filter(|&last| last > time) {
            problems.push(format!("time goes back from {last} to {time}"));
        }
        self.last = Some(time);
        time
    }

    /// The track of an event that names none.
    pub(super) fn default_track(&self) -> Option<u64> {
        self.default_track
    }

    /// Counters of the values that come with events of other tracks: of whole numbers, of doubles.
    pub(super) fn extra_counters(&self) -> (&[u64], &[u64]) {
        (&self.extra_counters.0, &self.extra_counters.1)
    }

    /// The text behind an interned id.
    pub(super) fn text(&self, table: Table, iid: u64, problems: &mut Vec<String>) -> String {
        self.interned.get(&(table, iid)).cloned().unwrap_or_else(|| {
            problems.push(format!("{table:?} {iid} was never interned"));
            "?".into()
        })
    }

    /// An argument with its name; members of lists have none.
    pub(super) fn arg(&self, arg: &DebugAnnotation, problems: &mut Vec<String>) -> (String, Value) {
        use debug_annotation::{NameField, Value as Plain};
        let name = match &arg.name_field {
            Some(NameField::Name(name)) => name.clone(),
            Some(NameField::NameIid(iid)) => self.text(Table::ArgName, *iid, problems),
            None => String::new(),
        };
        let mut nested = |args: &[DebugAnnotation]| -> Vec<(String, Value)> {
            args.iter().map(|arg| self.arg(arg, problems)).collect()
        };
        if !arg.dict_entries.is_empty() {
            return (name, Value::Dict(nested(&arg.dict_entries)));
        }
        if !arg.array_values.is_empty() {
            let items = nested(&arg.array_values).into_iter().map(|(_, value)| value).collect();
            return (name, Value::List(items));
        }
        let value = match &arg.value {
            None => Value::None,
            Some(Plain::BoolValue(value)) => Value::Bool(*value),
            Some(Plain::UintValue(number) | Plain::PointerValue(number)) => {
                Value::Int((*number).into())
            }
            Some(Plain::IntValue(number)) => Value::Int((*number).into()),
            Some(Plain::DoubleValue(number)) => Value::Double(*number),
            Some(Plain::StringValue(text) | Plain::LegacyJsonValue(text)) => {
                Value::Text(text.clone())
            }
            Some(Plain::StringValueIid(iid)) => {
                Value::Text(self.text(Table::ArgValue, *iid, problems))
            }
        };
        (name, value)
    }
}
