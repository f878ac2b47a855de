//! Level and noise of a series that has outliers.

use crate::diff::stat::median;

/// Standard deviations from which Huber's estimate bounds what a value counts for.
const HUBER: f64 = 1.5;
/// Standard deviations to which residuals are cut for their variance, and what that leaves of the variance of normal values.
const WINSOR: f64 = 2.0;
const WINSOR_SHARE: f64 = 0.9205;
/// The median of |x| of standard normal values.
const MEDIAN_ABSOLUTE: f64 = 0.6745;
/// A winsorized variance is as good as the plain one of this share of the values.
const EFFICIENCY: f64 = 0.85;
/// An outlier is anywhere within this many standard deviations.
const REACH: f64 = 40.0;

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The median; 0 of none.
pub(super) fn middle(values: impl Iterator<Item = f64>) -> f64 {
    median(&sorted(values)).unwrap_or(0.0)
}

/// The level of values: Huber's estimate (1964) from the median on.
pub(super) fn level(values: &[f64], deviation: f64) -> f64 {
    let mut level = middle(values.iter().copied());
    if deviation <= 0.0 || values.is_empty() {
        return level;
    }
    let bound = HUBER * deviation;
    for _ in 0..8 {
        let moves = values.iter().map(|value| (value - level).clamp(-bound, bound));
        level += moves.sum::<f64>() / values.len() as f64;
    }
    level
}

/// Variance of the noise around a level, and the values that it is as good as.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Variance {
    pub(super) variance: f64,
    pub(super) freedom: f64,
}

/// The level of values and their variance without outliers.
pub(super) fn level_and_variance(values: &[f64]) -> (f64, Variance) {
    let n = values.len() as f64;
    let start = middle(values.iter().copied());
    let far = middle(values.iter().map(|value| (value - start).abs()));
    // The median of few distances is too small on average.
    let mut deviation = far / MEDIAN_ABSOLUTE * (1.0 + 0.8 / n.max(1.0));
    let mut at = level(values, deviation);
    if deviation <= 0.0 {
        // More than half of the values are equal; the others may still differ.
        deviation = (values.iter().map(|v| (v - at).powi(2)).sum::<f64>() / n.max(1.0)).sqrt();
    }
    for _ in 0..6 {
        let bound = WINSOR * deviation;
        let squares = values.iter().map(|value| (value - at).clamp(-bound, bound).powi(2));
        deviation = (squares.sum::<f64>() / (n - 1.0).max(1.0) / WINSOR_SHARE).sqrt();
        at = level(values, deviation);
    }
    let freedom = (n - 1.0).max(0.0) * EFFICIENCY;
    (at, Variance { variance: deviation * deviation, freedom })
}

/// What a standardized value costs: minus the logarithm of its density, of which `outliers` is spread evenly, the rest normal.
fn cost(u: f64, outliers: f64) -> f64 {
    let normal = (1.0 - outliers) * (-0.5 * u * u).exp();
    let density = normal + outliers * (2.0 * std::f64::consts::PI).sqrt() / REACH;
    -density.ln()
}

/// What all values cost at a level.
pub(super) fn costs(values: &[f64], level: f64, outliers: f64) -> f64 {
    values.iter().map(|value| cost(value - level, outliers)).sum()
}

/// The level at which standardized values cost least, and what they cost there.
pub(super) fn cheapest_level(values: &[f64], outliers: f64) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let floor = outliers * (2.0 * std::f64::consts::PI).sqrt() / REACH;
    let starts = values.iter().copied().chain([mean, middle(values.iter().copied())]);
    let settle = |mut level: f64| {
        for _ in 0..4 {
            let (mut sum, mut weights) = (0.0, 0.0);
            for value in values {
                let normal = (1.0 - outliers) * (-0.5 * (value - level).powi(2)).exp();
                let weight = normal / (normal + floor);
                sum += weight * value;
                weights += weight;
            }
            if weights > 1e-9 {
                level = sum / weights;
            }
        }
        (level, costs(values, level, outliers))
    };
    let found = starts.map(settle).min_by(|a, b| a.1.total_cmp(&b.1));
    found.unwrap_or((0.0, 0.0))
}
