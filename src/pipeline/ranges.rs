//! Ranges of stages and parts: `0-3`, `7`.

use std::ops::Range;

use anyhow::{Result, anyhow};
use bigtpu_predict::pipeline::stage_range;

/// Reads `4` or `0-3`, both ends included.
pub(crate) fn range(text: &str) -> Result<Range<usize>> {
    stage_range(text).ok_or_else(|| anyhow!("'{text}' is not a range; write it like 0-3 or 7"))
}
