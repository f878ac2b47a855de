//! What slices of a kind need not have in common: which numbers they have, and how wide these are.

use bigtpu_timeline::{Packed, Profile};

use crate::interned::{TextKind, Vocabulary};
use crate::numbers::{
    AllWidths, MOST_NUMBERS, OF_ADDRESSES, OF_COUNTS, OF_SIZES, ROWS, TOO_WIDE, Widths,
};
use crate::stamp::NO_KEY;

/// What differs between slices of a kind: places in [`Numbers`](crate::numbers::Numbers). Those below [`FIRST_OF_ALL`] not every
/// slice has.
pub(super) mod number {
    pub(in crate::device) const BATCH: usize = 0;
    pub(in crate::device) const SLACK: usize = 1;
    pub(in crate::device) const WAITS_FOR: usize = 2;
    pub(in crate::device) const RELEASED_BY: usize = 3;
    pub(in crate::device) const LAYER_ID: usize = 4;
    pub(in crate::device) const LAYER_NAME: usize = 5;
    pub(in crate::device) const DEPENDENCE: usize = 6;
    pub(in crate::device) const RATE: usize = 7;
    pub(in crate::device) const KERNEL: usize = 8;
    pub(in crate::device) const MODE: usize = 9;
    pub(in crate::device) const FIRST_OF_ALL: usize = 10;
    pub(in crate::device) const ID: usize = FIRST_OF_ALL;
    pub(in crate::device) const INDEX: usize = FIRST_OF_ALL + 1;
    pub(in crate::device) const DDR: usize = FIRST_OF_ALL + 2;
    pub(in crate::device) const L2: usize = FIRST_OF_ALL + 3;
    pub(in crate::device) const BYTES: usize = FIRST_OF_ALL + 4;
    pub(in crate::device) const SOURCE: usize = FIRST_OF_ALL + 5;
    pub(in crate::device) const DESTINATION: usize = FIRST_OF_ALL + 6;
}

/// The widths of slices' numbers: those of texts, ids and indices by how many there are.
pub(super) fn widths(profile: &Profile<'_>, vocabulary: &Vocabulary) -> AllWidths {
    let mut widths = [(); MOST_NUMBERS].map(|()| OF_SIZES.clone());
    widths[number::BATCH] = OF_COUNTS.clone();
    widths[number::LAYER_ID] = OF_COUNTS.clone();
    let texts = Widths::up_to(vocabulary.count(TextKind::Value) as u64);
    (widths[number::KERNEL], widths[number::MODE]) = (texts.clone(), texts);
    let greatest_id = profile.tracks().map(|track| greatest(&track.events.id)).max();
    widths[number::ID] = Widths::up_to(greatest_id.unwrap_or(0) + 1);
    let events = profile.tracks().map(|track| track.events.len()).max();
    widths[number::INDEX] = Widths::up_to(events.unwrap_or(0) as u64);
    widths[number::SOURCE] = OF_ADDRESSES.clone();
    widths[number::DESTINATION] = OF_ADDRESSES.clone();
    widths
}

/// The greatest of ids, none of which counts that is below 0.
fn greatest(ids: &Packed<i64, u16>) -> u64 {
    let (mut some, mut greatest) = ([0; ROWS], 0);
    for first in (0..ids.len()).step_by(ROWS) {
        // Rows behind the last one have those of the block before.
        ids.read_bits(first, &mut some);
        greatest = some.iter().fold(greatest, |most: i64, id| most.max(id.cast_signed()));
    }
    greatest.cast_unsigned()
}

/// What slices have in common: bits of the key of their template.
///
/// | bits | what |
/// |---|---|
/// | 0 to 19 | which width each number has that has one of several, two bits each |
/// | 20 to 31 | which of the arguments that not every slice has are there |
/// | from 32 | the kind |
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape(u64);

impl Shape {
    const PRESENT: usize = 20;
    const KIND: u32 = 32;

    #[inline]
    pub(super) fn of_kind(kind: u32) -> Self {
        Self(u64::from(kind) << Self::KIND)
    }

    #[inline]
    pub(super) fn kind(self) -> u32 {
        (self.0 >> Self::KIND) as u32
    }

    /// Adds an argument that not every slice has.
    #[inline]
    pub(super) fn add(&mut self, number: usize) {
        self.0 |= 1 << (Self::PRESENT + number);
    }

    /// The same, if `is` so.
    #[inline]
    pub(super) fn add_if(&mut self, number: usize, is: bool) {
        self.0 |= u64::from(is) << (Self::PRESENT + number);
    }

    pub(super) fn has(self, number: usize) -> bool {
        self.0 & 1 << (Self::PRESENT + number) != 0
    }

    /// Adds what another shape has.
    #[inline]
    pub(super) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Sets the class of a number that has one of several widths; whether it fits one. Most have the least of them.
    #[inline]
    pub(super) fn set_class(&mut self, number: usize, widths: &Widths, value: u64) -> bool {
        if widths.is_least(value) {
            return true;
        }
        let class = widths.class(value);
        // Ten numbers have a class: the first seven, and the last three.
        let place = if number < number::RATE { number } else { number + 7 - number::BYTES };
        self.0 |= u64::from(class & 3) << (2 * place);
        class & TOO_WIDE == 0
    }
}

/// The shapes of a block's slices.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) all: [Shape; ROWS],
    /// Slices that are copies of no other: a bit each.
    apart: u128,
}

impl Shapes {
    pub(super) fn new() -> Self {
        Self { all: [Shape::default(); ROWS], apart: 0 }
    }

    /// From now on the shapes are those of other slices, of these kinds.
    #[inline]
    pub(super) fn start(&mut self, kinds: &[u32]) {
        self.apart = 0;
        for (shape, kind) in self.all.iter_mut().zip(kinds) {
            *shape = Shape::of_kind(*kind);
        }
    }

    /// A slice is a copy of no other.
    #[cold]
    pub(super) fn set_apart(&mut self, row: usize) {
        self.apart |= 1 << (row % ROWS);
    }

    /// Adds a number that a slice has, of one of several widths, with its value.
    #[inline]
    pub(super) fn add_one(&mut self, row: usize, number: usize, widths: &Widths, value: u64) {
        let shape = &mut self.all[row % ROWS];
        shape.add(number);
        if !shape.set_class(number, widths, value) {
            self.set_apart(row);
        }
    }

    /// Adds a number that all slices have now, of one of several widths, with its values.
    #[inline]
    pub(super) fn add_all(&mut self, number: usize, widths: &Widths, values: &[u64]) {
        for (row, (shape, value)) in self.all.iter_mut().zip(values).enumerate() {
            if number < number::FIRST_OF_ALL {
                shape.add(number);
            }
            if !shape.set_class(number, widths, *value) {
                self.apart |= 1 << (row % ROWS);
            }
        }
    }

    /// The keys of their templates.
    #[inline]
    pub(super) fn put_keys(&self, keys: &mut [u64; ROWS]) {
        for (key, shape) in keys.iter_mut().zip(&self.all) {
            *key = shape.0;
        }
        if self.apart != 0 {
            self.put_apart(keys);
        }
    }

    #[cold]
    fn put_apart(&self, keys: &mut [u64; ROWS]) {
        let apart = keys.iter_mut().enumerate().filter(|(row, _)| self.apart & 1 << row != 0);
        apart.for_each(|(_, key)| *key = NO_KEY);
    }
}
