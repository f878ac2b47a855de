//! The numbers of a report that are compared.

use super::Subject;
use crate::report::Report;

/// A number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Metric {
    pub(super) metric: &'static str,
    pub(super) unit: &'static str,
    pub(super) value: f64,
}

/// A row's numbers in one run; the same ones in the same order for every row of a subject.
pub(super) type Sample = Vec<Metric>;

fn ns(metric: &'static str, ns: i64) -> Metric {
    Metric { metric, unit: "ns", value: ns as f64 }
}

fn count(metric: &'static str, n: u64) -> Metric {
    Metric { metric, unit: "", value: n as f64 }
}

fn other(metric: &'static str, unit: &'static str, value: f64) -> Metric {
    Metric { metric, unit, value }
}

/// Everything of a report that is compared.
pub(super) fn samples(report: &Report) -> Vec<((Subject, String), Sample)> {
    let all = &report.intervals.overall;
    let bytes = report.roofline.overall.ddr_bytes;
    let mut rows = vec![
        (
            (Subject::Total, String::new()),
            vec![
                ns("time", all.wall_ns),
                ns("compute_only", all.compute_only_ns),
                ns("overlapped", all.overlapped_ns),
                ns("transfer_only", all.transfer_only_ns),
                ns("sync", all.sync_ns),
                ns("idle", all.idle_ns),
                count("events", report.dump.events),
                other("bytes", "B", bytes as f64),
                other("overlap_ratio", "", all.overlap_ratio),
            ],
        ),
        (
            (Subject::Loss, String::new()),
            vec![
                count("losses", report.ledger.losses),
                count("lost_records", report.ledger.lost_records),
            ],
        ),
    ];
    for core in report.intervals.cores.iter().filter(|c| !c.engines.is_empty()) {
        let name = core.core.map_or_else(String::new, |core| core.to_string());
        rows.push((
            (Subject::Core, name),
            vec![
                ns("time", core.work_ns()),
                ns("sync", core.sync_ns),
                ns("idle", core.idle_ns),
                other("utilization", "", core.utilization),
                other("overlap_ratio", "", core.overlap_ratio),
            ],
        ));
    }
    for engine in &all.engines {
        rows.push((
            (Subject::Engine, format!("{} {}", engine.engine, engine.index)),
            vec![
                ns("time", engine.busy_ns),
                count("count", engine.commands),
                ns("sync", engine.sync_ns),
            ],
        ));
    }
    for kernel in &report.kernels {
        let bytes = kernel.ddr_bytes as f64 + kernel.other_bytes as f64;
        rows.push((
            (Subject::Kernel, kernel.kernel.clone()),
            vec![
                ns("time", kernel.total_ns),
                count("count", kernel.launches),
                ns("p50", kernel.p50_ns),
                ns("p95", kernel.p95_ns),
                other("bytes", "B", bytes),
                other("bandwidth", "GB/s", kernel.gbps),
                other("ops", "", kernel.ops as f64),
                other("tops", "TOPS", kernel.tops),
                other("uarch_rate", "", kernel.uarch_rate),
            ],
        ));
    }
    let opcodes = report.groupings.iter().filter(|g| g.by == crate::Key::Opcode);
    for group in opcodes.flat_map(|g| &g.groups) {
        rows.push((
            (Subject::Opcode, group.values.join(" ")),
            vec![
                ns("time", group.total_ns),
                count("count", group.count),
                other("bytes", "B", group.bytes as f64),
                other("bandwidth", "GB/s", group.gbps),
                other("tops", "TOPS", group.tops),
                other("uarch_rate", "", group.uarch_rate),
            ],
        ));
    }
    rows
}
