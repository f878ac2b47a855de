//! `Kernels`: every kernel function, those that took longest first, and the layers of a static model.

use bigtpu_answers::Report;
use bigtpu_answers::tables::{KERNEL_COLUMNS, WorkUnit, unit_columns};
use bigtpu_chip::Engine;
use rust_xlsxwriter::{ConditionalFormat2ColorScale, ConditionalFormatDataBar};

use crate::chart_values::ChartCells;
use crate::charts_sheet;
use crate::layer_rows;
use crate::number::Shape;
use crate::sheet::{Result, Sheet};
use crate::styles::{SCALE, light_color};
use crate::unit_row;

/// Name of the sheet.
pub(crate) const NAME: &str = "Kernels";

/// Column of the kernel's name.
pub(crate) const KERNEL: u16 = 0;

/// Column of the total time.
pub(crate) const TOTAL: u16 = 4;

/// The last column of the sheet, behind [`KERNEL_COLUMNS`].
const INCOMPLETE: &str = "incomplete_launches";

/// Column of the share, of the TIU's busy share, and of the bandwidth.
const SHARE: u16 = 9;
const BUSY: u16 = 10;
const BANDWIDTH: u16 = 18;

const NOTES: [&str; 3] = [
    "Count: launches on all cores. Share: of the time of all launches. Bandwidth: bytes moved / time of the launches.",
    "Busy: time of the engine's commands / time of the launches, without system commands; overlapping commands count each.",
    "p50, p95: 50 % and 95 % of the launches took at most this time (nearest rank), without the incomplete launches: those with missing commands.",
];

/// Row of the columns, from 0.
pub(crate) const HEADER_ROW: u32 = 4;

/// Longest table, in rows: further kernels are counted, not shown.
const MOST: usize = 1_000_000;

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, report: &Report) -> Result {
    let (styles, kernels) = (sheet.styles, report.kernels.len());
    sheet.charted =
        ChartCells::new(HEADER_ROW + 1..HEADER_ROW + 1 + charts_sheet::KERNELS, &[KERNEL, TOTAL]);
    if kernels == 0 && !report.layers.is_empty() {
        // A table without rows says nothing.
        sheet.inner.set_column_width(0, 40)?;
        sheet.inner.set_column_range_width(1, KERNEL_COLUMNS.len() as u16, 15)?;
        return layer_rows::write(sheet, 0, report);
    }
    layout(sheet, kernels.min(MOST))?;
    sheet.styled(0, 0, "Kernels", styles.title)?;
    for (row, note) in (1..).zip(NOTES) {
        sheet.text(row, 0, note)?;
    }
    if kernels > MOST {
        let note = format!("The first {MOST} of {kernels} kernels.");
        sheet.styled(0, 1, &note, styles.warning)?;
    }
    let columns = unit_columns(&[&KERNEL_COLUMNS[..], &[INCOMPLETE]].concat());
    for (col, column) in (0..).zip(&columns) {
        let engine = Engine::ALL.into_iter().zip(BUSY..).find(|(_, busy)| *busy == col);
        let style = engine.map_or(styles.head, |(engine, _)| styles.head_of(engine));
        sheet.styled(HEADER_ROW, col, &column.title_with_unit(), style)?;
    }
    for (row, kernel) in (HEADER_ROW + 1..).zip(WorkUnit::kernels(report).take(MOST)) {
        unit_row::write(sheet, (row, 0), &columns, &kernel, Shape::Percent2)?;
    }
    let below = HEADER_ROW + 3 + kernels.min(MOST) as u32;
    layer_rows::write(sheet, below, report)
}

fn layout(sheet: &mut Sheet<'_>, kernels: usize) -> Result {
    let inner = &mut *sheet.inner;
    let last = HEADER_ROW + u32::try_from(kernels).unwrap_or(0).max(1);
    let last_column = KERNEL_COLUMNS.len() as u16;
    inner.set_column_width(0, 40)?;
    inner.set_column_range_width(1, last_column, 15)?;
    inner.set_freeze_panes(HEADER_ROW + 1, 1)?;
    inner.autofilter(HEADER_ROW, 0, last, last_column)?;
    let share = ConditionalFormatDataBar::new()
        .use_classic_style()
        .set_fill_color(SCALE[2])
        .set_solid_fill(true);
    inner.add_conditional_format(HEADER_ROW + 1, SHARE, last, SHARE, &share)?;
    for (engine, col) in Engine::ALL.into_iter().zip(BUSY..) {
        let busy = ConditionalFormatDataBar::new()
            .use_classic_style()
            .set_fill_color(light_color(engine))
            .set_minimum(rust_xlsxwriter::ConditionalFormatType::Number, 0)
            .set_maximum(rust_xlsxwriter::ConditionalFormatType::Number, 1);
        inner.add_conditional_format(HEADER_ROW + 1, col, last, col, &busy)?;
    }
    let bandwidth =
        ConditionalFormat2ColorScale::new().set_minimum_color(SCALE[1]).set_maximum_color(SCALE[2]);
    inner.add_conditional_format(HEADER_ROW + 1, BANDWIDTH, last, BANDWIDTH, &bandwidth)?;
    Ok(())
}
