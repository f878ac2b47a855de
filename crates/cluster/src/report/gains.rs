//! Rows of states, stragglers, the critical path and predictions.

use serde::Serialize;

use crate::state_times::States;

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
    /// What it does longest above the median rank, over the whole run.
    pub cause: Option<StragglerCause>,
}

/// What holds a straggler up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StragglerCause {
    /// Kernel, or `launch gaps`; without launches `all computation`, `all transfers of memory` or `all pauses`.
    pub what: String,
    /// More than the median rank.
    pub ns: f64,
    /// Times of the median rank, where that is not 0.
    pub times: Option<f64>,
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
    /// Kernel that ran in own time; none between launches.
    pub kernel: Option<String>,
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
    /// The island that is replayed.
    pub island: usize,
}
