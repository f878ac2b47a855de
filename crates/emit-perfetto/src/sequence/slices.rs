//! Slices as copies of templates, a block of them at a time.

use bigtpu_perfetto_protos::field::{trace, trace_packet};

use super::constant::Constant;
use super::{NEEDS_STATE, Sequence};
use crate::args::Args;
use crate::block::Block;
use crate::event_flows::{EventFlow, FLOW_BYTES, append_flows};
use crate::numbers::{BEGIN, END, Row};
use crate::room::Room;
use crate::stamp::{MOST_FLOWS, Stamp, Stamps};
use crate::template::Template;
use crate::wire;

/// What of a slice is not in its block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SliceOf<'f> {
    /// Flows that start at the slice, or end where it begins.
    pub(crate) flows: &'f [EventFlow],
    pub(crate) ending: Ending,
    /// Flows that end at a mark where the slice ends.
    pub(crate) behind: &'f [EventFlow],
}

/// What comes with a slice's end.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    Nothing,
    /// The end of a flow of this number.
    Flow(u64),
    /// A 0 of the counter that comes with the slices.
    Zero,
}

/// No more slices need texts that are interned before them.
const NO_ENTRIES: (usize, usize) = (usize::MAX, 0);

/// Name of the mark at a slice's end where flows end.
const RELEASED: &str = "released";

impl Sequence {
    /// Appends the slices of a block: the beginning of each, a copy of its key's template with its numbers, and its end. `write`
    /// writes the arguments of a slice; the numbers of those that differ from slice to slice are recorded by the functions of
    /// [`Args`] that take them. A slice of [`NO_KEY`](crate::stamp::NO_KEY) has a template of its own.
    #[inline]
    pub(crate) fn slices<'f>(
        &mut self,
        room: &mut Room<'_>,
        stamps: &mut Stamps,
        block: &Block,
        of: impl Fn(usize) -> SliceOf<'f>,
        write: impl Fn(usize, &mut Args<'_>, Row<'_>),
    ) {
        let Some(last) = block.rows.checked_sub(1).map(|last| block.numbers.row(last)) else {
            return;
        };
        if !self.is_open {
            room.append(|out| self.open(out));
        }
        let begin = block.numbers.row(0).value(BEGIN);
        if !self.constant.begin.fits(begin) {
            self.constant.begin.widen(begin);
            stamps.widen(&self.constant.begin);
        }
        let Constant { end, end_with_flow, end_with_zero, .. } = &mut self.constant;
        let ends_fit =
            [end, end_with_flow, end_with_zero].map(|end| end.fits(last.value(END))) == [true; 3];
        let mut fresh = std::mem::take(&mut self.fresh);
        let mut entries = block.fresh.iter().copied();
        let mut from = 0;
        let (mut next, mut until) = entries.next().unwrap_or(NO_ENTRIES);
        let keys = block.keys.get(..block.rows).unwrap_or_default();
        for (row, key) in keys.iter().enumerate() {
            let numbers = block.numbers.row(row);
            if row == next {
                let bytes = fresh.get(from..until).unwrap_or_default();
                room.append(|out| self.entries(out, bytes));
                from = until;
                (next, until) = entries.next().unwrap_or(NO_ENTRIES);
            }
            let SliceOf { flows, ending, behind } = of(row);
            match stamps.in_use(*key) {
                Some(stamp) if ends_fit && flows.len() <= MOST_FLOWS => {
                    stamp.write(room, numbers, flows, Some(self.constant.end_of(ending)));
                }
                _ => room.append(|out| {
                    let write = |args: &mut Args<'_>, numbers: Row<'_>| write(row, args, numbers);
                    let (key, template) = self.learn(stamps, *key, numbers, write);
                    self.new_slice(out, stamps, (key, &template), numbers, flows);
                    let (end, value) = self.constant.end_of(ending);
                    match ends_fit {
                        true => end.copy(&mut Room::for_one(out), numbers.wide(END), value),
                        false => end.append_any(out, numbers.value(END), value),
                    }
                }),
            }
            if !behind.is_empty() {
                room.append(|out| self.released(out, numbers.value(END), behind));
            }
        }
        self.now = last.value(END);
        fresh.clear();
        self.fresh = fresh;
    }

    /// Appends a mark at which flows end.
    #[cold]
    fn released(&mut self, out: &mut Vec<u8>, time: u64, flows: &[EventFlow]) {
        self.now = time;
        self.instant(out, self.zero.wrapping_add(time as i64), RELEASED, "sys", |args| {
            flows.iter().for_each(|flow| args.flow_end(flow.number()));
        });
    }

    /// Appends the beginning of a slice whose template was not in use.
    #[cold]
    fn new_slice(
        &mut self,
        out: &mut Vec<u8>,
        stamps: &mut Stamps,
        (key, template): (u64, &Template),
        numbers: Row<'_>,
        flows: &[EventFlow],
    ) {
        if !self.fresh.is_empty() {
            let mut fresh = std::mem::take(&mut self.fresh);
            self.entries(out, &fresh);
            fresh.clear();
            self.fresh = fresh;
        }
        match Stamp::new(&self.constant.begin, template).filter(|_| flows.len() <= MOST_FLOWS) {
            Some(stamp) => {
                stamp.write(&mut Room::for_one(out), numbers, flows, None);
                stamps.enter(key, stamp);
            }
            None => {
                let event = template.copy(numbers);
                self.constant.begin.append_any(
                    out,
                    numbers.value(BEGIN),
                    event.len() + flows.len() * FLOW_BYTES,
                );
                out.extend(event);
                append_flows(out, flows);
            }
        }
    }

    /// Appends a packet of entries alone.
    #[cold]
    fn entries(&self, out: &mut Vec<u8>, entries: &[u8]) {
        wire::message(out, trace::PACKET, |out| {
            wire::varint(out, trace_packet::TRUSTED_PACKET_SEQUENCE_ID, self.id);
            wire::bytes(out, trace_packet::INTERNED_DATA, entries);
            wire::varint(out, trace_packet::SEQUENCE_FLAGS, NEEDS_STATE);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bigtpu_perfetto_protos::Trace;
    use bigtpu_perfetto_protos::prost::Message as _;

    use super::*;
    use crate::event_flows::FlowPoint;
    use crate::names::Arg;
    use crate::numbers::{FIRST_WIDE, ROWS};
    use crate::stamp::NO_KEY;
    use crate::widths::{MOST_NUMBERS, OF_SIZES, TOO_WIDE};

    /// A slice of the test.
    struct Sample {
        value: u64,
        own: u64,
        time: i64,
        flows: Vec<EventFlow>,
    }

    fn samples() -> Vec<Sample> {
        let (mut random, mut time): (u64, i64) = (1, 0);
        let sample = |at: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
            let value = random >> (random % 64);
            time += 5 + (random as i64 >> 52 & 0xfff);
            let flows = [(FlowPoint::Start, random), (FlowPoint::End, value)].repeat(300);
            let flows = flows.into_iter().map(|(point, flow)| EventFlow::new(point, flow >> 2));
            let count = [0, 1, 2, 3, 4, 600][(value % 6) as usize];
            Sample { value, own: at % 7, time, flows: flows.take(count).collect() }
        };
        (0..3000).map(sample).collect()
    }

    /// Slices with numbers of all sizes, of few keys, in blocks of at most so many; `key` of a slice gives the key of its
    /// template.
    fn written(most: usize, key: impl Fn(u64) -> u64) -> Vec<u8> {
        let mut sequence = Sequence::new(3, 4, 0);
        let mut out = Vec::new();
        let mut stamps =
            Stamps::new(Arc::new([(); MOST_NUMBERS].map(|()| OF_SIZES.clone())), Arc::default());
        let mut block = Block::new();
        let samples = samples();
        let mut rest = samples.as_slice();
        while !rest.is_empty() {
            let some = &rest[..rest.len().min(most)];
            let starts: Vec<i64> = some.iter().map(|sample| sample.time).collect();
            let ends: Vec<i64> = starts.iter().map(|start| start + 5).collect();
            block.start(starts.len());
            block.set_times(&sequence, [&starts, &ends], 0);
            let some = &some[..block.rows];
            rest = &rest[block.rows..];
            for (row, Sample { value, own, .. }) in some.iter().enumerate() {
                block.numbers.set(4, row, &OF_SIZES, *value);
                let text = sequence.value(&format!("text {}", value % 1000));
                block.note_fresh(row, &sequence);
                block.numbers.set(5, row, &OF_SIZES, text);
                let classes = [*value, text].map(|value| u64::from(OF_SIZES.class(value)));
                let is_too_wide = classes.iter().any(|class| class & u64::from(TOO_WIDE) != 0);
                block.numbers.wide_column(FIRST_WIDE)[row] = (*value as f64).to_bits();
                block.keys[row] = match is_too_wide {
                    true => NO_KEY,
                    false => key(own << 8 | classes[0] << 4 | classes[1]),
                };
            }
            block.numbers.spread(4, some.len());
            block.numbers.spread(5, some.len());
            let of = |row: usize| {
                let Sample { value, own, flows, .. } = &some[row];
                let ending = match own {
                    4.. => Ending::Flow(*value),
                    3 => Ending::Zero,
                    _ => Ending::Nothing,
                };
                let behind = if *own == 2 { flows.get(..2).unwrap_or_default() } else { &[] };
                SliceOf { flows, ending, behind }
            };
            sequence.slices(
                &mut Room::for_one(&mut out),
                &mut stamps,
                &block,
                of,
                |row, args, numbers| {
                    let own = some[row].own;
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
                    args.double_of(Arg::DdrBandwidth, FIRST_WIDE);
                },
            );
        }
        out
    }

    /// Copies are what would be written without templates, except for the padding of numbers.
    #[test]
    fn copies_are_what_would_be_written() {
        let bytes = written(ROWS, |key| key);
        let copied = Trace::decode(&*bytes).unwrap();
        let recorded = Trace::decode(&*written(ROWS, |_| NO_KEY)).unwrap();
        assert!(copied == recorded);
        assert!(copied.packet.len() > 6000);
        for most in [1, 3, 50] {
            assert!(written(most, |key| key) == bytes);
        }
    }
}
