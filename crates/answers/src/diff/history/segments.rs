//! Where a series changes its level.
//!
//! The segmentation is that of PELT (Killick, Fearnhead and Eckley, Optimal Detection of Changepoints With a Linear Computational Cost,
//! 2012): the least sum of squares around the means of segments, over the variance of the noise, plus a penalty of 3 ln n for each
//! change. Series are short, so nothing is pruned. A change then has to hold in the rank-sum test of both segments.

use crate::diff::rank_test::{PValues, rank_test};
use crate::diff::stat::median;

/// Values of a segment: a change is found when there are as many behind it.
pub(super) const LEAST_LENGTH: usize = 3;
/// A change is kept if the ranks of both segments were this unlikely without one.
const SIGNIFICANCE: f64 = 0.02;
/// The noise is at least this share of the median: less is a change that nobody cares about.
const LEAST_NOISE: f64 = 0.002;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::diff) struct LevelChange {
    /// The first value behind it.
    pub(in crate::diff) at: usize,
    /// Medians of the segments before and behind it.
    pub(in crate::diff) medians: [f64; 2],
    /// Of the rank-sum test, in the direction of the change.
    pub(in crate::diff) p_value: f64,
}

/// The changes of a series in its order.
pub(in crate::diff) fn level_changes(values: &[f64]) -> Vec<LevelChange> {
    let mut bounds = vec![0];
    bounds.extend(starts(values));
    bounds.push(values.len());
    let segment = |from: usize, to: usize| {
        let mut segment = values.get(from..to).unwrap_or_default().to_vec();
        segment.sort_by(f64::total_cmp);
        segment
    };
    let triples = bounds.windows(3).filter_map(|bounds| <[usize; 3]>::try_from(bounds).ok());
    triples
        .filter_map(|[from, at, to]| {
            let [old, new] = [median(&segment(from, at))?, median(&segment(at, to))?];
            // A segment has a least length, so it may begin with values of the level before.
            let is_old = |value: &&f64| (**value - old).abs() < (**value - new).abs();
            let at = at + values.get(at..to)?.iter().take_while(is_old).count();
            if to - at < LEAST_LENGTH {
                return None;
            }
            let (before, after) = (segment(from, at), segment(at, to));
            let PValues { greater, less } = rank_test(&before, &after);
            let medians = [median(&before)?, median(&after)?];
            let p_value = if medians[1] > medians[0] { greater } else { less };
            (p_value <= SIGNIFICANCE).then_some(LevelChange { at, medians, p_value })
        })
        .collect()
}

/// The first value of each segment but the first.
fn starts(values: &[f64]) -> Vec<usize> {
    let n = values.len();
    let variance = noise(values).powi(2);
    if n < 2 * LEAST_LENGTH || variance <= 0.0 {
        return Vec::new();
    }
    let mut sums = vec![(0.0, 0.0)];
    let middle = values.first().copied().unwrap_or(0.0);
    for value in values.iter().map(|value| value - middle) {
        let (sum, squares) = sums.last().copied().unwrap_or_default();
        sums.push((sum + value, squares + value * value));
    }
    let cost = |from: usize, to: usize| {
        let (Some(a), Some(b)) = (sums.get(from), sums.get(to)) else { return f64::INFINITY };
        let (sum, squares) = (b.0 - a.0, b.1 - a.1);
        (squares - sum * sum / (to - from) as f64).max(0.0) / variance
    };
    let penalty = 3.0 * (n as f64).ln();
    // best[t]: cost of the first t values, and where their last segment starts.
    let mut best: Vec<(f64, usize)> = vec![(-penalty, 0)];
    for to in 1..=n {
        let last = (0..=to.saturating_sub(LEAST_LENGTH)).filter(|from| to - from >= LEAST_LENGTH);
        let costs =
            last.filter_map(|from| Some((best.get(from)?.0 + cost(from, to) + penalty, from)));
        best.push(costs.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, 0)));
    }
    let mut found = Vec::new();
    let mut at = n;
    while let Some(&(_, from)) = best.get(at).filter(|(_, from)| *from > 0) {
        found.push(from);
        at = from;
    }
    found.reverse();
    found
}

/// Standard deviation of the noise: from the differences of neighbours, so that changes of level don't count.
fn noise(values: &[f64]) -> f64 {
    let neighbours = values.iter().zip(values.iter().skip(1));
    let mut steps: Vec<f64> = neighbours.map(|(a, b)| (b - a).abs()).collect();
    steps.sort_by(f64::total_cmp);
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let least = median(&sorted).unwrap_or(0.0).abs() * LEAST_NOISE;
    // The median of |a - b| of two normal values is 0.6745 sqrt(2) standard deviations.
    (median(&steps).unwrap_or(0.0) / (0.6745 * std::f64::consts::SQRT_2)).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_level_is_found_where_it_is() {
        let mut values = vec![100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8, 100.1];
        values.extend([110.0, 111.0, 109.0, 110.5]);
        let found = level_changes(&values);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].at, found[0].medians), (8, [100.05, 110.25]));
        assert!(found[0].p_value < 0.01, "{found:?}");
        values.extend([100.0, 101.0, 99.0, 100.5]);
        assert_eq!(level_changes(&values).iter().map(|c| c.at).collect::<Vec<_>>(), [8, 12]);
    }

    #[test]
    fn outliers_and_short_or_equal_series_are_no_change() {
        let outlier = [100.0, 101.0, 99.0, 100.5, 130.0, 100.2, 99.8, 100.1, 99.0, 101.0];
        assert_eq!(level_changes(&outlier), []);
        assert_eq!(level_changes(&[5.0; 20]), []);
        assert_eq!(level_changes(&[1.0, 1.0, 9.0, 9.0]), []);
        assert_eq!(level_changes(&[0.0; 9]), []);
        // Without noise, as in simulated runs, a change is found as soon as three runs have it.
        let exact = [100.0, 100.0, 100.0, 100.0, 100.0, 105.0, 105.0, 105.0];
        assert_eq!(level_changes(&exact).len(), 1);
    }
}
