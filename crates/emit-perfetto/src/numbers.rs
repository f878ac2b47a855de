//! Numbers that differ from slice to slice, and how wide they are in a template.

use std::array;

/// Numbers that a slice can have; a power of two.
pub(crate) const MOST_NUMBERS: usize = 32;

/// A slice's numbers, and as what each is put into a template: those that are the same for the next slice stay.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    values: [u64; MOST_NUMBERS],
    /// Bits of varints in the places that they have there, without continuation bits.
    words: [u64; MOST_NUMBERS],
}

impl Numbers {
    pub(crate) fn new() -> Self {
        Self { values: [0; MOST_NUMBERS], words: [0; MOST_NUMBERS] }
    }

    /// Sets a number that is written as a varint. Those of more than [`MOST_BITS`] bits can't be put into a template.
    #[inline]
    pub(crate) fn set(&mut self, number: usize, value: u64) {
        self.values[number % MOST_NUMBERS] = value;
        self.words[number % MOST_NUMBERS] = spread(value);
    }

    /// The same of a number below 2^14.
    #[inline]
    pub(crate) fn set_short(&mut self, number: usize, value: u64) {
        self.values[number % MOST_NUMBERS] = value;
        self.words[number % MOST_NUMBERS] = spread_short(value);
    }

    /// Sets a number that is written as eight bytes.
    #[inline]
    pub(crate) fn set_eight_bytes(&mut self, number: usize, bits: u64) {
        self.values[number % MOST_NUMBERS] = bits;
        self.words[number % MOST_NUMBERS] = bits;
    }

    pub(crate) fn value(&self, number: usize) -> u64 {
        self.values[number % MOST_NUMBERS]
    }

    /// What is put into a template.
    #[inline]
    pub(crate) fn word(&self, number: usize) -> u64 {
        self.words[number % MOST_NUMBERS]
    }
}

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
    /// By the number's highest bit.
    classes: [u8; 64],
}

/// Of counts and short times.
pub(crate) static OF_COUNTS: Widths = Widths::of([7, 14, 28, MOST_BITS]);
/// Of sizes, times, and ids of texts.
pub(crate) static OF_SIZES: Widths = Widths::of([14, 21, 28, MOST_BITS]);
/// Of addresses: 0, or one in memory.
pub(crate) static OF_ADDRESSES: Widths = Widths::of([7, 35, 42, MOST_BITS]);

/// Bit of a class that says that the number fits none of the widths: its slice is a copy of no other.
pub(crate) const TOO_WIDE: u8 = 1 << 7;

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

    /// Whether a number has the least of the widths, which is at most [`SHORT_BITS`]: its class is 0 then.
    #[inline]
    pub(crate) fn is_least(&self, value: u64) -> bool {
        value < 1 << self.all[0].min(SHORT_BITS)
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

/// The groups of 7 bits of a number below 2^56, each in a byte. Most numbers are small.
#[inline]
pub(crate) fn spread(value: u64) -> u64 {
    if value < 1 << SHORT_BITS {
        return spread_short(value);
    }
    if value < 1 << (2 * SHORT_BITS) {
        let halves = (value & 0x3fff) | (value << 2 & 0x3fff_0000);
        return (halves & 0x007f_007f) | (halves << 1 & 0x7f00_7f00);
    }
    // In halves, quarters and eighths.
    let halves = (value & 0x0fff_ffff) | (value & 0x00ff_ffff_f000_0000) << 4;
    let quarters = (halves & 0x3fff_0000_3fff) | (halves & 0x0fff_c000_0fff_c000) << 2;
    (quarters & 0x007f_007f_007f_007f) | (quarters & 0x3f80_3f80_3f80_3f80) << 1
}

/// The sum of two numbers whose groups of 7 bits are each in a byte: a sum below 2^56.
#[inline]
pub(crate) fn sum_of_spread(one: u64, other: u64) -> u64 {
    const CARRIES: u64 = 0x8080_8080_8080_8080;
    // What a byte carries goes on to the next one, because the bit between is set.
    (one | CARRIES).wrapping_add(other) & !CARRIES
}

/// [`spread`] of a number below 2^14.
#[inline]
pub(crate) fn spread_short(value: u64) -> u64 {
    (value & 0x7f) | (value & 0x3f80) << 1
}

/// Bits of such a number.
pub(crate) const SHORT_BITS: u8 = 14;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_bits_are_spread_and_summed() {
        let values =
            (0..56).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, 0xa5a5_a5a5_a5a5 >> bit]);
        for value in values {
            let slow = (0..8).fold(0, |sum, n| sum | (value >> (7 * n) & 0x7f) << (8 * n));
            assert_eq!(spread(value), slow, "{value}");
            for other in [0, 1, 127, 128, 16_383, 1 << 20, (1 << 30) + 77] {
                let sum = (value + other) & ((1 << 56) - 1);
                assert_eq!(sum_of_spread(spread(value), spread(other)), spread(sum));
            }
        }
    }

    #[test]
    fn a_width_depends_on_the_number_alone() {
        for widths in [&OF_COUNTS, &OF_SIZES, &OF_ADDRESSES, &Widths::up_to(300)] {
            for value in (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]) {
                let class = widths.class(value);
                assert_eq!(widths.is_least(value), class == 0, "{value}");
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
}
