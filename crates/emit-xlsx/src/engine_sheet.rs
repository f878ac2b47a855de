//! The sheet of an engine: totals, then every command.

use bigtpu_chip::Engine;
use bigtpu_compat::Edition;
use bigtpu_emit::ProgressTask;
use bigtpu_timeline::Profile;
use rust_xlsxwriter::{ConditionalFormat2ColorScale, ConditionalFormat3ColorScale};

use crate::cells::Cells;
use crate::columns::{Column, Kind};
use crate::frame::Frame;
use crate::headers;
use crate::package::PartWriter;
use crate::part::{Part, Totals};
use crate::row_xml::RowXml;
use crate::rows::Rows;
use crate::sheet::{Result, Sheet};
use crate::styles::{SCALE, StyleMarks, engine_color};
use bigtpu_measure::layers::Layers;

/// Rows between two tellings of progress.
const STEP: u32 = 4096;

/// Most rows that may stay in view: with more above the commands there would be no room for these.
const MOST_FROZEN: u32 = 25;

/// Columns that stay in view: engine, core, index and id.
const FROZEN_COLUMNS: u16 = 4;

/// Writes a sheet but for its commands.
pub(crate) fn write_frame(
    sheet: &mut Sheet<'_>,
    profile: &Profile<'_>,
    part: &Part<'_, '_, '_>,
    edition: Edition,
) -> Result {
    let (engine, columns) = (part.book.engine(), &part.book.columns);
    layout(sheet, part)?;
    if part.is_first() {
        match &part.book.totals {
            Totals::Tiu(totals) => headers::tiu(sheet, profile, totals)?,
            Totals::Dma(totals) => {
                headers::dma(sheet, engine, profile.clocks.mhz(engine), totals)?;
            }
        }
    }
    let names = columns.all.iter().map(|c| edition.title(c.name));
    let head = sheet.styles.head_of(engine);
    sheet.headers(part.header_row, 0, names, head)
}

/// What [`write_frame`] made of a sheet.
#[derive(Debug)]
pub(crate) struct SheetXml<'c> {
    /// The name of its part in the workbook's file.
    pub(crate) name: String,
    /// The XML around its cells.
    pub(crate) xml: String,
    pub(crate) cells: &'c Cells,
}

/// The sheet with its commands, as a part of the workbook's file. `marks`: formats of numbers.
pub(crate) fn pack(
    sheet: SheetXml<'_>,
    (layers, marks): (Option<&Layers>, &StyleMarks),
    part: &Part<'_, '_, '_>,
    out: &mut PartWriter<'_>,
    task: &dyn ProgressTask,
) -> Result {
    let columns = &part.book.columns;
    let frame = Frame::parse(&sheet.xml)?;
    out.start(&sheet.name)?;
    out.put(&frame.head(sheet.cells, Some((part.last_row(), columns.last()))))?;
    out.put(&sheet.cells.rows_xml())?;
    let mut rows = Rows::new(layers, part.book, columns);
    let mut line = RowXml::new(columns.last() + 1, marks);
    let mut untold = 0;
    for (row, i) in (part.header_row + 1..).zip(part.events.clone()) {
        line.begin(row);
        let Ok(()) = rows.write(&mut line, i);
        line.end(out)?;
        untold += 1;
        if untold == STEP {
            task.advance(std::mem::take(&mut untold).into());
        }
    }
    out.put(&frame.tail(sheet.cells))?;
    task.advance(untold.into());
    Ok(())
}

/// Widths, what stays in view, filters and colour scales.
fn layout(sheet: &mut Sheet<'_>, part: &Part<'_, '_, '_>) -> Result {
    let (columns, first, last) = (&part.book.columns, part.header_row + 1, part.last_row());
    let inner = &mut *sheet.inner;
    inner.set_tab_color(engine_color(part.book.engine()));
    for (col, column) in (0u16..).zip(&columns.all) {
        inner.set_column_width(col, width(column))?;
    }
    let frozen = if first > MOST_FROZEN { 0 } else { first };
    inner.set_freeze_panes(frozen, FROZEN_COLUMNS)?;
    inner.autofilter(part.header_row, 0, last, columns.last())?;
    for (col, column) in (0u16..).zip(&columns.all) {
        if column.kind == Kind::Bandwidth {
            let scale = ConditionalFormat2ColorScale::new()
                .set_minimum_color(SCALE[1])
                .set_maximum_color(SCALE[2]);
            inner.add_conditional_format(first, col, last, col, &scale)?;
        }
    }
    if let (Engine::Tiu, Some(col)) = (part.book.engine(), columns.named("uArch Rate")) {
        let scale = ConditionalFormat3ColorScale::new()
            .set_minimum_color(SCALE[0])
            .set_midpoint_color(SCALE[1])
            .set_maximum_color(SCALE[2]);
        inner.add_conditional_format(first, col, last, col, &scale)?;
    }
    Ok(())
}

/// Width of a column in characters: room for its name, its filter button and usual values.
fn width(column: &Column) -> f64 {
    let least = match column.name {
        "Function Name" | "Function Type" | "Layer Name" => 18,
        "Start Time(ns)" | "End Time(ns)" | "Alg Ops" | "uArch Ops" => 16,
        "Direction" | "Data Type" => 15,
        _ => 10,
    };
    (column.name.len() + 4).clamp(least, 26) as f64
}
