//! Several dumps of one run: the result of each, and its position on the common time line.

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
    /// The same in words, and what it means for comparing times.
    pub note: String,
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
    /// Of these, ns in which no TIU computed.
    pub exposed_transfer_ns: i64,
    /// ns in which engines only waited on each other.
    pub sync_ns: i64,
    /// ns in which no engine ran anything.
    pub idle_ns: i64,
    /// The kernel that took longest; none where no kernel is known.
    pub top_kernel: Option<TopKernel>,
    /// Notes of lost data.
    pub losses: u64,
    /// Other notes.
    pub warnings: u64,
}

impl DumpRow {
    /// The row of a dump whose time 0 lies at `start_ns`.
    #[must_use]
    pub fn of(name: DumpName, start_ns: i64, report: &Report) -> Self {
        let all = &report.intervals.overall;
        let top_kernel = report.kernels.first().map(|top| TopKernel {
            kernel: top.kernel.clone(),
            total_ns: top.total_ns,
            share: top.share,
        });
        let losses = report.ledger.losses;
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
            losses,
            warnings: (report.ledger.notes.len() as u64).saturating_sub(losses),
        }
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
}

impl DumpIndex {
    /// The index of the dumps.
    #[must_use]
    pub fn new(time_line: TimeLine, dumps: Vec<DumpRow>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { schema_version: INDEX_SCHEMA_VERSION, version, time_line, dumps }
    }
}
