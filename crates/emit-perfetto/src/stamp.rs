//! Slices as copies of templates: a template of the event behind the head that a sequence's packets have, so that a slice is
//! one copy, in which time and numbers are patched.

use std::array;
use std::sync::Arc;

use crate::event_flows::{EventFlow, FLOW_BYTES, append_flows, put_flows};
use crate::numbers::{BEGIN, END, NOTHING, Row, is_wide, place};
use crate::room::Room;
use crate::sequence::{Head, Lengths, ROOM, Sample};
use crate::short::{put, put_narrow};
use crate::template::{Patch, Template, Templates};
use crate::widths::AllWidths;

/// Where a number is in a packet.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its first byte.
    at: u16,
    /// Where its column is: see [`place`].
    column: u16,
}

/// A place that is patched with nothing.
const NOWHERE: Place = Place { at: 0, column: place(NOTHING, 0) as u16 };

/// Narrow places that are patched without a question in between, and flows that are there without one for memory.
const AT_ONCE: usize = 4;

/// The packet that begins a slice, without its flows.
#[derive(Debug)]
pub(crate) struct Stamp {
    /// Filled up with 0.
    packet: Box<[[u8; COPIED]]>,
    length: u16,
    /// Places of four bytes, filled up with [`NOWHERE`].
    narrow: Box<[[Place; AT_ONCE]]>,
    /// Places of eight bytes, without that of the time.
    wide: Box<[Place]>,
    /// Lengths of the packet and its event, by the number of flows.
    lengths: [Lengths; AT_ONCE + 1],
    /// Bytes before the event.
    head: u16,
}

/// Bytes of a packet, at most; a power of two.
const MOST_BYTES: usize = 1 << 10;

/// Bytes that are copied at a time.
const COPIED: usize = 64;

/// Flows of a slice that is a copy, at most: lengths have room for these.
pub(crate) const MOST_FLOWS: usize = 256;

fn filled_up(packet: &[u8]) -> Box<[[u8; COPIED]]> {
    let mut all = vec![[0; COPIED]; packet.len().div_ceil(COPIED)];
    if let Some(to) = all.as_flattened_mut().get_mut(..packet.len()) {
        to.copy_from_slice(packet);
    }
    all.into()
}

/// Returns the lengths of a packet and its event, by the number of flows.
fn lengths(head: usize, packet: usize) -> [Lengths; AT_ONCE + 1] {
    array::from_fn(|flows| Head::lengths(head, packet - head + flows * FLOW_BYTES))
}

impl Stamp {
    /// `None` where the packet is too long, or its length does not fit its room.
    pub(crate) fn new(head: &Head, template: &Template) -> Option<Self> {
        let event = template.event();
        let mut packet = Vec::with_capacity(head.length() + event.len());
        head.append(&mut packet, event.len(), MOST_FLOWS * FLOW_BYTES)?;
        let head = packet.len();
        packet.extend_from_slice(event);
        if packet.len() > MOST_BYTES {
            return None;
        }
        let patches = template.patches();
        let of_patch = |patch: &Patch| Place {
            at: (head + patch.at as usize) as u16,
            column: place(patch.number.into(), 0) as u16,
        };
        let is_wide = |patch: &&Patch| is_wide(patch.number.into(), patch.bits);
        let wide = patches.iter().filter(is_wide).map(of_patch);
        let wide: Vec<Place> = wide.collect();
        let mut narrow = vec![[NOWHERE; AT_ONCE]; (patches.len() - wide.len()).div_ceil(AT_ONCE)];
        let all = patches.iter().filter(|patch| !is_wide(patch)).map(of_patch);
        narrow.as_flattened_mut().iter_mut().zip(all).for_each(|(to, from)| *to = from);
        Some(Self {
            packet: filled_up(&packet),
            length: packet.len() as u16,
            narrow: narrow.into(),
            wide: wide.into(),
            lengths: lengths(head, packet.len()),
            head: head as u16,
        })
    }

    /// Puts it behind a head with wider times; `None` as of a new one.
    fn widen(&mut self, head: &Head) -> Option<()> {
        let Self { packet, length, narrow, wide, head: before, .. } = self;
        let event = packet.as_flattened().get((*before).into()..(*length).into())?;
        let mut wider = Vec::with_capacity(head.length() + event.len());
        head.append(&mut wider, event.len(), MOST_FLOWS * FLOW_BYTES)?;
        let head = wider.len() as u16;
        wider.extend_from_slice(event);
        if wider.len() > MOST_BYTES {
            return None;
        }
        // Also of those that are patched with nothing.
        for place in narrow.as_flattened_mut().iter_mut().chain(wide) {
            place.at += head - *before;
        }
        (self.packet, self.length, self.head) = (filled_up(&wider), wider.len() as u16, head);
        self.lengths = lengths(head.into(), wider.len());
        Some(())
    }

    /// Writes a copy with these numbers, which its template fits, with at most [`MOST_FLOWS`] flows, and behind it the slice's end
    /// if it is given, with its value.
    #[inline]
    pub(crate) fn write(
        &self,
        room: &mut Room<'_>,
        numbers: Row<'_>,
        flows: &[EventFlow],
        end: Option<(&Sample, Option<u64>)>,
    ) {
        let Some(copy) = room.next::<{ MOST_BYTES + AT_ONCE * FLOW_BYTES + ROOM }>() else {
            return;
        };
        let chunks = self.packet.len().min(MOST_BYTES / COPIED);
        let (to, from) = (&mut copy.as_chunks_mut().0[..chunks], &self.packet[..chunks]);
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        put(copy, Head::TIME, numbers.wide(BEGIN));
        for places in &self.narrow {
            for Place { at, column } in places {
                let word = numbers.narrow_at((*column).into());
                put_narrow(copy, usize::from(*at) % MOST_BYTES, word);
            }
        }
        for Place { at, column } in &self.wide {
            put(copy, usize::from(*at) % MOST_BYTES, numbers.wide_at((*column).into()));
        }
        let mut length = usize::from(self.length);
        let (some, others) = flows.split_at(flows.len().min(AT_ONCE));
        if !some.is_empty() {
            let head = usize::from(self.head);
            let event = length - head + flows.len() * FLOW_BYTES;
            let lengths = self.lengths.get(flows.len()).copied();
            Head::put_lengths(copy, head, lengths.unwrap_or_else(|| Head::lengths(head, event)));
            let behind = copy.get_mut(length..).and_then(|behind| behind.first_chunk_mut());
            if let Some(behind) = behind {
                put_flows::<{ AT_ONCE * FLOW_BYTES }>(behind, some);
            }
            length += some.len() * FLOW_BYTES;
        }
        if !others.is_empty() {
            room.wrote(length);
            room.append(|out| append_flows(out, others));
            end.iter().for_each(|(end, value)| end.copy(room, numbers.wide(END), *value));
            return;
        }
        if let Some((end, value)) = end
            && let Some(behind) = copy.get_mut(length..).and_then(|behind| behind.first_chunk_mut())
        {
            length += end.put(behind, numbers.wide(END), value);
        }
        room.wrote(length);
    }
}

/// The templates of a sequence, by key.
#[derive(Debug)]
pub(crate) struct Stamps {
    widths: Arc<AllWidths>,
    /// Templates of all tracks that have the same widths and texts.
    shared: Arc<Templates>,
    /// Which of the stamps is in use in each slot, counted from 1; keys that fall to the same slot take turns.
    slots: Box<[u16; 1 << SLOT_BITS]>,
    all: Vec<(u64, Stamp)>,
}

/// No slice has this key.
pub(crate) const NO_KEY: u64 = u64::MAX;

/// Stamps that are known at once, as a power of two: slices near each other are of few kinds.
const SLOT_BITS: u32 = 9;

impl Stamps {
    pub(crate) fn new(widths: Arc<AllWidths>, shared: Arc<Templates>) -> Self {
        Self { widths, shared, slots: Box::new([0; 1 << SLOT_BITS]), all: Vec::new() }
    }

    pub(crate) fn widths(&self) -> &Arc<AllWidths> {
        &self.widths
    }

    #[inline]
    fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOT_BITS)) as usize
    }

    /// The stamp of a key, if it is in use.
    #[inline]
    pub(crate) fn in_use(&self, key: u64) -> Option<&Stamp> {
        let at = usize::from(self.slots[Self::slot(key)]);
        match self.all.get(at.wrapping_sub(1)) {
            Some((known, stamp)) if *known == key => Some(stamp),
            _ => None,
        }
    }

    /// The template of a key, if any track has recorded it.
    pub(crate) fn shared(&self, key: u64) -> Option<Arc<Template>> {
        self.shared.get(key).filter(|_| key != NO_KEY)
    }

    /// Tracks can share a template from now on.
    pub(crate) fn share(&self, key: u64, template: &Arc<Template>) {
        if key != NO_KEY {
            self.shared.enter(key, template);
        }
    }

    /// From now on the stamp is in use.
    pub(crate) fn enter(&mut self, key: u64, stamp: Stamp) {
        if key == NO_KEY {
            return;
        }
        let slot = &mut self.slots[Self::slot(key)];
        match self.all.get_mut(usize::from(*slot).wrapping_sub(1)) {
            Some(other) => *other = (key, stamp),
            None => {
                self.all.push((key, stamp));
                *slot = self.all.len() as u16;
            }
        }
    }

    /// The head of all packets is wider now.
    pub(crate) fn widen(&mut self, head: &Head) {
        if !self.all.iter_mut().all(|(_, stamp)| stamp.widen(head).is_some()) {
            self.all.clear();
            self.slots.fill(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::decode_varint;

    use super::*;
    use crate::numbers::{FIRST_WIDE, Numbers};
    use crate::short::Short;
    use crate::template::{MOST_SHARED, Uses};
    use crate::widths::{MOST_BITS, MOST_NUMBERS, OF_SIZES, append_room, room};

    fn head() -> Head {
        let mut head = Head::new(Short::write(|out| out.extend([0x50, 3, 0x5a])));
        head.widen(1000);
        head
    }

    #[test]
    fn numbers_of_any_size_fit_their_room() {
        let head = head();
        for value in (0..56).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]) {
            for wider in [0, 7, 14] {
                let bits = (room(value) + wider).min(MOST_BITS);
                let mut event = vec![9];
                append_room(&mut event, bits);
                event.push(7);
                for number in [3, FIRST_WIDE] {
                    let patch = Patch { at: 1, number: number as u8, bits };
                    let template = Template::new(&event, &[patch], Uses::default());
                    let mut numbers = Numbers::new();
                    if is_wide(number, bits) {
                        numbers.set_wide(number, 1, value);
                    } else {
                        numbers.column(number)[1] = value as u32;
                    }
                    numbers.spread(3, 2);
                    assert!(template.fits(numbers.row(1)));
                    assert_eq!(template.copy(numbers.row(1)).len(), event.len());
                    let mut out = vec![5];
                    let stamp = Stamp::new(&head, &template).unwrap();
                    stamp.write(&mut Room::for_one(&mut out), numbers.row(1), &[], None);
                    let event_at = out.len() - event.len();
                    assert_eq!((out[0], out[event_at], out.last()), (5, 9, Some(&7)));
                    let mut rest = &out[event_at + 1..];
                    assert_eq!(decode_varint(&mut rest).unwrap(), value);
                    assert_eq!(rest, [7]);
                }
            }
        }
    }

    #[test]
    fn a_number_without_room_is_told() {
        let mut event = Vec::new();
        append_room(&mut event, 7);
        let template =
            Template::new(&event, &[Patch { at: 0, number: 5, bits: 7 }], Uses::default());
        let mut numbers = Numbers::new();
        for (value, fits) in [(127, true), (128, false)] {
            numbers.column(5)[0] = value;
            numbers.spread(5, 1);
            assert_eq!(template.fits(numbers.row(0)), fits);
        }
    }

    #[test]
    fn tracks_share_a_bounded_number_of_templates() {
        let shared = Arc::<Templates>::default();
        let widths = Arc::new([(); MOST_NUMBERS].map(|()| OF_SIZES.clone()));
        let [mut one, other] =
            [(); 2].map(|()| Stamps::new(Arc::clone(&widths), Arc::clone(&shared)));
        let template = Arc::new(Template::new(&[1], &[], Uses::default()));
        let stamp = || Stamp::new(&head(), &template).unwrap();
        one.share(5, &template);
        [5, 6, NO_KEY].into_iter().for_each(|key| one.enter(key, stamp()));
        one.share(NO_KEY, &template);
        assert!(one.in_use(5).is_some() && one.in_use(6).is_some());
        assert!(other.in_use(5).is_none() && other.shared(5).is_some());
        assert!(other.shared(6).is_none());
        assert!(one.in_use(NO_KEY).is_none() && one.shared(NO_KEY).is_none());
        one.widen(&head());
        assert!(one.in_use(5).is_some());
        // No time has room there.
        one.widen(&Head::new(Short::write(|_| {})));
        assert!(one.in_use(5).is_none());
        (0..10_000).for_each(|key| one.share(key, &template));
        assert_eq!(shared.count(), MOST_SHARED);
    }
}
