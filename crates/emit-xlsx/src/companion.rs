//! The table that bigTpuProfile 0.3.7 writes beside its workbook, for the scripts that read it: each event of each
//! sheet as a line of CSV, sorted by time. It is written only where the program runs under that name.

use std::convert::Infallible;

use bigtpu_chip::Engine;
use bigtpu_compat::RecordValue;
use bigtpu_measure::float_text;
use bigtpu_output::{Csv, OutFile, OutputError, Text};

use crate::book::Book;
use crate::columns::{Column, Columns, Keys, Kind};
use crate::part::EngineBook;
use crate::rows::{RowCells, Rows};

/// Bytes that are collected before they go to the file.
const PIECE: usize = 1 << 16;

/// Where an event stands in the table: start and end in ns, id, engine.
type Order = (i64, i64, i64, u8);

/// Writes the table.
pub(crate) fn write(book: &Book<'_, '_>, file: &mut OutFile) -> Result<(), OutputError> {
    let layers = book.layers.as_ref().map(|(layers, _)| *layers);
    let all = columns(&book.engines);
    let own: Vec<Columns> = book
        .engines
        .iter()
        .map(|engine| Columns::of_engine(engine.engine(), all.clone()))
        .collect();
    let mut rows: Vec<Rows<'_, '_>> =
        book.engines.iter().zip(&own).map(|(e, columns)| Rows::new(layers, e, columns)).collect();
    let mut text =
        Text::<Csv>::joined(all.iter().map(|column| book.edition.title(column.name)), ",");
    text.own("\n");
    let mut line = Line { cells: vec![Cell::Empty; all.len()], is_cdma: false };
    for (_, engine, event) in sorted(&book.engines) {
        let Some((book, rows)) = book.engines.get(engine).zip(rows.get_mut(engine)) else {
            continue;
        };
        line.cells.fill(Cell::Empty);
        line.is_cdma = book.engine() == Engine::Cdma;
        let Ok(()) = rows.write(&mut line, event);
        line.put(&mut text);
        if text.len() >= PIECE {
            file.append(&text)?;
            text.clear();
        }
    }
    file.append(&text)
}

/// All events in the order of their lines, each with the number of its engine and its own.
fn sorted(engines: &[EngineBook<'_, '_>]) -> Vec<(Order, usize, usize)> {
    let mut all: Vec<(Order, usize, usize)> = Vec::new();
    for (engine, book) in engines.iter().enumerate() {
        let events = &book.commands.track.events;
        let number = book.engine().text_id();
        let times = events.start.iter().zip(&events.end).enumerate();
        all.extend(times.map(|(i, (&start, &end))| {
            ((start, end, events.id.get(i).unwrap_or(0), number), engine, i)
        }));
    }
    all.sort_unstable();
    all
}

/// The columns of the last core's TIU sheet, then those that only its GDMA sheet has. A sheet that is not there has all
/// columns that it could have.
fn columns(engines: &[EngineBook<'_, '_>]) -> Vec<Column> {
    let of_cores = || engines.iter().filter(|book| book.engine() != Engine::Cdma);
    let core = |book: &EngineBook<'_, '_>| book.commands.track.engine_id.index;
    let last = of_cores().map(core).max();
    let sheet = |engine| {
        let found = of_cores().find(|book| book.engine() == engine && Some(core(book)) == last);
        found.map_or_else(
            || Columns::choose(engine, &Keys::default()).all,
            |b| b.columns.all.clone(),
        )
    };
    let mut all = sheet(Engine::Tiu);
    let more = sheet(Engine::Gdma);
    let new = more.into_iter().filter(|column| !all.iter().any(|c| c.name == column.name));
    all.extend(new.collect::<Vec<_>>());
    all.retain(|column| column.kind != Kind::Port);
    all
}

/// A cell of a line.
#[derive(Debug, Clone)]
enum Cell {
    Empty,
    Whole(i128),
    Text(String),
}

/// The cells of the line that is being made.
#[derive(Debug)]
struct Line {
    cells: Vec<Cell>,
    /// Bandwidths of ports stay as their text has them.
    is_cdma: bool,
}

impl Line {
    fn set(&mut self, col: u16, cell: Cell) -> Result<(), Infallible> {
        if let Some(place) = self.cells.get_mut(usize::from(col)) {
            *place = cell;
        }
        Ok(())
    }

    fn put(&self, text: &mut Text<Csv>) {
        for (number, cell) in self.cells.iter().enumerate() {
            text.own(if number > 0 { "," } else { "" });
            match cell {
                Cell::Empty => {}
                Cell::Whole(n) => _ = text.int(*n),
                Cell::Text(value) if value == "-" => _ = text.own("-"),
                Cell::Text(value) => _ = text.show(value.as_str()),
            }
        }
        text.own("\n");
    }
}

impl RowCells for Line {
    type Error = Infallible;

    fn address(&mut self, col: u16, value: &RecordValue<'_>) -> Result<(), Infallible> {
        match value {
            RecordValue::Int(n) => self.whole(col, *n),
            other => self.value(col, &other.to_string()),
        }
    }

    fn whole(&mut self, col: u16, n: i128) -> Result<(), Infallible> {
        self.set(col, Cell::Whole(n))
    }

    fn gbps(&mut self, col: u16, x: Option<f64>) -> Result<(), Infallible> {
        let text = if self.is_cdma {
            RecordValue::from(x).to_string()
        } else {
            float_text(x.unwrap_or(0.0))
        };
        self.set(col, Cell::Text(text))
    }

    fn value(&mut self, col: u16, text: &str) -> Result<(), Infallible> {
        self.set(col, Cell::Text(text.to_owned()))
    }

    fn text(&mut self, col: u16, text: &str) -> Result<(), Infallible> {
        self.value(col, text)
    }
}
