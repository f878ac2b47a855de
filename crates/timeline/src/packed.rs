//! Columns of numbers in few bytes a row.

use std::ops::Range;

/// What a column holds.
pub trait Number: Copy + Ord {
    /// As 64 bits.
    fn bits(self) -> u64;
    /// From 64 bits that [`Number::bits`] made.
    fn of_bits(bits: u64) -> Self;
}

/// How a column stores most of its numbers.
pub trait Near: Copy + Ord {
    /// Stands for a number that is in the list.
    const FAR: Self;
    /// The bits of a number; `None` if they do not fit.
    fn from_bits(bits: u64) -> Option<Self>;
    /// The lowest bits of a number: all of them if [`Near::from_bits`] says that they fit.
    fn lowest(bits: u64) -> Self;
    /// The bits.
    fn bits(self) -> u64;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Number for $number {
            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline]
            fn of_bits(bits: u64) -> Self {
                bits as Self
            }
        }
    )*};
}
numbers!(i64, u64, u32);

macro_rules! near {
    ($($near:ty),*) => {$(
        impl Near for $near {
            const FAR: Self = Self::MAX;

            #[inline]
            fn from_bits(bits: u64) -> Option<Self> {
                Self::try_from(bits).ok().filter(|near| *near != Self::FAR)
            }

            #[inline]
            fn lowest(bits: u64) -> Self {
                bits as Self
            }

            #[inline]
            fn bits(self) -> u64 {
                self.into()
            }
        }
    )*};
}
near!(u8, u16, u32);

/// A column of numbers that are mostly small: each takes the bytes of `N`. Those that do not fit are in a list, so that
/// every number is exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrow<T, N> {
    near: Vec<N>,
    /// Rows with [`Near::FAR`], ascending.
    far: Vec<(usize, T)>,
}

impl<T, N> Default for Narrow<T, N> {
    fn default() -> Self {
        Self { near: Vec::new(), far: Vec::new() }
    }
}

impl<T: Number, N: Near> FromIterator<T> for Narrow<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Self {
        let numbers = numbers.into_iter();
        let mut column = Self::default();
        column.near.reserve_exact(numbers.size_hint().0);
        numbers.for_each(|number| column.push(number));
        column
    }
}

impl<T: Number, N: Near> From<Vec<T>> for Narrow<T, N> {
    fn from(numbers: Vec<T>) -> Self {
        let mut column = Self::default();
        column.near.reserve_exact(numbers.len());
        for block in numbers.chunks(BLOCK) {
            // No number of the block has a bit that all of them together have not.
            let bits = block.iter().fold(0, |bits, number| bits | number.bits());
            column.extend(block.iter().map(|number| number.bits()), bits);
        }
        column
    }
}

impl<T: Number, N: Near> Narrow<T, N> {
    /// Appends rows by their bits, none of which is more than `most`.
    #[inline]
    fn extend(&mut self, bits: impl Iterator<Item = u64>, most: u64) {
        if N::from_bits(most).is_some() {
            self.near.extend(bits.map(N::lowest));
        } else {
            bits.for_each(|bits| self.push(T::of_bits(bits)));
        }
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.near.len()
    }

    /// Whether there are none.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.near.is_empty()
    }

    /// Appends a row.
    #[inline]
    pub fn push(&mut self, number: T) {
        let near = N::from_bits(number.bits());
        if near.is_none() {
            self.far.push((self.near.len(), number));
        }
        self.near.push(near.unwrap_or(N::FAR));
    }

    /// A row's number; `None` behind the last row.
    #[must_use]
    #[inline]
    pub fn get(&self, row: usize) -> Option<T> {
        let near = *self.near.get(row)?;
        Some(self.number(row, near))
    }

    /// A row's number.
    ///
    /// # Panics
    /// Behind the last row, as the index of a slice.
    #[must_use]
    #[inline]
    pub fn value_at(&self, row: usize) -> T {
        self.number(row, self.near[row])
    }

    #[inline]
    fn number(&self, row: usize, near: N) -> T {
        if near == N::FAR { self.far(row) } else { T::of_bits(near.bits()) }
    }

    #[cold]
    fn far(&self, row: usize) -> T {
        let place = self.far.partition_point(|(far, _)| *far < row);
        self.far.get(place).map_or(T::of_bits(N::FAR.bits()), |(_, number)| *number)
    }

    /// The bits of the rows from `first` on; those behind the last row stay as they are.
    #[inline]
    pub fn read_bits(&self, first: usize, to: &mut [u64]) {
        let near = self.near.get(first..).unwrap_or_default();
        for (to, near) in to.iter_mut().zip(near) {
            *to = near.bits();
        }
        let later = self.far.partition_point(|(row, _)| *row < first);
        for (row, number) in self.far.get(later..).unwrap_or_default() {
            let Some(to) = to.get_mut(row - first) else { break };
            *to = number.bits();
        }
    }

    /// The numbers of all rows.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + Clone {
        self.near.iter().enumerate().map(|(row, near)| self.number(row, *near))
    }

    /// Appends the rows of a later part of the column.
    pub fn append(&mut self, later: Self) {
        let before = self.len();
        self.near.extend(later.near);
        self.far.extend(later.far.into_iter().map(|(row, number)| (before + row, number)));
    }

    /// Makes room for as many more rows, and for no more than these.
    pub fn reserve_exact(&mut self, rows: usize) {
        self.near.reserve_exact(rows);
    }
}

/// Rows of a block. It is small, so that a column that jumps needs its list in few rows.
const BLOCK: usize = 128;

/// A column of numbers that are near those of neighbouring rows: the least number of each block of rows, and by row the
/// distance to it. It takes fewer bytes than [`Narrow`] and more time to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed<T, N> {
    least: Vec<T>,
    distance: Narrow<u64, N>,
}

impl<T, N> Default for Packed<T, N> {
    fn default() -> Self {
        Self { least: Vec::new(), distance: Narrow::default() }
    }
}

impl<T: Number, N: Near> From<Vec<T>> for Packed<T, N> {
    fn from(numbers: Vec<T>) -> Self {
        let mut column = Self::default();
        column.least.reserve_exact(numbers.len().div_ceil(BLOCK));
        column.distance.reserve_exact(numbers.len());
        for block in numbers.chunks(BLOCK) {
            let &[mut least, ..] = block else { continue };
            let mut most = least;
            for number in block {
                (least, most) = (least.min(*number), most.max(*number));
            }
            let from_least = |number: T| number.bits().wrapping_sub(least.bits());
            column.least.push(least);
            column
                .distance
                .extend(block.iter().map(|number| from_least(*number)), from_least(most));
        }
        column
    }
}

impl<T: Number, N: Near> FromIterator<T> for Packed<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Self {
        numbers.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T: Number, N: Near> Packed<T, N> {
    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.distance.len()
    }

    /// Whether there are none.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.distance.is_empty()
    }

    /// A row's number; `None` behind the last row.
    #[must_use]
    #[inline]
    pub fn get(&self, row: usize) -> Option<T> {
        let distance = self.distance.get(row)?;
        let least = *self.least.get(row / BLOCK)?;
        Some(T::of_bits(least.bits().wrapping_add(distance)))
    }

    /// A row's number.
    ///
    /// # Panics
    /// Behind the last row, as the index of a slice.
    #[must_use]
    #[inline]
    pub fn value_at(&self, row: usize) -> T {
        T::of_bits(self.least[row / BLOCK].bits().wrapping_add(self.distance.value_at(row)))
    }

    /// The greatest number.
    #[must_use]
    pub fn greatest(&self) -> Option<T> {
        let blocks = self.least.iter().zip(self.distance.near.chunks(BLOCK)).enumerate();
        let of_block = |(block, (least, near)): (usize, (&T, &[N]))| {
            let most = near.iter().fold(N::lowest(0), |most, near| most.max(*near));
            if most != N::FAR {
                return T::of_bits(least.bits().wrapping_add(most.bits()));
            }
            let rows = block * BLOCK..block * BLOCK + near.len();
            rows.map(|row| self.value_at(row)).max().unwrap_or(*least)
        };
        blocks.map(of_block).max()
    }

    /// The bits of the rows from `first` on; those behind the last row stay as they are.
    pub fn read_bits(&self, first: usize, to: &mut [u64]) {
        let count = to.len().min(self.len().saturating_sub(first));
        let (mut first, mut to) = (first, to.get_mut(..count).unwrap_or_default());
        while let Some(least) = self.least.get(first / BLOCK)
            && !to.is_empty()
        {
            let (block, later) = to.split_at_mut(to.len().min(BLOCK - first % BLOCK));
            self.distance.read_bits(first, block);
            let least = least.bits();
            block.iter_mut().for_each(|bits| *bits = least.wrapping_add(*bits));
            (first, to) = (first + block.len(), later);
        }
    }

    /// The numbers of all rows.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + Clone {
        (0..self.len()).map(|row| self.value_at(row))
    }

    /// Binary search in rows that ascend: the row of a number.
    ///
    /// # Errors
    /// The row before which the number would be, if no row has it.
    pub fn search(&self, rows: Range<usize>, number: T) -> Result<usize, usize> {
        let (mut low, mut high) = (rows.start, rows.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).is_some_and(|found| found < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < rows.end && self.get(low) == Some(number) { Ok(low) } else { Err(low) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers that rise, and some that are anywhere.
    fn numbers() -> impl Strategy<Value = Vec<i64>> {
        let number = prop_oneof![9 => (0i64..100_000).boxed(), 1 => any::<i64>().boxed()];
        prop::collection::vec(number, 0..600)
    }

    fn check<N: Near>(numbers: &[i64], cut: usize) -> Result<(), TestCaseError> {
        let packed: Packed<i64, N> = numbers.iter().copied().collect();
        prop_assert_eq!(packed.iter().collect::<Vec<_>>(), numbers);
        prop_assert_eq!(packed.get(numbers.len()), None);
        prop_assert_eq!(packed.greatest(), numbers.iter().copied().max());
        let mut read = vec![7; numbers.len() + 1];
        packed.read_bits(cut, &mut read);
        let rest = numbers.get(cut..).unwrap_or_default();
        let expected = rest.iter().map(|number| *number as u64).chain(vec![7; cut + 1]);
        prop_assert_eq!(read, expected.take(numbers.len() + 1).collect::<Vec<_>>());
        let (first, later) = numbers.split_at(cut.min(numbers.len()));
        let mut narrow: Narrow<i64, N> = first.iter().copied().collect();
        narrow.append(later.iter().copied().collect());
        prop_assert_eq!(narrow.iter().collect::<Vec<_>>(), numbers);
        let got: Vec<_> = (0..numbers.len()).filter_map(|row| narrow.get(row)).collect();
        prop_assert_eq!(got, numbers);
        Ok(())
    }

    proptest! {
        #[test]
        fn numbers_come_back_whatever_their_size(numbers in numbers(), cut in 0usize..300) {
            check::<u8>(&numbers, cut)?;
            check::<u16>(&numbers, cut)?;
            check::<u32>(&numbers, cut)?;
        }

        #[test]
        fn a_search_is_that_of_a_slice(mut numbers in numbers(), wanted in 0i64..100_000) {
            numbers.sort_unstable();
            numbers.dedup();
            let packed: Packed<i64, u16> = numbers.iter().copied().collect();
            let all = 0..numbers.len();
            prop_assert_eq!(packed.search(all.clone(), wanted), numbers.binary_search(&wanted));
            for known in &numbers {
                prop_assert_eq!(packed.search(all.clone(), *known), numbers.binary_search(known));
            }
        }
    }

    #[test]
    fn the_number_that_stands_for_another_is_in_the_list() {
        let narrow: Narrow<u64, u8> = [7, 254, 255, u64::MAX].into_iter().collect();
        assert_eq!(narrow.iter().collect::<Vec<_>>(), [7, 254, 255, u64::MAX]);
        assert_eq!(narrow.far.len(), 2);
    }
}
