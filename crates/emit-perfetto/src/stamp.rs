//! Slices as copies of templates: a template of the event behind the head that a sequence's packets have, so that a slice is
//! one copy, in which time and numbers are patched.

use std::sync::Arc;

use crate::event_flows::{EventFlow, FLOW_BYTES, append_flow};
use crate::numbers::{AllWidths, Numbers};
use crate::sequence::Head;
use crate::short::put;
use crate::template::{Patch, Template, Templates};

/// Where a number is in a packet.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its first byte.
    at: u16,
    /// Which of the [`Numbers`].
    number: u16,
}

/// The packet that begins a slice, without its flows.
#[derive(Debug)]
pub(crate) struct Stamp {
    /// With [`SPARE`] bytes behind it, so that its last number can be patched as eight bytes.
    packet: Box<[u8]>,
    places: Box<[Place]>,
    /// Bytes before the event.
    head: u16,
}

/// Bytes that are patched at a time.
const SPARE: usize = 8;

/// Flows of a slice that is a copy, at most: lengths have room for these.
pub(crate) const MOST_FLOWS: usize = 256;

impl Stamp {
    /// `None` where the packet's length does not fit its room.
    pub(crate) fn new(head: &Head, template: &Template) -> Option<Self> {
        let event = template.event();
        let mut packet = Vec::with_capacity(head.length() + event.len() + SPARE);
        head.append(&mut packet, event.len(), MOST_FLOWS * FLOW_BYTES)?;
        let head = packet.len();
        packet.extend_from_slice(event);
        packet.extend_from_slice(&[0; SPARE]);
        // The whole packet is shorter than lengths can say.
        let place = |patch: &Patch| Place {
            at: (head + patch.at as usize) as u16,
            number: patch.number.into(),
        };
        Some(Self {
            packet: packet.into(),
            places: template.patches().iter().map(place).collect(),
            head: head as u16,
        })
    }

    /// Appends a copy at a time, as it is put into a template, with these numbers, which its template fits, and at most [`MOST_FLOWS`] flows.
    #[inline]
    pub(crate) fn append(
        &self,
        out: &mut Vec<u8>,
        time: u64,
        numbers: &Numbers,
        flows: &[EventFlow],
    ) {
        let start = out.len();
        out.extend_from_slice(&self.packet);
        let Some(copy) = out.get_mut(start..) else { return };
        put(copy, Head::TIME, time);
        for place in &self.places {
            put(copy, place.at.into(), numbers.word(place.number.into()));
        }
        let (head, length) = (usize::from(self.head), self.packet.len() - SPARE);
        if !flows.is_empty() {
            Head::put_lengths(copy, head, length - head + flows.len() * FLOW_BYTES);
        }
        out.truncate(start + length);
        for flow in flows {
            append_flow(out, *flow);
        }
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

    /// None is in use any more: heads have changed.
    pub(crate) fn forget(&mut self) {
        self.slots.clear();
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::decode_varint;

    use super::*;
    use crate::numbers::{MOST_BITS, MOST_NUMBERS, OF_SIZES, append_room, room};
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
                numbers.set(3, value);
                assert!(template.fits(&numbers));
                let mut out = vec![5];
                Stamp::new(&head, &template).unwrap().append(&mut out, 5, &numbers, &[]);
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
            numbers.set(5, value);
            assert_eq!(template.fits(&numbers), fits);
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
        one.forget();
        assert!(one.in_use(5).is_none());
        (0..10_000).for_each(|key| one.share(key, &template));
        assert_eq!(shared.count(), MOST_SHARED);
    }
}
