//! Drift: runs that get slower, or faster, from run to run.
//!
//! The test is that of Mann (1945) and Kendall, its sums over both sides as in Hirsch, Slack and Smith (1982); the slope is the median of
//! those of all pairs (Theil, Sen).

use super::rank_test::upper_tail;
use super::stat::median;

/// Such an order of the runs is drift if it were this unlikely without one.
const SIGNIFICANCE: f64 = 0.02;
/// Runs that a series needs.
const LEAST_RUNS: usize = 5;

/// How much longer each run takes than the one before, over the median; `None` where the runs show no drift. `series`: times of
/// runs in the order in which they ran; each has its own start.
pub(super) fn drift(series: &[Vec<f64>]) -> Option<f64> {
    let (mut sum, mut variance) = (0.0, 0.0);
    let mut slopes = Vec::new();
    for runs in series.iter().filter(|runs| runs.len() >= LEAST_RUNS) {
        let mut sorted = runs.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = median(&sorted).filter(|middle| *middle > 0.0)?;
        for (i, early) in runs.iter().enumerate() {
            for (later, late) in runs.iter().enumerate().skip(i + 1) {
                sum += (late - early).partial_cmp(&0.0).map_or(0.0, |order| f64::from(order as i8));
                slopes.push((late - early) / (later - i) as f64 / middle);
            }
        }
        let n = runs.len() as f64;
        variance += n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    }
    if variance == 0.0 {
        return None;
    }
    let p_value = 2.0 * upper_tail((sum.abs() - 1.0).max(0.0) / variance.sqrt());
    slopes.sort_by(f64::total_cmp);
    median(&slopes).filter(|slope| p_value <= SIGNIFICANCE && *slope != 0.0)
}

/// A run's number on its side, and its value.
type Numbered = (usize, f64);

/// Quantile of the normal distribution that 5 % are above.
const HALF_WIDTH: f64 = 1.645;

/// Returns how much longer each run may take than the one before, least and most, in the unit of the values: bounds of
/// the Theil-Sen slope (Sen, 1968) of all series together, each with a confidence of 95 %. With few runs the bounds are
/// wide, whether or not the runs drift. `None` where no two runs are of one series.
pub(super) fn possible_slopes(series: &[Vec<Numbered>]) -> Option<[f64; 2]> {
    let mut variance = 0.0;
    let mut slopes = Vec::new();
    for runs in series {
        for (i, (early, before)) in runs.iter().enumerate() {
            for (later, after) in runs.iter().skip(i + 1).filter(|(later, _)| later > early) {
                slopes.push((after - before) / (later - early) as f64);
            }
        }
        let n = runs.len() as f64;
        variance += n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    }
    slopes.sort_by(f64::total_cmp);
    let (all, half) = (slopes.len() as f64, HALF_WIDTH * variance.sqrt());
    let last = slopes.len().checked_sub(1)?;
    let low = ((all - half) / 2.0).floor() - 1.0;
    let high = ((all + half) / 2.0).ceil();
    let at = |rank: f64| slopes.get((rank.max(0.0) as usize).min(last)).copied();
    Some([at(low)?, at(high)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_slow_down_are_found_and_others_are_not() {
        let slower: Vec<f64> = (0..8).map(|i| 100.0 + f64::from(i)).collect();
        let found = drift(&[slower.clone(), slower]).unwrap();
        assert!((found - 0.00966).abs() < 1e-4, "{found}");
        let mixed = vec![100.0, 103.0, 99.0, 102.0, 98.0, 101.0, 100.0, 102.0];
        assert_eq!(drift(&[mixed.clone(), mixed]), None);
        assert_eq!(drift(&[vec![1.0, 2.0, 3.0]]), None, "too few runs");
        assert_eq!(drift(&[vec![1.0; 9]]), None);
    }
    #[test]
    fn few_runs_do_not_rule_out_a_drift() {
        let series = |times: &[f64]| times.iter().copied().enumerate().collect::<Vec<_>>();
        let few = possible_slopes(&[series(&[100.0, 102.0, 99.0, 101.0, 100.0])]).unwrap();
        assert!(few[0] < -0.9 && few[1] > 0.9, "{few:?}");
        let many: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i % 3)).collect();
        let many = possible_slopes(&[series(&many)]).unwrap();
        assert!(many[0] > -0.08 && many[1] < 0.08, "{many:?}");
        assert_eq!(possible_slopes(&[series(&[1.0]), series(&[2.0])]), None);
        assert_eq!(possible_slopes(&[series(&[7.0; 5])]), Some([0.0, 0.0]));
    }
}
