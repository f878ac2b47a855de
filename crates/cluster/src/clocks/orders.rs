//! Which of the orders that hard facts state the clocks violate.

use rayon::prelude::*;

use super::{Clocks, Method};
use crate::facts::{facts, moments};
use crate::pairing::Link;
use crate::pairing::anchored;
use crate::rank::Rank;

impl Clocks {
    /// Orders that are violated.
    pub(crate) fn conflicts(&self) -> u64 {
        self.of_links.iter().sum()
    }

    /// Counts, for each rank, the facts that it takes part in as the one that is not the reference, and how many are
    /// violated with a common start and with these clocks.
    pub(super) fn count_violations(&mut self, ranks: &[Rank], links: &[Link]) {
        let count = |link: &Link| {
            let (i, j) = (link.from.rank, link.to.rank);
            let is_reference = self.ranks[j].method == Method::Reference;
            let counted = if is_reference { i } else { j };
            let (mut all, mut before, mut after) = (0u64, 0u64, 0u64);
            for (s, r) in moments(ranks, link) {
                for fact in facts(&s, &r, link.has_moments).into_iter().flatten() {
                    let (a, b) = if fact.is_data { (i, j) } else { (j, i) };
                    let (earlier, later) = (fact.earlier as f64, fact.later as f64);
                    // Records are rounded to whole ns.
                    let is_after =
                        self.ranks[b].reference(later) + 2.0 < self.ranks[a].reference(earlier);
                    all += 1;
                    before += u64::from(later < earlier);
                    after += u64::from(is_after);
                }
            }
            (counted, all, before, after)
        };
        let is_anchored = |link: &Link| anchored(ranks, link.from) && anchored(ranks, link.to);
        let counts: Vec<_> =
            links.par_iter().map(|link| is_anchored(link).then(|| count(link))).collect();
        self.of_links = counts.iter().map(|of| of.map_or(0, |(.., after)| after)).collect();
        for (counted, all, before, after) in counts.into_iter().flatten() {
            let clock = &mut self.ranks[counted];
            clock.facts += all;
            clock.before += before;
            clock.after += after;
        }
    }
}
