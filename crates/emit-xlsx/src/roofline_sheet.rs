//! `Roofline`: how far each kernel is from what a core can do, and what holds it back (`docs/analysis.md`).

use bigtpu_answers::{Bound, Roofline, Rooflines};

use crate::chart_values::ChartCells;
use crate::number::{Shape, microseconds, six_digits};
use crate::roofline_chart::{self, Roof};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Roofline";

const COLUMNS: [&str; 13] = [
    "Kernel or Layer",
    "Time(us)",
    "Ops/Byte of DDR",
    "TOPS",
    "Bound",
    "Of the Roof",
    "Ops/Byte of L2M",
    "DDR(GB/s)",
    "L2M(GB/s)",
    "Compute Roof(us)",
    "DDR Roof(us)",
    "L2M Roof(us)",
    "Known",
];

/// Column of the names of kernels and layers.
pub(crate) const KERNEL: u16 = 0;
/// Columns of what the chart shows.
pub(crate) const INTENSITY: u16 = 2;
pub(crate) const TOPS: u16 = 3;

const NOTES: [&str; 3] = [
    "Times are summed over cores (of layers from first to last command; they may overlap); rates are those of one core. Roofs in us: the time at the chip's peak.",
    "Of the Roof: the largest of the three roofs / the time; implausible: more operations or bytes than the time allows.",
    "Ops/Byte and TOPS need commands with full bits; Known is their share. The chart shows kernels and layers that have both.",
];

/// Row of the columns, from 0: the chart is above.
pub(crate) const HEADER_ROW: u32 = 28;

/// First column of the roofs' corners, next to the chart.
pub(crate) const ROOFS: u16 = 9;
/// Row of their headers.
pub(crate) const ROOFS_ROW: u32 = 5;

/// Columns that the chart refers to.
const CHARTED: [u16; 5] = [KERNEL, INTENSITY, TOPS, ROOFS + 1, ROOFS + 2];

/// Longest table, in rows: those that took longest come first.
const MOST: usize = 100_000;

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, rooflines: &Rooflines) -> Result {
    let styles = sheet.styles;
    sheet.charted = ChartCells::new(ROOFS_ROW..u32::MAX, &CHARTED);
    sheet.inner.set_column_width(0, 40)?;
    sheet.inner.set_column_range_width(1, (COLUMNS.len() - 1) as u16, 16)?;
    sheet.styled(0, 0, "Roofline of a core", styles.title)?;
    for (row, note) in (1..).zip(NOTES) {
        sheet.text(row, 0, note)?;
    }
    let roofs: Vec<String> =
        rooflines.roofs.iter().chain(&rooflines.clocks).map(|roof| roof.brief()).collect();
    sheet.text(NOTES.len() as u32 + 1, 0, &format!("Roofs of a core: {}.", roofs.join(", ")))?;
    // A static model has layers where others have kernels.
    let all: Vec<Roofline> = rooflines.kernels.iter().chain(&rooflines.layers).cloned().collect();
    let kernels = all.get(..MOST).unwrap_or(&all);
    match roofline_chart::roofs(&rooflines.hardware, kernels) {
        Some(roofs) => {
            corners(sheet, &roofs)?;
            roofline_chart::insert(sheet.inner, &roofs, kernels)?;
        }
        None => sheet.text(
            ROOFS_ROW,
            0,
            "The operations of the kernels and layers are unknown, so there is no chart.",
        )?,
    }
    sheet.headers(HEADER_ROW, 0, COLUMNS, styles.head)?;
    let last = HEADER_ROW + kernels.len().max(1) as u32;
    sheet.inner.autofilter(HEADER_ROW, 0, last, (COLUMNS.len() - 1) as u16)?;
    for (row, kernel) in (HEADER_ROW + 1..).zip(kernels) {
        line(sheet, row, &kernel.kernel, kernel)?;
    }
    line(sheet, last + 1, "(whole run)", &rooflines.overall)
}

/// What the roofs' lines lead through.
fn corners(sheet: &mut Sheet<'_>, roofs: &[Roof]) -> Result {
    let styles = sheet.styles;
    sheet.headers(ROOFS_ROW, ROOFS, ["Roof", "Ops/Byte", "TOPS"], styles.head)?;
    let corners = roofs.iter().flat_map(|roof| roof.corners.iter().map(move |at| (roof, at)));
    for (row, (roof, (intensity, tops))) in (ROOFS_ROW + 1..).zip(corners) {
        sheet.text(row, ROOFS, &roof.name)?;
        sheet.number(row, ROOFS + 1, six_digits(*intensity))?;
        sheet.number(row, ROOFS + 2, six_digits(*tops))?;
    }
    Ok(())
}

fn line(sheet: &mut Sheet<'_>, row: u32, name: &str, r: &Roofline) -> Result {
    sheet.text(row, 0, name)?;
    sheet.styled(row, 4, r.bound.name(), sheet.styles.beside)?;
    if r.bound == Bound::Implausible {
        sheet.styled(row, 5, &r.roof_text(), sheet.styles.warning)?;
    } else {
        r.roof.map_or(Ok(()), |roof| sheet.number(row, 5, (roof, Shape::Percent1)))?;
    }
    // What is not known is empty: a logarithmic axis has no 0.
    let three = |x: f64| (x, Shape::ThreeDecimals);
    let optional = [
        (INTENSITY, r.ddr_intensity),
        (TOPS, r.tops.filter(|tops| *tops > 0.0)),
        (6, r.l2m_intensity),
    ];
    for (col, x) in optional {
        x.map_or(Ok(()), |x| sheet.number(row, col, three(x)))?;
    }
    for (col, ns) in [(9, r.ideal_compute_ns), (10, r.ideal_ddr_ns), (11, r.ideal_l2m_ns)] {
        ns.map_or(Ok(()), |ns| sheet.number(row, col, microseconds(ns)))?;
    }
    let numbers = [
        (1, microseconds(r.ns)),
        (7, three(r.ddr_gbps)),
        (8, three(r.l2m_gbps)),
        (12, (r.known, Shape::Percent1)),
    ];
    numbers.into_iter().try_for_each(|(col, number)| sheet.number(row, col, number))
}
