//! The distinct values of a column, and which of them each row has.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt};
use parquet::data_type::ByteArray;
use parquet::file::statistics::{Statistics, ValueStatistics};

use super::DICTIONARY;
use crate::cell::EventCell;
use crate::content::Content;

/// A row without a value.
pub(super) const NULL: u32 = u32::MAX;

/// A value that a dictionary can hold.
pub(super) trait Value: Copy + Ord + Hash {
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

impl Value for i64 {
    const IS_TEXT: bool = false;

    fn put(self, page: &mut Vec<u8>) {
        page.extend(self.to_le_bytes());
    }

    fn index_bytes(self) -> Option<Vec<u8>> {
        Some(self.to_le_bytes().into())
    }

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

impl Value for &str {
    const IS_TEXT: bool = true;

    fn put(self, page: &mut Vec<u8>) {
        page.extend((self.len() as u32).to_le_bytes());
        page.extend(self.bytes());
    }

    fn index_bytes(self) -> Option<Vec<u8>> {
        (self.len() <= INDEXED).then(|| self.into())
    }

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
pub(super) struct Distinct<V> {
    /// In the order of their first rows.
    pub(super) values: Vec<V>,
    /// These values, as they stand in the page of a dictionary.
    pub(super) page: Vec<u8>,
    /// For each row the number of its value, or [`NULL`].
    pub(super) rows: Vec<u32>,
}

impl<V: Value> Distinct<V> {
    /// The values of a column; `value` is that of a cell. `None` where they are too many for a dictionary.
    pub(super) fn find<'a>(
        content: &Content<'_, 'a>,
        value: impl Fn(EventCell<'a>) -> Option<V>,
    ) -> Option<Self> {
        let mut found =
            Self { values: Vec::new(), page: Vec::new(), rows: Vec::with_capacity(content.len()) };
        let mut numbers = HashMap::new();
        match content {
            Content::Shared(cells, rows) => {
                let mut of_cells = vec![None; cells.len()];
                for row in rows {
                    let at = *row as usize;
                    let number = match of_cells.get(at).copied().flatten() {
                        Some(number) => number,
                        None => {
                            let cell = cells.get(at).copied().unwrap_or(EventCell::Null);
                            let number = found.number(value(cell), &mut numbers)?;
                            if let Some(of_cell) = of_cells.get_mut(at) {
                                *of_cell = Some(number);
                            }
                            number
                        }
                    };
                    found.rows.push(number);
                }
            }
            Content::Own(cells) => {
                let mut last = (None, NULL);
                for cell in cells {
                    let value = value(*cell);
                    if last.0 != value {
                        last = (value, found.number(value, &mut numbers)?);
                    }
                    found.rows.push(last.1);
                }
            }
        }
        Some(found)
    }

    /// The number of a value; `None` where the dictionary has no room for it.
    fn number(&mut self, value: Option<V>, numbers: &mut HashMap<V, u32>) -> Option<u32> {
        let Some(value) = value else { return Some(NULL) };
        let next = self.values.len() as u32;
        let number = *numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
            value.put(&mut self.page);
        }
        (self.page.len() < DICTIONARY).then_some(number)
    }
}
