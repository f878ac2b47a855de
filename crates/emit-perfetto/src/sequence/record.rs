//! Slices as copies of templates: how a template is recorded.

use bigtpu_perfetto_protos::field::{trace, trace_packet, track_event};
use bigtpu_perfetto_protos::track_event::Type;

use super::{NEEDS_STATE, Sequence};
use crate::args::Args;
use crate::stamp::{
    BEGIN, EIGHT_BYTES, EVENT_LENGTH, MOST_NUMBERS, NO_KEY, Numbers, PACKET_LENGTH, Patch, Stamps,
    append_room, is_patchable, room,
};
use crate::wire;

/// Where the numbers of a template are, while it is recorded.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    patches: Vec<Patch>,
    /// Memory that is used again: the event, and the template.
    event: Vec<u8>,
    template: Vec<u8>,
    /// Room that an earlier template of the same key had for each number.
    rooms: [u8; MOST_NUMBERS],
    /// A number was too large to be patched and was written as it is.
    is_literal: bool,
}

/// What a slice is a copy of, and what is not in its numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SliceOf<'f> {
    /// Of its template.
    pub(crate) key: u64,
    /// ns.
    pub(crate) start: i64,
    /// ns.
    pub(crate) end: i64,
    pub(crate) flows: &'f SliceFlows,
    /// The counter that comes with the slices is at 0 from the end on.
    pub(crate) ends_count: bool,
}

/// Flows of a slice, as fields of its event.
#[derive(Debug, Default)]
pub(crate) struct SliceFlows {
    begin: Vec<u8>,
    /// The flow that ends with the slice.
    end: Option<u64>,
}

impl SliceFlows {
    pub(crate) fn clear(&mut self) {
        self.begin.clear();
        self.end = None;
    }

    /// A flow starts at the slice.
    pub(crate) fn start(&mut self, id: u64) {
        wire::fixed64(&mut self.begin, track_event::FLOW_IDS, id);
    }

    /// A flow ends where the slice begins.
    pub(crate) fn end(&mut self, id: u64) {
        wire::fixed64(&mut self.begin, track_event::TERMINATING_FLOW_IDS, id);
    }

    /// A flow ends with the slice.
    pub(crate) fn end_behind(&mut self, id: u64) {
        self.end = Some(id);
    }
}

impl Sequence {
    /// Appends a slice: its beginning, a copy of the key's template with these numbers, and its end. `write` writes the
    /// arguments of a slice with this key; the numbers of those that differ from slice to slice are recorded by the functions
    /// of [`Args`] that take them. A slice of [`NO_KEY`] has a template of its own. `flows` start or end at the slice, as
    /// fields of the event; one may end with it.
    #[inline]
    pub(crate) fn slice(
        &mut self,
        out: &mut Vec<u8>,
        stamps: &mut Stamps,
        SliceOf { key, start, end, flows, ends_count }: SliceOf<'_>,
        numbers: &mut Numbers,
        write: impl FnOnce(&mut Args<'_>, &Numbers),
    ) {
        numbers[BEGIN] = self.advance(out, start);
        if !self.fresh.is_empty() {
            self.entries(out);
        }
        let flow_bytes = flows.begin.len();
        if !stamps.copy(key, numbers, flow_bytes, out) {
            self.record(out, stamps, key, numbers, flow_bytes, write);
        }
        out.extend_from_slice(&flows.begin);
        let end = self.advance(out, end);
        match flows.end {
            None if ends_count => self.constant.end_with_zero.append(out, end, None),
            None => self.constant.end.append(out, end, None),
            Some(flow) => self.constant.end_with_flow.append(out, end, Some(flow)),
        }
    }

    /// Appends a packet of fresh entries alone.
    #[cold]
    fn entries(&mut self, out: &mut Vec<u8>) {
        wire::message(out, trace::PACKET, |out| {
            wire::varint(out, trace_packet::TRUSTED_PACKET_SEQUENCE_ID, self.id);
            wire::bytes(out, trace_packet::INTERNED_DATA, &self.fresh);
            wire::varint(out, trace_packet::SEQUENCE_FLAGS, NEEDS_STATE);
        });
        self.fresh.clear();
    }

    fn record(
        &mut self,
        out: &mut Vec<u8>,
        stamps: &mut Stamps,
        key: u64,
        numbers: &mut Numbers,
        flow_bytes: usize,
        write: impl FnOnce(&mut Args<'_>, &Numbers),
    ) {
        self.recorded.rooms = stamps.rooms(key);
        self.recorded.is_literal = false;
        self.recorded.patches.clear();
        let mut event = std::mem::take(&mut self.recorded.event);
        event.clear();
        wire::varint(&mut event, track_event::TYPE, Type::SliceBegin as u64);
        write(&mut Args::of_event(self, &mut event), numbers);
        let of_event = self.recorded.patches.len();
        // The packet without its key and length.
        let mut template = std::mem::take(&mut self.recorded.template);
        template.clear();
        let length_bits = |bytes: usize| room((bytes + flow_bytes) as u64).max(14);
        numbers[EVENT_LENGTH] = (event.len() + flow_bytes) as u64;
        let event_bits = length_bits(event.len());
        // As many bytes as the packet has before its event, at most.
        numbers[PACKET_LENGTH] = numbers[EVENT_LENGTH] + 64;
        let packet_bits = length_bits(event.len() + 64);
        wire::length_delimited_key(&mut template, trace::PACKET);
        self.stamp_number(&mut template, PACKET_LENGTH, packet_bits);
        let packet = template.len();
        self.stamp_varint(&mut template, trace_packet::TIMESTAMP, numbers, BEGIN);
        self.constant.event.append_to(&mut template);
        self.stamp_number(&mut template, EVENT_LENGTH, event_bits);
        let to_event = template.len();
        template.extend_from_slice(&event);
        for patch in self.recorded.patches.iter_mut().take(of_event) {
            patch.at += to_event as u32;
        }
        if !self.fresh.is_empty() {
            self.entries(out);
        }
        let key = if self.recorded.is_literal { NO_KEY } else { key };
        let lengths = ((template.len() - packet) as u32, event.len() as u32);
        let patches = &self.recorded.patches;
        stamps.enter(key, (&template, lengths), patches, (numbers, flow_bytes), out);
        (self.recorded.event, self.recorded.template) = (event, template);
    }

    fn stamp_number(&mut self, out: &mut Vec<u8>, number: usize, bits: u8) {
        let at = out.len() as u32;
        append_room(out, bits);
        self.recorded.patches.push(Patch { at, number: number as u8, bits });
    }

    /// Appends a varint field of a template: room for its number.
    pub(crate) fn stamp_varint(
        &mut self,
        out: &mut Vec<u8>,
        field: u32,
        numbers: &Numbers,
        number: usize,
    ) {
        let value = numbers[number % MOST_NUMBERS];
        let bits = room(value).max(self.recorded.rooms[number % MOST_NUMBERS]);
        if !is_patchable(bits) {
            self.recorded.is_literal = true;
            wire::varint(out, field, value);
            return;
        }
        wire::varint_key(out, field);
        self.stamp_number(out, number, bits);
    }

    /// Appends a field of eight bytes of a template: room for its number.
    pub(crate) fn stamp_word(&mut self, out: &mut Vec<u8>, field: u32, number: usize) {
        wire::double_key(out, field);
        let at = out.len() as u32;
        out.extend_from_slice(&[0; 8]);
        self.recorded.patches.push(Patch { at, number: number as u8, bits: EIGHT_BYTES });
    }

    /// Appends a message field whose content `write` appends. Where its length takes more than the byte that was kept for
    /// it, the places that were recorded in it move, too.
    pub(crate) fn message(
        &mut self,
        out: &mut Vec<u8>,
        field: u32,
        write: impl FnOnce(&mut Self, &mut Vec<u8>),
    ) {
        let before = self.recorded.patches.len();
        wire::length_delimited_key(out, field);
        let start = out.len();
        out.push(0);
        write(self, out);
        let takes = wire::put_length(out, start, 1);
        for patch in self.recorded.patches.iter_mut().skip(before) {
            patch.at += (takes - 1) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::Trace;
    use bigtpu_perfetto_protos::prost::Message as _;

    use super::*;
    use crate::names::Arg;

    /// Slices with numbers of all sizes, of few keys; `key` of a slice gives the key of its template.
    fn written(key: impl Fn(u64) -> u64) -> Vec<u8> {
        let mut sequence = Sequence::new(3, 4, 0);
        let (mut out, mut stamps) = (Vec::new(), Stamps::default());
        let (mut numbers, mut flows) = ([0; MOST_NUMBERS], SliceFlows::default());
        let mut random: u64 = 1;
        let mut time = 0;
        for at in 0..3000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
            let value = random >> (random % 64);
            let own = at % 7;
            time += random as i64 >> 52 & 0xfff;
            numbers[4] = value;
            numbers[5] = sequence.value(&format!("text {}", value % 1000));
            numbers[6] = (value as f64).to_bits();
            flows.clear();
            (0..value % 5).for_each(|_| flows.start(random));
            if own > 3 {
                flows.end_behind(value);
            }
            let slice = SliceOf {
                key: key(own),
                start: time,
                end: time + 5,
                flows: &flows,
                ends_count: false,
            };
            sequence.slice(&mut out, &mut stamps, slice, &mut numbers, |args, numbers| {
                args.title("slice", "of the test");
                args.int(Arg::Event, own as i64);
                args.int_of(Arg::CmdId, numbers, 4);
                // Its length takes two bytes.
                args.dict(Arg::SrcInfo, |args| {
                    args.text_of(Arg::Kernel, numbers, 5);
                    for n in 0..own * 10 {
                        args.int(Arg::SrcN, n as i64);
                    }
                    args.address_of(Arg::SrcAddr, numbers, 4);
                });
                args.double_of(Arg::DdrBandwidth, 6);
            });
            time += 5;
        }
        out
    }

    /// Copies are what would be written without templates, except for the padding of numbers.
    #[test]
    fn copies_are_what_would_be_written() {
        let copied = Trace::decode(&*written(|key| key)).unwrap();
        let recorded = Trace::decode(&*written(|_| NO_KEY)).unwrap();
        assert!(copied == recorded);
        assert!(copied.packet.len() > 6000);
    }
}
