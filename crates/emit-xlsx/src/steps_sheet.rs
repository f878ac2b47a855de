//! `Steps`: the iterations of the run, each with its phases, and which of them stand out (`docs/analysis.md`).

use bigtpu_answers::{Step, Steps};

use crate::number::{Shape, microseconds, whole};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Steps";

const COLUMNS: [&str; 11] = [
    "Step",
    "Start(us)",
    "Time(us)",
    "Of the p50",
    "Compute Only(us)",
    "Overlapped(us)",
    "Transfer Only(us)",
    "Sync(us)",
    "Idle(us)",
    "Launches",
    "Remark",
];

/// More steps than this are not shown: a sheet has 1,048,576 rows.
const MOST: usize = 1_000_000;

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, steps: &Steps) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_range_width(0, 9, 16)?;
    sheet.inner.set_column_width(10, 34)?;
    sheet.styled(0, 0, "Steps", styles.title)?;
    let times = &steps.times;
    let note = format!(
        "Found in this way: {}. A step begins with kernel {}. {} steps: {} warm-up, {} outliers, {} irregular. p50, p95, mean and spread are of the regular steps without warm-up.",
        steps.source.text(),
        steps.first_kernel,
        times.count,
        times.warm_up,
        times.outliers,
        times.irregular
    );
    sheet.text(1, 0, &note)?;
    let sums = ["p50(us)", "p95(us)", "Mean(us)", "Min(us)", "Max(us)", "Spread"];
    sheet.headers(3, 0, sums, styles.head)?;
    let numbers = [
        microseconds(times.durations.p50_ns),
        microseconds(times.durations.p95_ns),
        microseconds(times.durations.mean_ns.round() as i64),
        microseconds(times.min_ns),
        microseconds(times.durations.max_ns),
        (times.spread, Shape::Percent1),
    ];
    (0..).zip(numbers).try_for_each(|(col, number)| sheet.number(4, col, number))?;
    sheet.headers(6, 0, COLUMNS, styles.head)?;
    let mut row = 6;
    for step in steps.steps.iter().take(MOST) {
        row += 1;
        line(sheet, row, step, times.durations.p50_ns)?;
    }
    sheet.inner.autofilter(6, 0, row, (COLUMNS.len() - 1) as u16)?;
    Ok(())
}

fn line(sheet: &mut Sheet<'_>, row: u32, step: &Step, p50_ns: i64) -> Result {
    if step.name.is_empty() {
        sheet.number(row, 0, whole(step.number.into()))?;
    } else {
        sheet.text(row, 0, &step.name)?;
    }
    let numbers = [
        microseconds(step.start_ns),
        microseconds(step.ns()),
        (step.ns() as f64 / p50_ns.max(1) as f64, Shape::Percent1),
    ];
    let phases = step.phases().map(|(_, ns)| microseconds(ns));
    let numbers = numbers.into_iter().chain(phases).chain([whole(step.launches.into())]);
    (1..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    let what = match (step.is_warm_up, step.is_outlier, step.is_regular) {
        (true, ..) => "warm-up",
        (_, true, _) => "outlier",
        (_, _, false) => "irregular: other launches",
        _ => return Ok(()),
    };
    let cause =
        step.cause.map_or_else(String::new, |phase| format!(", most of it {}", phase.name()));
    sheet.styled(row, 10, &format!("{what}{cause}"), sheet.styles.beside)
}
