//! `summary.txt`: totals by core, whose table users' scripts parse; then the ledger and the ports.

use bigtpu_analysis::{CoreTotals, Moved, Summary, overall_us, percent, quotient};
use bigtpu_emit::{EmitError, Emitter, Input, Written};

use crate::ledger::{ledger_table, notes};
use crate::table::Table;

/// The summary.
#[derive(Debug, Clone, Copy, Default)]
pub struct SummaryText;

/// Columns of the first table and their widths.
const COLUMNS: [(&str, usize); 11] = [
    ("CoreId", 7),
    ("Parallelism(%)", 14),
    ("totalTime(us)", 14),
    ("TiuWorkingRatio", 15),
    ("totalTiuCycle", 14),
    ("uArchURate", 10),
    ("totalGdmaCycle", 16),
    ("GdmaDdrAvgBW(GB/s)", 18),
    ("GdmaL2AvgBW(GB/s)", 18),
    ("totalSdmaCycle", 16),
    ("SdmaDdrAvgBW(GB/s)", 18),
];

impl Emitter for SummaryText {
    fn name(&self) -> &'static str {
        "summary"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, EmitError> {
        let summary = &input.analysis.summary;
        let Some(mut text) = first_table(summary) else { return Ok(Vec::new()) };
        for table in [Some(ledger_table(input.profile)), ports_table(summary)].into_iter().flatten()
        {
            text.push('\n');
            text.push_str(&table.text());
        }
        let notes = notes(input.profile);
        if !notes.is_empty() {
            text.push_str("\nNotes\n");
            for note in notes {
                text.push_str(&format!("- {note}\n"));
            }
        }
        let mut file = input.out.file("summary.txt")?;
        file.append(text.as_bytes())?;
        Ok(vec![file.commit()?])
    }
}

/// The first table as text; `None` without events or cores.
fn first_table(summary: &Summary) -> Option<String> {
    let table = legacy_rows(summary)?;
    Some(table.text_with(&COLUMNS.map(|c| c.1)))
}

/// The first table: totals by core, then overall. `None` without events or cores.
#[must_use]
pub fn legacy_rows(summary: &Summary) -> Option<Table> {
    let total_ns = summary.total_ns.filter(|_| !summary.cores.is_empty())?;
    let row = Row { summary, total_ns };
    Some(Table {
        title: "Summary".into(),
        header: COLUMNS.iter().map(|c| c.0.to_owned()).collect(),
        rows: summary
            .cores
            .iter()
            .enumerate()
            .map(|(core, totals)| row.of_core(core, totals))
            .collect(),
        footer: vec![row.overall()],
    })
}

struct Row<'a> {
    summary: &'a Summary,
    total_ns: i64,
}

fn share(part: i128, whole: i128) -> String {
    percent(if whole > 0 { quotient(part, whole) } else { 0.0 }, 2)
}

impl Row<'_> {
    fn gbps(&self, moved: &Moved) -> String {
        format!("{:.2}", moved.gbps(self.summary.dma_mhz))
    }

    fn total_us(&self) -> String {
        format!("{:.3}", self.total_ns as f64 / 1000.0)
    }

    fn of_core(&self, core: usize, totals: &CoreTotals) -> Vec<String> {
        let total = i128::from(self.total_ns);
        vec![
            core.to_string(),
            share(self.summary.engines_ns(totals).into(), total),
            self.total_us(),
            share(self.summary.tiu_ns(totals).into(), total),
            totals.tiu_cycles.to_string(),
            share(totals.alg_ops, totals.uarch_ops),
            totals.gdma_cycles.to_string(),
            self.gbps(&totals.gdma_ddr),
            self.gbps(&totals.gdma_l2),
            totals.sdma_cycles.to_string(),
            self.gbps(&totals.sdma_ddr),
        ]
    }

    fn overall(&self) -> Vec<String> {
        let summary = self.summary;
        let all = summary.overall();
        let available = i128::from(self.total_ns) * summary.cores.len() as i128;
        let sum = |ns: fn(&Summary, &CoreTotals) -> i64| -> i128 {
            summary.cores.iter().map(|c| i128::from(ns(summary, c))).sum()
        };
        let us = |cycles, mhz| overall_us(cycles, mhz) + "(us)";
        vec![
            "Overall".into(),
            share(sum(Summary::engines_ns), available),
            self.total_us(),
            share(sum(Summary::tiu_ns), available),
            us(all.tiu_cycles, summary.tiu_mhz),
            share(all.alg_ops, all.uarch_ops),
            us(all.gdma_cycles, summary.dma_mhz),
            self.gbps(&all.gdma_ddr),
            self.gbps(&all.gdma_l2),
            us(all.sdma_cycles, summary.dma_mhz),
            self.gbps(&all.sdma_ddr),
        ]
    }
}

/// CDMA ports: commands, bytes and bandwidth by direction, time in sync commands, busy share. `None`
/// without ports.
#[must_use]
pub fn ports_table(summary: &Summary) -> Option<Table> {
    if summary.ports.is_empty() {
        return None;
    }
    let header = [
        "Port",
        "Events",
        "TxCmds",
        "TxBytes",
        "TxBW(GB/s)",
        "RxCmds",
        "RxBytes",
        "RxBW(GB/s)",
        "OtherCmds",
        "OtherBytes",
        "OtherBW(GB/s)",
        "Sync(us)",
        "Busy(%)",
    ];
    let total = i128::from(summary.total_ns.unwrap_or(0));
    let rows = summary.ports.iter().map(|port| {
        let mut row = vec![port.port.to_string(), port.events.to_string()];
        for (commands, moved) in [port.sent, port.received, port.other] {
            row.push(commands.to_string());
            row.push(moved.bytes.to_string());
            row.push(format!("{:.2}", moved.gbps(summary.dma_mhz)));
        }
        row.push(format!("{:.3}", port.sync_ns as f64 / 1000.0));
        row.push(share(port.busy_ns.into(), total));
        row
    });
    Some(Table {
        title: "CDMA ports".into(),
        header: header.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        footer: Vec::new(),
    })
}
