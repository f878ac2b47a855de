//! Which of two cores is right.

/// Which of two cores has the right word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Right {
    Own,
    Other,
    Unknown,
}
