//! A rank: its number, and the part of its dump.

use crate::part::DumpPart;

/// A rank with the part of its dump.
#[derive(Debug, Clone)]
pub struct Rank {
    /// Number.
    pub number: u32,
    /// The part of its dump.
    pub part: DumpPart,
}
