//! A unit of work as a row: kernels, steps, layers and blocks have the same columns.

use bigtpu_answers::tables::{Datum, Unit, UnitColumn, WorkUnit};

use crate::number::{Shape, sixteen_digits, whole};
use crate::sheet::{Result, Sheet};

/// Columns of what a layer or a block did, behind those that say what it is.
pub(crate) const WORK: [&str; 13] = [
    "start_ns",
    "total_ns",
    "wall_share",
    "path_ns",
    "tiu_ns",
    "gdma_ns",
    "sdma_ns",
    "ops",
    "uarch_rate",
    "mac_utilization",
    "ddr_bytes",
    "other_bytes",
    "expected_ns",
];

/// Columns of [`WORK`] that are no times of the unit.
pub(crate) const COSTS: &[&str] = WORK.split_at(3).1;

/// Writes the values of columns from a cell on. What is not known is no cell. `share`: how shares look.
pub(crate) fn write(
    sheet: &mut Sheet<'_>,
    (row, first): (u32, u16),
    columns: &[&UnitColumn],
    unit: &WorkUnit<'_>,
    share: Shape,
) -> Result {
    (first..).zip(columns).try_for_each(|(col, column)| {
        cell(sheet, (row, col), (column.unit, share), (column.value)(unit))
    })
}

fn cell(
    sheet: &mut Sheet<'_>,
    (row, col): (u32, u16),
    (unit, share): (Unit, Shape),
    value: Datum<'_>,
) -> Result {
    let number = match (unit, value) {
        (_, Datum::Text(text)) => return sheet.text(row, col, text),
        (_, Datum::Bound(bound)) => return sheet.text(row, col, bound.name()),
        (_, Datum::Unknown(())) => return Ok(()),
        (Unit::Duration, value) => {
            let us = value.number().unwrap_or_default() / 1000.0;
            (sixteen_digits(us), Shape::ThreeDecimals)
        }
        (Unit::Share, value) => (value.number().unwrap_or_default(), share),
        (_, Datum::Whole(count)) => whole(count.into()),
        (_, Datum::Number(number)) => (number, Shape::ThreeDecimals),
    };
    sheet.number(row, col, number)
}
