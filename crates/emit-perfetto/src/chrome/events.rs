//! Slices, flows and samples as events of Chrome's JSON.

use std::fmt::Write as _;

use bigtpu_perfetto_protos::trace_packet::{Data, OptionalTrustedPacketSequenceId};
use bigtpu_perfetto_protos::track_event::{CounterValueField, NameField, Type};
use bigtpu_perfetto_protos::{TraceAttributes, TracePacket, TrackEvent, trace_attributes};
use foldhash::HashMap;
use serde_json::{Map, Value};

use super::state::{State, Table};
use super::threads::{Thread, Threads};

/// A slice that is not written yet, since its end or that of a slice around it is not known.
#[derive(Debug)]
struct Pending {
    start: i64,
    duration: i64,
    /// The line but for the times.
    head: String,
    /// Its flows.
    tail: String,
}

/// Slices of a track that are in one another.
#[derive(Debug, Default)]
struct Stack {
    /// In the order of their starts.
    slices: Vec<Pending>,
    /// Those without an end.
    open: Vec<usize>,
}

/// The events so far.
#[derive(Debug, Default)]
pub(super) struct Events {
    states: HashMap<u32, State>,
    threads: Threads,
    stacks: HashMap<u64, Stack>,
    attributes: Map<String, Value>,
    has_lines: bool,
}

impl Events {
    /// Appends the lines of a packet.
    pub(super) fn read(&mut self, packet: &TracePacket, text: &mut String) {
        let sequence = match packet.optional_trusted_packet_sequence_id {
            Some(OptionalTrustedPacketSequenceId::TrustedPacketSequenceId(id)) => id,
            None => 0,
        };
        let state = self.states.entry(sequence).or_default();
        state.update(packet);
        match &packet.data {
            Some(Data::TrackDescriptor(descriptor)) => {
                let mut lines = Vec::new();
                self.threads.add(descriptor, &mut lines);
                lines.iter().for_each(|line| self.line(&line.to_string(), text));
            }
            // That of the whole trace says which clock its times are on, and when on others.
            Some(Data::ClockSnapshot(snapshot)) if sequence != 0 => state.read_clocks(snapshot),
            Some(Data::TraceAttributes(attributes)) => self.add_attributes(attributes),
            Some(Data::TrackEvent(event)) => {
                let time = state.time(packet);
                self.event(sequence, time, event, text);
            }
            _ => {}
        }
    }

    /// What is known of the trace, as an object.
    pub(super) fn attributes(&self) -> String {
        Value::Object(self.attributes.clone()).to_string()
    }

    fn add_attributes(&mut self, attributes: &TraceAttributes) {
        use trace_attributes::attribute::Value as Plain;
        for attribute in &attributes.attribute {
            if let Some(Plain::StringValue(text)) = &attribute.value {
                let key = attribute.key.clone().unwrap_or_default();
                self.attributes.insert(key, text.clone().into());
            }
        }
    }

    fn line(&mut self, line: &str, text: &mut String) {
        text.push_str(if std::mem::replace(&mut self.has_lines, true) { ",\n" } else { "\n" });
        text.push_str(line);
    }

    fn event(&mut self, sequence: u32, time: i64, event: &TrackEvent, text: &mut String) {
        let Some(state) = self.states.get(&sequence) else { return };
        let mut lines = Vec::new();
        let whole = event.extra_counter_values.iter().map(|value| *value as f64);
        let whole = state.counters.0.iter().copied().zip(whole);
        let doubles = event.extra_double_counter_values.iter().copied();
        let doubles = state.counters.1.iter().copied().zip(doubles);
        for (counter, value) in whole.chain(doubles) {
            lines.extend(self.threads.get(counter).map(|thread| sample(thread, time, value)));
        }
        let track = event.track_uuid.or(state.track).unwrap_or(0);
        if let Some(thread) = self.threads.get(track) {
            match event.r#type() {
                Type::SliceBegin | Type::Instant => {
                    let slice = Pending {
                        start: time,
                        duration: 0,
                        head: head(state, thread, event),
                        tail: flows(thread, time, event),
                    };
                    let stack = self.stacks.entry(track).or_default();
                    if event.r#type() == Type::SliceBegin {
                        stack.open.push(stack.slices.len());
                    }
                    stack.slices.push(slice);
                }
                Type::SliceEnd => {
                    let stack = self.stacks.entry(track).or_default();
                    let slice = stack.open.pop().and_then(|at| stack.slices.get_mut(at));
                    if let Some(slice) = slice {
                        slice.duration = time - slice.start;
                        // At its end the next slice is open already.
                        let last = slice.start.max(time.saturating_sub(1));
                        slice.tail.push_str(&flows(thread, last, event));
                    }
                }
                Type::Counter => {
                    let value = match event.counter_value_field {
                        Some(CounterValueField::CounterValue(whole)) => Some(whole as f64),
                        Some(CounterValueField::DoubleCounterValue(value)) => Some(value),
                        None => None,
                    };
                    lines.extend(value.map(|value| sample(thread, time, value)));
                }
                Type::Unspecified => {}
            }
        }
        if let Some(stack) = self.stacks.get_mut(&track).filter(|stack| stack.open.is_empty()) {
            lines.extend(stack.slices.drain(..).map(|slice| slice.line()));
        }
        lines.iter().for_each(|line| self.line(line, text));
    }
}

impl Pending {
    fn line(&self) -> String {
        let (start, duration) = (us(self.start), us(self.duration));
        format!("{}, \"ts\": {start}, \"dur\": {duration}}}{}", self.head, self.tail)
    }
}

/// A slice's line up to its times.
fn head(state: &State, thread: &Thread, event: &TrackEvent) -> String {
    let name = match &event.name_field {
        Some(NameField::Name(name)) => name.as_str(),
        Some(NameField::NameIid(iid)) => state.text(Table::Event, *iid),
        None => "",
    };
    let interned = event.category_iids.iter().map(|&iid| state.text(Table::Category, iid));
    let own = event.categories.iter().map(String::as_str);
    let categories: Vec<&str> = own.chain(interned).collect();
    let args = Value::Object(state.args(&event.debug_annotations));
    format!(
        "{{\"ph\": \"X\", \"pid\": {}, \"tid\": {}, \"name\": {}, \"cat\": {}, \"args\": {args}",
        thread.process,
        thread.number,
        Value::from(name),
        Value::from(categories.join(",")),
    )
}

/// The starts and ends of arrows at a slice: a viewer binds them to the slice that is open at their time.
fn flows(thread: &Thread, time: i64, event: &TrackEvent) -> String {
    let mut text = String::new();
    let starts = event.flow_ids.iter().map(|id| ("s", id));
    let ends = event.terminating_flow_ids.iter().map(|id| ("f", id));
    for (phase, id) in ends.chain(starts) {
        let _ = write!(
            text,
            ",\n{{\"ph\": \"{phase}\", \"bp\": \"e\", \"pid\": {}, \"tid\": {}, \"name\": \"flow\", \"cat\": \"flow\", \
             \"id\": {id}, \"ts\": {}}}",
            thread.process,
            thread.number,
            us(time)
        );
    }
    text
}

fn sample(thread: &Thread, time: i64, value: f64) -> String {
    let unit = thread.unit.as_deref().unwrap_or_default();
    format!(
        "{{\"ph\": \"C\", \"pid\": {}, \"name\": {}, \"ts\": {}, \"args\": {{{}: {}}}}}",
        thread.process,
        Value::from(thread.title.as_str()),
        us(time),
        Value::from(unit),
        Value::from(value),
    )
}

/// ns as µs with all digits.
fn us(ns: i64) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let ns = ns.unsigned_abs();
    format!("{sign}{}.{:03}", ns / 1000, ns % 1000)
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_keep_their_ns() {
        assert_eq!([0, 7, 1234, -1].map(super::us), ["0.000", "0.007", "1.234", "-0.001"]);
    }
}
