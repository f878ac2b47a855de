//! `PerfWeb/profile_data.js`: the lines that scripts read next to the page of bigTpuProfile 0.3.0.
//!
//! Values are Python's literals, as there. The last row, `Overall`, adds up cores that ran something; its parallelism
//! is the sum of the longest times of each engine over the total time, unlike that of `summary.txt`.

use bigtpu_chip::Chip;
use bigtpu_compat::{CoreTotals, Edition, Moved, Summary};
use bigtpu_emit::EmitterInput;
use bigtpu_measure::{CommandTable, percent, quotient};
use bigtpu_output::{Literal, OutputError, Text, Written, put, text};
use bigtpu_timeline::{Clocks, Profile};

/// Name of the file.
pub const DATA_FILE: &str = "PerfWeb/profile_data.js";

/// Columns of `summary_data`.
const HEADER: [&str; 11] = [
    "CoreId",
    "Parallelism(%)",
    "totalTime(us)",
    "TiuWorkingRatio",
    "totalTiuCycle",
    "uArchURate",
    "totalGdmaCycle",
    "GdmaDdrAvgBandwidth(GB/s)",
    "GdmaL2AvgBandwidth(GB/s)",
    "totalSdmaCycle",
    "SdmaDdrAvgBandwidth(GB/s)",
];

/// Writes the file.
pub(crate) fn write(input: &EmitterInput<'_, '_>) -> Result<Written, OutputError> {
    input.out.write(DATA_FILE, &data(input.profile, &input.analysis.table))
}

fn data(profile: &Profile<'_>, table: &CommandTable) -> Text<Literal> {
    let chip = profile.chip;
    let summary = Summary::of_model(profile, table);
    let number = |key: &str| chip.arch_number(key).unwrap_or(0.0);
    let cores: Vec<u32> = busy_cores(profile);
    let mut text = Text::new();
    // The spaces are those of 0.3.0: some scripts look for the whole start of a line.
    for (start, value) in [
        ("page_caption = ", Text::literal("\"PerfAI: PerfAI_web\"")),
        ("platform = ", text!("\"Platform: {}\"", chip.name)),
        ("configs = ", configs(chip, profile.clocks)),
        ("summary_caption= ", Text::literal("\"Summary Table\"")),
        ("summary_header =  ", list(HEADER.map(quoted))),
        ("summary_data = ", rows(&summary, &cores)),
        ("ddr_bandwidth = ", text!("{}", number("DDR Max BW(GB/s/Core)"))),
        ("l2_bandwidth = ", text!("{}", number("L2 Max BW(GB/s)"))),
        ("actual_core_num = ", text!("{}", cores.len())),
    ] {
        put!(text, "let {}{}\n", start, value);
    }
    text
}

/// Cores that ran any command.
fn busy_cores(profile: &Profile<'_>) -> Vec<u32> {
    let is_busy =
        |core: &bigtpu_timeline::Core<'_>| core.tracks.iter().any(|t| !t.events.is_empty());
    profile.shown_cores().filter(|(_, core)| is_busy(core)).map(|(index, _)| index).collect()
}

/// The chip's description, with the units of 0.3.0.
fn configs(chip: &Chip, clocks: Clocks) -> Text<Literal> {
    let entries = chip.arch.iter().map(|entry| {
        let (key, value) = Edition::V030.described(chip, entry, clocks);
        text!("{}: {}", quoted(key), quoted(&value))
    });
    text!("{{{}}}", Text::<Literal>::joined(entries, ", "))
}

fn rows(summary: &Summary, cores: &[u32]) -> Text<Literal> {
    let Some(total_ns) = summary.total_ns else { return Text::literal("[]") };
    // 0.3.0 goes from cycles of 1 GHz to ns and back through a float and cuts: 64448 becomes 64447.
    let total_ns = (total_ns as f64 / 1000.0 * 1000.0) as i64;
    let own = summary.cores.iter().filter(|totals| cores.contains(&totals.core));
    let row = Row { summary, total_ns, cores: cores.len() };
    let rows = own.map(|totals| row.of_core(totals));
    list(rows.chain([row.overall()]))
}

struct Row<'a> {
    summary: &'a Summary,
    total_ns: i64,
    /// Cores that ran any command.
    cores: usize,
}

impl Row<'_> {
    fn of_core(&self, totals: &CoreTotals) -> Text<Literal> {
        let summary = self.summary;
        self.cells(
            &totals.core.to_string(),
            totals,
            share(summary.engines_ns(totals), self.total_ns),
            share(summary.tiu_ns(totals), self.total_ns),
            [totals.tiu_cycles, totals.gdma_cycles, totals.sdma_cycles].map(|n| text!("{}", n)),
        )
    }

    /// Python writes 100.0 where Rust's plain format writes 100.
    fn total_us(&self) -> Text<Literal> {
        let mut text = Text::new();
        text.float(self.total_ns as f64 / 1000.0);
        text
    }

    fn overall(&self) -> Text<Literal> {
        let summary = self.summary;
        let all = summary.overall();
        let tiu_ns: i64 = summary.cores.iter().map(|core| summary.tiu_ns(core)).sum();
        let us = |cycles: i64, mhz: f64| quoted(&format!("{:.2}us", cycles as f64 / mhz));
        let (tiu, dma) = (summary.tiu_mhz, summary.dma_mhz);
        self.cells(
            "Overall",
            &all,
            share(summary.engines_ns(&all), self.total_ns),
            share(tiu_ns, self.total_ns.saturating_mul(self.cores as i64)),
            [us(all.tiu_cycles, tiu), us(all.gdma_cycles, dma), us(all.sdma_cycles, dma)],
        )
    }

    fn cells(
        &self,
        name: &str,
        totals: &CoreTotals,
        parallelism: Text<Literal>,
        working: Text<Literal>,
        [tiu, gdma, sdma]: [Text<Literal>; 3],
    ) -> Text<Literal> {
        let gbps = |moved: &Moved| match moved.gbps(self.summary.dma_mhz) {
            0.0 => Text::literal("0"),
            gbps => quoted(&format!("{gbps:.2}")),
        };
        let uarch = match totals.uarch_ops {
            ..=0 => percent(0.0, 2),
            ops => percent(quotient(totals.alg_ops, ops), 2),
        };
        list([
            quoted(name),
            parallelism,
            self.total_us(),
            working,
            tiu,
            quoted(&uarch),
            gdma,
            gbps(&totals.gdma_ddr),
            gbps(&totals.gdma_l2),
            sdma,
            gbps(&totals.sdma_ddr),
        ])
    }
}

fn share(part: i64, whole: i64) -> Text<Literal> {
    let share = if whole > 0 { quotient(part.into(), whole.into()) } else { 0.0 };
    quoted(&percent(share, 2))
}

/// A text as a literal of Python and JavaScript.
fn quoted(text: &str) -> Text<Literal> {
    text!("'{}'", text)
}

fn list(items: impl IntoIterator<Item = Text<Literal>>) -> Text<Literal> {
    text!("[{}]", Text::<Literal>::joined(items, ", "))
}
