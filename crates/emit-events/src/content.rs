//! What a column of some rows holds.

use std::borrow::Cow;

use crate::cell::EventCell;
use crate::columns::{Column, Of};
use crate::rows::{Part, Source};

/// The cells of a column in a row group.
pub(crate) enum Content<'l, 'a> {
    /// Cells that rows share, and the number of each row's cell.
    Shared(Cow<'l, [EventCell<'a>]>, Vec<u32>),
    /// The cell of each row.
    Own(Vec<EventCell<'a>>),
}

/// The cells of a column that depends on kind or tag, by the number of the kind or tag; empty for other columns.
pub(crate) fn shared_cells<'a>(column: &Column, source: Source<'a>) -> Vec<EventCell<'a>> {
    match column.of {
        Of::Kind(cell) => source.kinds().map(cell).collect(),
        Of::Tag(cell) => source.profile.tags.iter().map(|tag| cell(&source, *tag)).collect(),
        Of::Engine(_) | Of::Event { .. } => Vec::new(),
    }
}

impl<'l, 'a> Content<'l, 'a> {
    /// The column in a row group; `shared` are its [`shared_cells`].
    pub(crate) fn collect(
        column: &Column,
        shared: &'l [EventCell<'a>],
        group: &[Part<'a>],
    ) -> Self {
        let rows = group.iter().map(Part::len).sum();
        let numbers = |of: for<'p> fn(&'p Part<'a>) -> &'p [u32]| {
            let mut numbers = Vec::with_capacity(rows);
            group.iter().for_each(|part| numbers.extend_from_slice(of(part)));
            numbers
        };
        match column.of {
            Of::Kind(_) => Self::Shared(shared.into(), numbers(|part| part.kind_numbers())),
            Of::Tag(_) => Self::Shared(shared.into(), numbers(|part| part.tag_numbers())),
            Of::Engine(cell) => {
                let cells = group.iter().map(|part| cell(&part.source, part.engine_id())).collect();
                let mut numbers = Vec::with_capacity(rows);
                for (number, part) in (0..).zip(group) {
                    numbers.resize(numbers.len() + part.len(), number);
                }
                Self::Shared(Cow::Owned(cells), numbers)
            }
            Of::Event { cells, .. } => {
                let mut own = Vec::with_capacity(rows);
                group.iter().for_each(|part| cells(part, &mut own));
                Self::Own(own)
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Shared(_, numbers) => numbers.len(),
            Self::Own(cells) => cells.len(),
        }
    }

    /// The values of the rows that have one, and by row 1, or 0 for null. `of` is the value of a cell.
    pub(crate) fn values<T: Clone>(
        &self,
        of: impl Fn(EventCell<'a>) -> Option<T>,
    ) -> (Vec<T>, Vec<i16>) {
        let (mut values, mut levels) =
            (Vec::with_capacity(self.len()), Vec::with_capacity(self.len()));
        self.visit(of, |value: Option<T>| {
            levels.push(value.is_some().into());
            values.extend(value);
        });
        (values, levels)
    }

    /// The value of each row.
    pub(crate) fn each<T: Clone>(&self, of: impl Fn(EventCell<'a>) -> Option<T>) -> Vec<Option<T>> {
        let mut values = Vec::with_capacity(self.len());
        self.visit(of, |value| values.push(value));
        values
    }

    fn visit<T: Clone>(
        &self,
        of: impl Fn(EventCell<'a>) -> Option<T>,
        push: impl FnMut(Option<T>),
    ) {
        match self {
            Self::Shared(cells, numbers) => {
                let cells: Vec<Option<T>> = cells.iter().map(|cell| of(*cell)).collect();
                let cell = |number: &u32| cells.get(*number as usize).cloned().flatten();
                numbers.iter().map(cell).for_each(push);
            }
            Self::Own(cells) => cells.iter().map(|cell| of(*cell)).for_each(push),
        }
    }
}
