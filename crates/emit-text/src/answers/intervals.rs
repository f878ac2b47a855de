//! Where the wall time went.

use bigtpu_answers::Report;
use bigtpu_measure::{Intervals, percent};
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::Table;

use super::{share, table, us};

/// Two lines: the phases of all cores and ports together, and what a core did on average.
#[must_use]
pub fn intervals_text(report: &Report, language: Language) -> Vec<String> {
    let all = &report.intervals.overall;
    if all.wall_ns == 0 {
        return Vec::new();
    }
    let part = |ns| share(ns, all.wall_ns);
    let first = message!(
        "report-where-time",
        wall = us(all.wall_ns),
        compute = part(all.compute_only_ns),
        both = part(all.overlapped_ns),
        transfer = part(all.transfer_only_ns),
        sync = part(all.sync_ns),
        idle = part(all.idle_ns),
    );
    let mean = &report.intervals.core_mean;
    let overlap = percent(mean.overlap_ratio, 1);
    let (sync, idle) = (percent(mean.sync_ratio, 1), percent(mean.idle_ratio, 1));
    let engines = Arg::Value(all.concurrency, 2);
    let active = || report.intervals.cores.iter().filter(|c| !c.engines.is_empty());
    let by_work = |c: &&Intervals| c.work_ns();
    let ends = (active().rev().max_by_key(by_work), active().min_by_key(by_work));
    let core = |c: &Intervals| Arg::Number(c.core.unwrap_or(0).into());
    let second = match ends {
        (Some(most), Some(least)) if active().count() > 1 => message!(
            "report-core-mean-range",
            overlap = overlap,
            sync = sync,
            idle = idle,
            engines = engines,
            most_core = core(most),
            most = percent(most.utilization, 1),
            least_core = core(least),
            least = percent(least.utilization, 1),
        ),
        _ => message!(
            "report-core-mean",
            overlap = overlap,
            sync = sync,
            idle = idle,
            engines = engines,
        ),
    };
    vec![first.text(language), format!("  {}", second.text(language))]
}

/// The phases of each core, then overall.
pub(super) fn intervals_table(report: &Report, language: Language) -> Table {
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
    let title = Message::new("report-table-intervals").text(language);
    table(title, &header, rows).with_footer([row(&report.intervals.overall)])
}

/// Each engine's busy and sync time.
pub(super) fn engines_table(report: &Report, language: Language) -> Table {
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
    table(Message::new("report-table-engines").text(language), &header, rows.collect())
}
