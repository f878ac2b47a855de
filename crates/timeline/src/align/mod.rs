//! Alignment of two lists of section lengths (section 6): a longest common subsequence, with one
//! fixed choice among the several that may exist.
//!
//! The choice is that of a walk back from the ends of both lists: equal lengths pair; otherwise the
//! record section is dropped if at least as many pairs remain possible without it as without the
//! command section, else the command section is dropped.
//!
//! Lists are usually nearly equal, so the work is a greedy search over the number of differences
//! (E. W. Myers, "An O(ND) difference algorithm and its variations", 1986): linear in the lists,
//! times the differences. Lists that differ in thousands of places are aligned with bit vectors
//! instead (64 cells of the table at a time), whose rows are kept sparsely and computed twice.

mod bit_rows;
mod greedy;

use bit_rows::BitRows;
use greedy::{greedy_frontiers, reached};

/// Differences up to which the greedy search is used: its frontiers take 4 bytes for half of the
/// square of this number (34 MB).
const MAX_GREEDY: usize = 4096;

/// Words of 64 cells up to which lists with more differences are compared: lists of 350 000 items each. Longer ones are
/// of no capture, and their ends alone are paired, so that the work is linear in them.
const MOST_CELLS: u64 = 1 << 31;

/// Pairs of equal items, as (index in `a`, index in `b`), ascending.
pub(crate) fn align(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    align_with(a, b, MAX_GREEDY)
}

fn align_with(a: &[u64], b: &[u64], max_greedy: usize) -> Vec<(usize, usize)> {
    let mut walk = Walk { a, b, i: a.len(), j: b.len(), pairs: Vec::new() };
    walk.pair_equal();
    if walk.i > 0 && walk.j > 0 {
        let (a, b) = (&a[..walk.i], &b[..walk.j]);
        match greedy_frontiers(a, b, max_greedy) {
            Some(frontiers) => walk.by_frontiers(&frontiers),
            None if (b.len() / 64) as u64 * a.len() as u64 > MOST_CELLS => walk.by_prefix(),
            None => walk.by_bit_rows(),
        }
    }
    walk.pairs.reverse();
    walk.pairs
}

/// The walk back: everything right of `i` and `j` is decided.
struct Walk<'a> {
    a: &'a [u64],
    b: &'a [u64],
    i: usize,
    j: usize,
    pairs: Vec<(usize, usize)>,
}

impl Walk<'_> {
    fn pair_equal(&mut self) {
        while self.i > 0 && self.j > 0 && self.a[self.i - 1] == self.b[self.j - 1] {
            self.i -= 1;
            self.j -= 1;
            self.pairs.push((self.i, self.j));
        }
    }

    /// `frontiers[d][k]`: how far a path with `d` drops gets on each diagonal.
    fn by_frontiers(&mut self, frontiers: &[Vec<u32>]) {
        let mut d = frontiers.len() - 1;
        while self.i > 0 && self.j > 0 {
            self.pair_equal();
            if self.i == 0 || self.j == 0 {
                return;
            }
            d -= 1;
            // Without this record section, are d drops enough for what is left?
            let reached = reached(&frontiers[d], d, self.i as isize - 1 - self.j as isize);
            if reached.is_some_and(|i| i + 1 >= self.i) {
                self.i -= 1;
            } else {
                self.j -= 1;
            }
        }
    }

    /// Pairs the equal items at the starts; those between stay alone.
    fn by_prefix(&mut self) {
        let equal = self.a.iter().zip(self.b).take(self.i.min(self.j)).take_while(|(a, b)| a == b);
        let equal = equal.count();
        self.pairs.extend((0..equal).rev().map(|at| (at, at)));
        (self.i, self.j) = (0, 0);
    }

    fn by_bit_rows(&mut self) {
        let mut rows = BitRows::new(&self.a[..self.i], &self.b[..self.j]);
        while self.i > 0 && self.j > 0 {
            self.pair_equal();
            if self.i == 0 || self.j == 0 {
                return;
            }
            let without_record = rows.common(self.i - 1, self.j);
            let without_command = rows.common(self.i, self.j - 1);
            if without_record >= without_command {
                self.i -= 1;
            } else {
                self.j -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Two long lists that have little in common: an exact comparison would take minutes.
    #[test]
    fn long_lists_with_nothing_in_common_pair_at_their_ends() {
        let list = |odd: u64| {
            let middle = (0..400_000).map(|i| 10 + 2 * i + odd);
            [1, 2, 3].into_iter().chain(middle).chain([4, 5]).collect::<Vec<u64>>()
        };
        let (a, b) = (list(0), list(1));
        let last = a.len() - 1;
        assert_eq!(align(&a, &b), [(0, 0), (1, 1), (2, 2), (last - 1, last - 1), (last, last)]);
    }

    /// The whole table, cell by cell.
    fn plain(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
        let mut table = vec![vec![0usize; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else if a[i - 1] == b[j - 1] {
                    table[i - 1][j - 1]
                } else {
                    1 + table[i - 1][j].min(table[i][j - 1])
                };
            }
        }
        let (mut i, mut j, mut pairs) = (a.len(), b.len(), Vec::new());
        while i > 0 && j > 0 {
            if a[i - 1] == b[j - 1] {
                (i, j) = (i - 1, j - 1);
                pairs.push((i, j));
            } else if table[i - 1][j] <= table[i][j - 1] {
                i -= 1;
            } else {
                j -= 1;
            }
        }
        pairs.reverse();
        pairs
    }

    fn list(values: u64, max: usize) -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(0..values, 0..max)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn greedy_and_bit_rows_agree_with_the_plain_table(
            values in 1u64..9,
            seed_a in list(8, 150),
            seed_b in list(8, 150),
        ) {
            let cut = |list: &[u64]| -> Vec<u64> { list.iter().map(|v| v % values).collect() };
            let (a, b) = (cut(&seed_a), cut(&seed_b));
            let expected = plain(&a, &b);
            prop_assert_eq!(align_with(&a, &b, MAX_GREEDY), expected.clone());
            prop_assert_eq!(align_with(&a, &b, 0), expected);
        }

        #[test]
        fn nearly_equal_lists_agree_too(
            list in list(4, 120),
            drops in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..8),
        ) {
            let (mut a, mut b) = (list.clone(), list);
            for (first, place) in drops {
                let from = if first { &mut a } else { &mut b };
                if !from.is_empty() {
                    from.remove(place.index(from.len()));
                }
            }
            let expected = plain(&a, &b);
            prop_assert_eq!(align_with(&a, &b, MAX_GREEDY), expected.clone());
            prop_assert_eq!(align_with(&a, &b, 0), expected);
        }
    }

    #[test]
    fn twenty_thousand_launches_with_losses_stay_cheap() {
        let a: Vec<u64> = (0..20_000).map(|i| 100 + i * i % 7).collect();
        let mut b = a.clone();
        b.remove(3);
        b.remove(10_000);
        assert_eq!(align(&a, &b).len(), b.len());
    }
}
