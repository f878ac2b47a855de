//! Totals of the page: cores, ports, function types, kernels, ledger; the numbers are the analysis's.

use std::collections::BTreeMap;

use bigtpu_answers::Analysis;
use bigtpu_answers::tables::{Datum, WorkUnit, unit_columns};
use bigtpu_compat::{CoreTotals, Moved, PortTotals, SUMMARY_COLUMNS, Summary, SummaryRows};
use bigtpu_measure::quotient;
use bigtpu_messages::LocalizedText;
use bigtpu_output::plain_line;
use bigtpu_timeline::{Completeness, CompletenessVerdict, Counts, Note, Profile, Severity};
use serde::Serialize;

use crate::units;

/// Bytes, and bandwidth while they moved.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct MovedHead {
    bytes: u64,
    gbps: f64,
}

/// Number of commands, bytes, and bandwidth while they moved.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct SideHead {
    count: u64,
    bytes: u64,
    gbps: f64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct CoreHead {
    /// -1: all together.
    core: i64,
    /// ns in which the engine ran anything but system commands (TIU, GDMA) or waits (SDMA): what the summary counts.
    tiu_ns: i64,
    gdma_ns: i64,
    sdma_ns: i64,
    /// Working shares as in summary.txt: of the whole time.
    tiu_ratio: f64,
    parallelism: f64,
    uarch_rate: f64,
    gdma_ddr: MovedHead,
    gdma_l2: MovedHead,
    sdma_ddr: MovedHead,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PortHead {
    port: u32,
    events: u64,
    sent: SideHead,
    received: SideHead,
    other: SideHead,
    sync_ns: i64,
    busy_ns: i64,
}

/// A function type's share of a track.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct TypeTotals {
    /// Index into `strings`.
    #[serde(rename = "type")]
    pub(crate) kind: u32,
    pub(crate) count: u64,
    pub(crate) ns: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct KernelHead<'a> {
    /// Index into `kernels`.
    kernel: u32,
    /// Its values, in the order of the columns.
    cells: Vec<Datum<'a>>,
    /// What each core that ran it did.
    by_core: Vec<OnCore>,
}

/// A kernel's launches on one core.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct OnCore {
    core: u32,
    count: u64,
    /// ns.
    total: i64,
    /// ns of the longest.
    max: i64,
    /// ns within the launches in which an engine of the core worked; `None` where only one core ran the kernel.
    work: Option<i64>,
}

/// A table of texts.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct TableHead {
    columns: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// What became of the data.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct LedgerHead {
    /// Titles of the counts, in order.
    titles: &'static [&'static str],
    lines: Vec<LineHead>,
    notes: Vec<NoteHead>,
    completeness: CompletenessHead,
    /// The times are predicted: there are no records that could be lost.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "page-types", ts(optional, as = "Option<bool>"))]
    simulated: bool,
    runtime: Vec<RuntimeHead>,
}

/// Whether the dump holds all that was written.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
struct CompletenessHead {
    verdict: VerdictHead,
    /// In words.
    #[serde(flatten)]
    said: LocalizedText,
    /// Why this can't be verified; what is missing is in the notes.
    reasons: Vec<ReasonHead>,
}

/// What is known of missing parts.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum VerdictHead {
    Complete,
    Unverified,
    Incomplete,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
struct ReasonHead {
    file: String,
    #[serde(flatten)]
    text: LocalizedText,
}

impl CompletenessHead {
    fn new(completeness: &Completeness) -> Self {
        let verdict = match completeness.verdict() {
            CompletenessVerdict::Complete => VerdictHead::Complete,
            CompletenessVerdict::Unverified => VerdictHead::Unverified,
            CompletenessVerdict::Incomplete => VerdictHead::Incomplete,
        };
        let is_told = matches!(verdict, VerdictHead::Unverified);
        let reasons = completeness.reasons().iter().filter(|_| is_told);
        let head = |note: &Note| ReasonHead { file: note.file_name(), text: note.said() };
        Self { verdict, said: completeness.said(), reasons: reasons.map(head).collect() }
    }
}

/// A copy or a barrier of the runtime around a static model; times in ns, negative before the model's first command.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
struct RuntimeHead {
    place: String,
    what: &'static str,
    start: i64,
    end: i64,
    bytes: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
struct LineHead {
    place: String,
    counts: Vec<u64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
struct NoteHead {
    severity: NoteSeverity,
    file: String,
    offset: Option<u64>,
    #[serde(flatten)]
    text: LocalizedText,
}

/// How serious a note is.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum NoteSeverity {
    Note,
    Warning,
    Loss,
}

/// Totals by core.
pub(crate) fn cores(summary: &Summary) -> Vec<CoreHead> {
    summary.cores.iter().map(|core| core_head(summary, core, core.core.into())).collect()
}

/// All cores together; `None` without cores.
pub(crate) fn overall(summary: &Summary) -> Option<CoreHead> {
    (!summary.cores.is_empty()).then(|| core_head(summary, &summary.overall(), -1))
}

fn core_head(summary: &Summary, core: &CoreTotals, number: i64) -> CoreHead {
    let moved = |m: &Moved| MovedHead { bytes: m.bytes, gbps: m.gbps(summary.dma_mhz) };
    let total = i128::from(summary.total_ns.unwrap_or(0));
    CoreHead {
        core: number,
        tiu_ns: summary.tiu_ns(core),
        gdma_ns: summary.gdma_ns(core),
        sdma_ns: summary.sdma_ns(core),
        tiu_ratio: quotient(summary.tiu_ns(core).into(), total),
        parallelism: quotient(summary.engines_ns(core).into(), total),
        uarch_rate: quotient(core.alg_ops, core.uarch_ops),
        gdma_ddr: moved(&core.gdma_ddr),
        gdma_l2: moved(&core.gdma_l2),
        sdma_ddr: moved(&core.sdma_ddr),
    }
}

/// Totals by port.
pub(crate) fn ports(summary: &Summary) -> Vec<PortHead> {
    let side = |(count, moved): &(u64, Moved)| SideHead {
        count: *count,
        bytes: moved.bytes,
        gbps: moved.gbps(summary.dma_mhz),
    };
    let head = |p: &PortTotals| PortHead {
        port: p.port,
        events: p.events,
        sent: side(&p.sent),
        received: side(&p.received),
        other: side(&p.other),
        sync_ns: p.sync_ns,
        busy_ns: p.busy_ns,
    };
    summary.ports.iter().map(head).collect()
}

/// The summary's table.
pub(crate) fn table(summary: &Summary) -> TableHead {
    let Some(rows) = SummaryRows::compute(summary) else { return TableHead::default() };
    let all = rows.cores.into_iter().chain([rows.overall]);
    TableHead { columns: SUMMARY_COLUMNS.to_vec(), rows: all.collect() }
}

/// All kernels, the longest first.
pub(crate) fn kernels<'a>(profile: &Profile<'_>, analysis: &'a Analysis) -> Vec<KernelHead<'a>> {
    let model = analysis.model(profile);
    let totals = analysis.kernels(profile);
    let mut by_core: BTreeMap<(u32, u32), OnCore> = BTreeMap::new();
    for (slices, number) in model.core_launches.iter().zip(0..) {
        for slice in slices {
            let on = by_core.entry((slice.kernel, number)).or_default();
            let ns = slice.duration_ns();
            *on = OnCore {
                core: number,
                count: on.count + 1,
                total: on.total + ns,
                max: on.max.max(ns),
                work: None,
            };
        }
    }
    for imbalance in &analysis.report(profile).balance.kernels {
        let kernel = profile.kernels.iter().position(|name| *name == imbalance.kernel);
        for (core, ns) in &imbalance.core_ns {
            if let Some(on) = kernel.and_then(|k| by_core.get_mut(&(k as u32, *core))) {
                on.work = Some(*ns);
            }
        }
    }
    let mut by_kernel: BTreeMap<u32, Vec<OnCore>> = BTreeMap::new();
    for ((kernel, _), on) in by_core {
        by_kernel.entry(kernel).or_default().push(on);
    }
    let columns = unit_columns(&units::kernel_columns());
    let heads =
        totals.iter().zip(WorkUnit::kernels(analysis.report(profile))).map(|(totals, row)| {
            KernelHead {
                kernel: totals.kernel,
                cells: columns.iter().map(|column| (column.value)(&row)).collect(),
                by_core: by_kernel.remove(&totals.kernel).unwrap_or_default(),
            }
        });
    heads.collect()
}

/// What became of the data.
pub(crate) fn ledger(profile: &Profile<'_>) -> LedgerHead {
    let ledger = &profile.ledger;
    let notes = ledger.notes.iter().map(|n| NoteHead {
        severity: match n.severity {
            Severity::Note | Severity::Detail => NoteSeverity::Note,
            Severity::Warning => NoteSeverity::Warning,
            Severity::Loss => NoteSeverity::Loss,
        },
        file: n
            .file
            .as_deref()
            .and_then(|f| f.file_name())
            .map(|f| plain_line(&f.to_string_lossy()).into_owned())
            .unwrap_or_default(),
        offset: n.offset,
        text: LocalizedText::from(n.message.clone()),
    });
    let lines = ledger.lines.iter();
    LedgerHead {
        titles: Counts::TITLES,
        lines: lines
            .map(|l| LineHead { place: l.engine_id.to_string(), counts: l.counts.values() })
            .collect(),
        notes: notes.collect(),
        completeness: CompletenessHead::new(&ledger.completeness),
        simulated: profile.is_simulated,
        runtime: profile
            .runtime
            .iter()
            .map(|event| RuntimeHead {
                place: event.engine_id.to_string(),
                what: event.kind.name(),
                start: event.start,
                end: event.end,
                bytes: event.bytes,
            })
            .collect(),
    }
}
