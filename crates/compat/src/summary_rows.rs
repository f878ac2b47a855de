//! The summary's table as texts: what scripts parse in `summary.txt` and every view shows (section 8.2).

use crate::summary::{CoreTotals, Moved, Summary, overall_us};
use bigtpu_measure::{percent, quotient};

/// Columns of the table.
pub const SUMMARY_COLUMNS: [&str; 11] = [
    "CoreId",
    "Parallelism(%)",
    "totalTime(us)",
    "TiuWorkingRatio",
    "totalTiuCycle",
    "uArchURate",
    "totalGdmaCycle",
    "GdmaDdrAvgBW(GB/s)",
    "GdmaL2AvgBW(GB/s)",
    "totalSdmaCycle",
    "SdmaDdrAvgBW(GB/s)",
];

/// The table's rows, each with as many cells as [`SUMMARY_COLUMNS`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SummaryRows {
    /// Row of each core.
    pub cores: Vec<Vec<String>>,
    /// All cores together.
    pub overall: Vec<String>,
}

impl SummaryRows {
    /// The rows; `None` without events or cores.
    #[must_use]
    pub fn compute(summary: &Summary) -> Option<Self> {
        let total_ns = summary.total_ns.filter(|_| !summary.cores.is_empty())?;
        let row = Row { summary, total_ns };
        Some(Self {
            cores: summary.cores.iter().map(|totals| row.of_core(totals)).collect(),
            overall: row.overall(),
        })
    }
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

    fn of_core(&self, totals: &CoreTotals) -> Vec<String> {
        let total = i128::from(self.total_ns);
        vec![
            totals.core.to_string(),
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
