//! Where the wall time went.

use bigtpu_answers::Report;
use bigtpu_measure::{Intervals, percent};
use bigtpu_output::Table;

use super::{share, table, us};

/// Two lines: the phases of all cores and ports together, and what a core did on average.
#[must_use]
pub fn intervals_text(report: &Report) -> Vec<String> {
    let all = &report.intervals.overall;
    if all.wall_ns == 0 {
        return Vec::new();
    }
    let part = |ns, name: &str| format!("{} {name}", share(ns, all.wall_ns));
    let parts = [
        part(all.compute_only_ns, "compute only"),
        part(all.overlapped_ns, "compute and transfer"),
        part(all.transfer_only_ns, "exposed transfer"),
        part(all.sync_ns, "sync"),
        part(all.idle_ns, "idle"),
    ];
    let mean = &report.intervals.core_mean;
    let mut ratios = format!(
        "  a core on average: overlap {} of the possible, sync {}, idle {}; {:.2} engines of the chip active on average",
        percent(mean.overlap_ratio, 1),
        percent(mean.sync_ratio, 1),
        percent(mean.idle_ratio, 1),
        all.concurrency
    );
    let active = || report.intervals.cores.iter().filter(|c| !c.engines.is_empty());
    let by_work = |c: &&Intervals| c.work_ns();
    if let (Some(most), Some(least)) =
        (active().rev().max_by_key(by_work), active().min_by_key(by_work))
        && active().count() > 1
    {
        let core =
            |c: &Intervals| format!("core {} {}", c.core.unwrap_or(0), percent(c.utilization, 1));
        ratios.push_str(&format!("; busiest {}, least {}", core(most), core(least)));
    }
    vec![
        format!("Where the time went: {} us of the chip = {}", us(all.wall_ns), parts.join(" + ")),
        ratios,
    ]
}

/// The phases of each core, then overall.
pub(super) fn intervals_table(report: &Report) -> Table {
    let header = [
        "Core",
        "ComputeOnly(us)",
        "Overlapped(us)",
        "TransferOnly(us)",
        "Sync(us)",
        "Idle(us)",
        "Wall(us)",
        "OverlapRatio",
        "Concurrency",
        "Utilization",
    ];
    let row = |i: &Intervals| {
        vec![
            i.core.map_or_else(|| "Overall".into(), |core| core.to_string()),
            us(i.compute_only_ns),
            us(i.overlapped_ns),
            us(i.transfer_only_ns),
            us(i.sync_ns),
            us(i.idle_ns),
            us(i.wall_ns),
            percent(i.overlap_ratio, 1),
            format!("{:.2}", i.concurrency),
            percent(i.utilization, 1),
        ]
    };
    let rows = report.intervals.cores.iter().map(row).collect();
    table("Where the wall time went", &header, rows).with_footer([row(&report.intervals.overall)])
}

/// Each engine's busy and sync time.
pub(super) fn engines_table(report: &Report) -> Table {
    let all = &report.intervals.overall;
    let rows = all.engines.iter().map(|e| {
        vec![
            format!("{} {}", e.engine, e.index),
            e.commands.to_string(),
            us(e.busy_ns),
            share(e.busy_ns, all.wall_ns),
            us(e.sync_ns),
            share(e.sync_ns, all.wall_ns),
        ]
    });
    let header = ["Engine", "Commands", "Busy(us)", "Busy(%)", "Sync(us)", "Sync(%)"];
    table("Engines", &header, rows.collect())
}
