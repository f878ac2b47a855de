//! What all packets of a sequence have in common.

use bigtpu_perfetto_protos::field::{trace_packet, track_event};
use bigtpu_perfetto_protos::track_event::Type;

use super::NEEDS_STATE;
use super::counter::Sample;
use super::head::Head;
use super::slices::Ending;
use crate::short::Short;
use crate::wire;

/// What packets of a sequence that intern nothing have behind their time: the sequence, the flags, the key of the event,
/// and, of some, the event.
#[derive(Debug)]
pub(super) struct Constant {
    /// No more than the key of the event.
    pub(super) event: Short,
    /// A slice's beginning, up to its event.
    pub(super) begin: Head,
    /// A slice's end.
    pub(super) end: Sample,
    /// A slice's end, with which a flow ends.
    pub(super) end_with_flow: Sample,
    /// A slice's end, from which on the counter that comes with the slices is at 0.
    pub(super) end_with_zero: Sample,
    /// A counter's value 0, in 7 bytes less than a double takes.
    pub(super) zero: Sample,
    /// A counter's value, a double.
    pub(super) double: Sample,
}

impl Constant {
    /// What ends a slice, and its value.
    #[inline]
    pub(super) fn end_of(&self, ending: Ending) -> (&Sample, Option<u64>) {
        match ending {
            Ending::Nothing => (&self.end, None),
            Ending::Zero => (&self.end_with_zero, None),
            Ending::Flow(flow) => (&self.end_with_flow, Some(flow)),
        }
    }

    pub(super) fn new(id: u64) -> Self {
        let head = |out: &mut Vec<u8>| {
            wire::varint(out, trace_packet::TRUSTED_PACKET_SEQUENCE_ID, id);
            wire::varint(out, trace_packet::SEQUENCE_FLAGS, NEEDS_STATE);
        };
        // An event of a type.
        let event = |kind: Type, value: &dyn Fn(&mut Vec<u8>)| {
            Short::write(|out| {
                head(out);
                wire::length_delimited_key(out, trace_packet::TRACK_EVENT);
                let length = out.len();
                out.push(0);
                wire::varint(out, track_event::TYPE, kind as u64);
                value(out);
                wire::put_length(out, length, 1);
            })
        };
        let until_event = Short::write(|out| {
            head(out);
            wire::length_delimited_key(out, trace_packet::TRACK_EVENT);
        });
        Self {
            event: until_event,
            begin: Head::new(until_event),
            end: Sample::new(event(Type::SliceEnd, &|_| {})),
            end_with_flow: Sample::new(event(Type::SliceEnd, &|out| {
                wire::fixed64(out, track_event::TERMINATING_FLOW_IDS, 0);
            })),
            end_with_zero: Sample::new(event(Type::SliceEnd, &|out| {
                wire::varint(out, track_event::EXTRA_COUNTER_VALUES, 0);
            })),
            zero: Sample::new(event(Type::Counter, &|out| {
                wire::varint(out, track_event::COUNTER_VALUE, 0);
            })),
            double: Sample::new(event(Type::Counter, &|out| {
                wire::double(out, track_event::DOUBLE_COUNTER_VALUE, 0.0);
            })),
        }
    }
}
