//! Several dumps of one run: the result of each, and its position on the common time line.

use bigtpu_messages::{Language, Message};
use std::collections::{BTreeMap, BTreeSet};

use bigtpu_measure::{quotient, round4};
use serde::{Deserialize, Serialize};

use super::Report;

/// Version of the index's layout.
const INDEX_SCHEMA_VERSION: u32 = 1;

/// How several dumps lie on one time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alignment {
    /// Each by the host's anchors: moments can be compared.
    Anchors,
    /// Devices that links join by their sends and receives: their moments can be compared.
    Links,
    /// Dumps of the same call are assumed to start at the same moment: only durations can be compared.
    SharedStart,
    /// One after another: only durations can be compared.
    OneAfterAnother,
}

/// The time line that several dumps share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLine {
    /// How they lie on it.
    pub alignment: Alignment,
    /// The alignment in words, and what it means for comparing times.
    pub note: String,
    /// The words as data; `None` in an index that was read from a file.
    #[serde(skip)]
    pub message: Option<Message>,
}

impl TimeLine {
    /// A time line with what is said of it.
    #[must_use]
    pub fn new(alignment: Alignment, message: Message) -> Self {
        Self { alignment, note: message.text(Language::English), message: Some(message) }
    }
}

/// The kernel that took longest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopKernel {
    /// Its name.
    pub kernel: String,
    /// ns of all its launches, summed over cores.
    pub total_ns: i64,
    /// Its time over that of all kernels' launches.
    pub share: f64,
}

/// The name of a dump among several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DumpName {
    /// Its short name: that of its tracks.
    pub name: String,
    /// The directory of its own results, relative to the index.
    pub directory: String,
    /// Device, where the directory's name shows it.
    pub device: Option<u32>,
    /// Call, where the directory's name shows it.
    pub call: Option<u32>,
}

/// A dump among several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DumpRow {
    /// Which it is.
    #[serde(flatten)]
    pub name: DumpName,
    /// Chip.
    pub chip: String,
    /// Cores shown.
    pub cores: u64,
    /// Events shown.
    pub events: u64,
    /// Where its time 0 lies on the common time line, in ns.
    pub start_ns: i64,
    /// From the first event to the last, in ns.
    pub wall_ns: i64,
    /// ns in which any engine worked.
    pub work_ns: i64,
    /// ns in which a TIU computed.
    pub compute_ns: i64,
    /// ns in which data was transferred.
    pub transfer_ns: i64,
    /// ns in which data was transferred and no TIU computed.
    pub exposed_transfer_ns: i64,
    /// ns in which engines only waited on each other, or, where links prove it, ports on other devices.
    pub sync_ns: i64,
    /// ns in which no engine ran anything.
    pub idle_ns: i64,
    /// The kernel that took longest; none where no kernel is known.
    pub top_kernel: Option<TopKernel>,
    /// Notes of lost data.
    pub losses: u64,
    /// Notes of what is in doubt, without loss of data.
    pub warnings: u64,
}

impl DumpRow {
    /// The row of a dump whose time 0 lies at `start_ns`.
    #[must_use]
    pub fn from_report(name: DumpName, start_ns: i64, report: &Report) -> Self {
        let all = &report.intervals.overall;
        let top_kernel = report.kernels.first().map(|top| TopKernel {
            kernel: top.kernel.clone(),
            total_ns: top.total_ns,
            share: top.share,
        });
        Self {
            name,
            chip: report.dump.chip.clone(),
            cores: report.dump.cores,
            events: report.dump.events,
            start_ns,
            wall_ns: all.wall_ns,
            work_ns: all.work_ns(),
            compute_ns: all.compute_ns(),
            transfer_ns: all.transfer_ns(),
            exposed_transfer_ns: all.transfer_only_ns,
            sync_ns: all.sync_ns,
            idle_ns: all.idle_ns,
            top_kernel,
            losses: report.ledger.losses,
            warnings: report.ledger.warnings,
        }
    }

    /// Takes `ns` from the exposed transfers in which ports only waited for other devices: that is no work. One dump alone
    /// does not show it: a transfer's record begins when its command does.
    pub fn wait(&mut self, ns: i64) {
        let ns = ns.clamp(0, self.exposed_transfer_ns);
        self.work_ns -= ns;
        self.transfer_ns -= ns;
        self.exposed_transfer_ns -= ns;
        self.sync_ns += ns;
    }
}

/// A call on several devices: how evenly they worked. Waiting for one another is no work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallBalance {
    /// The call; none where the directories' names show none.
    pub call: Option<u32>,
    /// Devices.
    pub devices: u64,
    /// Name of the dump that worked longest: the straggler.
    pub slowest: String,
    /// ns that it worked.
    pub slowest_ns: i64,
    /// Mean of the devices in ns.
    pub mean_ns: f64,
    /// The slowest over the mean, less 1.
    pub imbalance: f64,
    /// ns that the other devices waited, at the median, while the slowest worked.
    pub lost_ns: i64,
}

impl CallBalance {
    fn all(dumps: &[DumpRow]) -> Vec<Self> {
        let mut calls: BTreeMap<Option<u32>, Vec<&DumpRow>> = BTreeMap::new();
        for dump in dumps.iter().filter(|dump| dump.name.device.is_some()) {
            calls.entry(dump.name.call).or_default().push(dump);
        }
        calls.into_iter().filter_map(|(call, dumps)| Self::compute(call, &dumps)).collect()
    }

    fn compute(call: Option<u32>, dumps: &[&DumpRow]) -> Option<Self> {
        let devices: BTreeSet<Option<u32>> = dumps.iter().map(|dump| dump.name.device).collect();
        // Two dumps of one device are no devices side by side.
        if dumps.len() < 2 || devices.len() < dumps.len() {
            return None;
        }
        let slowest = dumps.iter().rev().max_by_key(|dump| dump.work_ns)?;
        let mut others: Vec<i64> = dumps.iter().map(|dump| dump.work_ns).collect();
        others.sort_unstable();
        others.pop();
        let median = others.get((others.len() - 1) / 2).copied().unwrap_or(0);
        let sum: i64 = dumps.iter().map(|dump| dump.work_ns).sum();
        let mean = quotient(sum.into(), dumps.len() as i128);
        let imbalance = if mean > 0.0 { slowest.work_ns as f64 / mean - 1.0 } else { 0.0 };
        Some(Self {
            call,
            devices: dumps.len() as u64,
            slowest: slowest.name.name.clone(),
            slowest_ns: slowest.work_ns,
            mean_ns: round4(mean),
            imbalance: round4(imbalance),
            lost_ns: slowest.work_ns - median,
        })
    }
}

/// Several dumps of one run. As JSON its schema is `docs/dumps.schema.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DumpIndex {
    /// Version of the index's layout, of the program that wrote it.
    pub schema_version: u32,
    /// The program's version.
    pub version: String,
    /// How the dumps lie on one time line.
    pub time_line: TimeLine,
    /// The dumps, by device and call.
    pub dumps: Vec<DumpRow>,
    /// Calls that several devices took part in: which device the others waited for.
    #[serde(default)]
    pub calls: Vec<CallBalance>,
}

impl DumpIndex {
    /// The index of the dumps.
    #[must_use]
    pub fn new(time_line: TimeLine, dumps: Vec<DumpRow>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let calls = CallBalance::all(&dumps);
        Self { schema_version: INDEX_SCHEMA_VERSION, version, time_line, dumps, calls }
    }
}
