//! The values of a column in many rows.

use foldhash::{HashMap, HashMapExt};

use crate::cell::Cell;

/// The values of a column in many rows, nulls apart.
#[derive(Default)]
pub(crate) struct Values<'a> {
    /// By row: 1, or 0 for null.
    pub(crate) levels: Vec<i16>,
    /// The others: whole numbers, bits of doubles, 0 or 1, or numbers of texts.
    pub(crate) words: Vec<i64>,
    /// What numbers of texts stand for.
    pub(crate) texts: Vec<&'a str>,
    numbers: HashMap<&'a str, i64>,
}

impl<'a> Values<'a> {
    /// With space for this many rows.
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self {
            levels: Vec::with_capacity(rows),
            words: Vec::with_capacity(rows),
            texts: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Appends the value of a row.
    #[inline]
    pub(crate) fn push(&mut self, cell: Cell<'a>) {
        let word = match cell {
            Cell::Null => return self.levels.push(0),
            Cell::Int(n) => n,
            Cell::Float(x) => x.to_bits() as i64,
            Cell::Bool(yes) => yes.into(),
            Cell::Text(text) => self.number(text),
        };
        self.levels.push(1);
        self.words.push(word);
    }

    fn number(&mut self, text: &'a str) -> i64 {
        let texts = &mut self.texts;
        *self.numbers.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() as i64 - 1
        })
    }
}
