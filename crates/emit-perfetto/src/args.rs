//! Arguments of slices: debug annotations, their names and texts interned.

use bigtpu_perfetto_protos::field::{debug_annotation, track_event};

use crate::event_flows::FlowPoint;
use crate::names::Arg;
use crate::numbers::Row;
use crate::sequence::Sequence;
use crate::step_told::StepTold;
use crate::wire;

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

impl<'a> Args<'a> {
    /// Arguments of the track event that `event` is being filled with.
    pub(crate) fn of_event(sequence: &'a mut Sequence, event: &'a mut Vec<u8>) -> Self {
        Self { sequence, out: event, field: track_event::DEBUG_ANNOTATIONS }
    }
}

impl Args<'_> {
    /// Interned name and category of the event itself.
    pub(crate) fn title(&mut self, name: &str, category: &str) {
        self.sequence.title(self.out, name, category);
    }

    fn annotation(&mut self, name: u64, write: impl FnOnce(&mut Sequence, &mut Vec<u8>)) {
        let Self { sequence, out, field } = self;
        sequence.message(out, *field, |sequence, out| {
            wire::varint(out, debug_annotation::NAME_IID, name);
            write(sequence, out);
        });
    }

    /// A whole number.
    pub(crate) fn int(&mut self, arg: Arg, value: i64) {
        let name = self.sequence.arg(arg);
        wire::pair(
            self.out,
            self.field,
            (debug_annotation::NAME_IID, name),
            (debug_annotation::INT_VALUE, value as u64),
        );
    }

    /// A whole number that differs from slice to slice: one of the numbers of a template. The other functions of this
    /// kind write values of other types.
    pub(crate) fn int_of(&mut self, arg: Arg, numbers: Row<'_>, number: usize) {
        self.stamped(arg, debug_annotation::INT_VALUE, numbers, number);
    }

    /// An address: viewers show it in hex.
    pub(crate) fn address_of(&mut self, arg: Arg, numbers: Row<'_>, number: usize) {
        self.stamped(arg, debug_annotation::POINTER_VALUE, numbers, number);
    }

    /// A text; the number is its interning id.
    pub(crate) fn text_of(&mut self, arg: Arg, numbers: Row<'_>, number: usize) {
        self.stamped(arg, debug_annotation::STRING_VALUE_IID, numbers, number);
    }

    fn stamped(&mut self, arg: Arg, field: u32, numbers: Row<'_>, number: usize) {
        let name = self.sequence.arg(arg);
        self.annotation(name, |sequence, out| sequence.stamp_varint(out, field, numbers, number));
    }

    /// A double; the number is its bits.
    pub(crate) fn double_of(&mut self, arg: Arg, number: usize) {
        let name = self.sequence.arg(arg);
        self.annotation(name, |sequence, out| {
            sequence.stamp_word(out, debug_annotation::DOUBLE_VALUE, number);
        });
    }

    /// Writes an event's value of the counter that comes with the slices.
    pub(crate) fn count(&mut self, value: f64) {
        wire::double(self.out, track_event::EXTRA_DOUBLE_COUNTER_VALUES, value);
    }

    /// Writes the counter's value as a double that differs from slice to slice; the number is its bits.
    pub(crate) fn count_of(&mut self, number: usize) {
        self.sequence.stamp_word(self.out, track_event::EXTRA_DOUBLE_COUNTER_VALUES, number);
    }

    /// A double.
    pub(crate) fn double(&mut self, arg: Arg, value: f64) {
        let name = self.sequence.arg(arg);
        wire::pair_with_double(
            self.out,
            self.field,
            (debug_annotation::NAME_IID, name),
            (debug_annotation::DOUBLE_VALUE, value),
        );
    }

    /// A text.
    pub(crate) fn text(&mut self, arg: Arg, value: &str) {
        let name = self.sequence.arg(arg);
        let value = self.sequence.value(value);
        self.annotation(name, |_, out| {
            wire::varint(out, debug_annotation::STRING_VALUE_IID, value);
        });
    }

    /// The number of a step, where it is told.
    pub(crate) fn step(&mut self, told: StepTold) {
        match told {
            StepTold::Nothing => {}
            StepTold::Number(number) => self.int(Arg::Step, number.cast_signed()),
            StepTold::Absence => self.text(Arg::Step, StepTold::NONE),
        }
    }

    /// A dictionary; an empty one is a name without a value.
    pub(crate) fn dict(&mut self, arg: Arg, entries: impl FnOnce(&mut Args<'_>)) {
        let name = self.sequence.arg(arg);
        self.nested(name, debug_annotation::DICT_ENTRIES, entries);
    }

    fn nested(&mut self, name: u64, field: u32, entries: impl FnOnce(&mut Args<'_>)) {
        self.annotation(name, |sequence, out| entries(&mut Args { sequence, out, field }));
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
        self.annotation(name, |_, out| plain(out, value, interned));
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

    /// What a flow does at this slice: starts or ends; one that ends behind it is put on a mark of its own.
    pub(crate) fn flow_point(&mut self, point: FlowPoint, id: u64) {
        match point {
            FlowPoint::Start => self.flow(id),
            FlowPoint::End => self.flow_end(id),
            FlowPoint::EndBehind => {}
        }
    }

    /// A flow that starts at this slice (or continues through it).
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
