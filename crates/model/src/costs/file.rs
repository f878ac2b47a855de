//! The layout of `costs.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Version of the layout: it rises when a field is renamed, removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What one execution of each part costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Costs {
    /// [`SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: u32,
    /// The program's version.
    pub version: String,
    /// Passes of the model in all dumps together: one in each dump, unless it was said otherwise.
    pub passes: u64,
    /// The dumps that were measured.
    pub sources: Vec<Source>,
    /// Parts in the order of their first execution.
    pub parts: Vec<Part>,
}

/// A dump that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Where it lies.
    pub dump: String,
    /// Chip.
    pub chip: String,
    /// Cores that ran anything.
    pub cores: u32,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
    /// From the first start to the last end of its executions, in ns.
    pub wall_ns: i64,
    /// Paths of the run that are critical on machines of some speeds; empty where the run can't be replayed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathTimes>,
}

/// Times of a path through the commands of a run in ns, by what they depend on. On a machine of other speeds the run takes as long as the
/// longest of its paths.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct PathTimes {
    /// What no part of the machine changes: pauses, waits, the time of transfers before their first byte.
    pub fixed: f64,
    /// Work of the TIU.
    #[serde(default)]
    pub compute: f64,
    /// Bytes of DDR.
    #[serde(default)]
    pub ddr: f64,
    /// Bytes of on-chip shared memory.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub l2m: f64,
    /// Bytes of links between chips.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub link: f64,
}

// serde wants a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_nothing(ns: &f64) -> bool {
    *ns == 0.0
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A kernel function.
    Kernel,
    /// A layer of a static model.
    Layer,
    /// Parts in a row that a rule groups.
    Scope,
}

impl PartKind {
    /// As written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Layer => "layer",
            Self::Scope => "scope",
        }
    }
}

/// Part of a run of a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostsPhase {
    /// The prompt: before the marker.
    Prefill,
    /// Generation: from the marker on.
    Decode,
}

impl CostsPhase {
    /// As written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Decode => "decode",
        }
    }
}

/// A part: means are those of one execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name; that of a layer begins with its number on its core.
    pub name: String,
    /// What it is.
    pub kind: PartKind,
    /// Phase of the run, where a marker splits it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<CostsPhase>,
    /// Chip.
    pub chip: String,
    /// Cores of the dumps that ran anything.
    pub cores: u32,
    /// Most cores that an execution ran on.
    pub cores_used: u32,
    /// Executions measured.
    pub executions: u64,
    /// Executions that were left out as warm-up. They count where parts are put together to a run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub warmup_executions: u64,
    /// ns from an execution's first start to its last end on all its cores.
    pub wall_ns: DurationSpread,
    /// ns by which an execution moves the end of the run: from the end of all before it to its own, idle time
    /// included. Those of all executions of kernels, or of layers, sum to the wall time.
    pub step_ns: DurationSpread,
    /// Costs of each engine, by its name: TIU, GDMA, SDMA, CDMA; engines without commands are absent.
    pub engines: BTreeMap<String, EngineCost>,
    /// ns in which its transfers ran while the TIU of their core did not work, on a core on average.
    pub exposed_transfer_ns: f64,
    /// Energy, if a machine with energies was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_pj: Option<EnergyCost>,
    /// Memory, where the layers show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<LayerMemory>,
}

// serde wants a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Durations in ns.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct DurationSpread {
    /// Mean.
    pub mean: f64,
    /// Half are no longer (nearest rank).
    pub p50: i64,
    /// 95 % are no longer (nearest rank).
    pub p95: i64,
    /// Shortest.
    pub min: i64,
    /// Longest.
    pub max: i64,
}

/// What one engine does in an execution, all cores summed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct EngineCost {
    /// Commands, system commands left out.
    pub commands: f64,
    /// ns in which it worked.
    pub busy_ns: f64,
    /// Requested operations, of commands whose full bits are known.
    pub ops: f64,
    /// These operations after padding to the size of the unit.
    #[serde(default)]
    pub padded_ops: f64,
    /// Bytes moved.
    pub bytes: f64,
    /// Bytes that passed the DDR: those of a transfer within it count twice.
    pub ddr_bytes: f64,
    /// Bytes from or to on-chip shared memory and not DDR.
    pub l2m_bytes: f64,
    /// The part of `busy_ns` that depends on a bandwidth; absent where the run gave no fit of its transfers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth_ns: Option<BandwidthNs>,
}

/// ns of transfers that depend on a bandwidth, by what bounds them. What is left of their time is latency.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct BandwidthNs {
    /// DDR.
    pub ddr: f64,
    /// On-chip shared memory.
    pub l2m: f64,
    /// Links between chips.
    pub link: f64,
}

/// Energy of an execution in pJ; what the machine's description lacks is `null`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct EnergyCost {
    /// Operations.
    pub compute: Option<f64>,
    /// Bytes of DDR.
    pub main_mem: Option<f64>,
    /// Bytes of on-chip shared memory.
    pub l2: Option<f64>,
    /// The idle machine over the mean wall time.
    pub idle: Option<f64>,
    /// All that is known together; `null` without the energy of operations or of DDR.
    pub total: Option<f64>,
}

/// Memory that a layer's description shows, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LayerMemory {
    /// Operands from the second on of convolutions and matrix products.
    pub weights: u64,
    /// Results.
    pub activations: u64,
}

impl EngineCost {
    /// Adds another's work.
    pub fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.busy_ns += other.busy_ns;
        self.ops += other.ops;
        self.padded_ops += other.padded_ops;
        self.bytes += other.bytes;
        self.ddr_bytes += other.ddr_bytes;
        self.l2m_bytes += other.l2m_bytes;
        if let Some(more) = other.bandwidth_ns {
            self.bandwidth_ns.get_or_insert_default().add(&more);
        }
    }

    /// Each value over a number of executions.
    #[must_use]
    pub fn divided_by(&self, count: f64) -> Self {
        Self {
            commands: self.commands / count,
            busy_ns: self.busy_ns / count,
            ops: self.ops / count,
            padded_ops: self.padded_ops / count,
            bytes: self.bytes / count,
            ddr_bytes: self.ddr_bytes / count,
            l2m_bytes: self.l2m_bytes / count,
            bandwidth_ns: self.bandwidth_ns.map(|ns| ns.divided_by(count)),
        }
    }
}

impl BandwidthNs {
    /// Adds another's time.
    pub fn add(&mut self, other: &Self) {
        self.ddr += other.ddr;
        self.l2m += other.l2m;
        self.link += other.link;
    }

    /// Each value over a number.
    #[must_use]
    pub fn divided_by(&self, count: f64) -> Self {
        Self { ddr: self.ddr / count, l2m: self.l2m / count, link: self.link / count }
    }

    /// All together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.ddr + self.l2m + self.link
    }
}
