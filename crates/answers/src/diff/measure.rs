//! The numbers of a report that are compared.

use super::Subject;
use crate::report::Report;
use crate::steps::{Step, StepTimes};
use bigtpu_measure::Group;

/// A row's numbers in one run, in the order of [`Subject::metrics`].
pub(super) type Sample = Vec<f64>;

/// Everything of a report that is compared.
pub(super) fn samples(report: &Report) -> Vec<((Subject, String), Sample)> {
    let all = &report.intervals.overall;
    let mut rows = vec![
        (
            (Subject::Total, String::new()),
            vec![
                all.wall_ns as f64,
                all.compute_only_ns as f64,
                all.overlapped_ns as f64,
                all.transfer_only_ns as f64,
                all.sync_ns as f64,
                all.idle_ns as f64,
                report.dump.events as f64,
                report.roofline.overall.ddr_bytes as f64,
                report.intervals.core_mean.overlap_ratio,
            ],
        ),
        (
            (Subject::Loss, String::new()),
            vec![report.ledger.losses as f64, report.ledger.lost_records as f64],
        ),
    ];
    for core in report.intervals.cores.iter().filter(|c| !c.engines.is_empty()) {
        let name = core.core.map_or_else(String::new, |core| core.to_string());
        rows.push((
            (Subject::Core, name),
            vec![
                core.work_ns() as f64,
                core.sync_ns as f64,
                core.idle_ns as f64,
                core.utilization,
                core.overlap_ratio,
            ],
        ));
    }
    for engine in &all.engines {
        rows.push((
            (Subject::Engine, format!("{} {}", engine.engine, engine.index)),
            vec![engine.busy_ns as f64, engine.commands as f64, engine.sync_ns as f64],
        ));
    }
    let path = &report.critical_path;
    let has_path = path.refusal.is_none() && !path.pieces.is_empty();
    for piece in &path.pieces {
        rows.push((
            (Subject::CriticalPath, piece.title()),
            vec![piece.ns as f64, piece.count as f64],
        ));
    }
    for kernel in &report.kernels {
        let pieces = path.pieces.iter().filter(|piece| piece.kernel == kernel.kernel);
        let on_path = has_path.then(|| pieces.map(|piece| piece.ns as f64).sum::<f64>());
        rows.push((
            (Subject::Kernel, kernel.kernel.clone()),
            [
                kernel.total_ns as f64,
                kernel.launches as f64,
                kernel.durations.p50_ns as f64,
                kernel.durations.p95_ns as f64,
                kernel.ddr_bytes as f64 + kernel.other_bytes as f64,
                kernel.gbps,
                kernel.ops as f64,
                kernel.tops,
                kernel.uarch_rate,
            ]
            .into_iter()
            .chain(on_path)
            .collect(),
        ));
    }
    if let Some(steps) = report.iterations() {
        rows.push(((Subject::Steps, String::new()), of_steps(&steps.times)));
        let row = |step: &Step| ((Subject::Step, step.number.to_string()), of_step(step));
        rows.extend(steps.steps.iter().map(row));
    }
    for subject in Subject::ALL {
        let Some(key) = subject.grouping() else { continue };
        let groupings = report.groupings.iter().filter(|grouping| grouping.by == key);
        let groups = groupings.flat_map(|grouping| &grouping.groups);
        let named = groups.filter(|group| group.values.iter().any(|value| !value.is_empty()));
        rows.extend(named.map(|group| ((subject, group.values.join(" ")), of_group(group))));
    }
    rows
}

fn of_steps(times: &StepTimes) -> Sample {
    vec![
        times.durations.p50_ns as f64,
        times.durations.mean_ns,
        times.durations.p95_ns as f64,
        times.min_ns as f64,
        times.durations.max_ns as f64,
        times.first_ns as f64,
        times.warm_up_ns as f64,
        times.count as f64,
        times.outliers as f64,
        times.spread,
    ]
}

fn of_step(step: &Step) -> Sample {
    let phases = step.phases().into_iter().map(|(_, ns)| ns as f64);
    std::iter::once(step.ns() as f64).chain(phases).chain([step.launches as f64]).collect()
}

fn of_group(group: &Group) -> Sample {
    vec![
        group.total_ns as f64,
        group.count as f64,
        group.durations.p50_ns as f64,
        group.durations.p95_ns as f64,
        group.bytes as f64,
        group.gbps,
        group.tops,
        group.uarch_rate,
    ]
}
