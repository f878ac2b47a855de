//! Rows of steps.

use serde::Serialize;

/// A step of all ranks of an island.
#[derive(Debug, Clone, Serialize)]
pub struct StepRow {
    /// Number, from 0.
    pub step: usize,
    /// Name of its marker in the hosts' traces; `null` where there is none.
    pub name: Option<String>,
    /// Island.
    pub island: usize,
    /// Start on the first rank.
    pub start_ns: f64,
    /// End on the last.
    pub end_ns: f64,
    /// From the start on the first rank to that on the last.
    pub skew_ns: f64,
    /// Greatest own work of a rank over the mean of all; `null` where none works.
    pub imbalance: Option<f64>,
    /// Time that the mean rank does not work because the one with the greatest work does.
    pub lost_ns: f64,
    /// Its ranks.
    pub ranks: Vec<StepRank>,
}

/// A rank's part of a step.
#[derive(Debug, Clone, Serialize)]
pub struct StepRank {
    /// Rank.
    pub rank: u32,
    /// Start.
    pub start_ns: f64,
    /// End.
    pub end_ns: f64,
    /// Its own work: states compute and memory.
    pub work_ns: f64,
}
