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

use std::collections::HashMap;

/// Differences up to which the greedy search is used: its frontiers take 4 bytes for half of the
/// square of this number (34 MB).
const MAX_GREEDY: usize = 4096;

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

/// The furthest `i` on diagonal `k = i - j` with exactly `d` drops.
fn reached(frontier: &[u32], d: usize, k: isize) -> Option<usize> {
    let at = (k + d as isize).try_into().ok().filter(|at: &usize| at.is_multiple_of(2))?;
    frontier.get(at / 2).filter(|&&i| i != UNREACHED).map(|&i| i as usize)
}

const UNREACHED: u32 = u32::MAX;

/// Frontiers for 0, 1, 2, ... drops until the end of both lists is reached. Frontier `d` holds
/// the diagonals -d, -d+2, ..., d. `None` when more than `max` drops are needed.
fn greedy_frontiers(a: &[u64], b: &[u64], max: usize) -> Option<Vec<Vec<u32>>> {
    let (n, m) = (a.len(), b.len());
    if n.abs_diff(m) > max || u32::try_from(n.max(m)).is_err() {
        return None;
    }
    let goal = n as isize - m as isize;
    let mut frontiers: Vec<Vec<u32>> = Vec::new();
    for d in 0..=max {
        let mut frontier = vec![UNREACHED; d + 1];
        for (slot, place) in frontier.iter_mut().enumerate() {
            let k = 2 * slot as isize - d as isize;
            let start = match frontiers.last() {
                None => Some(0),
                Some(last) => {
                    let dropped_record = reached(last, d - 1, k - 1).map(|i| i + 1);
                    let dropped_command = reached(last, d - 1, k + 1);
                    dropped_record.filter(|&i| i <= n).max(dropped_command)
                }
            };
            let Some(mut i) = start else { continue };
            let Ok(mut j) = usize::try_from(i as isize - k) else { continue };
            if j > m {
                continue;
            }
            while i < n && j < m && a[i] == b[j] {
                i += 1;
                j += 1;
            }
            *place = i as u32;
        }
        let done = reached(&frontier, d, goal).is_some_and(|i| i >= n);
        frontiers.push(frontier);
        if done {
            return Some(frontiers);
        }
    }
    None
}

/// Rows of the table of common lengths, as bit vectors: bit `j` of row `i` is 0 when `b[j]` adds one
/// to the longest common subsequence of `a[..i]` and `b[..=j]`. (H. Hyyro, "Bit-parallel LCS-length
/// computation revisited", 2004.)
struct BitRows<'a> {
    a: &'a [u64],
    masks: Masks,
    words: usize,
    /// Every `step`-th row.
    kept: Vec<Vec<u64>>,
    step: usize,
    /// Rows `block * step ..= (block + 1) * step`, of the block in use.
    block: usize,
    rows: Vec<Vec<u64>>,
}

impl<'a> BitRows<'a> {
    fn new(a: &'a [u64], b: &[u64]) -> Self {
        let words = b.len().div_ceil(64);
        let step = a.len().isqrt().max(1);
        let mut row = vec![u64::MAX; words];
        let mut masks = Masks::new(b);
        let mut kept = vec![row.clone()];
        for (i, &value) in a.iter().enumerate() {
            next_row(&mut row, masks.of(value));
            if (i + 1).is_multiple_of(step) {
                kept.push(row.clone());
            }
        }
        Self { a, masks, words, kept, step, block: usize::MAX, rows: Vec::new() }
    }

    fn load(&mut self, block: usize) {
        if self.block == block {
            return;
        }
        self.block = block;
        let first = block * self.step;
        let mut row = self.kept.get(block).cloned().unwrap_or_else(|| vec![u64::MAX; self.words]);
        self.rows.clear();
        self.rows.push(row.clone());
        let last = (first + self.step).min(self.a.len());
        for &value in &self.a[first..last] {
            next_row(&mut row, self.masks.of(value));
            self.rows.push(row.clone());
        }
    }

    /// Length of the longest common subsequence of `a[..i]` and `b[..j]`.
    fn common(&mut self, i: usize, j: usize) -> u32 {
        self.load(i.saturating_sub(1) / self.step);
        let row = &self.rows[i - self.block * self.step];
        let whole: u32 = row[..j / 64].iter().map(|w| w.count_zeros()).sum();
        match j % 64 {
            0 => whole,
            rest => whole + (!row[j / 64] & ((1 << rest) - 1)).count_ones(),
        }
    }
}

fn next_row(row: &mut [u64], mask: &[u64]) {
    let mut carry = false;
    for (word, &mask) in row.iter_mut().zip(mask) {
        let both = *word & mask;
        let (sum, over) = word.overflowing_add(both);
        let (sum, over_carry) = sum.overflowing_add(u64::from(carry));
        carry = over || over_carry;
        *word = sum | (*word & !mask);
    }
}

/// Where each value stands in `b`, as a bit vector; kept for frequent values, made afresh for others.
struct Masks {
    places: HashMap<u64, Vec<u32>>,
    dense: HashMap<u64, Vec<u64>>,
    scratch: Vec<u64>,
    set: Vec<u32>,
}

impl Masks {
    fn new(b: &[u64]) -> Self {
        let words = b.len().div_ceil(64);
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        for (j, &value) in b.iter().enumerate() {
            places.entry(value).or_default().push(j as u32);
        }
        let frequent = |places: &&Vec<u32>| places.len() > words;
        let dense = places
            .iter()
            .filter(|(_, p)| frequent(p))
            .map(|(&value, places)| {
                let mut mask = vec![0u64; words];
                set_bits(&mut mask, places, true);
                (value, mask)
            })
            .collect();
        Self { places, dense, scratch: vec![0; words], set: Vec::new() }
    }

    fn of(&mut self, value: u64) -> &[u64] {
        if let Some(mask) = self.dense.get(&value) {
            return mask;
        }
        set_bits(&mut self.scratch, &self.set, false);
        self.set.clear();
        if let Some(places) = self.places.get(&value) {
            self.set.extend(places);
            set_bits(&mut self.scratch, places, true);
        }
        &self.scratch
    }
}

fn set_bits(mask: &mut [u64], places: &[u32], on: bool) {
    for &j in places {
        let bit = 1u64 << (j % 64);
        let word = &mut mask[j as usize / 64];
        *word = if on { *word | bit } else { *word & !bit };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
