//! Numbers that differ from slice to slice, and how wide they are in a template.
//!
//! A block of slices has a column of each number, so that a column is set and made ready for templates in one loop.

use std::array;
use std::ops::Range;

/// Slices of a block, at most.
pub(crate) const ROWS: usize = 128;

/// Numbers that a slice can have; a power of two.
pub(crate) const MOST_NUMBERS: usize = 32;

/// When slices begin, as trace times: number of every slice.
pub(crate) const BEGIN: usize = MOST_NUMBERS - 3;
/// When slices end.
pub(crate) const END: usize = MOST_NUMBERS - 2;
/// A number that is always 0, for places that are patched with nothing.
pub(crate) const NOTHING: usize = MOST_NUMBERS - 1;

/// Numbers of a block.
const ALL: usize = MOST_NUMBERS * ROWS;

/// The numbers of a block of slices, and as what each is put into a template.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    values: Box<[[u64; ROWS]; MOST_NUMBERS]>,
    /// Bits of varints in the places that they have there, without continuation bits. Column by column.
    words: Box<[u64; ALL]>,
}

/// Numbers of all slices: those that are written as eight bytes, and those that are written as varints.
type Columns<'n, const WORDS: usize, const VARINTS: usize> =
    ([&'n mut [u64; ROWS]; WORDS], [&'n mut [u64; ROWS]; VARINTS]);

impl Numbers {
    pub(crate) fn new() -> Self {
        Self { values: Box::new([[0; ROWS]; MOST_NUMBERS]), words: Box::new([0; ALL]) }
    }

    /// A number of all slices, to be set. Those that are written as varints have to be [`Numbers::spread`] then.
    #[inline]
    pub(crate) fn column(&mut self, number: usize) -> &mut [u64; ROWS] {
        &mut self.values[number % MOST_NUMBERS]
    }

    /// Several numbers of all slices, to be set: those that are written as eight bytes, and those that are written as
    /// varints. `None` where two are one.
    #[inline]
    pub(crate) fn columns<const WORDS: usize, const VARINTS: usize>(
        &mut self,
        words: [usize; WORDS],
        varints: [usize; VARINTS],
    ) -> Option<Columns<'_, WORDS, VARINTS>> {
        let columns: &mut [[u64; ROWS]] = self.words.as_chunks_mut().0;
        Some((columns.get_disjoint_mut(words).ok()?, self.values.get_disjoint_mut(varints).ok()?))
    }

    /// Sets a number of a slice that is written as a varint, before it is [`Numbers::spread`]. Those of more than [`MOST_BITS`]
    /// bits can't be put into a template.
    #[inline]
    pub(crate) fn set(&mut self, number: usize, row: usize, value: u64) {
        self.values[number % MOST_NUMBERS][row % ROWS] = value;
    }

    /// A number of all slices that is written as eight bytes, to be set.
    #[inline]
    pub(crate) fn eight_bytes(&mut self, number: usize) -> &mut [u64; ROWS] {
        let columns = self.words.as_chunks_mut().0;
        &mut columns[number % MOST_NUMBERS]
    }

    /// Sets a number of a slice that is written as eight bytes.
    #[cfg(test)]
    pub(crate) fn set_eight_bytes(&mut self, number: usize, row: usize, bits: u64) {
        self.words[place(number, row)] = bits;
    }

    /// Sets a number that is written as a varint and is the same of several slices.
    pub(crate) fn fill(&mut self, number: usize, rows: Range<usize>, value: u64) {
        let word = spread(value);
        let first = place(number, 0);
        if let Some(words) = self.words.get_mut(first + rows.start..first + rows.end) {
            words.fill(word);
        }
        if let Some(values) = self.column(number).get_mut(rows) {
            values.fill(value);
        }
    }

    /// Makes a number of the first slices ready for templates.
    pub(crate) fn spread(&mut self, number: usize, rows: usize) {
        let first = place(number, 0);
        let values = &self.values[number % MOST_NUMBERS];
        let (Some(values), Some(words)) =
            (values.get(..rows), self.words.get_mut(first..first + rows))
        else {
            return;
        };
        let all = values.iter().fold(0, |all, value| all | value);
        let both = words.iter_mut().zip(values);
        if all < 1 << SHORT_BITS {
            both.for_each(|(word, value)| *word = spread_short(*value));
        } else if all < 1 << (2 * SHORT_BITS) {
            both.for_each(|(word, value)| *word = spread_medium(*value));
        } else {
            both.for_each(|(word, value)| *word = spread(*value));
        }
    }

    /// The numbers of a slice.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> Row<'_> {
        Row { numbers: self, row: row % ROWS }
    }
}

/// Where a number is in its block.
#[inline]
pub(crate) const fn place(number: usize, row: usize) -> usize {
    (number * ROWS + row) % ALL
}

/// The numbers of a slice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'n> {
    numbers: &'n Numbers,
    row: usize,
}

impl Row<'_> {
    pub(crate) fn value(self, number: usize) -> u64 {
        self.numbers.values[number % MOST_NUMBERS][self.row]
    }

    /// What is put into a template.
    #[inline]
    pub(crate) fn word(self, number: usize) -> u64 {
        self.word_at(place(number, 0))
    }

    /// The same of a number whose first [`place`] is known.
    #[inline]
    pub(crate) fn word_at(self, first: usize) -> u64 {
        self.numbers.words[(first + self.row) % ALL]
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

/// The groups of 7 bits of a number below 2^56, each in a byte. Without a branch, so that a loop does several at once.
#[inline]
pub(crate) fn spread(value: u64) -> u64 {
    // In halves, quarters and eighths.
    let halves = (value & 0x0fff_ffff) | (value & 0x00ff_ffff_f000_0000) << 4;
    let quarters = (halves & 0x3fff_0000_3fff) | (halves & 0x0fff_c000_0fff_c000) << 2;
    (quarters & 0x007f_007f_007f_007f) | (quarters & 0x3f80_3f80_3f80_3f80) << 1
}

/// [`spread`] of a number below 2^28.
#[inline]
fn spread_medium(value: u64) -> u64 {
    let halves = (value & 0x3fff) | (value & 0x0fff_c000) << 2;
    (halves & 0x007f_007f) | (halves & 0x3f80_3f80) << 1
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
    fn groups_of_bits_are_spread() {
        let values =
            (0..56).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, 0xa5a5_a5a5_a5a5 >> bit]);
        for value in values {
            let slow = (0..8).fold(0, |sum, n| sum | (value >> (7 * n) & 0x7f) << (8 * n));
            assert_eq!(spread(value), slow, "{value}");
            let mut numbers = Numbers::new();
            // A column's greatest number says how it is spread.
            numbers.set(3, 0, value);
            numbers.set(3, 1, 5);
            numbers.spread(3, 2);
            let [first, second, third] = [0, 1, 2].map(|row| numbers.row(row).word(3));
            assert_eq!([first, second, third], [slow, 5, 0]);
            assert_eq!(numbers.row(0).value(3), value);
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
