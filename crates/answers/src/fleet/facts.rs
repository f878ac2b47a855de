//! What a fleet's overview needs of a dump.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use bigtpu_messages::LocalizedText;

use crate::identity::RunProgram;
use crate::report::Report;

/// Kernels and layers of a dump that are kept: those that took longest.
const MOST_PARTS: usize = 256;
/// Pieces of advice that are kept.
const MOST_ADVICE: usize = 8;

/// What a fleet's overview needs of a dump: a few kB of its report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FleetFacts {
    /// From the first record to the last, in ns.
    pub wall_ns: i64,
    /// ns in which any engine worked.
    pub work_ns: i64,
    /// ns in which a TIU computed.
    pub compute_ns: i64,
    /// ns in which data was transferred and no TIU computed.
    pub exposed_transfer_ns: i64,
    /// ns in which engines only waited on each other.
    pub sync_ns: i64,
    /// ns in which no engine ran anything.
    pub idle_ns: i64,
    /// The cores' own work.
    pub cores: Vec<CoreWork>,
    /// Kernels, those that took longest first.
    pub kernels: Vec<PartTime>,
    /// Layers of a static model, those that took longest first.
    pub layers: Vec<PartTime>,
    /// Advice, the greatest gain first.
    pub advice: Vec<AdviceFacts>,
    /// Notes of lost data.
    pub losses: u64,
    /// Records that are missing or could not be used, as far as known.
    pub lost_records: u64,
}

/// How long a core worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreWork {
    /// Core.
    pub core: u32,
    /// ns in which any of its engines worked.
    pub work_ns: i64,
}

/// Times of a kernel or layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartTime {
    /// Its name.
    pub name: String,
    /// Launches of a kernel, each core's counted; runs of a layer.
    pub count: u64,
    /// ns of all of them.
    pub total_ns: i64,
    /// ns of one on average.
    pub mean_ns: f64,
}

/// A piece of advice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdviceFacts {
    /// The rule: a heading of `docs/advice.md`.
    pub id: String,
    /// What was found and what to do.
    #[serde(flatten)]
    pub text: LocalizedText,
    /// ns that it saves, or its bound; absent where nothing is to be saved.
    pub gain_ns: Option<i64>,
    /// What it saves is only a bound, or an estimate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bound: bool,
}

impl FleetFacts {
    /// Takes the facts from a dump's report.
    #[must_use]
    pub fn from_report(report: &Report) -> Self {
        let all = &report.intervals.overall;
        let cores = report.intervals.cores.iter();
        let kernels = report.kernels.iter().map(|kernel| PartTime {
            name: kernel.kernel.clone(),
            count: kernel.launches,
            total_ns: kernel.total_ns,
            mean_ns: kernel.durations.mean_ns,
        });
        // In the order of the report, whose first is what the verdict of the dump says.
        let advice = report.advice.iter().map(|advice| AdviceFacts {
            id: advice.id.clone(),
            text: advice.text.clone(),
            gain_ns: advice.gain_ns,
            is_bound: advice.is_bound,
        });
        Self {
            wall_ns: all.wall_ns,
            work_ns: all.work_ns(),
            compute_ns: all.compute_ns(),
            exposed_transfer_ns: all.transfer_only_ns,
            sync_ns: all.sync_ns,
            idle_ns: all.idle_ns,
            cores: cores
                .filter_map(|c| Some(CoreWork { core: c.core?, work_ns: c.work_ns() }))
                .collect(),
            kernels: longest(kernels.collect()),
            layers: longest(layers(report)),
            advice: advice.take(MOST_ADVICE).collect(),
            losses: report.ledger.losses,
            lost_records: report.ledger.lost_records,
        }
    }
}

impl FleetFacts {
    /// What ran on a chip: kernels, or layers where there are none, with how often.
    #[must_use]
    pub fn program(&self, chip: &str) -> RunProgram {
        let parts = if self.kernels.is_empty() { &self.layers } else { &self.kernels };
        let part = |part: &PartTime| (part.name.clone(), [part.count as f64, 0.0]);
        RunProgram { chip: chip.to_owned(), parts: parts.iter().map(part).collect() }
    }
}

fn longest(mut parts: Vec<PartTime>) -> Vec<PartTime> {
    parts.sort_by(|a, b| b.total_ns.cmp(&a.total_ns).then_with(|| a.name.cmp(&b.name)));
    parts.truncate(MOST_PARTS);
    parts
}

/// The layers, cores together: by name, and by number where the dump names none.
fn layers(report: &Report) -> Vec<PartTime> {
    let mut sums: BTreeMap<String, (u64, i64)> = BTreeMap::new();
    for layer in &report.layers {
        let name = layer.name.clone();
        let name = name.unwrap_or_else(|| format!("{} {}", layer.operation, layer.id));
        let sum = sums.entry(name).or_default();
        *sum = (sum.0 + layer.runs, sum.1 + layer.work.total_ns);
    }
    let part = |(name, (count, total_ns)): (String, (u64, i64))| {
        let mean_ns = total_ns as f64 / count.max(1) as f64;
        PartTime { name, count, total_ns, mean_ns }
    };
    sums.into_iter().map(part).collect()
}
