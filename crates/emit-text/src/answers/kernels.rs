//! Kernels: what took long, and what holds it back.

use bigtpu_answers::tables::{UnitKind, WorkUnit};
use bigtpu_answers::{Bound, Report, Roofline};
use bigtpu_measure::percent;
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::Table;

use super::units::{header_of, known, row_of};
use super::{first_of, short, table, us};

/// Columns of the table of kernels.
const COLUMNS: [&str; 13] = [
    "kernel",
    "launches",
    "cores",
    "total_ns",
    "share",
    "mean_ns",
    "p95_ns",
    "tiu_busy",
    "gdma_busy",
    "gbps",
    "tops",
    "uarch_rate",
    "bound",
];

/// The kernels that took longest, with what bounds them.
#[must_use]
pub fn kernels_table(report: &Report, most: usize, language: Language) -> Table {
    let rows = WorkUnit::kernels(report).take(most).map(|unit| {
        let mut cells = row_of(&COLUMNS, &unit, language);
        // Launches, and how many of them lack commands.
        if let (UnitKind::Kernel(kernel), Some(count)) = (unit.kind, cells.get_mut(1))
            && kernel.incomplete_launches > 0
        {
            *count = format!("{count} *{}", kernel.incomplete_launches);
        }
        cells
    });
    let all = report.kernels.len();
    let incomplete: u64 = report.kernels.iter().map(|kernel| kernel.incomplete_launches).sum();
    let is_implausible = |r: &Roofline| r.bound == Bound::Implausible;
    let implausible = report.roofline.kernels.iter().take(most).filter(|r| is_implausible(r));
    let title = message!(
        "report-table-kernels",
        shown = if all > most { most } else { 0 },
        all = all,
        incomplete = incomplete,
        implausible = implausible.count(),
    );
    table(title.text(language), &header_of(&COLUMNS), rows.collect())
}

/// The roofs of a core and the clocks, and where they come from.
pub(super) fn roofs_table(report: &Report, language: Language) -> Table {
    let all = report.roofline.roofs.iter().chain(&report.roofline.clocks);
    let rows = all.map(|roof| {
        vec![
            roof.name(language).to_owned(),
            roof.amount(language),
            roof.source.message().text(language),
            roof.origin.to(language).to_owned(),
        ]
    });
    let title = Message::new("report-table-roofs").text(language);
    table(title, &["Roof", "Value", "Source", "Origin"], rows.collect())
}

/// The kernels under their roofs, then the whole run.
pub(super) fn rooflines_table(report: &Report, most: usize, language: Language) -> Table {
    let is_layers = report.roofline.kernels.is_empty() && !report.roofline.layers.is_empty();
    let header = [
        if is_layers { "Layer" } else { "Kernel" },
        "Time(us)",
        "Compute(us)",
        "DDR(us)",
        "L2M(us)",
        "Roof",
        "Bound",
        "Ops/B",
        "TOPS",
        "DDR(GB/s)",
        "L2M(GB/s)",
        "Known",
    ];
    let row = |r: &Roofline, name: String| {
        vec![
            name,
            us(r.ns),
            known(r.ideal_compute_ns, us),
            known(r.ideal_ddr_ns, us),
            known(r.ideal_l2m_ns, us),
            r.roof_text(),
            r.bound.message().text(language),
            known(r.ddr_intensity, |x| format!("{x:.2}")),
            known(r.tops, |tops| format!("{tops:.3}")),
            format!("{:.2}", r.ddr_gbps),
            format!("{:.2}", r.l2m_gbps),
            percent(r.known, 1),
        ]
    };
    // In a static model a layer is what a kernel is elsewhere.
    let has_kernels = !report.roofline.kernels.is_empty();
    let all = if has_kernels { &report.roofline.kernels } else { &report.roofline.layers };
    let mut longest: Vec<&Roofline> = all.iter().collect();
    longest.sort_by_key(|r| std::cmp::Reverse(r.ns));
    let rows = longest.into_iter().take(most).map(|r| row(r, short(&r.kernel))).collect();
    let overall = row(&report.roofline.overall, "Overall".into());
    let all = all.len();
    let title = first_of(Message::new("report-table-rooflines"), most, all);
    table(title.text(language), &header, rows).with_footer([overall])
}
