//! What is the same for all commands of a kind, computed once for each kind.

use bigtpu_measure::{CommandKind, DumpModel, MeasuredEvent};

/// A value for each kind of a model's commands.
pub(crate) struct ByKind<T>(Vec<T>);

impl<T> ByKind<T> {
    pub(crate) fn compute<'a>(
        model: &DumpModel<'a>,
        value: impl FnMut(&'a CommandKind) -> T,
    ) -> Self {
        // All tracks count in the same kinds.
        let kinds = model.tracks.first().map_or(&[][..], |track| track.kinds);
        Self(kinds.iter().map(value).collect())
    }

    /// The value of an event's kind; `None` where it has no known kind.
    #[inline]
    pub(crate) fn get(&self, event: &MeasuredEvent<'_>) -> Option<&T> {
        self.of_number(event.kind_number())
    }

    /// The value of a kind by its number.
    #[inline]
    pub(crate) fn of_number(&self, kind: usize) -> Option<&T> {
        self.0.get(kind)
    }
}
