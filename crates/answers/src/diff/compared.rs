//! What a comparison reads of a report: of the report just made, or of a stored one, also of an older layout.
//!
//! Each number may be missing: an older report does not have what later versions added. A missing number is unknown
//! and is not compared; it is not 0.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::identity::RunProgram;
use crate::report::{Report, SCHEMA_VERSION};
use crate::steps::StepSource;
use bigtpu_measure::Key;
use bigtpu_measure::layers::LayerLabel;
use bigtpu_replay::{Reason, piece_title};

/// The oldest layout of `report.json` that can be compared.
pub const OLDEST_SCHEMA_VERSION: u32 = 1;

type Number = Option<f64>;

/// The parts of a report that are compared.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Compared {
    pub(super) schema_version: u32,
    pub(super) dump: Dump,
    pub(super) ledger: Ledger,
    pub(super) intervals: AllIntervals,
    pub(super) kernels: Vec<Kernel>,
    pub(super) groupings: Vec<Grouping>,
    pub(super) roofline: Rooflines,
    pub(super) critical_path: Option<Path>,
    pub(super) work: Vec<Work>,
    layers: Vec<Layer>,
    steps: Option<Steps>,
    host: Option<Host>,
}

/// Why a text is no report that can be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComparedError {
    /// The text is no report at all.
    #[error("{}", error_message!("error-answers-compared-no-report", value = .0))]
    NoReport(Message),
    /// A later program wrote it.
    #[error("{}", error_message!("error-answers-compared-newer", value = .0, oldest_schema_version = OLDEST_SCHEMA_VERSION, schema_version = SCHEMA_VERSION))]
    Newer(u32),
}

impl Compared {
    /// What each piece of the critical path is, by its title.
    pub(super) fn path_reasons(&self) -> impl Iterator<Item = (String, Reason)> {
        let pieces = self.critical_path.iter().flat_map(|path| &path.pieces);
        pieces.map(|piece| (piece.title(), piece.reason))
    }

    /// Reads a `report.json` of any layout from [`OLDEST_SCHEMA_VERSION`] to [`SCHEMA_VERSION`].
    ///
    /// # Errors
    /// When the text is no report, or one of a later layout.
    pub fn read(text: &str) -> Result<Self, ComparedError> {
        /// What every layout has.
        #[derive(Deserialize)]
        struct Version {
            schema_version: u32,
            #[serde(rename = "intervals")]
            _intervals: serde::de::IgnoredAny,
        }
        let no_report = |error: serde_json::Error| ComparedError::NoReport(error.reason());
        let Version { schema_version, .. } = serde_json::from_str(text).map_err(no_report)?;
        if schema_version > SCHEMA_VERSION {
            return Err(ComparedError::Newer(schema_version));
        }
        let mut report: Self = serde_json::from_str(text).map_err(no_report)?;
        report.label_layers();
        Ok(report)
    }

    /// Names layers as reports do today: those of older versions have the model's name alone, which several layers may share.
    fn label_layers(&mut self) {
        let label = |layer: &Layer| {
            let name = layer.name.as_deref().unwrap_or_default();
            (layer.id, LayerLabel::new(name, &layer.operation, layer.id).to_string())
        };
        let labels: BTreeMap<u64, String> = self.layers.iter().map(label).collect();
        let rename = |id: Number, layer: &mut Option<String>| {
            if let Some(label) = id.and_then(|id| labels.get(&(id as u64))) {
                *layer = Some(label.clone());
            }
        };
        self.work.iter_mut().for_each(|work| rename(work.layer_id, &mut work.layer));
        let pieces = self.critical_path.iter_mut().flat_map(|path| &mut path.pieces);
        pieces.for_each(|piece| rename(piece.layer_id, &mut piece.layer));
    }

    /// Takes the parts from a report that was just made, as [`Compared::read`] reads them from a stored one.
    #[must_use]
    pub fn from_report(report: &Report) -> Self {
        let value = serde_json::to_value(report).unwrap_or_default();
        // A report always has these parts; a test compares every number.
        serde_json::from_value(value).unwrap_or_default()
    }

    /// What ran.
    #[must_use]
    pub fn program(&self) -> RunProgram {
        let mut parts: BTreeMap<String, [f64; 2]> = BTreeMap::new();
        let mut add = |name: String, commands: Number, bytes: Number| {
            let part = parts.entry(name).or_default();
            let did = [commands.unwrap_or(0.0), bytes.unwrap_or(0.0)];
            part.iter_mut().zip(did).for_each(|(part, did)| *part += did);
        };
        for work in self.work.iter().filter(|work| is_work(work.reason)) {
            add(format!("{} {}", work.owner(), work.engine), work.commands, work.bytes);
        }
        if self.work.is_empty() {
            // A report of an older version.
            let of_opcodes = self.groupings.iter().filter(|grouping| grouping.by == Key::Opcode);
            for group in of_opcodes.flat_map(|grouping| &grouping.groups) {
                add(group.values.join(" "), group.count, group.bytes);
            }
        }
        RunProgram { chip: self.dump.chip.clone(), parts }
    }

    /// Gives kernels and layers other names.
    pub(super) fn rename(&mut self, names: &BTreeMap<&str, &str>) {
        let rename = |name: &mut String| {
            if let Some(new) = names.get(name.as_str()) {
                *name = (*new).to_owned();
            }
        };
        self.kernels.iter_mut().for_each(|kernel| rename(&mut kernel.kernel));
        for work in &mut self.work {
            rename(&mut work.kernel);
            work.layer.as_mut().map(rename);
        }
        for piece in self.critical_path.iter_mut().flat_map(|path| &mut path.pieces) {
            rename(&mut piece.kernel);
            piece.layer.as_mut().map(rename);
        }
    }

    /// Sets the run's wall time in ns, such as one that is known more exactly than in whole ns.
    pub fn set_wall(&mut self, ns: f64) {
        self.intervals.overall.wall_ns = Some(ns);
    }

    /// Iterations: by the host's markers where its trace has any, else by the kernels.
    pub(super) fn iterations(&self) -> Option<&Steps> {
        self.host.as_ref().and_then(|host| host.steps.as_ref()).or(self.steps.as_ref())
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Dump {
    pub(super) chip: String,
    pub(super) simulated: bool,
    pub(super) cores: u64,
    pub(super) events: Number,
    pub(super) tiu_mhz: Number,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Ledger {
    pub(super) losses: Number,
    pub(super) lost_records: Number,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct AllIntervals {
    pub(super) overall: Intervals,
    pub(super) core_mean: CoreMean,
    pub(super) cores: Vec<Intervals>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct CoreMean {
    pub(super) overlap_ratio: Number,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Intervals {
    pub(super) core: Option<u32>,
    pub(super) wall_ns: Number,
    pub(super) compute_only_ns: Number,
    pub(super) overlapped_ns: Number,
    pub(super) transfer_only_ns: Number,
    pub(super) sync_ns: Number,
    pub(super) idle_ns: Number,
    pub(super) utilization: Number,
    pub(super) overlap_ratio: Number,
    pub(super) engines: Vec<EngineTime>,
}

impl Intervals {
    /// ns in which any engine worked.
    pub(super) fn work_ns(&self) -> Number {
        Some(self.compute_only_ns? + self.overlapped_ns? + self.transfer_only_ns?)
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct EngineTime {
    pub(super) engine: String,
    pub(super) index: u32,
    pub(super) commands: Number,
    pub(super) busy_ns: Number,
    pub(super) sync_ns: Number,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Kernel {
    pub(super) kernel: String,
    pub(super) launches: Number,
    pub(super) total_ns: Number,
    pub(super) p50_ns: Number,
    pub(super) p95_ns: Number,
    pub(super) ops: Number,
    pub(super) uarch_rate: Number,
    pub(super) gbps: Number,
    pub(super) tops: Number,
    pub(super) first_start_ns: Number,
    ddr_bytes: Number,
    other_bytes: Number,
}

impl Kernel {
    pub(super) fn bytes(&self) -> Number {
        Some(self.ddr_bytes? + self.other_bytes?)
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Grouping {
    pub(super) by: Key,
    pub(super) groups: Vec<Group>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Group {
    pub(super) values: Vec<String>,
    pub(super) count: Number,
    pub(super) total_ns: Number,
    pub(super) p50_ns: Number,
    pub(super) p95_ns: Number,
    pub(super) bytes: Number,
    pub(super) gbps: Number,
    pub(super) tops: Number,
    pub(super) uarch_rate: Number,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Rooflines {
    pub(super) overall: Roofline,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Roofline {
    pub(super) ddr_bytes: Number,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Path {
    refusal: Option<String>,
    pub(super) pieces: Vec<Piece>,
}

impl Path {
    /// There is a path, and it is known.
    pub(super) fn is_known(&self) -> bool {
        self.refusal.is_none() && !self.pieces.is_empty()
    }
}

/// A layer of a static model.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Layer {
    id: u64,
    name: Option<String>,
    operation: String,
}

/// A piece of the critical path.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Piece {
    #[serde(default)]
    pub(super) kernel: String,
    #[serde(default)]
    layer: Option<String>,
    #[serde(default)]
    layer_id: Number,
    pub(super) engine: String,
    pub(super) reason: Reason,
    #[serde(default)]
    pub(super) ns: Number,
    #[serde(default)]
    pub(super) count: Number,
}

impl Piece {
    pub(super) fn title(&self) -> String {
        piece_title(self.owner(), &self.engine, self.reason)
    }

    pub(super) fn owner(&self) -> &str {
        owner(&self.kernel, self.layer.as_deref())
    }
}

/// Commands of an engine of a core that belong to a kernel or layer.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Work {
    #[serde(default)]
    kernel: String,
    #[serde(default)]
    layer: Option<String>,
    #[serde(default)]
    pub(super) layer_id: Number,
    pub(super) engine: String,
    pub(super) index: u32,
    pub(super) reason: Reason,
    #[serde(default)]
    pub(super) commands: Number,
    #[serde(default)]
    pub(super) ns: Number,
    #[serde(default)]
    pub(super) bytes: Number,
    #[serde(default)]
    pub(super) ops: Number,
    #[serde(default)]
    pub(super) uarch_ops: Number,
}

impl Work {
    pub(super) fn owner(&self) -> &str {
        owner(&self.kernel, self.layer.as_deref())
    }

    /// Whether its owner is a layer: it is outside of kernels, and a layer is known.
    pub(super) fn is_of_layer(&self) -> bool {
        self.kernel.is_empty() && self.layer.is_some()
    }
}

/// Commands, and not time between them.
pub(super) fn is_work(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Compute
            | Reason::DdrTransfer
            | Reason::L2mTransfer
            | Reason::LinkTransfer
            | Reason::LocalTransfer
    )
}

/// Kernel, or layer of a static model; empty outside of both.
fn owner<'a>(kernel: &'a str, layer: Option<&'a str>) -> &'a str {
    if kernel.is_empty() { layer.unwrap_or_default() } else { kernel }
}

/// Iterations.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Steps {
    pub(super) source: StepSource,
    pub(super) times: StepTimes,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct StepTimes {
    pub(super) p50_ns: Number,
    pub(super) mean_ns: Number,
    pub(super) p95_ns: Number,
    pub(super) max_ns: Number,
    pub(super) min_ns: Number,
    pub(super) first_ns: Number,
    pub(super) warm_up_ns: Number,
    pub(super) count: Number,
    pub(super) outliers: Number,
    pub(super) spread: Number,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Step {
    pub(super) number: u64,
    start_ns: Number,
    end_ns: Number,
    pub(super) compute_only_ns: Number,
    pub(super) overlapped_ns: Number,
    pub(super) transfer_only_ns: Number,
    pub(super) sync_ns: Number,
    pub(super) idle_ns: Number,
    pub(super) launches: Number,
}

impl Step {
    pub(super) fn ns(&self) -> Number {
        Some(self.end_ns? - self.start_ns?)
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Host {
    steps: Option<Steps>,
}
