//! The runs of one side in numbers.

use serde::Serialize;

use super::design::Value;

use bigtpu_measure::round4;

/// The runs of one side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Stat {
    /// Median of the runs; the mean of the middle two where their number is even.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// Runs that have the value.
    pub runs: u64,
}

impl Stat {
    /// Computes the statistics of values in ascending order; `None` without values.
    pub(super) fn compute(sorted: &[f64]) -> Option<Self> {
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        Some(Self { median: round4(median(sorted)?), min, max, runs: sorted.len() as u64 })
    }

    /// Computes the statistics of values by run; `None` without values.
    pub(super) fn of_runs(values: &[Value]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
        sorted.sort_by(f64::total_cmp);
        Self::compute(&sorted)
    }

    /// Half of the distance from the least to the greatest.
    #[must_use]
    pub fn spread(&self) -> f64 {
        (self.max - self.min) / 2.0
    }
}

/// The median of values in ascending order.
pub(crate) fn median(sorted: &[f64]) -> Option<f64> {
    let n = sorted.len();
    let (low, high) = (sorted.get(n.checked_sub(1)? / 2)?, sorted.get(n / 2)?);
    Some((low + high) / 2.0)
}
