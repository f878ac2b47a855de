//! What a column of a row group holds, ready to be encoded.

use foldhash::{HashMap, HashMapExt};

use super::dictionary::dictionary;
use crate::cell::{Cell, Type};
use crate::columns::{Column, Of};
use crate::rows::{Part, Source};
use crate::values::Values;

/// A column of a row group.
pub(super) struct Content<'a> {
    /// By row: 1, or 0 for null.
    pub(super) levels: Vec<u8>,
    /// The values that are not null.
    pub(super) values: Encodable<'a>,
}

/// Values without nulls.
pub(super) enum Encodable<'a> {
    /// Distinct values, and the place of each value among them.
    Dictionary(Vec<Cell<'a>>, Vec<u32>),
    /// Whole numbers, bits of doubles, or 0 and 1.
    Words(Vec<i64>),
}

/// Of a column that does not depend on the event: the value for each engine, kind or tag.
pub(super) struct Lookup<'a> {
    /// By number: the place of its value among the entries; [`NULL`] without one.
    codes: Vec<u32>,
    entries: Vec<Cell<'a>>,
}

/// The code of null.
const NULL: u32 = u32::MAX;

/// The place of a value that was not looked for yet.
const UNSEEN: u32 = u32::MAX - 1;

impl<'a> Lookup<'a> {
    /// Of a column. A column that depends on engine or event has none: nothing is saved.
    pub(super) fn of(column: &Column, source: Source<'a>) -> Self {
        match column.of {
            Of::Kind(cell) => Self::of_cells(source.kinds().map(cell)),
            Of::Tag(cell) => {
                Self::of_cells(source.profile.tags.iter().map(|tag| cell(&source, *tag)))
            }
            Of::Engine(_) | Of::Event { .. } => Self { codes: Vec::new(), entries: Vec::new() },
        }
    }

    fn of_cells(cells: impl Iterator<Item = Cell<'a>>) -> Self {
        let (mut known, mut entries) = (HashMap::new(), Vec::new());
        let code = |cell| {
            let key = match cell {
                Cell::Null => return NULL,
                Cell::Int(n) => (n, ""),
                Cell::Float(x) => (x.to_bits() as i64, ""),
                Cell::Bool(yes) => (yes.into(), ""),
                Cell::Text(text) => (0, text),
            };
            *known.entry(key).or_insert_with(|| {
                entries.push(cell);
                entries.len() as u32 - 1
            })
        };
        Self { codes: cells.map(code).collect(), entries }
    }

    /// The column in a row group.
    pub(super) fn content(&self, column: &Column, group: &[Part<'a>]) -> Content<'a> {
        let rows = group.iter().map(Part::len).sum();
        match column.of {
            Of::Kind(_) => self.coded(column.kind, rows, group.iter().map(Part::kind_numbers)),
            Of::Tag(_) => self.coded(column.kind, rows, group.iter().map(Part::tag_numbers)),
            Of::Engine(cell) => {
                let cells = group.iter().map(|part| cell(&part.source, part.engine_id()));
                let lookup = Self::of_cells(cells);
                let numbers = (0..).zip(group);
                let numbers: Vec<u32> = numbers
                    .flat_map(|(number, part)| std::iter::repeat_n(number, part.len()))
                    .collect();
                lookup.coded(column.kind, rows, [numbers.as_slice()].into_iter())
            }
            Of::Event { cells, .. } => {
                let mut values = Values::with_capacity(rows);
                for part in group {
                    cells(part, &mut values);
                }
                Content::of_values(column.kind, values)
            }
        }
    }

    /// One pass: the entries that the numbers use, in order of appearance, and the place of each row's value among them.
    fn coded<'n>(
        &self,
        kind: Type,
        rows: usize,
        numbers: impl Iterator<Item = &'n [u32]>,
    ) -> Content<'a> {
        if self.entries.is_empty() {
            return Content { levels: vec![0; rows], values: Encodable::Words(Vec::new()) };
        }
        let (mut levels, mut codes) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        let (mut places, mut used) = (vec![UNSEEN; self.entries.len()], Vec::new());
        for number in numbers.flatten() {
            let code = self.codes.get(*number as usize).copied().unwrap_or(NULL);
            let Some(place) = places.get_mut(code as usize) else {
                levels.push(0);
                continue;
            };
            if *place == UNSEEN {
                *place = used.len() as u32;
                used.extend(self.entries.get(code as usize));
            }
            levels.push(1);
            codes.push(*place);
        }
        let values = match kind {
            Type::Bool => {
                let is_true = |code: &u32| used.get(*code as usize) == Some(&Cell::Bool(true));
                Encodable::Words(codes.iter().map(|code| is_true(code).into()).collect())
            }
            _ => Encodable::Dictionary(used, codes),
        };
        Content { levels, values }
    }
}

impl Encodable<'_> {
    /// Number of values.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Dictionary(_, codes) => codes.len(),
            Self::Words(words) => words.len(),
        }
    }
}

impl<'a> Content<'a> {
    pub(super) fn of_values(kind: Type, values: Values<'a>) -> Self {
        let Values { levels, words, texts, .. } = values;
        let of_word = |word| if kind == Type::Float { float(word) } else { Cell::Int(word) };
        let values = match kind {
            Type::Bool => Encodable::Words(words),
            Type::Text => Encodable::Dictionary(
                texts.into_iter().map(Cell::Text).collect(),
                words.into_iter().map(|number| number as u32).collect(),
            ),
            Type::Int | Type::Float => match dictionary(&words) {
                Some((entries, codes)) => {
                    Encodable::Dictionary(entries.into_iter().map(of_word).collect(), codes)
                }
                None => Encodable::Words(words),
            },
        };
        Self { levels, values }
    }
}

fn float(word: i64) -> Cell<'static> {
    Cell::Float(f64::from_bits(word as u64))
}
