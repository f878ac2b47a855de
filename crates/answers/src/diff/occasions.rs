//! Runs of several occasions (days, machines, restarts): those of one occasion have an offset in common.
//!
//! The model is that of one random effect: a run is the side's value plus the occasion's offset plus its own noise. What is compared
//! are the medians of occasions, so their spread has both in it. The spread is that of all sides with several occasions together; where the
//! occasions of a side have fewer runs, what their noise adds is taken from the spread within occasions (Searle, Casella and
//! McCulloch, Variance Components, 1992). Degrees of freedom are those of Satterthwaite (1946), as in Welch's test.

use super::shift::{CONFIDENCE, Interval, Shift};
use super::stat::median;
use super::student;
use bigtpu_measure::round4;

/// A run's occasion, by its number, and its value.
pub(super) type Dated = (usize, f64);

/// The variance of a median of normal values is this many times that of their mean, where there are more than two.
const OF_MEDIANS: f64 = std::f64::consts::FRAC_PI_2;

/// The occasions of a side.
struct Side {
    /// Median of each.
    medians: Vec<f64>,
    /// Mean of 1 / runs.
    noise_share: f64,
    /// Sum of the squares of the distances from the occasions' means, and its degrees of freedom.
    within: (f64, f64),
}

impl Side {
    fn from_values(values: &[Dated]) -> Self {
        let mut values = values.to_vec();
        values.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut side = Self { medians: Vec::new(), noise_share: 0.0, within: (0.0, 0.0) };
        for occasion in values.chunk_by(|a, b| a.0 == b.0) {
            let runs: Vec<f64> = occasion.iter().map(|(_, value)| *value).collect();
            let n = runs.len() as f64;
            let mean = runs.iter().sum::<f64>() / n;
            side.within.0 += runs.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
            side.within.1 += n - 1.0;
            side.noise_share += if n > 2.0 { OF_MEDIANS / n } else { 1.0 / n };
            side.medians.extend(median(&runs));
        }
        side.noise_share /= side.medians.len().max(1) as f64;
        side
    }

    fn mean(&self) -> f64 {
        self.medians.iter().sum::<f64>() / self.medians.len().max(1) as f64
    }

    /// Degrees of freedom between the occasions.
    fn freedom(&self) -> f64 {
        self.medians.len().saturating_sub(1) as f64
    }

    fn squares(&self) -> f64 {
        let mean = self.mean();
        self.medians.iter().map(|median| (median - mean).powi(2)).sum()
    }
}

/// Standard deviation between the medians of occasions; `None` unless a side has several.
pub(super) fn spread(sides: [&[Dated]; 2]) -> Option<f64> {
    let sides = sides.map(Side::from_values);
    let freedom: f64 = sides.iter().map(Side::freedom).sum();
    let squares: f64 = sides.iter().map(Side::squares).sum();
    (freedom > 0.0).then(|| (squares / freedom).sqrt())
}

/// The change between the occasions of both sides; `None` unless a side has several.
pub(super) fn shift(sides: [&[Dated]; 2]) -> Option<Shift> {
    let sides = sides.map(Side::from_values);
    let [before, after] = &sides;
    if before.medians.is_empty() || after.medians.is_empty() {
        return None;
    }
    let estimate = after.mean() - before.mean();
    let freedom: f64 = sides.iter().map(Side::freedom).sum();
    if freedom <= 0.0 {
        return None;
    }
    let between = sides.iter().map(Side::squares).sum::<f64>() / freedom;
    let within_freedom: f64 = sides.iter().map(|side| side.within.1).sum();
    let within = match within_freedom > 0.0 {
        true => sides.iter().map(|side| side.within.0).sum::<f64>() / within_freedom,
        false => 0.0,
    };
    // The share of the noise that is in `between`, by the sides that it comes from.
    let in_between =
        sides.iter().map(|side| side.noise_share * side.freedom()).sum::<f64>() / freedom;
    let weight = |side: &Side| 1.0 / side.medians.len() as f64;
    let of_between: f64 = sides.iter().map(weight).sum::<f64>() * between;
    let more = |side: &Side| (side.noise_share - in_between).max(0.0) * weight(side);
    let of_within: f64 = sides.iter().map(more).sum::<f64>() * within;
    let variance = of_between + of_within;
    if variance <= 0.0 {
        let interval =
            Interval { low: round4(estimate), high: round4(estimate), confidence: CONFIDENCE };
        let p_value = if estimate == 0.0 { 1.0 } else { 0.0 };
        return Some(Shift { estimate, interval: Some(interval), p_value: Some(p_value) });
    }
    let parts = of_between.powi(2) / freedom + of_within.powi(2) / within_freedom.max(1.0);
    let freedom = variance.powi(2) / parts;
    let error = variance.sqrt();
    let wide = student::quantile((1.0 - CONFIDENCE) / 2.0, freedom) * error;
    let interval = Interval {
        low: round4(estimate - wide),
        high: round4(estimate + wide),
        confidence: CONFIDENCE,
    };
    let p_value = student::upper_tail(estimate.abs() / error, freedom);
    Some(Shift { estimate, interval: Some(interval), p_value: Some(round4(p_value)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Occasions with these values.
    fn side(occasions: &[&[f64]]) -> Vec<Dated> {
        let numbered = occasions.iter().enumerate();
        numbered.flat_map(|(number, runs)| runs.iter().map(move |run| (number, *run))).collect()
    }

    #[test]
    fn an_offset_of_the_occasion_is_no_change() {
        let before = side(&[&[100.0, 101.0, 99.0], &[104.0, 105.0, 103.0], &[98.0, 97.0, 99.0]]);
        let found = shift([&before, &side(&[&[105.0, 106.0, 104.0]])]).unwrap();
        // Medians 100, 104, 98 and 105: mean 100.67, spread 3.055, error 3.055 sqrt(1 + 1/3) = 3.528, t 1.228 of 2 degrees.
        assert!((found.estimate - 4.3333).abs() < 1e-3, "{found:?}");
        assert!((found.p_value.unwrap() - 0.172).abs() < 2e-3, "{found:?}");
        let interval = found.interval.unwrap();
        assert!((interval.high - interval.low - 2.0 * 4.3027 * 3.528).abs() < 0.02, "{interval:?}");
        assert!((spread([&before, &[]]).unwrap() - 3.055).abs() < 1e-3);
        assert!(shift([&side(&[&[1.0]]), &side(&[&[2.0]])]).is_none(), "no spread is known");
    }

    #[test]
    fn a_single_run_is_noisier_than_an_occasion_of_many() {
        let before = side(&[&[99.0, 100.0, 101.0, 100.0], &[100.0, 101.0, 102.0, 101.0]]);
        let many = shift([&before, &side(&[&[103.0, 104.0, 105.0, 104.0]])]).unwrap();
        let one = shift([&before, &side(&[&[104.0]])]).unwrap();
        let width = |shift: Shift| shift.interval.map(|i| i.high - i.low).unwrap();
        assert_eq!(many.estimate, one.estimate);
        assert!(one.p_value > many.p_value || width(one) != width(many), "{one:?} {many:?}");
    }
}
