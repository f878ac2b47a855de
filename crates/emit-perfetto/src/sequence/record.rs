//! Slices as copies of templates: how a template is recorded.

use std::sync::Arc;

use bigtpu_perfetto_protos::field::{trace, trace_packet, track_event};
use bigtpu_perfetto_protos::track_event::Type;

use super::{Moment, NEEDS_STATE, Sequence};
use crate::args::Args;
use crate::event_flows::{EventFlow, FLOW_BYTES, append_flow};
use crate::interned::TextKind;
use crate::numbers::{
    AllWidths, EIGHT_BYTES, MOST_NUMBERS, Numbers, append_room, is_patchable, room,
};
use crate::stamp::{MOST_FLOWS, NO_KEY, Stamp, Stamps};
use crate::template::{Patch, Template, Uses};
use crate::wire;

/// A template while it is recorded: where its numbers are, and what it needs.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    patches: Vec<Patch>,
    /// Memory that is used again.
    event: Vec<u8>,
    uses: Uses,
    /// Of the numbers; `None` while no template is recorded.
    widths: Option<Arc<AllWidths>>,
    /// All numbers fit their widths, so that the template is also that of other slices of the key.
    fits: bool,
    /// It has texts that other tracks don't know by the same ids.
    is_own: bool,
}

impl Recorded {
    fn start(&mut self, widths: Arc<AllWidths>) {
        self.patches.clear();
        self.uses = Uses::default();
        self.widths = Some(widths);
        self.fits = true;
        self.is_own = false;
    }

    fn is_on(&self) -> bool {
        self.widths.is_some()
    }

    /// Notes that a template needs a text that tracks share. Returns whether one is recorded: it is to be written with
    /// all others then.
    pub(super) fn takes_text(&mut self, kind: TextKind, id: u64) -> bool {
        if self.is_on() {
            self.uses.texts.push((kind, id));
        }
        self.is_on()
    }

    /// A text of this track alone was written.
    pub(super) fn uses_own(&mut self) {
        self.is_own = true;
    }

    /// The same of the name of a known argument; its bit.
    pub(super) fn takes_arg(&mut self, bit: u64) -> bool {
        if self.is_on() {
            self.uses.args |= bit;
        }
        self.is_on()
    }
}

/// What a slice is a copy of, and what is not in its numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SliceOf<'f> {
    /// Of its template: only slices whose numbers have the same widths have the same.
    pub(crate) key: u64,
    /// ns.
    pub(crate) start: i64,
    /// ns.
    pub(crate) end: i64,
    /// Flows that start at the slice, or end where it begins.
    pub(crate) flows: &'f [EventFlow],
    pub(crate) ending: Ending,
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

impl Sequence {
    /// Appends a slice: its beginning, a copy of the key's template with these numbers, and its end. `write` writes the
    /// arguments of a slice with this key; the numbers of those that differ from slice to slice are recorded by the functions
    /// of [`Args`] that take them. A slice of [`NO_KEY`] has a template of its own.
    #[inline]
    pub(crate) fn slice(
        &mut self,
        out: &mut Vec<u8>,
        stamps: &mut Stamps,
        of: SliceOf<'_>,
        numbers: &Numbers,
        write: impl FnOnce(&mut Args<'_>, &Numbers),
    ) {
        let SliceOf { key, start, end, flows, ending } = of;
        let begin = self.advance(out, start);
        if !self.fresh.is_empty() {
            self.entries(out);
        }
        if !self.constant.begin.fits(begin.ns) {
            self.constant.begin.widen(begin.ns);
            stamps.forget();
        }
        match stamps.in_use(key) {
            Some(stamp) if flows.len() <= MOST_FLOWS => {
                stamp.append(out, begin.word, numbers, flows)
            }
            _ => {
                let (key, template) = self.learn(stamps, key, numbers, write);
                self.new_slice(out, stamps, (key, &template), begin, numbers, flows);
            }
        }
        let end = self.advance(out, end);
        match ending {
            Ending::Nothing => self.constant.end.append(out, end, None),
            Ending::Zero => self.constant.end_with_zero.append(out, end, None),
            Ending::Flow(flow) => self.constant.end_with_flow.append(out, end, Some(flow)),
        }
    }

    /// Appends the beginning of a slice whose template was not in use.
    #[cold]
    fn new_slice(
        &mut self,
        out: &mut Vec<u8>,
        stamps: &mut Stamps,
        (key, template): (u64, &Template),
        time: Moment,
        numbers: &Numbers,
        flows: &[EventFlow],
    ) {
        if !self.fresh.is_empty() {
            self.entries(out);
        }
        match Stamp::new(&self.constant.begin, template).filter(|_| flows.len() <= MOST_FLOWS) {
            Some(stamp) => {
                stamp.append(out, time.word, numbers, flows);
                stamps.enter(key, stamp);
            }
            None => {
                let event = template.copy(numbers);
                self.constant.begin.append_any(
                    out,
                    time.ns,
                    event.len() + flows.len() * FLOW_BYTES,
                );
                out.extend(event);
                flows.iter().for_each(|flow| append_flow(out, *flow));
            }
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

    /// The template of a slice whose numbers fit none in use: another track's, or a new one. Also the key by which it can be
    /// found.
    #[cold]
    fn learn(
        &mut self,
        stamps: &mut Stamps,
        key: u64,
        numbers: &Numbers,
        write: impl FnOnce(&mut Args<'_>, &Numbers),
    ) -> (u64, Arc<Template>) {
        if let Some(template) = stamps.shared(key)
            && template.fits(numbers)
        {
            self.meet(&template);
            return (key, template);
        }
        let mut event = std::mem::take(&mut self.recorded.event);
        event.clear();
        self.recorded.start(Arc::clone(stamps.widths()));
        wire::varint(&mut event, track_event::TYPE, Type::SliceBegin as u64);
        write(&mut Args::of_event(self, &mut event), numbers);
        let Recorded { patches, uses, fits, is_own, .. } = &mut self.recorded;
        let template = Arc::new(Template::new(&event, patches, std::mem::take(uses)));
        let key = if *fits { key } else { NO_KEY };
        if !*is_own {
            stamps.share(key, &template);
        }
        self.recorded.widths = None;
        self.recorded.event = event;
        self.meet(&template);
        (key, template)
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
        let value = numbers.value(number);
        let widths = self.recorded.widths.as_ref();
        let width = widths.and_then(|widths| widths[number % MOST_NUMBERS].bits(value));
        self.recorded.fits &= width.is_some();
        let bits = width.unwrap_or_else(|| room(value));
        if !is_patchable(bits) {
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
    use crate::event_flows::FlowPoint;
    use crate::names::Arg;
    use crate::numbers::{OF_SIZES, TOO_WIDE};

    /// Slices with numbers of all sizes, of few keys; `key` of a slice gives the key of its template.
    fn written(key: impl Fn(u64) -> u64) -> Vec<u8> {
        let mut sequence = Sequence::new(3, 4, 0);
        let mut out = Vec::new();
        let mut stamps =
            Stamps::new(Arc::new([(); MOST_NUMBERS].map(|()| OF_SIZES.clone())), Arc::default());
        let mut numbers = Numbers::new();
        let mut random: u64 = 1;
        let mut time = 0;
        for at in 0..3000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
            let value = random >> (random % 64);
            let own = at % 7;
            time += random as i64 >> 52 & 0xfff;
            numbers.set(4, value);
            let text = sequence.value(&format!("text {}", value % 1000));
            numbers.set(5, text);
            let classes = [value, text].map(|value| u64::from(OF_SIZES.class(value)));
            let is_too_wide = classes.iter().any(|class| class & u64::from(TOO_WIDE) != 0);
            numbers.set_eight_bytes(6, (value as f64).to_bits());
            let flows = [(FlowPoint::Start, random), (FlowPoint::End, value)].repeat(300);
            let flows: Vec<EventFlow> =
                flows.into_iter().map(|(point, flow)| EventFlow::new(point, flow >> 2)).collect();
            let count = [0, 1, 2, 3, 4, 600][(value % 6) as usize];
            let slice = SliceOf {
                key: match is_too_wide {
                    true => NO_KEY,
                    false => key(own << 8 | classes[0] << 4 | classes[1]),
                },
                start: time,
                end: time + 5,
                flows: &flows[..count],
                ending: match own {
                    4.. => Ending::Flow(value),
                    3 => Ending::Zero,
                    _ => Ending::Nothing,
                },
            };
            sequence.slice(&mut out, &mut stamps, slice, &numbers, |args, numbers| {
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
