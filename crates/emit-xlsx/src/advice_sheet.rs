//! `Advice`: what to do, with the numbers that it rests on (`docs/advice.md`).

use bigtpu_answers::{Advice, Report};
use bigtpu_messages::Language;

use crate::number::{Shape, microseconds};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Advice";

const NOTE: &str = "Saves at most: how much shorter the run is in a replay without the problem (an estimate if the run cannot be replayed). Two rules can count the same time: do not sum these times. (bound): no change is known that reaches it. docs/advice.md explains the rules.";

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, report: &Report) -> Result {
    let advice = &report.advice;
    let styles = sheet.styles;
    sheet.inner.set_column_width(0, 22)?;
    sheet.inner.set_column_range_width(1, 2, 18)?;
    sheet.inner.set_column_width(3, 46)?;
    sheet.inner.set_column_range_width(4, 5, 14)?;
    sheet.inner.set_column_width(6, 48)?;
    sheet.styled(0, 0, "Advice", styles.title)?;
    sheet.text(1, 0, NOTE)?;
    let heads =
        ["Rule", "Saves at most(us)", "Of the wall time", "Evidence", "Value", "Unit", "Place"];
    sheet.headers(3, 0, heads, styles.head)?;
    let mut row = 3;
    if advice.is_empty() {
        return sheet.text(row + 1, 0, "No rule found anything to improve.");
    }
    for piece in advice {
        row += 1;
        head(sheet, row, piece)?;
        for evidence in &piece.evidence {
            row += 1;
            sheet.styled(row, 3, &format!("  {}", evidence.what), styles.beside)?;
            sheet.number(row, 4, (evidence.value, Shape::General))?;
            sheet.styled(row, 5, &evidence.unit, styles.beside)?;
            sheet.text(row, 6, &evidence.place)?;
        }
    }
    let Some(together) = report.advice_together.filter(|_| advice.len() > 1) else { return Ok(()) };
    sheet.text(row + 1, 0, "All together")?;
    sheet.number(row + 1, 1, microseconds(together.gain_ns))?;
    sheet.number(row + 1, 2, (together.gain, Shape::Percent1))?;
    sheet.styled(row + 1, 3, "A replay without all of these problems.", sheet.styles.beside)
}

/// Rule, gain and text of a piece of advice, in the first four columns.
pub(crate) fn head(sheet: &mut Sheet<'_>, row: u32, piece: &Advice) -> Result {
    let bound = match (piece.is_estimate, piece.is_bound) {
        (true, _) => " (estimate)",
        (false, true) => " (bound)",
        (false, false) => "",
    };
    sheet.text(row, 0, &format!("{}{bound}", piece.id))?;
    if let Some(ns) = piece.gain_ns {
        sheet.number(row, 1, microseconds(ns))?;
    }
    if let Some(gain) = piece.gain {
        sheet.number(row, 2, (gain, Shape::Percent1))?;
    }
    sheet.styled(row, 3, piece.text.to(Language::English), sheet.styles.beside)
}
