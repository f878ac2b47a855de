//! What a column of a row group holds.

use foldhash::{HashMap, HashMapExt};

use crate::cell::{Cell, Type};
use crate::columns::{Column, Of};
use crate::rows::{Part, Source};
use crate::values::Values;

/// A column of a row group.
pub(super) struct Content<'a> {
    /// By row: 1, or 0 for null.
    pub(super) levels: Vec<i16>,
    /// The values that are not null.
    pub(super) values: Known<'a>,
}

/// Values without nulls.
pub(super) enum Known<'a> {
    /// Distinct values, and the place of each value among them.
    Coded(Vec<Cell<'a>>, Vec<u32>),
    /// Whole numbers.
    Ints(Vec<i64>),
    /// Bits of doubles.
    Floats(Vec<i64>),
    /// 0 or 1.
    Bools(Vec<i64>),
}

impl Known<'_> {
    /// All values; those that `of` gives none for are left out.
    pub(super) fn all<T: Clone>(&self, of: impl Fn(Cell<'_>) -> Option<T>) -> Vec<T> {
        let words = |words: &[i64], cell: fn(i64) -> Cell<'static>| {
            words.iter().filter_map(|word| of(cell(*word))).collect()
        };
        match self {
            Self::Coded(entries, codes) => {
                let entries: Vec<Option<T>> = entries.iter().map(|entry| of(*entry)).collect();
                codes.iter().filter_map(|code| entries.get(*code as usize)?.clone()).collect()
            }
            Self::Ints(all) => words(all, Cell::Int),
            Self::Floats(all) => words(all, |word| Cell::Float(f64::from_bits(word as u64))),
            Self::Bools(all) => words(all, |word| Cell::Bool(word != 0)),
        }
    }
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
            Of::Kind(_) => {
                let mut coded = Coded::of(self, rows);
                group.iter().for_each(|part| coded.put(part.kind_numbers()));
                coded.content()
            }
            Of::Tag(_) => {
                let mut coded = Coded::of(self, rows);
                // All commands of a launch have one tag.
                let runs = group.iter().flat_map(|part| part.tag_numbers().chunk_by(u32::eq));
                runs.for_each(|run| coded.put_run(run.first().copied().unwrap_or(0), run.len()));
                coded.content()
            }
            Of::Engine(cell) => {
                let cells = group.iter().map(|part| cell(&part.source, part.engine_id()));
                let lookup = Self::of_cells(cells);
                let mut coded = Coded::of(&lookup, rows);
                (0..).zip(group).for_each(|(number, part)| coded.put_run(number, part.len()));
                coded.content()
            }
            Of::Event { cells, .. } => {
                let mut values = Values::with_capacity(rows);
                group.iter().for_each(|part| cells(part, &mut values));
                Content::of_values(column.kind, values)
            }
        }
    }
}

/// The rows of a row group, as places among those entries of a [`Lookup`] that the group uses.
struct Coded<'l, 'a> {
    lookup: &'l Lookup<'a>,
    /// By code: the place of the entry among the used ones.
    places: Vec<u32>,
    /// Entries in order of appearance.
    used: Vec<Cell<'a>>,
    levels: Vec<i16>,
    codes: Vec<u32>,
}

impl<'l, 'a> Coded<'l, 'a> {
    fn of(lookup: &'l Lookup<'a>, rows: usize) -> Self {
        Self {
            lookup,
            places: vec![UNSEEN; lookup.entries.len()],
            used: Vec::new(),
            levels: Vec::with_capacity(rows),
            codes: Vec::with_capacity(rows),
        }
    }

    /// The place of a number's value; `None` for null.
    #[inline]
    fn place(&mut self, number: u32) -> Option<u32> {
        let code = *self.lookup.codes.get(number as usize)? as usize;
        let place = self.places.get_mut(code)?;
        if *place == UNSEEN {
            *place = self.used.len() as u32;
            self.used.extend(self.lookup.entries.get(code));
        }
        Some(*place)
    }

    /// Appends a row for each number.
    fn put(&mut self, numbers: &[u32]) {
        for &number in numbers {
            let place = self.place(number);
            self.levels.push(place.is_some().into());
            if let Some(place) = place {
                self.codes.push(place);
            }
        }
    }

    /// Appends rows of one number.
    fn put_run(&mut self, number: u32, rows: usize) {
        let place = self.place(number);
        self.levels.resize(self.levels.len() + rows, place.is_some().into());
        if let Some(place) = place {
            self.codes.resize(self.codes.len() + rows, place);
        }
    }

    fn content(self) -> Content<'a> {
        Content { levels: self.levels, values: Known::Coded(self.used, self.codes) }
    }
}

impl<'a> Content<'a> {
    pub(super) fn of_values(kind: Type, values: Values<'a>) -> Self {
        let Values { levels, words, texts, .. } = values;
        let values = match kind {
            Type::Bool => Known::Bools(words),
            Type::Text => Known::Coded(
                texts.into_iter().map(Cell::Text).collect(),
                words.into_iter().map(|number| number as u32).collect(),
            ),
            Type::Int => Known::Ints(words),
            Type::Float => Known::Floats(words),
        };
        Self { levels, values }
    }
}
