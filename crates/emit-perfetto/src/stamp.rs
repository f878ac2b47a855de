//! Slices as copies of a template: most bytes of a slice are those of the last one of its kind.
//!
//! A template is the packet that begins a slice. What differs from slice to slice is numbers: times, ids, sizes, addresses,
//! interned texts. In a template each number has a fixed width, and a copy gets its own numbers at the same places. A varint
//! is padded to its width with continuation bits, which every reader of protobuf accepts. Flows are behind all else; they
//! count for the lengths of packet and event, which are patched, too.

/// What a slice's numbers are. `0` is where it begins, in the trace's time; `1` and `2` are the lengths of the packet and
/// of the event in it.
pub(crate) type Numbers = [u64; MOST_NUMBERS];
/// Numbers that a slice can have; a power of two.
pub(crate) const MOST_NUMBERS: usize = 32;
pub(crate) const BEGIN: usize = 0;
pub(crate) const PACKET_LENGTH: usize = 1;
pub(crate) const EVENT_LENGTH: usize = 2;
/// The first number that is the source's own.
pub(crate) const FIRST_OWN: usize = 3;

/// Bits of a number that is written as eight bytes, not as a varint.
pub(crate) const EIGHT_BYTES: u8 = 64;
/// Bits of a varint that can be patched: what is patched at a time is eight bytes.
const MOST_BITS: u8 = 56;

/// A place of a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patch {
    /// Its first byte, from the start of the template (or of the event, while this is recorded).
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

/// The templates of a sequence, by key.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    /// Least room of each number: where it is known how far a number grows, templates need not be recorded anew.
    pub(crate) least: [u8; MOST_NUMBERS],
    bytes: Vec<u8>,
    patches: Vec<Patch>,
    /// Keys that fall to the same slot take turns.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    /// Where the template is in `bytes`, with [`SPARE`] bytes behind it.
    bytes: (u32, u32),
    /// Where its patches are: first those of varints, then those of eight bytes.
    patches: (u32, u32, u32),
    /// Bytes of the packet and of its event without flows.
    lengths: (u32, u32),
}

/// No slice has this key.
pub(crate) const NO_KEY: u64 = u64::MAX;
const EMPTY: Slot = Slot { key: NO_KEY, bytes: (0, 0), patches: (0, 0, 0), lengths: (0, 0) };

/// Templates that are known at once, as a power of two: slices near each other are of few kinds.
const SLOT_BITS: u32 = 9;
/// Bytes behind a template, so that its last number can be patched as eight bytes.
const SPARE: usize = 8;
/// Bytes of templates above which all are given up: in a run in which every command is its own they would become as
/// many as those of the trace.
const MOST_BYTES: usize = 1 << 18;

impl Stamps {
    fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOT_BITS)) as usize
    }

    /// Appends a copy of the key's template with these numbers, which `flows` more bytes follow. Returns whether there is such a
    /// template with room for them.
    #[inline]
    pub(crate) fn copy(
        &self,
        key: u64,
        numbers: &mut Numbers,
        flows: usize,
        out: &mut Vec<u8>,
    ) -> bool {
        match self.slots.get(Self::slot(key)) {
            Some(slot) if slot.key == key && key != NO_KEY => {
                self.copy_of(slot, numbers, flows, out)
            }
            _ => false,
        }
    }

    fn copy_of(&self, slot: &Slot, numbers: &mut Numbers, flows: usize, out: &mut Vec<u8>) -> bool {
        let Slot { bytes, patches: (first, words, end), lengths, .. } = *slot;
        let Some(template) = self.bytes.get(bytes.0 as usize..bytes.1 as usize) else {
            return false;
        };
        numbers[PACKET_LENGTH] = u64::from(lengths.0) + flows as u64;
        numbers[EVENT_LENGTH] = u64::from(lengths.1) + flows as u64;
        let varints = self.patches.get(first as usize..words as usize).unwrap_or_default();
        let words = self.patches.get(words as usize..end as usize).unwrap_or_default();
        let start = out.len();
        out.extend_from_slice(template);
        let Some(copy) = out.get_mut(start..) else { return false };
        let mut excess = 0;
        for patch in varints {
            let value = numbers[usize::from(patch.number) % MOST_NUMBERS];
            excess |= value >> (patch.bits & 63);
            put(copy, patch.at, spread(value));
        }
        for patch in words {
            put(copy, patch.at, numbers[usize::from(patch.number) % MOST_NUMBERS]);
        }
        let end = if excess == 0 { out.len() - SPARE } else { start };
        out.truncate(end);
        excess == 0
    }

    /// Room that the key's next template needs at least for each number: that of its present one.
    pub(crate) fn rooms(&self, key: u64) -> [u8; MOST_NUMBERS] {
        let mut rooms = self.least;
        let Some(slot) = self.slots.get(Self::slot(key)).filter(|slot| slot.key == key) else {
            return rooms;
        };
        let (first, words, _) = slot.patches;
        for patch in self.patches.get(first as usize..words as usize).unwrap_or_default() {
            let room = &mut rooms[usize::from(patch.number) % MOST_NUMBERS];
            *room = patch.bits.max(*room);
        }
        rooms
    }

    /// Enters the key's template, and appends a copy of it with these numbers, all of which it has room for. `lengths`: bytes
    /// of the packet and of its event, without the `flows` bytes that follow.
    pub(crate) fn enter(
        &mut self,
        key: u64,
        (template, lengths): (&[u8], (u32, u32)),
        patches: &[Patch],
        (numbers, flows): (&mut Numbers, usize),
        out: &mut Vec<u8>,
    ) {
        if self.bytes.len() > MOST_BYTES {
            *self = Self { least: self.least, ..Self::default() };
        }
        let at = |len: usize| len as u32;
        let start = at(self.bytes.len());
        self.bytes.extend_from_slice(template);
        self.bytes.extend_from_slice(&[0; SPARE]);
        let first = at(self.patches.len());
        self.patches.extend(patches.iter().filter(|patch| patch.bits != EIGHT_BYTES));
        let words = at(self.patches.len());
        self.patches.extend(patches.iter().filter(|patch| patch.bits == EIGHT_BYTES));
        let end = at(self.patches.len());
        let bytes = (start, at(self.bytes.len()));
        let slot = Slot { key, bytes, patches: (first, words, end), lengths };
        self.copy_of(&slot, numbers, flows, out);
        if key != NO_KEY {
            self.slots.resize(1 << SLOT_BITS, EMPTY);
            self.slots[Self::slot(key)] = slot;
        }
    }
}

/// Sets the bits of a word at a place of a copy, eight bytes at once: the bytes of the template behind the place are kept.
#[inline]
fn put(copy: &mut [u8], at: u32, word: u64) {
    let at = at as usize;
    if let Some(place) = copy.get_mut(at..at + SPARE).and_then(|place| place.first_chunk_mut()) {
        *place = (u64::from_le_bytes(*place) | word).to_le_bytes();
    }
}

/// Whether a varint of so many bits can be patched.
pub(crate) fn is_patchable(bits: u8) -> bool {
    bits <= MOST_BITS
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
                let mut template = vec![9];
                append_room(&mut template, bits);
                template.push(7);
                let patch = Patch { at: 1, number: 3, bits };
                let mut numbers = [0; MOST_NUMBERS];
                numbers[3] = value;
                let mut out = vec![5];
                let all = (&*template, (0, 0));
                Stamps::default().enter(1, all, &[patch], (&mut numbers, 0), &mut out);
                assert_eq!(
                    (out.len(), out[..2].to_vec(), out.last()),
                    (template.len() + 1, vec![5, 9], Some(&7))
                );
                let mut rest = &out[2..];
                assert_eq!(decode_varint(&mut rest).unwrap(), value);
                assert_eq!(rest, [7]);
            }
        }
    }

    #[test]
    fn a_number_without_room_appends_nothing() {
        let mut template = Vec::new();
        append_room(&mut template, 7);
        let patch = Patch { at: 0, number: 5, bits: 7 };
        let mut stamps = Stamps::default();
        let (mut out, mut numbers) = (Vec::new(), [0; MOST_NUMBERS]);
        numbers[5] = 127;
        stamps.enter(4, (&template, (0, 0)), &[patch], (&mut numbers, 0), &mut out);
        numbers[5] = 128;
        assert!(!stamps.copy(4, &mut numbers, 0, &mut out));
        assert!(!stamps.copy(5, &mut numbers, 0, &mut out));
        assert_eq!(out, [127]);
        assert_eq!(stamps.rooms(4)[5], 7);
    }

    #[test]
    fn what_is_known_stays_bounded() {
        let (mut stamps, mut out) = (Stamps::default(), Vec::new());
        for key in 0..20_000 {
            out.clear();
            let numbers = &mut [0; MOST_NUMBERS];
            stamps.enter(key, (&[1; 100], (0, 0)), &[], (numbers, 0), &mut out);
            assert_eq!(out, [1; 100]);
            assert!(stamps.bytes.len() <= MOST_BYTES + 200);
        }
    }
}
