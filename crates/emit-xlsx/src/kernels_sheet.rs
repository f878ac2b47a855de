//! `Kernels`: every kernel function, those that took longest first.

use bigtpu_chip::Engine;
use bigtpu_measure::KernelTotals;
use bigtpu_timeline::Profile;
use rust_xlsxwriter::{ConditionalFormat2ColorScale, ConditionalFormatDataBar};

use crate::number::{Shape, sixteen_digits, whole};
use crate::sheet::{Result, Sheet};
use crate::styles::{SCALE, light_color};

/// Name of the sheet.
pub(crate) const NAME: &str = "Kernels";

/// Column of the total time.
pub(crate) const TOTAL: u16 = 4;

const COLUMNS: [&str; 19] = [
    "Kernel",
    "Count",
    "Cores",
    "First Start(ns)",
    "Total(us)",
    "Mean(us)",
    "p50(us)",
    "p95(us)",
    "Max(us)",
    "Share",
    "TIU Busy",
    "GDMA Busy",
    "SDMA Busy",
    "CDMA Busy",
    "Commands",
    "DDR Bytes",
    "Other Bytes",
    "Bandwidth(GB/s)",
    "Incomplete Launches",
];

/// Column of the share, of the TIU's busy share, and of the bandwidth.
const SHARE: u16 = 9;
const BUSY: u16 = 10;
const BANDWIDTH: u16 = 17;

const NOTES: [&str; 3] = [
    "Count: launches on all cores. Share: of the time of all launches. Bandwidth: bytes moved / time of the launches.",
    "Busy: time of the engine's commands / time of the launches, without system commands; overlapping commands count each.",
    "p50, p95: 50 % and 95 % of the launches took at most this time (nearest rank), without the incomplete launches: those with missing commands.",
];

/// Row of the columns, from 0.
pub(crate) const HEADER_ROW: u32 = 4;

/// Longest table, in rows: further kernels are counted, not shown.
const MOST: usize = 1_000_000;

/// Writes the sheet.
pub(crate) fn write(
    sheet: &mut Sheet<'_>,
    profile: &Profile<'_>,
    kernels: &[KernelTotals],
) -> Result {
    let styles = sheet.styles;
    layout(sheet, kernels.len().min(MOST))?;
    sheet.styled(0, 0, "Kernels", &styles.title)?;
    for (row, note) in (1..).zip(NOTES) {
        sheet.text(row, 0, note)?;
    }
    if kernels.len() > MOST {
        let note = format!("The first {MOST} of {} kernels.", kernels.len());
        sheet.styled(0, 1, &note, &styles.warning)?;
    }
    sheet.headers(HEADER_ROW, 0, COLUMNS, &styles.head)?;
    for (engine, col) in Engine::ALL.into_iter().zip(BUSY..) {
        let name = format!("{} Busy", engine.name());
        sheet.styled(HEADER_ROW, col, &name, styles.head_of(engine))?;
    }
    let all: i64 = kernels.iter().map(|k| k.launches.total()).sum();
    for (row, kernel) in (HEADER_ROW + 1..).zip(kernels.iter().take(MOST)) {
        line(sheet, row, profile, kernel, all)?;
    }
    Ok(())
}

fn line(
    sheet: &mut Sheet<'_>,
    row: u32,
    profile: &Profile<'_>,
    kernel: &KernelTotals,
    all: i64,
) -> Result {
    let name = profile.kernels.get(kernel.kernel as usize).map_or("", String::as_str);
    let launches = &kernel.launches;
    let us = |ns: f64| (sixteen_digits(ns / 1000.0), Shape::ThreeDecimals);
    let share = |part: i64, of: i64| {
        let ratio = if of > 0 { part as f64 / of as f64 } else { 0.0 };
        (ratio, Shape::Percent2)
    };
    sheet.text(row, 0, name)?;
    let total = launches.total();
    let times = [
        us(total as f64),
        us(kernel.complete.mean()),
        us(kernel.complete.percentile(50) as f64),
        us(kernel.complete.percentile(95) as f64),
        us(kernel.complete.max() as f64),
        share(total, all),
    ];
    let counts = [launches.count().into(), kernel.cores.into(), kernel.first_start.into()];
    let moved = [kernel.events, kernel.ddr_bytes, kernel.other_bytes];
    let numbers = counts
        .map(whole)
        .into_iter()
        .chain(times)
        .chain(kernel.busy_ns.map(|ns| share(ns, total)))
        .chain(moved.map(|n| whole(n.into())))
        .chain([(kernel.gbps(), Shape::ThreeDecimals), whole(kernel.incomplete.into())]);
    (1..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))
}

fn layout(sheet: &mut Sheet<'_>, kernels: usize) -> Result {
    let inner = &mut *sheet.inner;
    let last = HEADER_ROW + u32::try_from(kernels).unwrap_or(0).max(1);
    let last_column = (COLUMNS.len() - 1) as u16;
    inner.set_column_width(0, 40)?;
    inner.set_column_range_width(1, last_column, 15)?;
    inner.set_freeze_panes(HEADER_ROW + 1, 1)?;
    inner.autofilter(HEADER_ROW, 0, last, last_column)?;
    let share = ConditionalFormatDataBar::new()
        .use_classic_style()
        .set_fill_color(SCALE[2])
        .set_solid_fill(true);
    inner.add_conditional_format(HEADER_ROW + 1, SHARE, last, SHARE, &share)?;
    for (engine, col) in Engine::ALL.into_iter().zip(BUSY..) {
        let busy = ConditionalFormatDataBar::new()
            .use_classic_style()
            .set_fill_color(light_color(engine))
            .set_minimum(rust_xlsxwriter::ConditionalFormatType::Number, 0)
            .set_maximum(rust_xlsxwriter::ConditionalFormatType::Number, 1);
        inner.add_conditional_format(HEADER_ROW + 1, col, last, col, &busy)?;
    }
    let bandwidth =
        ConditionalFormat2ColorScale::new().set_minimum_color(SCALE[1]).set_maximum_color(SCALE[2]);
    inner.add_conditional_format(HEADER_ROW + 1, BANDWIDTH, last, BANDWIDTH, &bandwidth)?;
    Ok(())
}
