//! Where the full bits of commands come from.

use crate::extras::ExtraIter;
use crate::fitted::FittedWord;

/// Where the full bits of commands come from.
pub(super) enum Bits<'a, 'd> {
    /// From the items in their order.
    InOrder(ExtraIter<'a, 'd>),
    /// As they were laid over the words, by the number of the word.
    Fitted(std::vec::IntoIter<FittedWord<'d>>),
}

impl Bits<'_, '_> {
    pub(super) fn none() -> Self {
        Self::Fitted(Vec::new().into_iter())
    }
}
