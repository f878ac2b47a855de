//! A set of durations: count, total, mean, percentiles.

/// Durations in ns. [`Durations::sort`] after the last was added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Durations {
    ns: Vec<i64>,
    total: i64,
}

impl Durations {
    /// Adds one.
    pub fn add(&mut self, ns: i64) {
        self.ns.push(ns);
        self.total = self.total.saturating_add(ns);
    }

    /// Brings them into order, as percentiles need them.
    pub fn sort(&mut self) {
        self.ns.sort_unstable();
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.ns.len() as u64
    }

    /// Their sum in ns.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.total
    }

    /// Their mean in ns; 0 without any.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.ns.is_empty() { 0.0 } else { self.total as f64 / self.ns.len() as f64 }
    }

    /// The smallest that at least `percent` percent do not exceed (nearest rank), in ns; 0 without any.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> i64 {
        self.ns.get(nearest_rank(self.ns.len(), percent)).copied().unwrap_or(0)
    }

    /// The greatest in ns; 0 without any.
    #[must_use]
    pub fn max(&self) -> i64 {
        self.ns.last().copied().unwrap_or(0)
    }
}

/// Place of a percentile among `n` sorted values.
fn nearest_rank(n: usize, percent: u32) -> usize {
    let rank = (n as u64 * u64::from(percent)).div_ceil(100);
    (rank as usize).clamp(1, n.max(1)) - 1
}

/// A percentile of all values of lists that are each in order; 0 without any.
///
/// The value is found by halving the range that it may be in: each step counts, list by list, how many values are not
/// above the middle. This costs less than merging the lists, which are few and long.
pub(crate) fn percentile(lists: &[&[i64]], percent: u32) -> i64 {
    if let [list] = lists {
        return list.get(nearest_rank(list.len(), percent)).copied().unwrap_or(0);
    }
    let count = lists.iter().map(|list| list.len()).sum();
    let rank = nearest_rank(count, percent);
    let Some(mut low) = lists.iter().filter_map(|list| list.first()).copied().min() else {
        return 0;
    };
    let mut high = lists.iter().filter_map(|list| list.last()).copied().max().unwrap_or(low);
    while low < high {
        let middle = low.wrapping_add_unsigned(high.abs_diff(low) / 2);
        let up_to = |list: &&[i64]| list.partition_point(|ns| *ns <= middle);
        if lists.iter().map(up_to).sum::<usize>() > rank {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_the_percentiles_of_all_their_values() {
        assert_eq!(percentile(&[], 50), 0);
        let lists: [&[i64]; 4] = [&[10, 50], &[], &[20, 30], &[-5, 40, 40]];
        let of = [0, 20, 50, 75, 95, 100].map(|percent| percentile(&lists, percent));
        assert_eq!(of, [-5, 10, 30, 40, 50, 50]);
    }

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let mut durations = Durations::default();
        assert_eq!((durations.percentile(50), durations.max(), durations.mean()), (0, 0, 0.0));
        for ns in [50, 10, 40, 20, 30] {
            durations.add(ns);
        }
        durations.sort();
        let of = |p| durations.percentile(p);
        assert_eq!([of(0), of(20), of(21), of(50), of(95), of(100)], [10, 10, 20, 30, 50, 50]);
        assert_eq!((durations.count(), durations.total(), durations.max()), (5, 150, 50));
    }
}
