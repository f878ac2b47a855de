//! The distinct values of a column, and which of them each row has.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use parquet::data_type::ByteArray;
use parquet::file::statistics::{Statistics, ValueStatistics};

/// A row without a value.
pub const NULL: u32 = u32::MAX;

/// A value that a dictionary can hold.
pub trait DictionaryValue: Copy + Ord + Hash {
    /// Appends it as a dictionary's page has it.
    fn put(self, page: &mut Vec<u8>);

    /// As an index of pages has it; `None` where an index shortens it.
    fn index_bytes(self) -> Option<Vec<u8>>;

    /// Whether metadata say how long all texts are.
    const IS_TEXT: bool;

    /// Bytes of its text; numbers have none.
    fn text_bytes(self) -> usize;

    /// What the file's metadata say of a column: the least and the greatest value, and the number of nulls.
    fn statistics(least_greatest: Option<(Self, Self)>, nulls: u64) -> Statistics;
}

impl DictionaryValue for i64 {
    const IS_TEXT: bool = false;

    #[inline]
    fn put(self, page: &mut Vec<u8>) {
        page.extend(self.to_le_bytes());
    }

    fn index_bytes(self) -> Option<Vec<u8>> {
        Some(self.to_le_bytes().into())
    }

    #[inline]
    fn text_bytes(self) -> usize {
        0
    }

    fn statistics(least_greatest: Option<(Self, Self)>, nulls: u64) -> Statistics {
        let (least, greatest) = least_greatest.unzip();
        ValueStatistics::new(least, greatest, None, Some(nulls), false)
            .with_backwards_compatible_min_max(true)
            .into()
    }
}

/// Bytes of a text that metadata and indexes hold at most.
const INDEXED: usize = 64;

impl DictionaryValue for &str {
    const IS_TEXT: bool = true;

    #[inline]
    fn put(self, page: &mut Vec<u8>) {
        page.extend((self.len() as u32).to_le_bytes());
        page.extend(self.bytes());
    }

    fn index_bytes(self) -> Option<Vec<u8>> {
        (self.len() <= INDEXED).then(|| self.into())
    }

    #[inline]
    fn text_bytes(self) -> usize {
        self.len()
    }

    fn statistics(least_greatest: Option<(Self, Self)>, nulls: u64) -> Statistics {
        let (least, greatest) = least_greatest.unzip();
        ValueStatistics::new(
            least.map(ByteArray::from),
            greatest.map(ByteArray::from),
            None,
            Some(nulls),
            false,
        )
        .into()
    }
}

/// The values of a column without repetition.
pub struct Distinct<V> {
    /// In the order of their first rows.
    pub(crate) values: Vec<V>,
    /// These values, as they stand in the page of a dictionary.
    pub(crate) page: Vec<u8>,
    /// For each row the number of its value, or [`NULL`].
    pub(crate) rows: Vec<u32>,
}

/// Finds the values of a column without repetition.
pub struct DistinctFinder<V> {
    found: Distinct<V>,
    /// The numbers of the values, by the values.
    numbers: HashTable<u32>,
    hasher: FixedState,
    /// Bytes of a dictionary at most: a column with more distinct values has none.
    most: usize,
}

impl<V: DictionaryValue> DistinctFinder<V> {
    /// `rows`: of the column; `most`: bytes of a dictionary, below which it stays.
    #[must_use]
    pub fn new(rows: usize, most: usize) -> Self {
        // As many values as there are rows, if they are numbers: a table that grows hashes its values again.
        let numbers = HashTable::with_capacity(rows.min(most / size_of::<i64>()));
        let found =
            Distinct { values: Vec::new(), page: Vec::new(), rows: Vec::with_capacity(rows) };
        Self { found, numbers, hasher: FixedState::default(), most }
    }

    /// The number of a value; `None` where the dictionary has no room for it.
    #[inline]
    pub fn number(&mut self, value: Option<V>) -> Option<u32> {
        let Some(value) = value else { return Some(NULL) };
        let found = &mut self.found;
        let hash = |number: &u32| {
            let value = found.values.get(*number as usize);
            value.map_or(0, |value| self.hasher.hash_one(value))
        };
        let is_own = |number: &u32| found.values.get(*number as usize) == Some(&value);
        let next = found.values.len() as u32;
        match self.numbers.entry(self.hasher.hash_one(value), is_own, hash) {
            Entry::Occupied(known) => return Some(*known.get()),
            Entry::Vacant(place) => place.insert(next),
        };
        found.values.push(value);
        value.put(&mut found.page);
        (found.page.len() < self.most).then_some(next)
    }

    /// The next row has the value of a number.
    #[inline]
    pub fn add(&mut self, number: u32) {
        self.found.rows.push(number);
    }

    /// What was found.
    #[must_use]
    pub fn finish(self) -> Distinct<V> {
        self.found
    }

    /// The values of rows of which many have the value of the row before; `None` where they are too many for a dictionary.
    pub fn find(
        values: impl ExactSizeIterator<Item = Option<V>>,
        most: usize,
    ) -> Option<Distinct<V>> {
        let mut finder = Self::new(values.len(), most);
        let mut last = (None, NULL);
        for value in values {
            if last.0 != value {
                last = (value, finder.number(value)?);
            }
            finder.add(last.1);
        }
        Some(finder.finish())
    }
}
