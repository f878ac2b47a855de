//! Durations of groups by rank: the percentiles of all groups in one walk over the sorted durations.

use crate::cells::Cells;
use crate::distribution::Distribution;
use crate::margins::{Side, Sum};
use crate::percentile::nearest_rank;
use crate::{quotient, round4};

/// A group's durations so far: how many, and those of three ranks.
pub(super) struct Seen {
    count: usize,
    /// The next rank that is asked for.
    next: usize,
    /// Ascending.
    ranks: [usize; 3],
    found: [i64; 3],
}

impl Seen {
    /// Nothing so far, of a group with these sums.
    pub(super) fn new(sum: &Sum) -> Self {
        let last = sum.count.saturating_sub(1);
        let ranks = [nearest_rank(sum.count, 50), nearest_rank(sum.count, 95), last];
        let next = ranks.into_iter().min().unwrap_or(0);
        Self { count: 0, next, ranks, found: [0; 3] }
    }

    /// Adds a duration that is no shorter than those before. There is one for each event and grouping.
    #[inline]
    fn add(&mut self, ns: i64) {
        if self.count == self.next {
            self.find(ns);
        }
        self.count += 1;
    }

    #[cold]
    fn find(&mut self, ns: i64) {
        for (rank, found) in self.ranks.iter().zip(&mut self.found) {
            if *rank == self.count {
                *found = ns;
            }
        }
        let later = self.ranks.into_iter().filter(|rank| *rank > self.count);
        self.next = later.min().unwrap_or(usize::MAX);
    }

    /// Returns the distribution of all durations of the group.
    pub(super) fn distribution(&self, sum: &Sum) -> Distribution {
        let mean_ns = round4(quotient(sum.total_ns().into(), sum.count as i128));
        let [p50_ns, p95_ns, max_ns] = self.found;
        Distribution { mean_ns, p50_ns, p95_ns, max_ns }
    }
}

/// Adds a duration to its group.
#[inline]
pub(super) fn add(groups: &mut [Seen], group: Option<&u32>, ns: i64) {
    if let Some(seen) = group.and_then(|group| groups.get_mut(*group as usize)) {
        seen.add(ns);
    }
}

/// Adds all durations; `of_parts`: the group of each part of a side. In the order of the durations, the one of a percentile's
/// rank is the percentile. Few blocks hold such a rank: of the others the numbers of durations are enough.
pub(super) fn add_blocks(groups: &mut [Seen], cells: &Cells<'_>, side: Side, of_parts: &[u32]) {
    let group_of = |part: u32| of_parts.get(part as usize);
    let group_of_cell = |cell: u32| group_of(cells.margins().part(side, cell)?);
    for (counts, durations) in cells.margins().blocks(side, cells.short_durations()) {
        let mut holds_rank = false;
        for &(part, count) in counts {
            let seen = group_of(part).and_then(|group| groups.get_mut(*group as usize));
            let Some(seen) = seen else { continue };
            seen.count += count as usize;
            holds_rank |= seen.count > seen.next;
        }
        if !holds_rank {
            continue;
        }
        for &(part, count) in counts {
            if let Some(seen) = group_of(part).and_then(|group| groups.get_mut(*group as usize)) {
                seen.count -= count as usize;
            }
        }
        for &(ns, cell) in durations {
            add(groups, group_of_cell(cell), ns.into());
        }
    }
    for &(ns, cell) in cells.long_durations() {
        add(groups, group_of_cell(cell), ns);
    }
}
