//! Ranges of stages and parts: `0-3`, `7`.

use std::ops::Range;

use anyhow::{Result, anyhow};

/// Reads `4` or `0-3`, both ends included.
pub(crate) fn range(text: &str) -> Result<Range<usize>> {
    let wrong = || anyhow!("'{text}' is not a range; write it like 0-3 or 7");
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    if first > last {
        return Err(wrong());
    }
    Ok(first as usize..last as usize + 1)
}
