//! Two modes: runs that take one of two times, such as with and without another user of the memory.
//!
//! The runs are divided where the sum of squares within both parts is least (Fisher, 1958). Whether two parts are more than the halves of
//! one is the test of Engelman and Hartigan (Percentage Points of a Test for Clusters, 1969).

/// Such parts of runs with one mode were this unlikely: 1 %.
const DEVIATIONS: f64 = 2.326;
/// Runs of a part.
const LEAST_PART: usize = 2;
/// Runs of a side.
const LEAST_RUNS: usize = 6;

/// The parts of a side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Modes {
    /// Whether each run is of the slow mode, in the order of the runs.
    pub(super) is_slow: Vec<bool>,
    /// Mean of the fast and of the slow mode.
    pub(super) means: [f64; 2],
}

impl Modes {
    /// `None` where the times have one mode.
    pub(super) fn find(times: &[f64]) -> Option<Self> {
        let n = times.len();
        if n < LEAST_RUNS {
            return None;
        }
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
        let squares = |part: &[f64]| {
            let mean = mean(part);
            part.iter().map(|time| (time - mean).powi(2)).sum::<f64>()
        };
        let splits = (LEAST_PART..=n - LEAST_PART).filter_map(|at| sorted.split_at_checked(at));
        let (fast, slow) = splits.min_by(|a, b| {
            let within = |(low, high): &(&[f64], &[f64])| squares(low) + squares(high);
            within(a).total_cmp(&within(b))
        })?;
        let (within, all) = (squares(fast) + squares(slow), squares(&sorted));
        // ln(1 + between / within) of one normal mode has about this mean and variance.
        let free = (n - 2) as f64;
        let usual = -(1.0 - 2.0 / std::f64::consts::PI).ln() + 2.4 / free;
        if all <= 0.0 || (all / within.max(all * 1e-12)).ln() <= usual + DEVIATIONS / free.sqrt() {
            return None;
        }
        let least_slow = *slow.first()?;
        let is_slow = times.iter().map(|time| *time >= least_slow).collect();
        Some(Self { is_slow, means: [mean(fast), mean(slow)] })
    }

    /// How far the modes lie apart, over the fast one.
    fn distance(&self) -> f64 {
        let [fast, slow] = self.means;
        slow / fast.max(f64::MIN_POSITIVE) - 1.0
    }

    /// Whether the two modes of the other side are the same ones: about as far apart.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let ratio = self.distance() / other.distance().max(f64::MIN_POSITIVE);
        (0.5..=2.0).contains(&ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_modes_are_found_and_one_is_not() {
        let two = [100.0, 121.0, 101.0, 99.0, 120.0, 119.0, 100.5, 122.0];
        let found = Modes::find(&two).unwrap();
        assert_eq!(found.is_slow, [false, true, false, false, true, true, false, true]);
        assert!((found.means[0] - 100.125).abs() < 1e-9 && found.is_like(&found));
        let one = [100.0, 101.0, 99.0, 100.5, 102.0, 98.5, 99.5, 100.2];
        assert_eq!(Modes::find(&one), None);
        assert_eq!((Modes::find(&[5.0; 9]), Modes::find(&[1.0, 9.0])), (None, None));
        // One outlier is no mode.
        assert_eq!(Modes::find(&[100.0, 101.0, 99.0, 100.5, 102.0, 98.5, 120.0]), None);
    }
}
