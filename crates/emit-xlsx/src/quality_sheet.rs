//! `Data Quality`: what became of every engine's records, and what was lost or doubtful.

use bigtpu_timeline::{Completeness, CompletenessVerdict, Counts, Profile, Severity};
use rust_xlsxwriter::utility::row_col_to_cell;

use crate::number::whole;
use crate::sheet::{Cut, LONGEST, Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Data Quality";

const TITLE: &str = "Records read, matched, corrected and lost";

/// Writes the sheet. `cuts` are the cells of other sheets whose texts were too long.
pub(crate) fn write(sheet: &mut Sheet<'_>, profile: &Profile<'_>, cuts: &[Cut]) -> Result {
    let styles = sheet.styles;
    let titles = || std::iter::once("Engine").chain(Counts::TITLES.iter().copied());
    let last_column = Counts::TITLES.len() as u16;
    sheet.inner.set_column_width(0, 16)?;
    sheet.inner.set_column_range_width(1, last_column, 12)?;
    sheet.inner.set_freeze_panes(3, 1)?;
    sheet.styled(0, 0, TITLE, styles.title)?;
    sheet.headers(2, 0, titles(), styles.head)?;
    let mut row = 2;
    for line in &profile.ledger.lines {
        row += 1;
        sheet.text(row, 0, &line.engine_id.to_string())?;
        for (col, (title, n)) in (1..).zip(Counts::TITLES.iter().zip(line.counts.values())) {
            sheet.number(row, col, whole(n.into()))?;
            if *title == "lost" && n > 0 {
                sheet.cells.restyle(row, col, styles.loss);
            }
        }
    }
    sheet.inner.autofilter(2, 0, row.max(3), last_column)?;
    let row = completeness(sheet, row + 2, &profile.ledger.completeness)?;
    let row = runtime(sheet, row, profile)?;
    notes(sheet, row, profile, cuts)
}

/// Whether the dump holds all that was written. The row behind it.
fn completeness(sheet: &mut Sheet<'_>, row: u32, completeness: &Completeness) -> Result<u32> {
    let verdict = completeness.verdict();
    let name = verdict.name();
    sheet.text(row, 0, "Completeness")?;
    match verdict {
        CompletenessVerdict::Incomplete => sheet.styled(row, 1, name, sheet.styles.loss)?,
        CompletenessVerdict::Complete => sheet.text(row, 1, &completeness.to_string())?,
        CompletenessVerdict::Unverified => sheet.text(row, 1, name)?,
    }
    let mut behind = row + 1;
    // Losses are among the notes below.
    if verdict == CompletenessVerdict::Unverified {
        for reason in completeness.reasons() {
            sheet.text(behind, 1, &reason.file_name())?;
            sheet.text(behind, 4, &reason.said().text)?;
            behind += 1;
        }
    }
    Ok(behind + 1)
}

/// The runtime's own copies and barriers around a static model. The row behind them.
fn runtime(sheet: &mut Sheet<'_>, mut row: u32, profile: &Profile<'_>) -> Result<u32> {
    const HEADS: [&str; 6] =
        ["Engine", "Runtime", "Cmd Id", "Start Time(ns)", "End Time(ns)", "DDR->DDR bytes"];
    if profile.runtime.is_empty() {
        return Ok(row);
    }
    let styles = sheet.styles;
    sheet.styled(
        row,
        0,
        "Copies and barriers of the runtime, which are not commands of the model",
        styles.title,
    )?;
    row += 1;
    sheet.headers(row, 0, HEADS, styles.head)?;
    for event in &profile.runtime {
        row += 1;
        sheet.text(row, 0, &event.engine_id.to_string())?;
        sheet.text(row, 1, event.kind.name())?;
        let numbers = [event.id.saturating_add(1), event.start, event.end];
        for (col, n) in (2..).zip(numbers) {
            sheet.number(row, col, whole(n.into()))?;
        }
        if event.kind.is_copy() {
            sheet.number(row, 5, whole(event.bytes.into()))?;
        }
    }
    Ok(row + 2)
}

/// What went wrong, losses first.
fn notes(sheet: &mut Sheet<'_>, mut row: u32, profile: &Profile<'_>, cuts: &[Cut]) -> Result {
    let styles = sheet.styles;
    sheet.headers(row, 0, ["Kind", "File", "", "At byte", "Note"], styles.head)?;
    let mut notes: Vec<_> = profile.ledger.notes.iter().collect();
    notes.sort_by_key(|n| std::cmp::Reverse(n.severity));
    if notes.is_empty() && cuts.is_empty() {
        return sheet.text(row + 1, 0, "No loss is known, and there are no warnings.");
    }
    for note in notes {
        row += 1;
        kind(sheet, row, note.severity)?;
        sheet.text(row, 1, &note.file_name())?;
        if let Some(offset) = note.offset {
            sheet.number(row, 3, whole(offset.into()))?;
        }
        sheet.text(row, 4, &note.said().text)?;
    }
    for cut in cuts.iter().cloned().chain(std::mem::take(&mut sheet.cuts)) {
        row += 1;
        kind(sheet, row, Severity::Warning)?;
        let cell = row_col_to_cell(cut.place.0, cut.place.1);
        let text = format!(
            "{}!{cell}: the first {LONGEST} of {} characters; a cell holds no more",
            cut.sheet, cut.length
        );
        sheet.text(row, 4, &text)?;
    }
    Ok(())
}

fn kind(sheet: &mut Sheet<'_>, row: u32, severity: Severity) -> Result {
    let styles = sheet.styles;
    match severity {
        Severity::Loss => sheet.styled(row, 0, "lost", styles.loss),
        Severity::Warning => sheet.styled(row, 0, "warning", styles.warning),
        Severity::Note | Severity::Detail => sheet.text(row, 0, "note"),
    }
}
