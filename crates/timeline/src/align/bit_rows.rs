//! Lengths of common subsequences, 64 cells of the table at a time.

use foldhash::{HashMap, HashMapExt};

/// Rows of the table of common lengths, as bit vectors: bit `j` of row `i` is 0 when `b[j]` adds one
/// to the longest common subsequence of `a[..i]` and `b[..=j]`. (H. Hyyro, "Bit-parallel LCS-length
/// computation revisited", 2004.)
pub(super) struct BitRows<'a> {
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
    /// Computes all rows and keeps some.
    pub(super) fn new(a: &'a [u64], b: &[u64]) -> Self {
        let words = b.len().div_ceil(64);
        let step = a.len().isqrt().max(1);
        let mut row = vec![u64::MAX; words];
        let mut masks = Masks::new(b);
        let mut kept = vec![row.clone()];
        for (i, &value) in a.iter().enumerate() {
            next_row(&mut row, masks.mask(value));
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
            next_row(&mut row, self.masks.mask(value));
            self.rows.push(row.clone());
        }
    }

    /// Length of the longest common subsequence of `a[..i]` and `b[..j]`.
    pub(super) fn common(&mut self, i: usize, j: usize) -> u32 {
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

/// Where each value is in `b`, as a bit vector; kept for frequent values, made afresh for others.
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

    fn mask(&mut self, value: u64) -> &[u64] {
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
