//! Words of a block with a stretch that another core's block has.

use std::ops::Range;

use foldhash::HashSet;

/// A block's words with a stretch of another core's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BorrowedWords {
    pub(crate) content: Vec<u8>,
    /// The other core.
    pub(crate) core: u32,
    /// Where the stretch is in the content, in bytes.
    pub(crate) stretch: Range<usize>,
    /// Bytes that it stands for.
    pub(crate) own_bytes: usize,
    /// The launches of the file that it touches, by their number.
    pub(crate) scopes: HashSet<u32>,
    /// If the stretch is within the name of a kernel: the core's own name and the other core's.
    pub(crate) names: Option<[String; 2]>,
}
