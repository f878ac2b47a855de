//! What `cluster.json` holds. Times are ns; those without `own` are of the reference clock of the rank's island.

mod gains;
mod links;
mod operations;
mod stages;
mod steps;

use bigtpu_messages::{LocalizedText, Message, Notes};
use serde::Serialize;

pub use gains::{PathPieceRow, PathRow, StateRow, StragglerCause, StragglerRow, WhatifRow};
pub use links::{AmbiguousRow, CandidateRow, End, LinkRow, OneSidedRow};
pub use operations::{GroupRow, LateCause, MemberRow, OperationGroupRow, OperationRow, SlowLink};
pub use stages::StageRow;
pub use steps::{StepRank, StepRow};

/// Version of the schema.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole report.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cluster {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Version of the program.
    pub version: String,
    /// The answer in a few sentences.
    pub verdict: Vec<String>,
    /// The sentences of `verdict`, as data.
    pub verdict_messages: Vec<Message>,
    /// Ranks by number, missing ones too.
    pub ranks: Vec<RankRow>,
    /// One for each rank with a dump.
    pub clocks: Vec<ClockRow>,
    /// Closed chains of links with what their clocks do not explain.
    pub cycles: Vec<CycleRow>,
    /// Sets of ranks that links join.
    pub islands: Vec<IslandRow>,
    /// Accepted links.
    pub links: Vec<LinkRow>,
    /// Threads whose partner is not clear, and given links that the data contradict.
    pub ambiguous: Vec<AmbiguousRow>,
    /// Commands of ports that need no partner.
    pub one_sided: Vec<OneSidedRow>,
    /// Sets of ranks that communicate.
    pub groups: Vec<GroupRow>,
    /// Communications by time.
    pub operations: Vec<OperationRow>,
    /// Communications of one kind and size.
    pub operation_groups: Vec<OperationGroupRow>,
    /// Where each rank's time went.
    pub states: Vec<StateRow>,
    /// Ranks that others wait for, the greatest gain first.
    pub stragglers: Vec<StragglerRow>,
    /// Stages of pipelines of three ranks or more.
    pub stages: Vec<StageRow>,
    /// Steps; empty where none are known for all ranks.
    pub steps: Vec<StepRow>,
    /// The chain of work and transfers that decides the end.
    pub critical_path: Option<PathRow>,
    /// Predictions of the joint replay.
    pub whatif: Vec<WhatifRow>,
    /// What to do.
    pub advice: Vec<AdviceRow>,
    /// What is missing, refused or doubtful.
    pub ledger: ClusterLedger,
}

/// A rank.
#[derive(Debug, Clone, Serialize)]
pub struct RankRow {
    /// Number.
    pub rank: u32,
    /// Host; empty for a missing rank of unknown host.
    pub host: String,
    /// Chip, with the names that it is known by; empty for a missing rank.
    pub chip: String,
    /// Device on the host.
    pub device: u32,
    /// Call.
    pub call: u32,
    /// The dump's directory.
    pub dump: String,
    /// Named, but without a dump.
    pub missing: bool,
    /// Events of the dump.
    pub events: u64,
    /// Data commands of its ports.
    pub commands: u64,
    /// Records that are known to be missing.
    pub lost_records: u64,
    /// Whether the dump lost data: records, or a file, a block or commands.
    pub has_loss: bool,
    /// `data times` or `ends only`.
    pub times: &'static str,
}

/// A rank's clock: `t_ref = offset_ns + (1 + drift_ppm / 1e6) * t`, t in ns of its own time line.
#[derive(Debug, Clone, Serialize)]
pub struct ClockRow {
    /// Rank.
    pub rank: u32,
    /// Island.
    pub island: usize,
    /// Offset.
    pub offset_ns: f64,
    /// Drift.
    pub drift_ppm: f64,
    /// Least offset that the hard facts allow; `null` without one.
    pub bound_low_ns: Option<f64>,
    /// Greatest.
    pub bound_high_ns: Option<f64>,
    /// Standard error of the offset; `null` where nothing bounds it.
    pub sigma_ns: Option<f64>,
    /// How it is known.
    pub method: &'static str,
    /// Links used.
    pub links: usize,
    /// Orders checked.
    pub orders: u64,
    /// Orders violated when all dumps begin together.
    pub violations_before: u64,
    /// Orders violated with this clock.
    pub violations_after: u64,
}

/// A link that closes chains of links.
#[derive(Debug, Clone, Serialize)]
pub struct CycleRow {
    /// Sender.
    pub from: End,
    /// Receiver.
    pub to: End,
    /// What offsets and the common latency do not explain.
    pub closure_ns: f64,
}

/// A set of ranks that links join.
#[derive(Debug, Clone, Serialize)]
pub struct IslandRow {
    /// Number.
    pub island: usize,
    /// The rank whose clock is its time.
    pub reference: u32,
    /// Its ranks.
    pub ranks: Vec<u32>,
}

/// Advice.
#[derive(Debug, Clone, Serialize)]
pub struct AdviceRow {
    /// Rule.
    pub id: &'static str,
    /// What to do.
    #[serde(flatten)]
    pub said: LocalizedText,
    /// What it would gain; `null` if unknown.
    pub gain_ns: Option<f64>,
}

/// What is missing, refused or doubtful.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ClusterLedger {
    /// Commands that are paired.
    pub paired: u64,
    /// Commands that are not.
    pub unpaired: u64,
    /// Records that the dumps are known to lack.
    pub lost_records: u64,
    /// Dumps or parts that could not be read; the notes name them.
    pub left_out: usize,
    /// Orders checked.
    pub orders: u64,
    /// Orders violated with the clocks found.
    pub violations: u64,
    /// In words.
    #[serde(flatten)]
    pub notes: Notes,
}
