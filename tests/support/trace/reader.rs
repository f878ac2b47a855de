//! Packets to slices, marks and samples.

use std::collections::{HashMap, HashSet};

use bigtpu_perfetto_protos::trace_packet::{Data, OptionalTrustedPacketSequenceId};
use bigtpu_perfetto_protos::track_event::{CounterValueField, NameField, Type};
use bigtpu_perfetto_protos::{
    BuiltinClock, TraceAttributes, TracingServiceEvent, TrackEvent, chrome_metadata,
    trace_attributes::attribute, tracing_service_event::EventType,
};

use super::packets::packets;
use super::sequence::{Sequence, Table};
use super::{OVERVIEW, Sample, Slice, Trace, Tree};

/// Reads a trace.
pub(super) fn read(file: &[u8]) -> Trace {
    let (packets, compressed) = packets(file);
    let mut reader = Reader::default();
    reader.trace.compressed = compressed;
    // A track may be described after its first event.
    for packet in &packets {
        if let Some(Data::TrackDescriptor(descriptor)) = &packet.data {
            reader.trace.problems.extend(reader.tree.add(descriptor.clone()));
        }
    }
    let (tracks, problems) = reader.tree.tracks();
    reader.trace.tracks = tracks;
    reader.trace.problems.extend(problems);
    for packet in packets {
        let mut problems = Vec::new();
        let id = match packet.optional_trusted_packet_sequence_id {
            Some(OptionalTrustedPacketSequenceId::TrustedPacketSequenceId(id)) => id,
            None => 0,
        };
        let sequence = reader.sequences.entry(id).or_default();
        sequence.update(&packet, &mut problems);
        match &packet.data {
            Some(Data::ClockSnapshot(snapshot)) if id == 0 => {
                let id = snapshot.primary_trace_clock.map(i32::cast_unsigned);
                let reading = |id| snapshot.clocks.iter().find(|clock| clock.clock_id == Some(id));
                let ns = |id| reading(id).and_then(|clock| clock.timestamp);
                if id.and_then(ns) != Some(0) || reader.own_clock.is_some() {
                    problems.push(format!("the snapshot {snapshot:?} is not of the trace's 0"));
                }
                reader.own_clock = id;
                reader.trace.wall_at_zero = ns(BuiltinClock::Realtime as u32);
            }
            Some(Data::ClockSnapshot(snapshot)) => sequence.read_clocks(snapshot),
            Some(Data::ServiceEvent(event)) => {
                reader.importer.read_event(event);
                reader.trace.marks += 1;
            }
            Some(Data::TrackEvent(event)) => {
                if id == 0 {
                    problems.push("an event belongs to no sequence".into());
                }
                let time = sequence.time(&packet, reader.own_clock, &mut problems);
                if reader.importer.is_too_late(time) {
                    problems.push(format!("an importer drops the event at {time}: it was told that it has all up to then"));
                }
                reader.event(id, time, event, &mut problems);
            }
            Some(Data::TraceAttributes(attributes)) => reader.attributes(attributes),
            Some(Data::ChromeEvents(bundle)) => {
                reader.trace.chrome_metadata.extend(bundle.metadata.iter().map(|m| {
                    let Some(chrome_metadata::Value::StringValue(text)) = &m.value else {
                        panic!("{m:?} is no text")
                    };
                    (m.name.clone().unwrap_or_default(), text.clone())
                }));
            }
            _ => {}
        }
        let problems = problems.into_iter().map(|problem| format!("sequence {id}: {problem}"));
        reader.trace.problems.extend(problems);
    }
    for (track, open) in reader.open.into_iter().filter(|(_, open)| !open.is_empty()) {
        let count = open.len();
        reader.trace.problems.push(format!("{count} slices of track {track} never end"));
    }
    reader.trace.problems.extend(dropped_flows(reader.flow_points));
    to_clock(&mut reader.trace);
    reader.trace
}

/// Puts the trace's times back on the host's clock, if its 0 is one of that clock.
fn to_clock(trace: &mut Trace) {
    let zero = trace.attributes.iter().find(|(key, _)| key == "bigtpuprofile.time_zero_ns");
    let zero: i64 = zero.map_or(0, |(_, zero)| zero.parse().unwrap());
    trace.slices.iter_mut().chain(&mut trace.instants).for_each(|slice| slice.ts += zero);
    trace.samples.iter_mut().for_each(|sample| sample.ts += zero);
}

/// The track of a slice that is on a core's own track: kernels and layers have none of their own.
fn on_core(track: String, categories: &[String]) -> String {
    let last = track.rsplit('/').next().unwrap_or_default();
    if !last.starts_with("Core ") || categories.iter().any(|category| category == OVERVIEW) {
        return track;
    }
    let is_layer = categories.iter().any(|category| category == "layer");
    format!("{track}/{}", if is_layer { "Layer" } else { "Kernel Function" })
}

/// A viewer takes events by time, then by place in the file, and ignores the end of a flow that is not open.
fn dropped_flows(mut points: Vec<FlowPoints>) -> Option<String> {
    points.sort_by_key(|point| point.ts);
    let mut open = HashSet::new();
    let mut dropped = 0;
    for point in points {
        open.extend(point.starts);
        dropped += point.ends.iter().filter(|flow| !open.remove(flow)).count();
    }
    (dropped > 0).then(|| format!("a viewer drops {dropped} flows: they end before they start"))
}

/// Flows that start and end at an event.
struct FlowPoints {
    ts: i64,
    starts: Vec<u64>,
    ends: Vec<u64>,
}

/// What an importer knows of the events that are still to come.
struct Importer {
    flushes: u32,
    /// The first time behind the last read.
    first: i64,
    /// It has taken in what is up to here.
    taken: i64,
}

impl Default for Importer {
    fn default() -> Self {
        Self { flushes: 0, first: i64::MAX, taken: i64::MIN }
    }
}

impl Importer {
    fn read_event(&mut self, event: &TracingServiceEvent) {
        match event.event_type {
            Some(EventType::AllDataSourcesFlushed(_)) => self.flushes += 1,
            Some(EventType::ReadTracingBuffersCompleted(_)) if self.flushes >= 2 => {
                *self = Self { taken: self.taken.max(self.first), ..Self::default() };
            }
            _ => {}
        }
    }

    fn is_too_late(&mut self, time: i64) -> bool {
        self.first = self.first.min(time);
        time < self.taken
    }
}

#[derive(Default)]
struct Reader {
    importer: Importer,
    /// Clock that all packets are on, if it is one of the trace itself.
    own_clock: Option<u32>,
    /// In the order of the file.
    flow_points: Vec<FlowPoints>,
    tree: Tree,
    sequences: HashMap<u32, Sequence>,
    /// Open slices by track, the innermost last.
    open: HashMap<u64, Vec<Slice>>,
    trace: Trace,
}

impl Reader {
    fn attributes(&mut self, attributes: &TraceAttributes) {
        self.trace.attributes.extend(attributes.attribute.iter().map(|a| {
            let Some(attribute::Value::StringValue(text)) = &a.value else {
                panic!("{a:?} is no text")
            };
            (a.key.clone().unwrap_or_default(), text.clone())
        }));
    }

    fn event(&mut self, sequence: u32, ts: i64, event: &TrackEvent, problems: &mut Vec<String>) {
        let uuid = event.track_uuid.or(self.sequences[&sequence].default_track()).unwrap_or(0);
        let Some(is_counter) = self.tree.is_counter(uuid) else {
            problems.push(format!("track {uuid} is not defined"));
            return;
        };
        // Of a bad path there is a problem already.
        let Ok(track) = self.tree.path(uuid) else { return };
        if is_counter != (event.r#type() == Type::Counter) {
            problems.push(format!("{track}: slices and counters are mixed up"));
        }
        if !(event.flow_ids.is_empty() && event.terminating_flow_ids.is_empty()) {
            let (starts, ends) = (event.flow_ids.clone(), event.terminating_flow_ids.clone());
            self.flow_points.push(FlowPoints { ts, starts, ends });
        }
        self.extra_samples(sequence, ts, event, problems);
        match event.r#type() {
            Type::SliceBegin => {
                let mut slice = self.slice(sequence, track, ts, event, problems);
                let open = self.open.entry(uuid).or_default();
                slice.depth = open.len();
                open.push(slice);
            }
            Type::SliceEnd => match self.open.entry(uuid).or_default().pop() {
                Some(mut slice) => {
                    slice.dur = ts - slice.ts;
                    slice.ended_flows.extend(&event.terminating_flow_ids);
                    self.trace.slices.push(slice);
                }
                None => problems.push(format!("{track}: an end without a begin at {ts}")),
            },
            Type::Instant => {
                let mark = self.slice(sequence, track, ts, event, problems);
                self.trace.instants.push(mark);
            }
            Type::Counter => {
                let value = match event.counter_value_field {
                    Some(CounterValueField::CounterValue(whole)) => whole as f64,
                    Some(CounterValueField::DoubleCounterValue(value)) => value,
                    None => {
                        problems.push(format!("{track}: a sample without a value at {ts}"));
                        return;
                    }
                };
                self.trace.samples.push(Sample { track, ts, value });
            }
            Type::Unspecified => problems.push(format!("{track}: an event of no type at {ts}")),
        }
    }

    /// Samples of counters that come with an event of another track: by position, each of the counter of its sequence.
    fn extra_samples(
        &mut self,
        sequence: u32,
        ts: i64,
        event: &TrackEvent,
        problems: &mut Vec<String>,
    ) {
        let (whole, doubles) = self.sequences[&sequence].extra_counters();
        let values = event.extra_counter_values.iter().map(|value| *value as f64);
        let whole: Vec<_> = values.enumerate().map(|(at, v)| (whole.get(at), v)).collect();
        let values = event.extra_double_counter_values.iter().copied();
        let doubles = values.enumerate().map(|(at, v)| (doubles.get(at), v));
        for (counter, value) in whole.into_iter().chain(doubles) {
            let counter = counter.filter(|uuid| self.tree.is_counter(**uuid) == Some(true));
            match counter.and_then(|uuid| self.tree.path(*uuid).ok()) {
                Some(track) => self.trace.samples.push(Sample { track, ts, value }),
                None => problems.push(format!("a value at {ts} is of no counter")),
            }
        }
    }

    fn slice(
        &self,
        sequence: u32,
        track: String,
        ts: i64,
        event: &TrackEvent,
        problems: &mut Vec<String>,
    ) -> Slice {
        let sequence = &self.sequences[&sequence];
        let name = match &event.name_field {
            Some(NameField::Name(name)) => name.clone(),
            Some(NameField::NameIid(iid)) => sequence.text(Table::Event, *iid, problems),
            None => {
                problems.push(format!("{track}: a slice without a name at {ts}"));
                String::new()
            }
        };
        let interned = event.category_iids.iter();
        let interned = interned.map(|&iid| sequence.text(Table::Category, iid, problems));
        let categories: Vec<_> = event.categories.iter().cloned().chain(interned).collect();
        let args = event.debug_annotations.iter().map(|arg| sequence.arg(arg, problems));
        Slice {
            track: on_core(track, &categories),
            ts,
            dur: 0,
            name,
            categories,
            args: args.collect(),
            flows: event.flow_ids.clone(),
            ended_flows: event.terminating_flow_ids.clone(),
            depth: 0,
        }
    }
}
