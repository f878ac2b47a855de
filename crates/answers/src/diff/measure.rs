//! The numbers of a report that are compared.

use std::collections::{HashMap, HashSet};

use super::Subject;
use super::compared::{Compared, Group, Step, StepTimes};

/// A row's numbers in one run, in the order of [`Subject::metrics`]; `None` where the report does not have it.
pub(super) type Sample = Vec<Option<f64>>;

/// Everything of a report that is compared. A report that lists something twice is read as far as its first one: its numbers
/// are not those of two runs.
pub(super) fn samples(report: &Compared) -> Vec<((Subject, String), Sample)> {
    let all = &report.intervals.overall;
    let mut rows = vec![
        (
            (Subject::Total, String::new()),
            vec![
                all.wall_ns,
                all.compute_only_ns,
                all.overlapped_ns,
                all.transfer_only_ns,
                all.sync_ns,
                all.idle_ns,
                report.dump.events,
                report.roofline.overall.ddr_bytes,
                report.intervals.core_mean.overlap_ratio,
            ],
        ),
        ((Subject::Loss, String::new()), vec![report.ledger.losses, report.ledger.lost_records]),
    ];
    for core in report.intervals.cores.iter().filter(|c| !c.engines.is_empty()) {
        let name = core.core.map_or_else(String::new, |core| core.to_string());
        let numbers =
            vec![core.work_ns(), core.sync_ns, core.idle_ns, core.utilization, core.overlap_ratio];
        rows.push(((Subject::Core, name), numbers));
    }
    for engine in &all.engines {
        rows.push((
            (Subject::Engine, format!("{} {}", engine.engine, engine.index)),
            vec![engine.busy_ns, engine.commands, engine.sync_ns],
        ));
    }
    let path = report.critical_path.as_ref();
    let pieces = || path.into_iter().flat_map(|path| &path.pieces);
    let has_path = path.is_some_and(|path| path.is_known());
    rows.extend(
        pieces().map(|piece| ((Subject::CriticalPath, piece.title()), vec![piece.ns, piece.count])),
    );
    let mut path_ns: HashMap<&str, f64> = HashMap::new();
    for piece in pieces() {
        *path_ns.entry(&piece.kernel).or_default() += piece.ns.unwrap_or(0.0);
    }
    for kernel in &report.kernels {
        let on_path = has_path.then(|| path_ns.get(kernel.kernel.as_str()).copied().unwrap_or(0.0));
        rows.push((
            (Subject::Kernel, kernel.kernel.clone()),
            vec![
                kernel.total_ns,
                kernel.launches,
                kernel.p50_ns,
                kernel.p95_ns,
                kernel.bytes(),
                kernel.gbps,
                kernel.ops,
                kernel.tops,
                kernel.uarch_rate,
                on_path,
            ],
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
    let mut known = HashSet::new();
    rows.retain(|(key, _)| known.insert(key.clone()));
    rows
}

fn of_steps(times: &StepTimes) -> Sample {
    vec![
        times.p50_ns,
        times.mean_ns,
        times.p95_ns,
        times.min_ns,
        times.max_ns,
        times.first_ns,
        times.warm_up_ns,
        times.count,
        times.outliers,
        times.spread,
    ]
}

fn of_step(step: &Step) -> Sample {
    vec![
        step.ns(),
        step.compute_only_ns,
        step.overlapped_ns,
        step.transfer_only_ns,
        step.sync_ns,
        step.idle_ns,
        step.launches,
    ]
}

fn of_group(group: &Group) -> Sample {
    vec![
        group.total_ns,
        group.count,
        group.p50_ns,
        group.p95_ns,
        group.bytes,
        group.gbps,
        group.tops,
        group.uarch_rate,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::testing::run;

    #[test]
    fn what_a_report_lists_twice_counts_once() {
        // One kernel: what would be its second run is the same report's.
        let mut report = run(&[("matmul", 10)], 0).report;
        let again = run(&[("matmul", 20)], 0).report;
        report.kernels.extend(again.kernels);
        let rows = samples(&report);
        let is_kernel = |(key, _): &&((Subject, String), Sample)| key.0 == Subject::Kernel;
        let kernels: Vec<_> = rows.iter().filter(is_kernel).map(|(_, sample)| sample[0]).collect();
        assert_eq!(kernels, [Some(10.0)]);
    }
}
