//! Iterations: what each took, and which stand out.

use bigtpu_answers::tables::{UnitKind, WorkUnit};
use bigtpu_answers::{Report, Step, StepSource, Steps};
use bigtpu_measure::{MomentActivity, percent};
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::Table;

use super::units::row_of;
use super::{short, table, us};

/// Steps in a line; `None` where there are none.
#[must_use]
pub fn steps_text(report: &Report, language: Language) -> Option<String> {
    let steps = report.iterations()?;
    let times = &steps.times;
    let mut parts = vec![message!(
        "report-steps",
        steps = times.count,
        rest = time_outside(steps),
        source = Message::new(match steps.source {
            StepSource::Repetition => "report-steps-repeat",
            StepSource::Kernel => "report-steps-kernel",
            StepSource::Host => "report-steps-host",
        }),
        kernel = short(&steps.first_kernel),
        p50 = us(times.durations.p50_ns),
        p95 = us(times.durations.p95_ns),
        spread = percent(times.spread, 1),
    )];
    if times.warm_up > 0 {
        let (steps, time) = (times.warm_up, us(times.warm_up_ns));
        parts.push(message!("report-warm-up", steps = steps, time = time));
    }
    let all = || steps.steps.iter();
    if let Some(slowest) = all().filter(|s| s.is_outlier).max_by_key(|s| s.ns()) {
        let outliers = times.outliers;
        parts.push(match slowest.ns() > times.durations.p50_ns {
            true => message!(
                "report-outliers-slowest",
                outliers = outliers,
                step = Arg::Number(slowest.number as i64),
                time = us(slowest.ns()),
                cause = slowest.cause.map_or(Message::verbatim(""), phase),
            ),
            false => message!("report-outliers", outliers = outliers),
        });
    }
    if times.irregular > 0 {
        parts.push(message!("report-irregular", steps = times.irregular));
    }
    let parts: Vec<String> = parts.iter().map(|part| part.text(language)).collect();
    Some(parts.join(language.choose("; ", "；")))
}

/// The time of the run that is in no step.
fn time_outside(steps: &Steps) -> Message {
    let (before, after) = (us(steps.before_ns), us(steps.after_ns));
    match (steps.before_ns > 0, steps.after_ns > 0) {
        (false, false) => Message::verbatim(""),
        (true, false) => message!("report-steps-before", before = before),
        (false, true) => message!("report-steps-after", after = after),
        (true, true) => message!("report-steps-between", before = before, after = after),
    }
}

fn phase(phase: MomentActivity) -> Message {
    Message::new(match phase {
        MomentActivity::Compute => "report-phase-compute",
        MomentActivity::Transfer => "report-phase-transfer",
        MomentActivity::Overlap => "report-phase-overlapped",
        MomentActivity::Sync => "report-phase-sync",
        MomentActivity::Idle => "report-phase-idle",
    })
}

/// What a step is, beside its time.
fn remark(step: &Step) -> Option<Message> {
    let what = Message::new(match (step.is_regular, step.is_warm_up, step.is_outlier) {
        (false, true, _) => "report-is-warm-up-of-others",
        (false, ..) => "report-is-of-others",
        (_, true, _) => "report-is-warm-up",
        (_, _, true) => "report-is-outlier",
        _ => return None,
    });
    Some(match step.cause {
        Some(cause) => message!("report-is-with-cause", what = what, cause = phase(cause)),
        None => what,
    })
}

/// Columns of the table of steps, before the remark.
const COLUMNS: [&str; 9] = [
    "step",
    "start_ns",
    "total_ns",
    "compute_only_ns",
    "overlapped_ns",
    "transfer_only_ns",
    "sync_ns",
    "idle_ns",
    "launches",
];

/// The first steps, each with its phases.
pub(super) fn steps_table(report: &Report, most: usize, language: Language) -> Table {
    let all = WorkUnit::steps(report);
    let count = all.len();
    let rows = all.take(most).map(|unit| {
        let remark = match unit.kind {
            UnitKind::Step(step) => remark(step).map(|remark| remark.text(language)),
            _ => None,
        };
        [row_of(&COLUMNS, &unit, language), vec![remark.unwrap_or_default()]].concat()
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
    let title = match count {
        all if all > most => message!("report-table-steps-first", shown = most, all = all),
        _ => Message::new("report-table-steps"),
    };
    table(title.text(language), &header, rows.collect())
}
