//! `Gaps`: the times in which an engine did no work, those that cost most first (`docs/analysis.md`).

use bigtpu_answers::{Cause, Edge, Gap, Gaps};

use crate::number::{Shape, microseconds, whole};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Gaps";

const COLUMNS: [&str; 14] = [
    "Engine",
    "Start(ns)",
    "Length(us)",
    "Cost of the Run(us)",
    "No Engine Worked(us)",
    "Cause",
    "Sync(us)",
    "Other Engine(us)",
    "Idle(us)",
    "Ended by",
    "After",
    "Before",
    "Layer Id",
    "Kernel or Layer",
];
const ENGINES: [&str; 7] =
    ["Engine", "Busy(us)", "Of the wall time", "Gaps", "Total(us)", "Listed", "Not listed(us)"];
const CAUSES: [&str; 6] = ["Engine", "Cause", "Count", "Total(us)", "Of the wall time", "Max(us)"];

const NOTE: &str = "Cost of the run: by how much it would be shorter if the command after the gap had found all that it needed (replayed; empty: not replayed). Ended by: the command whose end ended the gap. +N: so many other engines waited for the same.";
const LIST_NOTE: &str = "After and Before: the previous and the next command, with their Global Idx. Layer: of the command after the gap. The gaps of an engine and its busy time are the length of the run.";

/// Writes the sheet. `wall_ns`: the time that shares are of.
pub(crate) fn write(sheet: &mut Sheet<'_>, gaps: &Gaps, wall_ns: i64) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_range_width(0, 8, 16)?;
    sheet.inner.set_column_range_width(9, 13, 34)?;
    sheet.styled(0, 0, "Gaps that cost most", styles.title)?;
    sheet.text(1, 0, NOTE)?;
    sheet.headers(3, 0, COLUMNS, styles.head)?;
    let mut row = 3;
    if gaps.longest.is_empty() {
        row += 1;
        sheet.text(row, 0, "No engine has a gap between its commands.")?;
    }
    for gap in &gaps.longest {
        row += 1;
        line(sheet, row, gap)?;
    }
    sheet.inner.autofilter(3, 0, row.max(4), (COLUMNS.len() - 1) as u16)?;
    row += 2;
    sheet.headers(row, 0, ENGINES, styles.head)?;
    for of in &gaps.engines {
        row += 1;
        sheet.text(row, 0, &format!("{} {}", of.engine, of.index))?;
        let numbers = [
            microseconds(of.busy_ns),
            (of.busy_ns as f64 / wall_ns.max(1) as f64, Shape::Percent1),
            whole(of.count.into()),
            microseconds(of.total_ns),
            whole(of.gaps.len() as i128),
            microseconds(of.rest_ns),
        ];
        (1..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    }
    row += 2;
    sheet.headers(row, 0, CAUSES, styles.head)?;
    for cause in &gaps.causes {
        row += 1;
        sheet.text(row, 0, &format!("{} {}", cause.engine, cause.index))?;
        sheet.text(row, 1, cause.cause.name())?;
        let share = (cause.total_ns as f64 / wall_ns.max(1) as f64, Shape::Percent1);
        let numbers = [
            whole(cause.count.into()),
            microseconds(cause.total_ns),
            share,
            microseconds(cause.max_ns),
        ];
        (2..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    }
    row += 2;
    sheet.styled(row, 0, "Gaps of each engine", styles.title)?;
    sheet.text(row + 1, 0, LIST_NOTE)?;
    row += 3;
    sheet.headers(row, 0, COLUMNS, styles.head)?;
    for gap in gaps.engines.iter().flat_map(|of| &of.gaps) {
        row += 1;
        line(sheet, row, gap)?;
    }
    Ok(())
}

fn line(sheet: &mut Sheet<'_>, row: u32, gap: &Gap) -> Result {
    let edge = |edge: &Option<Edge>| {
        edge.as_ref().map_or_else(String::new, |e| format!("{} #{}", e.name, e.event))
    };
    let more = if gap.with.is_empty() { String::new() } else { format!(" +{}", gap.with.len()) };
    sheet.text(row, 0, &format!("{} {}{more}", gap.engine, gap.index))?;
    sheet.number(row, 1, whole(gap.start_ns.into()))?;
    sheet.number(row, 2, microseconds(gap.ns()))?;
    if let Some(saved_ns) = gap.saved_ns {
        sheet.number(row, 3, microseconds(saved_ns))?;
    }
    sheet.number(row, 4, microseconds(gap.cost_ns))?;
    sheet.styled(row, 5, gap.cause.name(), sheet.styles.beside)?;
    let parts = [gap.sync_ns, gap.other_engine_ns, gap.idle_ns].map(microseconds);
    (6..).zip(parts).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    let ended = gap.ended_by().map_or_else(
        || if gap.cause == Cause::End { "end of the run" } else { "not known" }.to_owned(),
        |end| format!("{} {} {} #{}", end.engine, end.index, end.command.name, end.command.event),
    );
    sheet.styled(row, 9, &ended, sheet.styles.beside)?;
    sheet.text(row, 10, &edge(&gap.before))?;
    sheet.text(row, 11, &edge(&gap.after))?;
    let Some(after) = &gap.after else { return Ok(()) };
    if let Some(id) = after.layer_id {
        sheet.number(row, 12, whole(id.into()))?;
    }
    sheet.text(row, 13, after.layer.as_deref().unwrap_or(&after.kernel))
}
