//! Numbers that differ from slice to slice.
//!
//! A block of slices has a column of each number, so that a column is set and made ready for templates in one loop. Most
//! numbers are below 2^28: four bytes hold them, as numbers and as what is put into a template, so that a loop does four at
//! once.

use crate::spread::{NARROW_BITS, gathered, spread, spread_narrow};
use crate::widths::{MOST_BITS, MOST_NUMBERS, Widths};

/// Slices of a block, at most.
pub(crate) const ROWS: usize = 128;

/// Numbers from here on are in [`Numbers::wide_column`]s; those before are there only where they don't fit four bytes.
pub(crate) const FIRST_WIDE: usize = 16;

/// When slices begin, as trace times: number of every slice.
pub(crate) const BEGIN: usize = MOST_NUMBERS - 2;
/// When slices end.
pub(crate) const END: usize = MOST_NUMBERS - 1;
/// A number that is always 0, for places that are patched with nothing.
pub(crate) const NOTHING: usize = FIRST_WIDE - 1;

/// Four bytes for each number of a block that may be narrow.
const NARROW: usize = FIRST_WIDE * ROWS;
/// Eight bytes for each number of a block.
const WIDE: usize = MOST_NUMBERS * ROWS;

/// The numbers of a block of slices, and as what each is put into a template. Column by column.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    /// Numbers, and when they are [`Numbers::spread`] bits of varints in the places that they have there, without continuation
    /// bits.
    narrow: Box<[u32; NARROW]>,
    /// Numbers that take more than four bytes, and what is written as eight bytes.
    wide: Box<[u64; WIDE]>,
    /// Where numbers are wide in this block that mostly are not.
    unusual: Vec<usize>,
    /// Numbers that have no room in a template, by their [`place`].
    far: Vec<(usize, u64)>,
}

/// Numbers of all slices, wide ones and narrow ones.
type Columns<'n, const N: usize, const M: usize> =
    ([&'n mut [u64; ROWS]; N], [&'n mut [u32; ROWS]; M]);

impl Numbers {
    pub(crate) fn new() -> Self {
        Self {
            narrow: Box::new([0; NARROW]),
            wide: Box::new([0; WIDE]),
            unusual: Vec::new(),
            far: Vec::new(),
        }
    }

    /// From now on the numbers are those of another block.
    #[inline]
    pub(crate) fn start(&mut self) {
        self.far.clear();
        for place in self.unusual.drain(..) {
            self.wide[place % WIDE] = 0;
        }
    }

    /// A number of all slices, to be set where it is below 2^28; see [`Numbers::set`]. It has to be [`Numbers::spread`] then.
    #[inline]
    pub(crate) fn column(&mut self, number: usize) -> &mut [u32; ROWS] {
        let columns = self.narrow.as_chunks_mut().0;
        &mut columns[number % FIRST_WIDE]
    }

    /// A number of all slices as it is put into a template, to be set: eight bytes, or [`spread`].
    #[inline]
    pub(crate) fn wide_column(&mut self, number: usize) -> &mut [u64; ROWS] {
        let columns = self.wide.as_chunks_mut().0;
        &mut columns[number % MOST_NUMBERS]
    }

    /// Several of both. `None` where two are one.
    #[inline]
    pub(crate) fn columns<const N: usize, const M: usize>(
        &mut self,
        wide: [usize; N],
        narrow: [usize; M],
    ) -> Option<Columns<'_, N, M>> {
        let wides: &mut [[u64; ROWS]] = self.wide.as_chunks_mut().0;
        let narrows: &mut [[u32; ROWS]] = self.narrow.as_chunks_mut().0;
        Some((wides.get_disjoint_mut(wide).ok()?, narrows.get_disjoint_mut(narrow).ok()?))
    }

    /// Sets a number of the first slices from longer ones; whether all are below 2^28.
    #[inline]
    pub(crate) fn set_all(&mut self, number: usize, values: &[u64]) -> bool {
        let mut bits = 0;
        for (to, value) in self.column(number).iter_mut().zip(values) {
            *to = *value as u32;
            bits |= value;
        }
        bits >> NARROW_BITS == 0
    }

    /// Sets a number of a slice, before it is [`Numbers::spread`]; whether four bytes hold it.
    #[inline]
    pub(crate) fn set(&mut self, number: usize, row: usize, widths: &Widths, value: u64) -> bool {
        let is_narrow = value >> NARROW_BITS == 0 && !widths.are_wide();
        match is_narrow {
            true => self.column(number)[row % ROWS] = value as u32,
            false => self.set_wide(number, row, value),
        }
        is_narrow
    }

    /// Sets a number of a slice that takes more than four bytes, or is of a [`Numbers::wide_column`].
    #[cold]
    pub(crate) fn set_wide(&mut self, number: usize, row: usize, value: u64) {
        let place = place(number, row);
        self.wide[place % WIDE] = spread(value);
        if number < FIRST_WIDE {
            self.column(number)[row % ROWS] = 0;
            self.unusual.push(place);
        }
        if value >> MOST_BITS != 0 {
            self.far.push((place, value));
        }
    }

    /// Makes a number of the first slices ready for templates.
    #[inline]
    pub(crate) fn spread(&mut self, number: usize, rows: usize) {
        let values = self.column(number).get_mut(..rows).unwrap_or_default();
        values.iter_mut().for_each(|value| *value = spread_narrow(*value));
    }

    /// Makes a number of eight bytes of the first slices ready for templates.
    #[inline]
    pub(crate) fn spread_wide(&mut self, number: usize, rows: usize) {
        let values = self.wide_column(number).get_mut(..rows).unwrap_or_default();
        values.iter_mut().for_each(|value| *value = spread(*value));
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
    number * ROWS + row
}

/// Whether a number of so many bits is in a [`Numbers::wide_column`].
pub(crate) fn is_wide(number: usize, bits: u8) -> bool {
    number >= FIRST_WIDE || bits > NARROW_BITS
}

/// The numbers of a slice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'n> {
    numbers: &'n Numbers,
    row: usize,
}

impl Row<'_> {
    pub(crate) fn value(self, number: usize) -> u64 {
        let Numbers { narrow, far, .. } = self.numbers;
        let place = place(number, self.row);
        if let Some((_, value)) = far.iter().find(|(far, _)| *far == place) {
            return *value;
        }
        let narrow = narrow.get(place).map_or(0, |word| u64::from(*word));
        // One of them is 0.
        gathered(narrow | self.wide(number))
    }

    /// What is put into a template, of a wide number.
    #[inline]
    pub(crate) fn wide(self, number: usize) -> u64 {
        self.wide_at(place(number, 0))
    }

    /// What is put into a template, of a wide number whose first [`place`] is known.
    #[inline]
    pub(crate) fn wide_at(self, first: usize) -> u64 {
        self.numbers.wide[(first + self.row) % WIDE]
    }

    /// What is put into a template, of a narrow number whose first [`place`] is known.
    #[inline]
    pub(crate) fn narrow_at(self, first: usize) -> u32 {
        self.numbers.narrow[(first + self.row) % NARROW]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widths::OF_SIZES;

    #[test]
    fn numbers_of_any_size_are_kept() {
        let mut numbers = Numbers::new();
        let values =
            (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, 0xa5a5_a5a5_a5a5 >> bit]);
        for value in values {
            numbers.start();
            let is_narrow = numbers.set_all(3, &[5, value]);
            assert_eq!(numbers.set(3, 1, &OF_SIZES, value), is_narrow);
            numbers.spread(3, 2);
            numbers.set_wide(FIRST_WIDE, 7, value);
            let row = |row| numbers.row(row);
            assert_eq!([0, 1, 2].map(|n| row(n).value(3)), [5, value, 0]);
            assert_eq!(row(7).value(FIRST_WIDE), value);
            if value >> MOST_BITS == 0 {
                let word = u64::from(row(1).narrow_at(place(3, 0))) | row(1).wide(3);
                assert_eq!(word, spread(value));
            }
        }
    }
}
