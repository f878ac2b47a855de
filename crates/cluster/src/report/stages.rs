//! Rows of pipelines' stages.

use serde::Serialize;

/// A stage of a pipeline.
#[derive(Debug, Clone, Serialize)]
pub struct StageRow {
    /// Number of the pipeline.
    pub pipeline: usize,
    /// Number of the stage; data go from stage 0 on first.
    pub stage: usize,
    /// Rank.
    pub rank: u32,
    /// ns in which the stage does nothing but wait for the sender or the receiver of another stage.
    pub bubble_ns: u64,
    /// Share of that in the time for which the rank is captured.
    pub bubble_share: f64,
}
