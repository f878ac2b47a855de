//! What a history keeps: a record of each run, and what was said of each build.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::HistoryEvent;
use crate::diff::lineage::Owner;
use crate::diff::measure::samples;
use crate::diff::{Compared, Subject};
use crate::identity::Unit;

/// Version of the layout of records and of `history.json`: it rises when a field is renamed, removed or changes its meaning.
pub const HISTORY_SCHEMA_VERSION: u32 = 2;

/// The wall time among the times of a run.
pub(super) const TOTAL: &str = "total";

/// What is kept of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// [`HISTORY_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: u32,
    /// What the run is called: its label, such as a commit, else its path.
    pub run: String,
    /// Whether the run has a label: runs of one label are one build.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_labelled: bool,
    /// Workload, host, device and call; empty where there is nothing to tell apart.
    pub unit: String,
    /// The times are a simulation's: they repeat exactly.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// ns of the wall time (`total`), of kernels (`kernel matmul`) and of layers (`layer NAME`).
    pub times: BTreeMap<String, f64>,
    /// What each kernel or layer does, whatever it is called: parts, commands, bytes and operations; absent where the report does not tell.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub works: BTreeMap<String, String>,
    /// These kernels in the order of their first launches, or layers in that of the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

impl RunRecord {
    /// Builds the record of a run from its report.
    #[must_use]
    pub fn from_report(run: String, is_labelled: bool, unit: &Unit, report: &Compared) -> Self {
        let mut times = BTreeMap::new();
        for ((subject, name), sample) in samples(report) {
            let is_kept = matches!(subject, Subject::Total | Subject::Kernel);
            if let Some(Some(ns)) = sample.first().filter(|_| is_kept) {
                let name = format!("{} {name}", subject.name());
                times.insert(name.trim_end().to_owned(), *ns);
            }
        }
        for work in report.work.iter().filter(|work| work.is_of_layer()) {
            *times.entry(format!("layer {}", work.owner())).or_default() += work.ns.unwrap_or(0.0);
        }
        let unit = if *unit == Unit::default() { String::new() } else { unit.to_string() };
        let schema_version = HISTORY_SCHEMA_VERSION;
        let simulated = report.dump.simulated;
        let (mut works, mut order) = (BTreeMap::new(), Vec::new());
        for owner in Owner::of_report(report) {
            let of = if owner.is_layer { "layer" } else { "kernel" };
            let name = format!("{of} {}", owner.name);
            works.insert(name.clone(), owner.to_text());
            order.push(name);
        }
        Self { schema_version, run, is_labelled, unit, simulated, times, works, order }
    }

    /// What its kernels or layers do, in their order; those of an older version, which did not keep it, by name.
    pub(super) fn owners(&self) -> Vec<Owner> {
        let place = |name: &str| self.order.iter().position(|own| own == name);
        let mut works: Vec<(&String, &String)> = self.works.iter().collect();
        works.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        works.into_iter().filter_map(|(name, text)| Owner::from_text(name, text)).collect()
    }

    /// Whether both records are of one run: unit and numbers are equal, and nothing says that they are two runs.
    /// Measured times never repeat exactly, so without labels equal numbers mean the same run. With labels, and where
    /// times are simulated, the name must be equal as well.
    #[must_use]
    pub fn is_same_run(&self, other: &Self) -> bool {
        let is_named = (self.is_labelled && other.is_labelled) || self.simulated;
        self.unit == other.unit && self.times == other.times && (!is_named || self.run == other.run)
    }
}

/// The runs that were added together, and what was said when they were.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryBuild {
    /// Its runs.
    pub records: Vec<RunRecord>,
    /// Where to read about it.
    pub link: Option<String>,
    /// What was reported; `None`: nobody looked yet.
    pub reported: Option<Vec<HistoryEvent>>,
}

impl HistoryBuild {
    /// What it is called.
    #[must_use]
    pub fn label(&self) -> &str {
        self.records.first().map_or("", |record| record.run.as_str())
    }

    /// The builds that lines describe. Runs of one label that follow each other are a build, and so is each run without one.
    #[must_use]
    pub fn of_lines(lines: Vec<HistoryLine>) -> Vec<Self> {
        let mut builds: Vec<Self> = Vec::new();
        for line in lines {
            match line {
                HistoryLine::LookedAt(LookedAt { link, reported, .. }) => {
                    if let Some(last) = builds.last_mut() {
                        (last.link, last.reported) = (link, Some(reported));
                    }
                }
                HistoryLine::Run(record) => Self::add(&mut builds, record),
            }
        }
        builds
    }

    /// Adds a run to the last build if it is one of that, else as a build of its own.
    pub fn add(builds: &mut Vec<Self>, record: RunRecord) {
        let is_of = |build: &&mut Self| {
            build.reported.is_none() && record.is_labelled && build.label() == record.run
        };
        match builds.last_mut().filter(is_of) {
            Some(last) => last.records.push(record),
            None => builds.push(Self { records: vec![record], ..Self::default() }),
        }
    }

    /// Its lines.
    pub fn into_lines(self) -> impl Iterator<Item = HistoryLine> {
        let looked_at = self.label().to_owned();
        let Self { records, link, reported } = self;
        let schema_version = HISTORY_SCHEMA_VERSION;
        let looked = |reported| {
            HistoryLine::LookedAt(LookedAt { schema_version, looked_at, link, reported })
        };
        records.into_iter().map(HistoryLine::Run).chain(reported.map(looked))
    }
}

/// A line of `history.jsonl` behind the records of a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LookedAt {
    /// [`HISTORY_SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: u32,
    /// The label of the build.
    pub looked_at: String,
    /// Where to read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// What was reported.
    pub reported: Vec<HistoryEvent>,
}

/// A line of `history.jsonl`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum HistoryLine {
    /// A build ends here.
    LookedAt(LookedAt),
    /// A run.
    Run(RunRecord),
}

impl HistoryLine {
    /// [`HISTORY_SCHEMA_VERSION`] of the program that wrote it.
    #[must_use]
    pub fn schema_version(&self) -> u32 {
        match self {
            Self::LookedAt(looked) => looked.schema_version,
            Self::Run(record) => record.schema_version,
        }
    }
}
