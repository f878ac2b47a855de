//! Rows of links, and of threads without a clear partner.

use bigtpu_messages::Message;
use serde::Serialize;

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
    /// Share of the fastest link's rate.
    pub share_of_best: Option<f64>,
    /// Packets sent again.
    pub replays: u64,
    /// Pairs whose two sides name different bytes.
    pub other_bytes: u64,
}

/// A thread without a clear partner, or a stated link that is not used.
#[derive(Debug, Clone, Serialize)]
pub struct AmbiguousRow {
    /// Rank.
    pub rank: u32,
    /// Port.
    pub port: u32,
    /// `send` or `receive`.
    pub direction: &'static str,
    /// Commands of the thread.
    pub commands: usize,
    /// A link that is stated and not used, whatever partner the thread has; else its commands stay unpaired.
    pub stated: bool,
    /// Why.
    pub why: String,
    /// The reason in `why`, as data.
    pub why_message: Message,
    /// Best candidates and their residuals.
    pub candidates: Vec<CandidateRow>,
}

/// Reads, writes and general copies of a port; the other side has no record of them.
#[derive(Debug, Clone, Serialize)]
pub struct OneSidedRow {
    /// Rank that started them.
    pub rank: u32,
    /// Port.
    pub port: u32,
    /// Rank at the other end, by the chip number in the commands' bits; `null`: unknown link.
    pub peer: Option<u32>,
    /// Commands.
    pub commands: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Their time.
    pub ns: u64,
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
