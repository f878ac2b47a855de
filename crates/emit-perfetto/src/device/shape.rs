//! What slices of a kind need not have in common: which numbers they have, and how wide these are.

use bigtpu_answers::StepSpans;
use bigtpu_timeline::Profile;

use crate::interned::{TextKind, Vocabulary};
use crate::numbers::{FIRST_WIDE, Numbers, ROWS};
use crate::stamp::NO_KEY;
use crate::widths::{AllWidths, MOST_NUMBERS, OF_ADDRESSES, OF_COUNTS, OF_SIZES, TOO_WIDE, Widths};

/// What differs between slices of a kind: places in [`Numbers`]. Those below [`FIRST_OF_ALL`](number::FIRST_OF_ALL) not every
/// slice has.
pub(super) mod number {
    use super::FIRST_WIDE;

    pub(in crate::device) const BATCH: usize = 0;
    pub(in crate::device) const SLACK: usize = 1;
    pub(in crate::device) const WAITS_FOR: usize = 2;
    pub(in crate::device) const RELEASED_BY: usize = 3;
    pub(in crate::device) const LAYER_ID: usize = 4;
    pub(in crate::device) const LAYER_NAME: usize = 5;
    pub(in crate::device) const DEPENDENCE: usize = 6;
    /// That the engine's rate is told, which is of the kind, or one of the other numbers.
    pub(in crate::device) const RATE: usize = 7;
    pub(in crate::device) const KERNEL: usize = 8;
    pub(in crate::device) const MODE: usize = 9;
    pub(in crate::device) const BLOCK: usize = 10;
    pub(in crate::device) const STEP: usize = 11;
    pub(in crate::device) const FIRST_OF_ALL: usize = 12;
    pub(in crate::device) const ID: usize = FIRST_OF_ALL;
    pub(in crate::device) const INDEX: usize = FIRST_OF_ALL + 1;
    pub(in crate::device) const BYTES: usize = FIRST_OF_ALL + 2;
    pub(in crate::device) const DDR: usize = FIRST_WIDE;
    pub(in crate::device) const L2: usize = FIRST_WIDE + 1;
    pub(in crate::device) const SOURCE: usize = FIRST_WIDE + 2;
    pub(in crate::device) const DESTINATION: usize = FIRST_WIDE + 3;
}

/// The widths of slices' numbers: those of texts, ids and indices by how many there are.
pub(super) fn widths(
    profile: &Profile<'_>,
    vocabulary: &Vocabulary,
    steps: Option<&StepSpans>,
) -> AllWidths {
    let mut widths = [(); MOST_NUMBERS].map(|()| OF_SIZES.clone());
    widths[number::BATCH] = OF_COUNTS.clone();
    widths[number::LAYER_ID] = OF_COUNTS.clone();
    let texts = Widths::up_to(vocabulary.count(TextKind::Value) as u64);
    widths[number::BLOCK] = texts.clone();
    (widths[number::KERNEL], widths[number::MODE]) = (texts.clone(), texts);
    widths[number::STEP] = Widths::up_to(steps.map_or(0, StepSpans::greatest_number));
    let greatest_id = profile.tracks().filter_map(|track| track.events.id.greatest()).max();
    widths[number::ID] = Widths::up_to(greatest_id.unwrap_or(0).max(0) as u64 + 1);
    let events = profile.tracks().map(|track| track.events.len()).max();
    widths[number::INDEX] = Widths::up_to(events.unwrap_or(0) as u64);
    widths[number::SOURCE] = OF_ADDRESSES.clone();
    widths[number::DESTINATION] = OF_ADDRESSES.clone();
    widths
}

/// What slices of a kind need not have in common, as bits.
///
/// | bits | what |
/// |---|---|
/// | 0 to 19 | which width each number has that has one of several, two bits each |
/// | 20 to 31 | which of the arguments that not every slice has are there |
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape(u32);

impl Shape {
    const PRESENT: usize = 20;

    /// Adds an argument that not every slice has.
    #[inline]
    pub(super) fn add(&mut self, number: usize) {
        self.0 |= 1 << (Self::PRESENT + number);
    }

    /// Adds an argument that not every slice has, if `is` so.
    #[inline]
    pub(super) fn add_if(&mut self, number: usize, is: bool) {
        self.0 |= u32::from(is) << (Self::PRESENT + number);
    }

    pub(super) fn has(self, number: usize) -> bool {
        self.0 & 1 << (Self::PRESENT + number) != 0
    }

    /// Adds what another shape has.
    #[inline]
    pub(super) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Sets the class of a number that has one of several widths; whether it fits one.
    #[inline]
    pub(super) fn set_class(&mut self, number: usize, widths: &Widths, value: u64) -> bool {
        let class = widths.class(value);
        self.0 |= u32::from(class & 3) << Self::place(number);
        class & TOO_WIDE == 0
    }

    /// Ten numbers have a class: the first seven, and three of transfers.
    #[inline]
    const fn place(number: usize) -> usize {
        2 * match number {
            number::BYTES => 7,
            number::SOURCE => 8,
            number::DESTINATION => 9,
            number => number,
        }
    }
}

/// The shapes of a block's slices.
#[derive(Debug)]
pub(super) struct Shapes {
    kinds: [u32; ROWS],
    pub(super) all: [Shape; ROWS],
    /// Slices that are copies of no other: a bit each.
    apart: u128,
}

impl Shapes {
    pub(super) fn new() -> Self {
        Self { kinds: [0; ROWS], all: [Shape::default(); ROWS], apart: 0 }
    }

    /// From now on the shapes are those of other slices, of these kinds.
    #[inline]
    pub(super) fn start(&mut self, kinds: &[u32]) {
        self.apart = 0;
        self.all = [Shape::default(); ROWS];
        self.kinds.iter_mut().zip(kinds).for_each(|(to, kind)| *to = *kind);
    }

    /// Their kinds.
    pub(super) fn kinds(&self) -> &[u32; ROWS] {
        &self.kinds
    }

    /// A slice is a copy of no other.
    #[cold]
    pub(super) fn set_apart(&mut self, row: usize) {
        self.apart |= 1 << (row % ROWS);
    }

    /// Sets a number that a slice has, of one of several widths.
    #[inline]
    pub(super) fn set(
        &mut self,
        numbers: &mut Numbers,
        (number, row): (usize, usize),
        widths: &Widths,
        value: u64,
    ) {
        if number < number::FIRST_OF_ALL {
            self.all[row % ROWS].add(number);
        }
        let is_narrow = numbers.set(number, row, widths, value);
        if !is_narrow && !self.all[row % ROWS].set_class(number, widths, value) {
            self.set_apart(row);
        }
    }

    /// Sets a number of the first slices.
    #[inline]
    pub(super) fn set_all(
        &mut self,
        numbers: &mut Numbers,
        number: usize,
        widths: &Widths,
        values: &[u64],
    ) {
        if !numbers.set_all(number, values) || widths.are_wide() {
            for (row, value) in values.iter().enumerate() {
                self.set(numbers, (number, row), widths, *value);
            }
        }
    }

    /// Makes a number of the first slices, of one of several widths, ready for templates: those that have one are set, and others
    /// are 0. `all`: all slices have it.
    #[inline]
    pub(super) fn finish(
        &mut self,
        numbers: &mut Numbers,
        (number, rows): (usize, usize),
        widths: &Widths,
        all: bool,
    ) {
        let [least, next] = widths.first_two().map(u32::cast_signed);
        let mut added = Shape::default();
        if all {
            added.add(number);
        }
        let place = Shape::place(number);
        let values = numbers.column(number).get(..rows).unwrap_or_default();
        for (shape, value) in self.all.iter_mut().zip(values) {
            let value = value.cast_signed();
            let class = u32::from(value > least) + u32::from(value > next);
            shape.0 |= class << place | added.0;
        }
        numbers.spread(number, rows);
    }

    /// The keys of the templates of the first ones: shape, and from bit 32 on kind.
    #[inline]
    pub(super) fn put_keys(&self, keys: &mut [u64]) {
        for (key, (shape, kind)) in keys.iter_mut().zip(self.all.iter().zip(&self.kinds)) {
            *key = u64::from(*kind) << 32 | u64::from(shape.0);
        }
        if self.apart != 0 {
            self.put_apart(keys);
        }
    }

    #[cold]
    fn put_apart(&self, keys: &mut [u64]) {
        let apart = keys.iter_mut().enumerate().filter(|(row, _)| self.apart & 1 << row != 0);
        apart.for_each(|(_, key)| *key = NO_KEY);
    }
}
