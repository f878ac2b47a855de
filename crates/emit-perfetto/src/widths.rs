//! How wide numbers are in a template.

use std::array;

use crate::spread::NARROW_BITS;

/// Numbers that a slice can have; a power of two.
pub(crate) const MOST_NUMBERS: usize = 32;

/// Bits of a number that is written as eight bytes, not as a varint.
pub(crate) const EIGHT_BYTES: u8 = 64;
/// Bits of a varint that can be patched: what is patched at a time is eight bytes.
pub(crate) const MOST_BITS: u8 = 56;

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
    /// Class of a number, by its highest bit.
    classes: [u8; 64],
}

/// Widths of counts and short times.
pub(crate) static OF_COUNTS: Widths = Widths::new([7, 14, 28, MOST_BITS]);
/// Widths of sizes, times, and ids of texts.
pub(crate) static OF_SIZES: Widths = Widths::new([14, 21, 28, MOST_BITS]);
/// Widths of addresses: 0, or one in memory.
pub(crate) static OF_ADDRESSES: Widths = Widths::new([7, 35, 42, MOST_BITS]);

/// Bit of a class that says that the number fits none of the widths: its slice is a copy of no other.
pub(crate) const TOO_WIDE: u8 = 1 << 7;

impl Widths {
    const fn new(all: [u8; 4]) -> Self {
        let mut classes = [0; 64];
        let mut bit = 0;
        while bit < 64 {
            let mut class = 0;
            while class < 3 && bit as u8 >= all[class] {
                class += 1;
            }
            classes[bit] = class as u8;
            if bit as u8 >= all[class] {
                classes[bit] |= TOO_WIDE;
            }
            bit += 1;
        }
        Self { all, classes }
    }

    /// The one width of a number whose greatest value is known.
    pub(crate) fn up_to(most: u64) -> Self {
        let bits = room(most).min(MOST_BITS);
        let classes = array::from_fn(|bit| if bit as u8 >= bits { TOO_WIDE } else { 0 });
        Self { all: [bits; 4], classes }
    }

    /// Which of the widths a number has: below 4, and [`TOO_WIDE`] where it fits none.
    #[inline]
    pub(crate) fn class(&self, value: u64) -> u8 {
        self.classes[(value | 1).ilog2() as usize & 63]
    }

    /// Whether all of the widths are above [`NARROW_BITS`].
    #[inline]
    pub(crate) fn are_wide(&self) -> bool {
        self.all[0] > NARROW_BITS
    }

    /// The greatest numbers of the first two widths. Which of these, or of neither, a number below 2^28 is, is its class: no
    /// number has a third width below that.
    #[inline]
    pub(crate) fn first_two(&self) -> [u32; 2] {
        [self.all[0], self.all[1]].map(|bits| u32::MAX >> (32 - bits.min(NARROW_BITS)))
    }

    /// Bits of that width; `None` where the number does not fit it.
    pub(crate) fn bits(&self, value: u64) -> Option<u8> {
        let class = self.class(value);
        (class & TOO_WIDE == 0).then_some(self.all[usize::from(class) & 3])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_depends_on_the_number_alone() {
        for widths in [&OF_COUNTS, &OF_SIZES, &OF_ADDRESSES, &Widths::up_to(300)] {
            for value in (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]) {
                let class = widths.class(value);
                match widths.bits(value) {
                    Some(bits) => {
                        assert!(room(value) <= bits);
                        assert_eq!(bits, widths.all[usize::from(class)]);
                    }
                    None => {
                        assert!(room(value) > widths.all[3]);
                        assert!(class & TOO_WIDE != 0);
                    }
                }
            }
        }
    }

    #[test]
    fn classes_of_narrow_numbers_are_found_by_comparison() {
        for widths in [&OF_COUNTS, &OF_SIZES] {
            for value in (0..NARROW_BITS).flat_map(|bit| [(1_u32 << bit) - 1, 1 << bit]) {
                let above = widths.first_two().map(|most| u8::from(value > most));
                assert_eq!(above[0] + above[1], widths.class(value.into()), "{value}");
            }
            assert!(!widths.are_wide());
        }
        assert!(Widths::up_to(1 << NARROW_BITS).are_wide());
        assert!(!Widths::up_to((1 << NARROW_BITS) - 1).are_wide());
    }
}
