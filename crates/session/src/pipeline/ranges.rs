//! Ranges of stages and parts: `0-3`, `7`.

use std::ops::Range;

use bigtpu_predict::pipeline::stage_range;

use super::error::PipelineFailure;

/// Reads `4` or `0-3`, both ends included.
pub(super) fn range(text: &str) -> Result<Range<usize>, PipelineFailure> {
    stage_range(text).ok_or_else(|| PipelineFailure::NoRange(text.to_owned()))
}
