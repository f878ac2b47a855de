//! Slices as copies of templates: a template of the event behind the head that a sequence's packets have, so that a slice is
//! one copy, in which time and numbers are patched.

use std::iter;
use std::sync::Arc;

use crate::event_flows::{EventFlow, FLOW_BYTES, write_flows};
use crate::numbers::{AllWidths, BEGIN, NOTHING, Row, place};
use crate::room::Room;
use crate::sequence::Head;
use crate::short::put;
use crate::template::{Patch, Template, Templates};

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

/// The place of the time.
const TIME: Place = Place { at: Head::TIME as u16, column: place(BEGIN, 0) as u16 };

/// Places that are patched without a question in between.
const AT_ONCE: usize = 4;

/// The packet that begins a slice, without its flows.
#[derive(Debug)]
pub(crate) struct Stamp {
    packet: Box<[u8]>,
    /// Filled up with [`NOWHERE`].
    places: Box<[[Place; AT_ONCE]]>,
    /// Bytes before the event.
    head: u16,
}

/// Bytes of a packet, at most; a power of two.
const MOST_BYTES: usize = 1 << 10;

/// Bytes that are patched at a time.
const PATCHED: usize = 8;

/// Flows of a slice that is a copy, at most: lengths have room for these.
pub(crate) const MOST_FLOWS: usize = 256;

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
        let mut places = vec![[NOWHERE; AT_ONCE]; patches.len() / AT_ONCE + 1];
        let of_patch = |patch: &Patch| Place {
            at: (head + patch.at as usize) as u16,
            column: place(patch.number.into(), 0) as u16,
        };
        let all = iter::once(TIME).chain(patches.iter().map(of_patch));
        places.as_flattened_mut().iter_mut().zip(all).for_each(|(to, from)| *to = from);
        Some(Self { packet: packet.into(), places: places.into(), head: head as u16 })
    }

    /// The same behind a head with wider times; `None` as of a new one.
    fn behind(self, head: &Head) -> Option<Self> {
        let Self { packet, mut places, head: before } = self;
        let event = packet.get(before.into()..)?;
        let mut wider = Vec::with_capacity(head.length() + event.len());
        head.append(&mut wider, event.len(), MOST_FLOWS * FLOW_BYTES)?;
        let head = wider.len() as u16;
        wider.extend_from_slice(event);
        if wider.len() > MOST_BYTES {
            return None;
        }
        for place in places.as_flattened_mut().iter_mut().skip(1) {
            // Also of those that are patched with nothing.
            place.at += head - before;
        }
        Some(Self { packet: wider.into(), places, head })
    }

    /// Writes a copy with these numbers, which its template fits, and at most [`MOST_FLOWS`] flows.
    #[inline]
    pub(crate) fn write(&self, room: &mut Room<'_>, numbers: Row<'_>, flows: &[EventFlow]) {
        let Some(copy) = room.next::<{ MOST_BYTES + PATCHED }>() else { return };
        let length = self.packet.len();
        if let Some(copy) = copy.get_mut(..length) {
            copy.copy_from_slice(&self.packet);
        }
        for places in &self.places {
            for place in places {
                put(copy, usize::from(place.at) % MOST_BYTES, numbers.word_at(place.column.into()));
            }
        }
        if flows.is_empty() {
            return room.wrote(length);
        }
        let head = usize::from(self.head);
        Head::put_lengths(copy, head, length - head + flows.len() * FLOW_BYTES);
        room.wrote(length);
        write_flows(room, flows);
    }
}

/// The templates of a sequence, by key.
#[derive(Debug)]
pub(crate) struct Stamps {
    widths: Arc<AllWidths>,
    /// Those of all tracks that have the same widths and texts.
    shared: Arc<Templates>,
    /// The ones in use; keys that fall to the same slot take turns.
    slots: Vec<Option<(u64, Stamp)>>,
}

/// No slice has this key.
pub(crate) const NO_KEY: u64 = u64::MAX;

/// Stamps that are known at once, as a power of two: slices near each other are of few kinds.
const SLOT_BITS: u32 = 9;

impl Stamps {
    pub(crate) fn new(widths: Arc<AllWidths>, shared: Arc<Templates>) -> Self {
        Self { widths, shared, slots: Vec::new() }
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
        match self.slots.get(Self::slot(key)) {
            Some(Some((known, stamp))) if *known == key => Some(stamp),
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
        self.slots.resize_with(1 << SLOT_BITS, || None);
        if let Some(slot) = self.slots.get_mut(Self::slot(key)) {
            *slot = Some((key, stamp));
        }
    }

    /// The head of all packets is wider now.
    pub(crate) fn widen(&mut self, head: &Head) {
        for slot in &mut self.slots {
            *slot = slot.take().and_then(|(key, stamp)| Some((key, stamp.behind(head)?)));
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::decode_varint;

    use super::*;
    use crate::numbers::{MOST_BITS, MOST_NUMBERS, Numbers, OF_SIZES, append_room, room};
    use crate::short::Short;
    use crate::template::{MOST_SHARED, Uses};

    fn head() -> Head {
        let mut head = Head::new(Short::of(|out| out.extend([0x50, 3, 0x5a])));
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
                let patch = Patch { at: 1, number: 3, bits };
                let template = Template::new(&event, &[patch], Uses::default());
                let mut numbers = Numbers::new();
                numbers.set(3, 1, value);
                numbers.spread(3, 2);
                assert!(template.fits(numbers.row(1)));
                let mut out = vec![5];
                let stamp = Stamp::new(&head, &template).unwrap();
                stamp.write(&mut Room::for_many(&mut out), numbers.row(1), &[]);
                let event_at = out.len() - event.len();
                assert_eq!((out[0], out[event_at], out.last()), (5, 9, Some(&7)));
                let mut rest = &out[event_at + 1..];
                assert_eq!(decode_varint(&mut rest).unwrap(), value);
                assert_eq!(rest, [7]);
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
            numbers.set(5, 0, value);
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
        one.widen(&Head::new(Short::of(|_| {})));
        assert!(one.in_use(5).is_none());
        (0..10_000).for_each(|key| one.share(key, &template));
        assert_eq!(shared.count(), MOST_SHARED);
    }
}
