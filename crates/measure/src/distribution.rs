//! Mean, percentiles and maximum of durations, as all results show them.

use serde::{Deserialize, Serialize};

use crate::percentile::Durations;
use crate::round4;

/// Mean, percentiles and maximum of durations; all 0 without any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Distribution {
    /// Mean in ns.
    pub mean_ns: f64,
    /// Half of them took no longer, in ns (nearest rank).
    pub p50_ns: i64,
    /// 95 % of them took no longer, in ns (nearest rank).
    pub p95_ns: i64,
    /// The longest in ns.
    pub max_ns: i64,
}

impl Distribution {
    /// Computes the distribution of sorted durations.
    #[must_use]
    pub fn compute(durations: &Durations) -> Self {
        Self {
            mean_ns: round4(durations.mean()),
            p50_ns: durations.percentile(50),
            p95_ns: durations.percentile(95),
            max_ns: durations.max(),
        }
    }
}
