//! Slices as copies of a template: most bytes of a slice are those of the last one of its kind.
//!
//! A template is the event that begins a slice. What differs from slice to slice is numbers: ids, sizes, addresses,
//! interned texts. In a template each number has a fixed width, and a copy gets its own numbers at the same places. A varint
//! is padded to its width with continuation bits, which every reader of protobuf accepts. What is before the event, and
//! flows, which are behind it, are not in the template.
//!
//! Tracks share templates. How wide a number is depends on its value alone, and interned texts have the same ids on all
//! tracks, so that it does not matter which track records a template first.

use std::sync::{Arc, Mutex};

use foldhash::HashMap;

use crate::interned::TextKind;
use crate::short::put;

/// What a slice's numbers are.
pub(crate) type Numbers = [u64; MOST_NUMBERS];
/// Numbers that a slice can have; a power of two.
pub(crate) const MOST_NUMBERS: usize = 32;

/// Bits of a number that is written as eight bytes, not as a varint.
pub(crate) const EIGHT_BYTES: u8 = 64;
/// Bits of a varint that can be patched: what is patched at a time is eight bytes.
const MOST_BITS: u8 = 56;

/// A place of a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patch {
    /// Its first byte, from the start of the event.
    pub(crate) at: u32,
    /// Which of the [`Numbers`].
    pub(crate) number: u8,
    /// Bits for which there is room: 7 for each byte of a varint.
    pub(crate) bits: u8,
}

/// Bits of room for a varint: as many as the number needs, in whole bytes. More than [`MOST_BITS`] can't be patched.
pub(crate) fn room(value: u64) -> u8 {
    let bits = (u64::BITS - value.leading_zeros()).max(1);
    (bits.div_ceil(7) * 7) as u8
}

/// Whether a varint of so many bits can be patched.
pub(crate) fn is_patchable(bits: u8) -> bool {
    bits <= MOST_BITS
}

/// Widths that a number has in templates, in bits, the least first: it has the first one that it fits. Which one is part of the key of a
/// template, see [`Widths::class`].
#[derive(Debug, Clone)]
pub(crate) struct Widths {
    all: [u8; 4],
    /// By the number's highest bit.
    classes: [u8; 64],
}

/// Of counts and short times.
pub(crate) static OF_COUNTS: Widths = Widths::of([7, 14, 28, MOST_BITS]);
/// Of sizes, times, and ids of texts.
pub(crate) static OF_SIZES: Widths = Widths::of([14, 21, 28, MOST_BITS]);
/// Of addresses: 0, or one in memory.
pub(crate) static OF_ADDRESSES: Widths = Widths::of([7, 35, 42, MOST_BITS]);

impl Widths {
    const fn of(all: [u8; 4]) -> Self {
        let mut classes = [0; 64];
        let mut bit = 0;
        while bit < 64 {
            let mut class = 0;
            while class < 3 && bit as u8 >= all[class] {
                class += 1;
            }
            classes[bit] = class as u8;
            bit += 1;
        }
        Self { all, classes }
    }

    /// The one width of a number whose greatest value is known.
    pub(crate) fn up_to(most: u64) -> Self {
        Self { all: [room(most).min(MOST_BITS); 4], classes: [0; 64] }
    }

    /// Which of the widths a number has: below 4.
    #[inline]
    pub(crate) fn class(&self, value: u64) -> u8 {
        self.classes[(value | 1).ilog2() as usize & 63]
    }

    /// Bits of that width; `None` where the number does not fit it.
    pub(crate) fn bits(&self, value: u64) -> Option<u8> {
        let bits = self.all[usize::from(self.class(value)) & 3];
        (room(value) <= bits).then_some(bits)
    }
}

/// The widths of all numbers.
pub(crate) type AllWidths = [Widths; MOST_NUMBERS];

/// Appends room for a varint: 0, padded with continuation bits.
pub(crate) fn append_room(out: &mut Vec<u8>, bits: u8) {
    let bytes = usize::from(bits / 7);
    out.resize(out.len() + bytes.saturating_sub(1), 0x80);
    out.push(0);
}

/// The groups of 7 bits of a number below 2^56, each in a byte: in halves, quarters and eighths.
#[inline]
pub(crate) fn spread(value: u64) -> u64 {
    let halves = (value & 0x0fff_ffff) | (value & 0x00ff_ffff_f000_0000) << 4;
    let quarters = (halves & 0x3fff_0000_3fff) | (halves & 0x0fff_c000_0fff_c000) << 2;
    (quarters & 0x007f_007f_007f_007f) | (quarters & 0x3f80_3f80_3f80_3f80) << 1
}

/// The same of a number below 2^14: most of a slice are.
#[inline]
pub(crate) fn spread_short(value: u64) -> u64 {
    (value & 0x7f) | (value & 0x3f80) << 1
}

/// Bits of such a number.
pub(crate) const SHORT_BITS: u8 = 14;

/// Interned texts that a template needs.
#[derive(Debug, Default, Clone)]
pub(crate) struct Uses {
    /// Names of arguments: a bit each.
    pub(crate) args: u64,
    /// Texts that tracks share.
    pub(crate) texts: Vec<(TextKind, u64)>,
}

/// The event of a slice, without its flows.
#[derive(Debug)]
pub(crate) struct Template {
    /// With [`SPARE`] bytes behind it.
    event: Box<[u8]>,
    /// Of varints of at most [`SHORT_BITS`].
    short: Box<[Patch]>,
    /// Of other varints.
    long: Box<[Patch]>,
    /// Of eight bytes.
    words: Box<[Patch]>,
    uses: Uses,
}

/// Bytes behind a template, so that its last number can be patched as eight bytes.
const SPARE: usize = 8;

impl Template {
    pub(crate) fn new(event: &[u8], patches: &[Patch], uses: Uses) -> Self {
        let of = |bits: std::ops::RangeInclusive<u8>| {
            patches.iter().filter(|patch| bits.contains(&patch.bits)).copied().collect()
        };
        Self {
            event: event.iter().copied().chain([0; SPARE]).collect(),
            short: of(0..=SHORT_BITS),
            long: of(SHORT_BITS + 1..=MOST_BITS),
            words: of(EIGHT_BYTES..=EIGHT_BYTES),
            uses,
        }
    }

    /// Bytes of the event.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.event.len() - SPARE
    }

    pub(crate) fn uses(&self) -> &Uses {
        &self.uses
    }

    /// Whether there is room for these numbers.
    pub(crate) fn fits(&self, numbers: &Numbers) -> bool {
        let number = |patch: &Patch| numbers[usize::from(patch.number) % MOST_NUMBERS];
        let mut varints = self.short.iter().chain(&self.long);
        varints.all(|patch| number(patch) >> (patch.bits & 63) == 0)
    }

    /// Appends a copy with these numbers. Returns whether all of them fit.
    #[inline]
    pub(crate) fn append(&self, numbers: &Numbers, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        out.extend_from_slice(&self.event);
        let Some(copy) = out.get_mut(start..) else { return false };
        let number = |patch: &Patch| numbers[usize::from(patch.number) % MOST_NUMBERS];
        let mut excess = 0;
        for patch in &self.short {
            let value = number(patch);
            excess |= value >> (patch.bits & 63);
            put(copy, patch.at as usize, spread_short(value));
        }
        for patch in &self.long {
            let value = number(patch);
            excess |= value >> (patch.bits & 63);
            put(copy, patch.at as usize, spread(value));
        }
        for patch in &self.words {
            put(copy, patch.at as usize, number(patch));
        }
        out.truncate(start + self.length());
        excess == 0
    }
}

/// Templates of all tracks, by key.
#[derive(Debug, Default)]
pub(crate) struct Templates(Mutex<HashMap<u64, Arc<Template>>>);

/// Templates that are shared, at most: in a run in which every command is its own they would become as many as its
/// slices.
const MOST_SHARED: usize = 1 << 12;

impl Templates {
    fn get(&self, key: u64) -> Option<Arc<Template>> {
        self.0.lock().ok()?.get(&key).cloned()
    }

    fn enter(&self, key: u64, template: &Arc<Template>) {
        if let Ok(mut all) = self.0.lock()
            && all.len() < MOST_SHARED
        {
            all.insert(key, Arc::clone(template));
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
    slots: Vec<Option<(u64, Arc<Template>)>>,
}

/// No slice has this key.
pub(crate) const NO_KEY: u64 = u64::MAX;

/// Templates that are known at once, as a power of two: slices near each other are of few kinds.
const SLOT_BITS: u32 = 9;

impl Stamps {
    pub(crate) fn new(widths: Arc<AllWidths>, shared: Arc<Templates>) -> Self {
        Self { widths, shared, slots: Vec::new() }
    }

    pub(crate) fn widths(&self) -> &Arc<AllWidths> {
        &self.widths
    }

    fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOT_BITS)) as usize
    }

    /// The template of a key, if it is in use.
    #[inline]
    pub(crate) fn in_use(&self, key: u64) -> Option<&Template> {
        match self.slots.get(Self::slot(key)) {
            Some(Some((known, template))) if *known == key && key != NO_KEY => Some(template),
            _ => None,
        }
    }

    /// The template of a key, if any track has recorded it; from now on it is in use.
    pub(crate) fn shared(&mut self, key: u64) -> Option<Arc<Template>> {
        let template = self.shared.get(key).filter(|_| key != NO_KEY)?;
        self.enter(key, &template);
        Some(template)
    }

    /// Enters a template; `is_shared`: tracks can share it.
    pub(crate) fn record(&mut self, key: u64, template: &Arc<Template>, is_shared: bool) {
        if key == NO_KEY {
            return;
        }
        if is_shared {
            self.shared.enter(key, template);
        }
        self.enter(key, template);
    }

    fn enter(&mut self, key: u64, template: &Arc<Template>) {
        self.slots.resize(1 << SLOT_BITS, None);
        if let Some(slot) = self.slots.get_mut(Self::slot(key)) {
            *slot = Some((key, Arc::clone(template)));
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_perfetto_protos::prost::encoding::decode_varint;

    use super::*;

    #[test]
    fn numbers_of_any_size_fit_their_room() {
        for value in (0..56).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]) {
            for wider in [0, 7, 14] {
                let bits = (room(value) + wider).min(MOST_BITS);
                let mut event = vec![9];
                append_room(&mut event, bits);
                event.push(7);
                let template =
                    Template::new(&event, &[Patch { at: 1, number: 3, bits }], Uses::default());
                let mut numbers = [0; MOST_NUMBERS];
                numbers[3] = value;
                let mut out = vec![5];
                assert!(template.append(&numbers, &mut out));
                assert_eq!(
                    (out.len(), out[..2].to_vec(), out.last()),
                    (event.len() + 1, vec![5, 9], Some(&7))
                );
                let mut rest = &out[2..];
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
        let mut numbers = [0; MOST_NUMBERS];
        for (value, fits) in [(127, true), (128, false)] {
            numbers[5] = value;
            assert_eq!(template.append(&numbers, &mut Vec::new()), fits);
        }
    }

    #[test]
    fn a_width_depends_on_the_number_alone() {
        for widths in [&OF_COUNTS, &OF_SIZES, &OF_ADDRESSES, &Widths::up_to(300)] {
            for value in (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]) {
                match widths.bits(value) {
                    Some(bits) => {
                        assert!(room(value) <= bits);
                        assert_eq!(bits, widths.all[usize::from(widths.class(value))]);
                    }
                    None => assert!(room(value) > widths.all[3]),
                }
            }
        }
    }

    #[test]
    fn tracks_share_a_bounded_number_of_templates() {
        let shared = Arc::<Templates>::default();
        let widths = Arc::new([(); MOST_NUMBERS].map(|()| OF_SIZES.clone()));
        let [mut one, mut other] =
            [(); 2].map(|()| Stamps::new(Arc::clone(&widths), Arc::clone(&shared)));
        let template = Arc::new(Template::new(&[1], &[], Uses::default()));
        one.record(5, &template, true);
        one.record(6, &template, false);
        one.record(NO_KEY, &template, true);
        assert!(one.in_use(5).is_some() && one.in_use(6).is_some());
        assert!(other.in_use(5).is_none() && other.shared(5).is_some());
        assert!(other.in_use(5).is_some() && other.shared(6).is_none());
        assert!(one.in_use(NO_KEY).is_none() && one.shared(NO_KEY).is_none());
        (0..10_000).for_each(|key| one.record(key, &template, true));
        assert_eq!(shared.0.lock().unwrap().len(), MOST_SHARED);
    }
}
