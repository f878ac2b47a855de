//! Stretches of memory that transfers write.

use std::ops::Range;

use super::transfers::Transfer;

/// Stretches of memory, ascending, none of which meets the next one.
pub(super) struct Stretches(Vec<Range<u64>>);

impl Stretches {
    /// What transfers write outside the cores, by the bounds of each.
    pub(super) fn written<'t>(transfers: impl Iterator<Item = &'t Transfer>) -> Self {
        let bounds = transfers.filter_map(|transfer| Some(transfer.writes?.bounds()));
        let mut bounds: Vec<Range<u64>> = bounds.collect();
        bounds.sort_unstable_by_key(|own| own.start);
        bounds.dedup_by(|own, before| {
            let meets = own.start <= before.end;
            if meets {
                before.end = before.end.max(own.end);
            }
            meets
        });
        Self(bounds)
    }

    pub(super) fn meet(&self, other: &Range<u64>) -> bool {
        let before = self.0.partition_point(|own| own.start < other.end);
        let last = before.checked_sub(1).and_then(|at| self.0.get(at));
        last.is_some_and(|own| own.end > other.start)
    }
}
