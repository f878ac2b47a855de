//! `Advice`: what to do, with the numbers that it rests on (`docs/advice.md`).

use bigtpu_answers::Advice;

use crate::number::{Shape, microseconds};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Advice";

const NOTE: &str = "Saves at most: the wall time that a piece of advice can save, estimated. Do not sum these times. docs/advice.md explains the rules.";

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, advice: &[Advice]) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_width(0, 22)?;
    sheet.inner.set_column_range_width(1, 2, 18)?;
    sheet.inner.set_column_width(3, 46)?;
    sheet.inner.set_column_range_width(4, 5, 14)?;
    sheet.inner.set_column_width(6, 48)?;
    sheet.styled(0, 0, "Advice", &styles.title)?;
    sheet.text(1, 0, NOTE)?;
    let heads =
        ["Rule", "Saves at most(us)", "Of the wall time", "Evidence", "Value", "Unit", "Place"];
    sheet.headers(3, 0, heads, &styles.head)?;
    let mut row = 3;
    if advice.is_empty() {
        return sheet.text(row + 1, 0, "No rule found anything to improve.");
    }
    for piece in advice {
        row += 1;
        head(sheet, row, piece)?;
        for evidence in &piece.evidence {
            row += 1;
            sheet.styled(row, 3, &format!("  {}", evidence.what), &styles.beside)?;
            sheet.number(row, 4, (evidence.value, Shape::General))?;
            sheet.styled(row, 5, &evidence.unit, &styles.beside)?;
            sheet.text(row, 6, &evidence.place)?;
        }
    }
    Ok(())
}

/// Rule, gain and text of a piece of advice, in the first four columns.
pub(crate) fn head(sheet: &mut Sheet<'_>, row: u32, piece: &Advice) -> Result {
    sheet.text(row, 0, &piece.id)?;
    if let Some(ns) = piece.gain_ns {
        sheet.number(row, 1, microseconds(ns))?;
    }
    if let Some(gain) = piece.gain {
        sheet.number(row, 2, (gain, Shape::Percent1))?;
    }
    sheet.styled(row, 3, &piece.text, &sheet.styles.beside)
}
