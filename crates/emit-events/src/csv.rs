//! `events.csv`. Most columns depend on less than the event: what they hold is text once for each engine, kind and tag, columns that
//! stand next to each other in one piece, and rows are put together from that.

use bigtpu_output::{Csv, OutFile, OutputError, Text, Written};

use crate::PIECE;
use crate::cell::EventCell;
use crate::columns::{Column, Of};
use crate::row::Row;
use crate::rows::{Part, Source};

/// Columns next to each other that depend on the same.
enum Columns<'c, 'a> {
    /// The engine.
    Engine(Vec<&'c Column>),
    /// The text of each kind, by its number.
    Kind(Vec<Text<Csv>>),
    /// The text of each tag, by its number.
    Tag(Vec<Text<Csv>>),
    /// The event: one column.
    Event(fn(&Row<'a>) -> EventCell<'a>),
}

/// Writes columns of all events as text.
pub(crate) fn write_rows(
    source: Source<'_>,
    mut file: OutFile,
    columns: &[&Column],
) -> Result<Written, OutputError> {
    let mut text = Text::<Csv>::joined(columns.iter().map(|column| column.name), ",");
    text.own("\n");
    let groups: Vec<Columns<'_, '_>> =
        columns.chunk_by(|a, b| are_alike(a, b)).map(|own| Columns::new(own, source)).collect();
    for part in source.parts() {
        let of_engine: Vec<Text<Csv>> = groups.iter().map(|of| of.of_engine(&part)).collect();
        let mut numbers = part.kind_numbers().iter().zip(part.tag_numbers());
        part.try_each(|row| {
            let (kind, tag) = numbers.next().unwrap_or((&0, &0));
            for (number, (group, engine)) in groups.iter().zip(&of_engine).enumerate() {
                text.own(if number > 0 { "," } else { "" });
                let shared = match group {
                    Columns::Engine(_) => Some(engine),
                    Columns::Kind(texts) => texts.get(*kind as usize),
                    Columns::Tag(texts) => texts.get(*tag as usize),
                    Columns::Event(cell) => {
                        cell(row).put(&mut text);
                        None
                    }
                };
                if let Some(shared) = shared {
                    text.show(shared);
                }
            }
            text.own("\n");
            if text.len() >= PIECE {
                file.append(&text)?;
                text.clear();
            }
            Ok::<_, OutputError>(())
        })?;
    }
    file.append(&text)?;
    file.commit()
}

/// Whether two columns depend on the same, and not on the event.
fn are_alike(a: &Column, b: &Column) -> bool {
    matches!(
        (a.of, b.of),
        (Of::Engine(_), Of::Engine(_)) | (Of::Kind(_), Of::Kind(_)) | (Of::Tag(_), Of::Tag(_))
    )
}

/// Cells as CSV has them.
fn joined<'a>(cells: impl Iterator<Item = EventCell<'a>>) -> Text<Csv> {
    let mut text = Text::<Csv>::new();
    for (number, cell) in cells.enumerate() {
        text.own(if number > 0 { "," } else { "" });
        cell.put(&mut text);
    }
    text
}

impl<'c, 'a> Columns<'c, 'a> {
    /// Texts of columns that are alike.
    fn new(columns: &'c [&'c Column], source: Source<'a>) -> Self {
        let of_kinds = || {
            let cells = |kind| {
                columns.iter().filter_map(move |column| match column.of {
                    Of::Kind(cell) => Some(cell(kind)),
                    _ => None,
                })
            };
            source.kinds().map(|kind| joined(cells(kind))).collect()
        };
        let of_tags = || {
            let cells = |tag| {
                columns.iter().filter_map(move |column| match column.of {
                    Of::Tag(cell) => Some(cell(&source, tag)),
                    _ => None,
                })
            };
            source.profile.tags.iter().map(|tag| joined(cells(*tag))).collect()
        };
        match columns.first().map(|column| column.of) {
            Some(Of::Kind(_)) => Self::Kind(of_kinds()),
            Some(Of::Tag(_)) => Self::Tag(of_tags()),
            Some(Of::Event { cell, .. }) => Self::Event(cell),
            Some(Of::Engine(_)) | None => Self::Engine(columns.to_vec()),
        }
    }

    /// The text of all rows of an engine; empty where the columns depend on something else.
    fn of_engine(&self, part: &Part<'a>) -> Text<Csv> {
        let Self::Engine(columns) = self else { return Text::new() };
        joined(columns.iter().filter_map(|column| match column.of {
            Of::Engine(cell) => Some(cell(&part.source, part.engine_id())),
            _ => None,
        }))
    }
}
