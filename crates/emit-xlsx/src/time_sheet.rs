//! `Time`: where the wall time went, of all cores together, of each core, and of each engine (`docs/analysis.md`).

use bigtpu_answers::Report;
use bigtpu_measure::Intervals;

use crate::number::{Shape, microseconds, whole};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Time";

const PHASES: [&str; 14] = [
    "Core",
    "Compute Only(us)",
    "Overlapped(us)",
    "Transfer Only(us)",
    "Sync(us)",
    "Idle(us)",
    "Wall(us)",
    "Compute Only",
    "Overlapped",
    "Transfer Only",
    "Sync",
    "Idle",
    "Overlap Ratio",
    "Utilization",
];
const ENGINES: [&str; 6] = ["Engine", "Commands", "Busy(us)", "Busy", "Sync(us)", "Sync"];

const NOTE: &str = "Every moment of the wall time counts once: work has priority over sync, and sync over idle. Overlap Ratio: time of compute and transfer together / the smaller of both times.";

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, report: &Report) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_range_width(0, (PHASES.len() - 1) as u16, 17)?;
    sheet.styled(0, 0, "Where the wall time went", styles.title)?;
    sheet.text(1, 0, NOTE)?;
    sheet.headers(3, 0, PHASES, styles.head)?;
    let mut row = 3;
    let all = &report.intervals.overall;
    for part in report.intervals.cores.iter().chain([all]) {
        row += 1;
        phases(sheet, row, part)?;
    }
    row += 2;
    sheet.headers(row, 0, ENGINES, styles.head)?;
    let share = |ns: i64| (ns as f64 / all.wall_ns.max(1) as f64, Shape::Percent1);
    for engine in &all.engines {
        row += 1;
        sheet.text(row, 0, &format!("{} {}", engine.engine, engine.index))?;
        let numbers = [
            whole(engine.commands.into()),
            microseconds(engine.busy_ns),
            share(engine.busy_ns),
            microseconds(engine.sync_ns),
            share(engine.sync_ns),
        ];
        (1..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    }
    Ok(())
}

fn phases(sheet: &mut Sheet<'_>, row: u32, part: &Intervals) -> Result {
    sheet.text(row, 0, &part.core.map_or_else(|| "All".into(), |core| format!("Core {core}")))?;
    let times = [
        part.compute_only_ns,
        part.overlapped_ns,
        part.transfer_only_ns,
        part.sync_ns,
        part.idle_ns,
    ];
    let shares = times.map(|ns| (ns as f64 / part.wall_ns.max(1) as f64, Shape::Percent1));
    let ratios = [part.overlap_ratio, part.utilization].map(|x| (x, Shape::Percent1));
    let numbers =
        times.into_iter().chain([part.wall_ns]).map(microseconds).chain(shares).chain(ratios);
    (1..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))
}
