//! Changes that a cluster's run is replayed with, to see what they are worth.

use crate::replay::Changes;

/// Ranks and links that are replayed without their slowness.
pub(crate) const MOST: usize = 16;
/// A change, and what it is for.
pub(crate) struct Try {
    pub(crate) what: Tried,
    pub(crate) changes: Changes,
}

/// What a change is for.
pub(crate) enum Tried {
    /// A rank's own time is the median's.
    Rank(usize),
    /// A link, by its ranks, is so many times as fast; whether it is the slow one of operations.
    Link { from: usize, to: usize, factor: f64, is_slow: bool },
    /// All own times are the medians: for a run with stragglers.
    NoSkew,
    /// All links are twice as fast.
    Faster,
    /// Transfers take no time, or work takes none.
    Apart,
    /// As `--scale` says it.
    Scale(String),
}
