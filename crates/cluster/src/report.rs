//! What `cluster.json` holds. Times are ns; those without `own` are of the reference clock of the rank's island.

use serde::Serialize;

use crate::state_times::States;

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
    /// Steps; empty where none are known for all ranks.
    pub steps: Vec<StepRow>,
    /// The chain of work and transfers that decides the end.
    pub critical_path: Option<PathRow>,
    /// Predictions of the joint replay.
    pub whatif: Vec<WhatifRow>,
    /// What to do.
    pub advice: Vec<AdviceRow>,
    /// What is missing, refused or doubtful.
    pub ledger: Ledger,
}

/// A rank.
#[derive(Debug, Clone, Serialize)]
pub struct RankRow {
    /// Number.
    pub rank: u32,
    /// Host; empty for a missing rank of unknown host.
    pub host: String,
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

/// A port of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct End {
    /// Rank.
    pub rank: u32,
    /// Port.
    pub port: u32,
}

/// A link: one direction.
#[derive(Debug, Clone, Serialize)]
pub struct LinkRow {
    /// Sender.
    pub from: End,
    /// Receiver.
    pub to: End,
    /// Commands that are paired.
    pub commands: usize,
    /// Index of the first pair's receive minus that of its send.
    pub shift: i64,
    /// Sends and receives before the first and after the last pair.
    pub unpaired_edges: usize,
    /// Commands between pairs whose partner's record is lost.
    pub unpaired_inside: usize,
    /// Median residual of the pairs.
    pub residual_p50_ns: f64,
    /// 95th percentile.
    pub residual_p95_ns: f64,
    /// `given` or `data`.
    pub how: &'static str,
    /// Bytes sent.
    pub bytes: u64,
    /// While data moved; `null` where this is not known.
    pub gbps: Option<f64>,
    /// Of the fastest link.
    pub share_of_best: Option<f64>,
    /// Packets sent again.
    pub replays: u64,
    /// Pairs whose two sides name different bytes.
    pub other_bytes: u64,
}

/// A thread without a clear partner.
#[derive(Debug, Clone, Serialize)]
pub struct AmbiguousRow {
    /// Rank.
    pub rank: u32,
    /// Port.
    pub port: u32,
    /// `send` or `receive`.
    pub direction: &'static str,
    /// Commands that stay unpaired.
    pub commands: usize,
    /// Why.
    pub why: String,
    /// Best candidates and their residuals.
    pub candidates: Vec<CandidateRow>,
}

/// A candidate.
#[derive(Debug, Clone, Serialize)]
pub struct CandidateRow {
    /// Rank.
    pub rank: u32,
    /// Port.
    pub port: u32,
    /// Median residual.
    pub residual_ns: f64,
}

/// A set of ranks that communicate.
#[derive(Debug, Clone, Serialize)]
pub struct GroupRow {
    /// `g0`, or the given name.
    pub name: String,
    /// Ranks.
    pub ranks: Vec<u32>,
    /// Kinds of its operations and their numbers.
    pub kinds: Vec<(&'static str, usize)>,
    /// Bytes on links.
    pub wire_bytes: u64,
    /// `pipeline stages` or `parallel groups`, where this is unmistakable.
    pub role: Option<&'static str>,
}

/// A communication.
#[derive(Debug, Clone, Serialize)]
pub struct OperationRow {
    /// Kind.
    pub kind: &'static str,
    /// `kernel`, `reduce bits` or `pattern`.
    pub source: &'static str,
    /// Group.
    pub group: Option<String>,
    /// Island.
    pub island: usize,
    /// First arrival.
    pub start_ns: f64,
    /// Last end.
    pub end_ns: f64,
    /// Bytes on links.
    pub wire_bytes: u64,
    /// Who arrived last.
    pub late_rank: u32,
    /// Its own time since the operation before, against the median rank, by kernel: the greatest three.
    pub late_because: Vec<Cause>,
    /// From the first arrival to the last.
    pub skew_ns: f64,
    /// From the last arrival to the last end.
    pub transfer_ns: f64,
    /// Shortest time that a rank took.
    pub shortest_ns: f64,
    /// Size over transfer.
    pub algorithm_gbps: Option<f64>,
    /// As nccl-tests define it.
    pub bus_gbps: Option<f64>,
    /// Its slowest link, if that is below 0.8 of the median.
    pub slow_link: Option<SlowLink>,
    /// Its ranks.
    pub ranks: Vec<MemberRow>,
}

/// What made a rank late.
#[derive(Debug, Clone, Serialize)]
pub struct Cause {
    /// Kernel, or `launch gaps`.
    pub what: String,
    /// More than the median rank.
    pub ns: f64,
}

/// A slow link of an operation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SlowLink {
    /// Sender.
    pub from: u32,
    /// Receiver.
    pub to: u32,
}

/// A rank's part of an operation.
#[derive(Debug, Clone, Serialize)]
pub struct MemberRow {
    /// Rank.
    pub rank: u32,
    /// Start of its first command.
    pub arrival_ns: f64,
    /// End of its last.
    pub end_ns: f64,
    /// Until the last rank, or the root, arrived.
    pub wait_ns: f64,
}

/// Operations of one kind, group and size.
#[derive(Debug, Clone, Serialize)]
pub struct OperationGroupRow {
    /// Kind.
    pub kind: &'static str,
    /// Number of ranks.
    pub ranks: usize,
    /// Bytes on links of each.
    pub wire_bytes: u64,
    /// How many.
    pub count: usize,
    /// Transfer.
    pub transfer_p50_ns: f64,
    /// Transfer.
    pub transfer_p95_ns: f64,
    /// Skew.
    pub skew_p50_ns: f64,
    /// Skew.
    pub skew_p95_ns: f64,
    /// Median.
    pub bus_gbps: Option<f64>,
    /// How often each rank was the last; the most frequent first.
    pub late_ranks: Vec<(u32, usize)>,
}

/// Where a rank's time went; the states add up to the window.
#[derive(Debug, Clone, Serialize)]
pub struct StateRow {
    /// Rank.
    pub rank: u32,
    /// The island's window.
    pub window_ns: u64,
    /// States, each as `name_ns`.
    #[serde(flatten)]
    pub states: States,
    /// Time of its ports below computation and memory.
    pub hidden_ns: u64,
    /// Time in which its work did not hide its ports.
    pub exposed_ns: u64,
}

/// A straggler.
#[derive(Debug, Clone, Serialize)]
pub struct StragglerRow {
    /// Rank.
    pub rank: u32,
    /// What the run would gain with its own time at the median of the ranks.
    pub gain_ns: f64,
    /// The slow link that makes it late: `from>to`.
    pub inherited_from: Option<String>,
    /// Times that it was last.
    pub late: usize,
    /// Time that others waited for it.
    pub waited_ns: u64,
}

/// A step.
#[derive(Debug, Clone, Serialize)]
pub struct StepRow {
    /// Number.
    pub step: usize,
}

/// The critical path.
#[derive(Debug, Clone, Serialize)]
pub struct PathRow {
    /// Its length.
    pub total_ns: f64,
    /// Pieces, the longest first.
    pub pieces: Vec<PathPieceRow>,
}

/// A piece of the critical path.
#[derive(Debug, Clone, Serialize)]
pub struct PathPieceRow {
    /// Rank; of a link its sender.
    pub rank: u32,
    /// `own time` or `link`.
    pub reason: &'static str,
    /// Receiver of a link.
    pub to: Option<u32>,
    /// Time.
    pub ns: f64,
}

/// A prediction.
#[derive(Debug, Clone, Serialize)]
pub struct WhatifRow {
    /// The change, as `--scale` takes it.
    pub scale: String,
    /// Length of the run with it.
    pub predicted_ns: f64,
    /// What it gains.
    pub gain_ns: f64,
}

/// Advice.
#[derive(Debug, Clone, Serialize)]
pub struct AdviceRow {
    /// Rule.
    pub id: &'static str,
    /// What to do.
    pub text: String,
    /// What it would gain; `null` if unknown.
    pub gain_ns: Option<f64>,
}

/// What is missing, refused or doubtful.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Ledger {
    /// Commands that are paired.
    pub paired: u64,
    /// Commands that are not.
    pub unpaired: u64,
    /// Records that the dumps are known to lack.
    pub lost_records: u64,
    /// Orders checked.
    pub orders: u64,
    /// Orders violated with the clocks found.
    pub violations: u64,
    /// In words.
    pub notes: Vec<String>,
}
