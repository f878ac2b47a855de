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

    /// All in ns, in order.
    #[must_use]
    pub fn sorted_ns(&self) -> &[i64] {
        &self.ns
    }

    /// The smallest in ns; 0 without any.
    #[must_use]
    pub fn min(&self) -> i64 {
        self.ns.first().copied().unwrap_or(0)
    }

    /// The greatest in ns; 0 without any.
    #[must_use]
    pub fn max(&self) -> i64 {
        self.ns.last().copied().unwrap_or(0)
    }
}

/// Collected durations are in order.
impl FromIterator<i64> for Durations {
    fn from_iter<I: IntoIterator<Item = i64>>(durations: I) -> Self {
        let mut all = Self::default();
        durations.into_iter().for_each(|ns| all.add(ns));
        all.sort();
        all
    }
}

/// Place of a percentile among `n` sorted values.
pub(crate) fn nearest_rank(n: usize, percent: u32) -> usize {
    let rank = (n as u64 * u64::from(percent)).div_ceil(100);
    (rank as usize).clamp(1, n.max(1)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

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
