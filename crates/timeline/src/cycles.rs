//! How many cycles of its engine's clock each event of a track took.

use crate::packed::Narrow;

/// Cycles by event. They follow from its time but for rounding, so that only the difference is stored: a byte, and nothing where
/// a cycle is a ns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cycles {
    mhz: f64,
    /// Difference of each event, and [`Self::NONE`]; empty where no event has any.
    differences: Narrow<u64, u8>,
}

/// MHz of a clock whose cycle is a ns.
const NS_CLOCK: f64 = 1000.0;

impl Cycles {
    /// Stands for no difference, so that there are small ones of both signs.
    const NONE: u64 = 64;

    /// Stores the cycles of events with these starts and ends in ns. `mhz`: the engine's clock.
    #[must_use]
    pub fn count(mhz: f64, start: &[i64], end: &[i64], cycles: &[i64]) -> Self {
        let mut all = Self { mhz, differences: Narrow::default() };
        let rows = || start.iter().zip(end).zip(cycles);
        // All at once: most clocks have a cycle a ns.
        let differ = |((start, end), cycles): ((&i64, &i64), &i64)| {
            end.wrapping_sub(*start).wrapping_add(1) ^ cycles
        };
        if mhz == NS_CLOCK && rows().fold(0, |all, row| all | differ(row)) == 0 {
            return all;
        }
        let all_rows = start.len();
        for (row, ((start, end), cycles)) in rows().enumerate() {
            let had_none = all.differences.is_empty();
            all.put(row, (*start, *end), *cycles);
            if had_none && !all.differences.is_empty() {
                all.differences.reserve_exact(all_rows - all.differences.len());
            }
        }
        all
    }

    /// Appends those of the event in `row`; all before it have theirs.
    #[inline]
    pub fn put(&mut self, row: usize, time: (i64, i64), cycles: i64) {
        let difference = cycles.wrapping_sub(self.expected(time)) as u64;
        if difference == 0 && self.differences.is_empty() {
            return;
        }
        self.append(row, difference.wrapping_add(Self::NONE));
    }

    fn append(&mut self, row: usize, difference: u64) {
        while self.differences.len() < row {
            self.differences.push(Self::NONE);
        }
        self.differences.push(difference);
    }

    /// Returns the cycles of the event in `row`, which ran in this time.
    #[must_use]
    #[inline]
    pub fn get(&self, row: usize, time: (i64, i64)) -> i64 {
        let expected = self.expected(time);
        match self.differences.get(row) {
            Some(difference) => expected.wrapping_add(difference.wrapping_sub(Self::NONE) as i64),
            None => expected,
        }
    }

    /// The cycles in a time, the first and the last one counted.
    #[inline]
    fn expected(&self, (start, end): (i64, i64)) -> i64 {
        let ns = end.wrapping_sub(start);
        let cycles = if self.mhz == NS_CLOCK { ns } else { (ns as f64 * self.mhz / 1000.0) as i64 };
        cycles.wrapping_add(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows() -> impl Strategy<Value = Vec<(i64, i64, i64)>> {
        let time = prop_oneof![0i64..2000, any::<i64>()];
        let row = (time.clone(), time, prop_oneof![-3i64..4, any::<i64>()]);
        prop::collection::vec(row, 0..60)
    }

    proptest! {
        #[test]
        fn cycles_come_back_whatever_the_times(
            rows in rows(),
            mhz in prop::sample::select(vec![0.0, 333.3, 750.0, 1000.0, 1100.0]),
        ) {
            // As a rule they are about what the times say.
            let plain = |&(start, end, off): &(i64, i64, i64)| {
                let ns = i128::from(end) - i128::from(start);
                ((ns as f64 * mhz / 1000.0) as i64).wrapping_add(off)
            };
            let (start, end): (Vec<_>, Vec<_>) = rows.iter().map(|row| (row.0, row.1)).unzip();
            let all: Vec<i64> = rows.iter().map(plain).collect();
            let cycles = Cycles::count(mhz, &start, &end, &all);
            for (at, row) in rows.iter().enumerate() {
                prop_assert_eq!(cycles.get(at, (row.0, row.1)), plain(row));
            }
        }
    }

    #[test]
    fn where_a_cycle_is_a_ns_nothing_is_stored() {
        let (start, end) = (vec![0, 10, 20], vec![5, 18, 20]);
        let mut cycles = Cycles::count(1000.0, &start, &end, &[6, 9, 1]);
        assert!(cycles.differences.is_empty());
        cycles.put(3, (30, 40), 12);
        assert_eq!(cycles.differences.len(), 4);
        assert_eq!([cycles.get(2, (20, 20)), cycles.get(3, (30, 40))], [1, 12]);
    }
}
