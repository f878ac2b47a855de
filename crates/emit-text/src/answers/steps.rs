//! Iterations: what each took, and which stand out.

use bigtpu_answers::{Report, Step, Steps};
use bigtpu_measure::percent;
use bigtpu_output::Table;

use super::{short, table, us};

/// Steps in a line; `None` where there are none.
#[must_use]
pub fn steps_text(report: &Report) -> Option<String> {
    let steps = report.iterations()?;
    let times = &steps.times;
    let mut text = format!(
        "Steps: {} ({}, the first kernel is {}); p50 {} us, p95 {} us, spread {}",
        times.count,
        steps.source.text(),
        short(&steps.first_kernel),
        us(times.durations.p50_ns),
        us(times.durations.p95_ns),
        percent(times.spread, 1)
    );
    if times.warm_up > 0 {
        let (n, ns) = (times.warm_up, us(times.warm_up_ns));
        text.push_str(&format!("; the first {n} took {ns} us longer (warm-up)"));
    }
    let all = || steps.steps.iter();
    if let Some(slowest) = all().filter(|s| s.is_outlier).max_by_key(|s| s.ns()) {
        text.push_str(&format!("; outliers: {}", times.outliers));
        if slowest.ns() > times.durations.p50_ns {
            let cause = slowest.cause.map_or("", |phase| phase.name());
            let (number, ns) = (slowest.number, us(slowest.ns()));
            text.push_str(&format!(", the slowest is step {number} with {ns} us (more {cause})"));
        }
    }
    if times.irregular > 0 {
        text.push_str(&format!("; {} with other kernels are not counted in", times.irregular));
    }
    Some(text)
}

/// What a step is, beside its time.
fn remark(step: &Step) -> String {
    let what = match (step.is_regular, step.is_warm_up, step.is_outlier) {
        (false, true, _) => "warm-up, other kernels",
        (false, ..) => "other kernels",
        (_, true, _) => "warm-up",
        (_, _, true) => "outlier",
        _ => return String::new(),
    };
    let cause = step.cause.map(|phase| format!(": {}", phase.name()));
    format!("{what}{}", cause.unwrap_or_default())
}

/// The first steps, each with its phases.
pub(super) fn steps_table(report: &Report, most: usize) -> Table {
    let all: &[Step] = report.iterations().map_or(&[], |steps: &Steps| &steps.steps);
    let rows = all.iter().take(most).map(|step| {
        vec![
            if step.name.is_empty() { step.number.to_string() } else { short(&step.name) },
            us(step.start_ns),
            us(step.ns()),
            us(step.compute_only_ns),
            us(step.overlapped_ns),
            us(step.transfer_only_ns),
            us(step.sync_ns),
            us(step.idle_ns),
            step.launches.to_string(),
            remark(step),
        ]
    });
    let header = [
        "Step",
        "Start(us)",
        "Time(us)",
        "ComputeOnly(us)",
        "Overlapped(us)",
        "TransferOnly(us)",
        "Sync(us)",
        "Idle(us)",
        "Launches",
        "Remark",
    ];
    let title = match all.len() {
        n if n > most => format!("Steps (the first {most} of {n})"),
        _ => "Steps".to_owned(),
    };
    table(&title, &header, rows.collect())
}
