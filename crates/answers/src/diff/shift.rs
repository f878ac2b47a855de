//! How far one sample lies from another: the estimate of Hodges and Lehmann, and its confidence interval.
//!
//! The estimate is the median of all differences between a value after and a value before. It needs a quarter of the
//! values to be outliers before it follows them, and wastes little of the data where there are none.

use std::collections::HashMap;

use serde::Serialize;

use super::rank_test::{PValues, chances_below_of, rank_test};
use super::stat::median;
use bigtpu_measure::round4;

/// Runs that a side needs before its noise is known.
pub(super) const LEAST_RUNS: usize = 3;

/// A change counts as more than noise if ranks at least as far apart were this unlikely without one.
const SIGNIFICANCE: f64 = 0.05;

/// Confidence that intervals have where the runs are enough for it.
pub(super) const CONFIDENCE: f64 = 0.95;

/// Where the true change lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Interval {
    /// Least change that agrees with the runs, in the metric's unit.
    pub low: f64,
    /// Greatest change that agrees with the runs, in the metric's unit.
    pub high: f64,
    /// Share of such intervals that hold the true change: 0.95, or less where the runs are too few.
    pub confidence: f64,
}

/// What several runs say about a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Noise {
    /// A side has fewer than three runs: the noise is unknown.
    Unknown,
    /// The runs agree with no change at all.
    Within,
    /// The change is more than noise.
    Beyond,
}

/// The estimated difference of two samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shift {
    /// Median of all differences.
    pub(super) estimate: f64,
    /// Absent where the noise is unknown.
    pub(super) interval: Option<Interval>,
    /// Likelihood of such ranks without a change, in the estimate's direction; absent where the noise is unknown.
    pub(super) p_value: Option<f64>,
}

impl Shift {
    /// Estimates the shift between two lists of values, each in ascending order; `None` if a side has none.
    pub(super) fn compute(before: &[f64], after: &[f64], bounds: &mut Bounds) -> Option<Self> {
        let mut differences: Vec<f64> = after
            .iter()
            .flat_map(|after| before.iter().map(move |before| after - before))
            .collect();
        differences.sort_by(f64::total_cmp);
        let estimate = median(&differences)?;
        if before.len().min(after.len()) < LEAST_RUNS {
            return Some(Self { estimate, interval: None, p_value: None });
        }
        let PValues { greater, less } = rank_test(before, after);
        let p_value = if estimate > 0.0 {
            greater
        } else if estimate < 0.0 {
            less
        } else {
            1.0
        };
        let interval = bounds.interval(&differences, &[(before.len(), after.len())]);
        Some(Self { estimate, interval, p_value: Some(round4(p_value)) })
    }

    /// Estimates the shift between both sides of strata. Each stratum has values before and after in ascending order:
    /// only values of the same stratum are compared. `None` if no stratum has both sides.
    ///
    /// The test is the rank-sum test stratified after van Elteren (1960), with the sum of the strata's statistics: its distribution
    /// without a change is the convolution of theirs, so that differences within strata also bound the change.
    pub(super) fn of_strata(strata: &[[Vec<f64>; 2]], bounds: &mut Bounds) -> Option<Self> {
        let mut differences: Vec<f64> = strata
            .iter()
            .flat_map(|[before, after]| {
                after.iter().flat_map(move |after| before.iter().map(move |before| after - before))
            })
            .collect();
        differences.sort_by(f64::total_cmp);
        let estimate = median(&differences)?;
        let both = strata.iter().filter(|[before, after]| !before.is_empty() && !after.is_empty());
        let runs: Vec<(usize, usize)> = both.map(|[b, a]| (b.len(), a.len())).collect();
        let least = |side: fn(&(usize, usize)) -> usize| runs.iter().map(side).sum::<usize>();
        if least(|runs| runs.0).min(least(|runs| runs.1)) < LEAST_RUNS {
            return Some(Self { estimate, interval: None, p_value: None });
        }
        // Equal values count against a change.
        let against = match estimate {
            e if e > 0.0 => differences.iter().filter(|difference| **difference <= 0.0).count(),
            e if e < 0.0 => differences.iter().filter(|difference| **difference >= 0.0).count(),
            _ => differences.len(),
        };
        let p_value = chances_below_of(&runs).get(against + 1).copied().unwrap_or(1.0);
        let interval = bounds.interval(&differences, &runs);
        Some(Self { estimate, interval, p_value: Some(round4(p_value)) })
    }

    /// Widens the interval by `by` to both sides, because the true values may have moved by as much without a change.
    /// An estimate that is no greater is noise.
    pub(super) fn widened(self, by: f64) -> Self {
        let interval = self.interval.map(|interval| Interval {
            low: round4(interval.low - by),
            high: round4(interval.high + by),
            ..interval
        });
        let is_less = self.estimate.abs() <= by;
        Self { interval, p_value: self.p_value.map(|p| if is_less { 1.0 } else { p }), ..self }
    }

    /// Widens the interval, because the true values may have moved without a change: by at least `low` and at most
    /// `high`. An estimate between these is noise.
    pub(super) fn less(self, [low, high]: [f64; 2]) -> Self {
        let (low, high) = (low.min(0.0), high.max(0.0));
        let interval = self.interval.map(|interval| Interval {
            low: round4(interval.low - high),
            high: round4(interval.high - low),
            ..interval
        });
        let is_less = (low..=high).contains(&self.estimate);
        Self { interval, p_value: self.p_value.map(|p| if is_less { 1.0 } else { p }), ..self }
    }

    pub(super) fn noise(&self) -> Noise {
        match self.p_value {
            None => Noise::Unknown,
            Some(p) if p <= SIGNIFICANCE => Noise::Beyond,
            Some(_) => Noise::Within,
        }
    }
}

/// Which of the ordered differences bound a change, for each pair of numbers of runs.
///
/// With `n` and `m` runs the k-th least and the k-th greatest difference bound it with a confidence of 1 - 2 P(U < k),
/// where U is the statistic of Mann and Whitney.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    of_runs: HashMap<Vec<(usize, usize)>, (usize, f64)>,
}

impl Bounds {
    /// The interval of ordered differences; `runs`: values before and after, of each stratum.
    fn interval(&mut self, differences: &[f64], runs: &[(usize, usize)]) -> Option<Interval> {
        if !self.of_runs.contains_key(runs) {
            self.of_runs.insert(runs.to_vec(), cut(runs));
        }
        let (cut, confidence) = *self.of_runs.get(runs)?;
        let low = differences.get(cut)?;
        let high = differences.get(differences.len().checked_sub(cut + 1)?)?;
        Some(Interval { low: round4(*low), high: round4(*high), confidence })
    }
}

/// How many differences to leave out at each end, and the confidence of what remains.
fn cut(runs: &[(usize, usize)]) -> (usize, f64) {
    let below = chances_below_of(runs);
    let confidence = |cut: usize| 1.0 - 2.0 * below.get(cut + 1).copied().unwrap_or(1.0);
    let mut cut = 0;
    while confidence(cut + 1) >= CONFIDENCE {
        cut += 1;
    }
    (cut, round4(confidence(cut)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_resists_an_outlier() {
        let before = [100.0, 101.0, 102.0, 103.0, 104.0];
        let after = [105.0, 106.0, 107.0, 108.0, 500.0];
        let shift = Shift::compute(&before, &after, &mut Bounds::default()).unwrap();
        assert_eq!((shift.estimate, shift.noise()), (5.0, Noise::Beyond));
        let interval = shift.interval.unwrap();
        // Table of the test: at 5 and 5 runs the third difference from either end has 96.83 %.
        assert_eq!((interval.low, interval.high, interval.confidence), (2.0, 398.0, 0.9683));
    }

    #[test]
    fn noise_is_unknown_with_fewer_than_three_runs() {
        let shift = Shift::compute(&[100.0, 102.0], &[150.0, 151.0, 152.0], &mut Bounds::default());
        let shift = shift.unwrap();
        assert_eq!((shift.estimate, shift.noise(), shift.interval), (50.0, Noise::Unknown, None));
        assert!(Shift::compute(&[], &[1.0], &mut Bounds::default()).is_none());
    }

    #[test]
    fn intervals_of_three_runs_have_less_confidence() {
        let shift =
            Shift::compute(&[1.0, 2.0, 3.0], &[1.5, 2.5, 3.5], &mut Bounds::default()).unwrap();
        assert_eq!(shift.interval.unwrap().confidence, 0.9);
        assert_eq!(shift.noise(), Noise::Within);
    }
}
