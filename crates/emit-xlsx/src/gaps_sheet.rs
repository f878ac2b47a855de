//! `Gaps`: the times in which an engine did no work, those that cost most first (`docs/analysis.md`).

use bigtpu_answers::{Edge, Gap, Gaps};

use crate::number::{Shape, microseconds, whole};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Gaps";

const COLUMNS: [&str; 11] = [
    "Engine",
    "Start(ns)",
    "Length(us)",
    "Cost(us)",
    "Cause",
    "Sync(us)",
    "Other Engine(us)",
    "Idle(us)",
    "After",
    "Before",
    "Waited for",
];
const CAUSES: [&str; 6] = ["Engine", "Cause", "Count", "Total(us)", "Of the wall time", "Max(us)"];

const NOTE: &str = "Cost: the part of the gap in which no engine of the core worked. They are ordered by cost, from 0.1 % of the wall time on. +N: so many other engines waited for the same. After and Before: the previous and the next command, with their Global Idx.";

/// Writes the sheet. `wall_ns`: the time that shares are of.
pub(crate) fn write(sheet: &mut Sheet<'_>, gaps: &Gaps, wall_ns: i64) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_range_width(0, 7, 16)?;
    sheet.inner.set_column_range_width(8, 10, 34)?;
    sheet.styled(0, 0, "Gaps that cost most", &styles.title)?;
    sheet.text(1, 0, NOTE)?;
    sheet.headers(3, 0, COLUMNS, &styles.head)?;
    let mut row = 3;
    if gaps.longest.is_empty() {
        return sheet.text(row + 1, 0, "No engine was idle between its commands.");
    }
    for gap in &gaps.longest {
        row += 1;
        line(sheet, row, gap)?;
    }
    sheet.inner.autofilter(3, 0, row, (COLUMNS.len() - 1) as u16)?;
    row += 2;
    sheet.headers(row, 0, CAUSES, &styles.head)?;
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
    sheet.number(row, 3, microseconds(gap.cost_ns))?;
    sheet.styled(row, 4, gap.cause.name(), &sheet.styles.beside)?;
    let parts = [gap.sync_ns, gap.other_engine_ns, gap.idle_ns].map(microseconds);
    (5..).zip(parts).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    sheet.styled(row, 8, &edge(&gap.before), &sheet.styles.beside)?;
    sheet.text(row, 9, &edge(&gap.after))?;
    let waited = gap.waited_for.as_ref();
    sheet.text(
        row,
        10,
        &waited.map_or_else(String::new, |(engine, index)| format!("{engine} {index}")),
    )
}
