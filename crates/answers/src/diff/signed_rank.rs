//! Pairs of runs: the signed-rank test of Wilcoxon, the estimate of Hodges and Lehmann that belongs to it, and its interval.
//!
//! What both runs of a pair have in common, such as an offset of the day or a slow drift, is in no difference.

use super::shift::{CONFIDENCE, Interval, Shift};
use super::stat::median;
use bigtpu_measure::round4;

/// Pairs that the test needs to be significant at 5 %.
pub(super) const LEAST_PAIRS: usize = 5;

/// The chances that the sum of the ranks of negative differences is at most 0, 1, 2 and so on without a change.
fn chances_up_to(n: usize) -> Vec<f64> {
    let most = n * (n + 1) / 2;
    if n > MOST_EXACT {
        let n = n as f64;
        let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        let mean = n * (n + 1.0) / 4.0;
        let chance =
            |sum: usize| super::rank_test::upper_tail((mean - 0.5 - sum as f64) / deviation);
        return (0..=most).map(chance).collect();
    }
    let mut ways = vec![0.0f64; most + 1];
    if let Some(none) = ways.first_mut() {
        *none = 1.0;
    }
    for rank in 1..=n {
        for sum in (rank..=most).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let all = 2f64.powi(n as i32);
    let mut sum = 0.0;
    ways.iter()
        .map(|ways| {
            sum += ways / all;
            sum
        })
        .collect()
}

/// Pairs up to which ways are counted exactly.
const MOST_EXACT: usize = 40;

/// The change of paired runs; `None` without pairs. `differences`: after - before.
pub(super) fn shift(differences: &[f64]) -> Option<Shift> {
    let n = differences.len();
    let mut means: Vec<f64> = differences
        .iter()
        .enumerate()
        .flat_map(|(i, a)| differences.iter().skip(i).map(move |b| (a + b) / 2.0))
        .collect();
    means.sort_by(f64::total_cmp);
    let estimate = median(&means)?;
    if n < LEAST_PAIRS {
        return Some(Shift { estimate, interval: None, p_value: None });
    }
    // The number of means below 0 is the rank sum of the negative differences; ties and zeros count against a change.
    let against = match estimate {
        e if e > 0.0 => means.iter().filter(|mean| **mean <= 0.0).count(),
        e if e < 0.0 => means.iter().filter(|mean| **mean >= 0.0).count(),
        _ => means.len(),
    };
    let chances = chances_up_to(n);
    let p_value = chances.get(against).copied().unwrap_or(1.0);
    let confidence = |cut: usize| 1.0 - 2.0 * chances.get(cut).copied().unwrap_or(1.0);
    let mut cut = 0;
    while confidence(cut + 1) >= CONFIDENCE {
        cut += 1;
    }
    let (low, high) = (means.get(cut)?, means.get(means.len().checked_sub(cut + 1)?)?);
    let interval =
        Interval { low: round4(*low), high: round4(*high), confidence: round4(confidence(cut)) };
    Some(Shift { estimate, interval: Some(interval), p_value: Some(round4(p_value)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_tables() {
        // One-sided 5 %: 0 at five pairs, 2 at six, 10 at ten.
        for (n, sum) in [(5, 0), (6, 2), (10, 10)] {
            let chances = chances_up_to(n);
            assert!(chances[sum] <= 0.05 && chances[sum + 1] > 0.05, "{n}: {chances:?}");
        }
        let (exact, near) = (chances_up_to(40)[286], chances_up_to(41)[302]);
        assert!((exact - 0.05).abs() < 0.005 && (near - 0.05).abs() < 0.005, "{exact} {near}");
    }

    #[test]
    fn what_both_runs_of_a_pair_share_is_no_change() {
        let found = shift(&[5.0, 4.0, 6.0, 5.5, 4.5]).unwrap();
        assert_eq!((found.estimate, found.p_value), (5.0, Some(0.0312)));
        let interval = found.interval.unwrap();
        assert_eq!((interval.low, interval.high, interval.confidence), (4.0, 6.0, 0.9375));
        assert_eq!(shift(&[5.0, 4.0]).unwrap().p_value, None);
        assert_eq!(shift(&[0.0; 6]).unwrap().p_value, Some(1.0));
    }
}
