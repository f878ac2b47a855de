//! Rows of groups and operations.

use serde::Serialize;

/// A set of ranks that communicate.
#[derive(Debug, Clone, Serialize)]
pub struct GroupRow {
    /// `g0`, or the given name.
    pub name: String,
    /// Ranks.
    pub ranks: Vec<u32>,
    /// Kinds of its operations and their numbers.
    pub kinds: Vec<(&'static str, usize)>,
    /// Bytes on links; null where those of an operation are not known.
    pub wire_bytes: Option<u64>,
    /// `pipeline stages` or `parallel groups`, where this is unmistakable.
    pub role: Option<&'static str>,
}

/// A communication.
#[derive(Debug, Clone, Serialize)]
pub struct OperationRow {
    /// Kind.
    pub kind: &'static str,
    /// `kernel`, `host`, `reduce bits` or `pattern`.
    pub source: &'static str,
    /// Group.
    pub group: Option<String>,
    /// Island.
    pub island: usize,
    /// First arrival.
    pub start_ns: f64,
    /// Last end.
    pub end_ns: f64,
    /// Bytes on links; null where ports of its ranks moved data whose partner is not known.
    pub wire_bytes: Option<u64>,
    /// Who arrived last.
    pub late_rank: u32,
    /// Its own time since the operation before, against the median rank, by kernel: the greatest three.
    pub late_because: Vec<LateCause>,
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
pub struct LateCause {
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
    /// Start of its first command. Null where its ports are not on its device's clock, which a note says, and no partner's clock
    /// shows it.
    pub arrival_ns: Option<f64>,
    /// End of its last, or null as the arrival.
    pub end_ns: Option<f64>,
    /// Until the last rank, or the root, arrived; null as the arrival.
    pub wait_ns: Option<f64>,
}

/// Operations of one kind, group and size.
#[derive(Debug, Clone, Serialize)]
pub struct OperationGroupRow {
    /// Kind.
    pub kind: &'static str,
    /// Number of ranks.
    pub ranks: usize,
    /// Bytes on links of each; null where they are not known.
    pub wire_bytes: Option<u64>,
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
