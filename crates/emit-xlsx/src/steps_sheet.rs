//! `Steps`: the iterations of the run, each with its phases, which of them stand out, and what its commands did (`docs/analysis.md`).

use bigtpu_answers::tables::{PHASE_COLUMNS, UnitColumn, WorkUnit, unit_columns};
use bigtpu_answers::{Report, Step};

use crate::number::{Shape, microseconds, whole};
use crate::sheet::{Result, Sheet};
use crate::unit_row;

/// Name of the sheet.
pub(crate) const NAME: &str = "Steps";

/// The first columns; the phases, the launches and the remark follow.
const FIRST: [&str; 4] = ["Step", "Start(us)", "Time(us)", "Of the p50"];

/// What follows these.
const BEHIND_PHASES: [&str; 2] = ["Launches", "Remark"];

/// More steps than this are not shown: a sheet has 1,048,576 rows.
const MOST: usize = 1_000_000;

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, report: &Report) -> Result {
    let Some(steps) = report.iterations() else { return Ok(()) };
    let styles = sheet.styles;
    sheet.inner.set_column_range_width(0, 20, 16)?;
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
    let (phases, work) = (unit_columns(&PHASE_COLUMNS), unit_columns(unit_row::COSTS));
    let titles = |columns: &[&UnitColumn]| -> Vec<String> {
        columns.iter().map(|column| column.title_with_unit()).collect()
    };
    let behind = BEHIND_PHASES.map(str::to_owned).to_vec();
    let heads =
        [FIRST.map(str::to_owned).to_vec(), titles(&phases), behind, titles(&work)].concat();
    for (col, head) in (0..).zip(&heads) {
        sheet.styled(6, col, head, styles.head)?;
    }
    let first_phase = FIRST.len() as u16;
    let launches = first_phase + PHASE_COLUMNS.len() as u16;
    let first_cost = launches + BEHIND_PHASES.len() as u16;
    let mut row = 6;
    for (step, unit) in steps.steps.iter().zip(WorkUnit::steps(report)).take(MOST) {
        row += 1;
        line(sheet, row, step, times.durations.p50_ns)?;
        unit_row::write(sheet, (row, first_phase), &phases, &unit, Shape::Percent1)?;
        sheet.number(row, launches, whole(step.launches.into()))?;
        remark(sheet, (row, launches + 1), step)?;
        unit_row::write(sheet, (row, first_cost), &work, &unit, Shape::Percent1)?;
    }
    sheet.inner.autofilter(6, 0, row, (heads.len() - 1) as u16)?;
    Ok(())
}

fn line(sheet: &mut Sheet<'_>, row: u32, step: &Step, p50_ns: i64) -> Result {
    if step.name.is_empty() {
        sheet.number(row, 0, whole(step.number.into()))?;
    } else {
        sheet.text(row, 0, &step.name)?;
    }
    let numbers = [
        microseconds(step.work.start_ns),
        microseconds(step.ns()),
        (step.ns() as f64 / p50_ns.max(1) as f64, Shape::Percent1),
    ];
    (1..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))
}

/// What a step is, beside its time.
fn remark(sheet: &mut Sheet<'_>, (row, col): (u32, u16), step: &Step) -> Result {
    let what = match (step.is_warm_up, step.is_outlier, step.is_regular) {
        (true, ..) => "warm-up",
        (_, true, _) => "outlier",
        (_, _, false) => "irregular: other launches",
        _ => return Ok(()),
    };
    let cause =
        step.cause.map_or_else(String::new, |phase| format!(", most of it {}", phase.name()));
    sheet.styled(row, col, &format!("{what}{cause}"), sheet.styles.beside)
}
