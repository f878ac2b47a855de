//! How far the host is ahead of the device.

use bigtpu_measure::round4;
use serde::{Deserialize, Serialize};

/// Launches that were called and have not begun, over the run's time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct QueueDepth {
    /// Mean over the wall time.
    pub mean: f64,
    /// The most at a time.
    pub max: u64,
    /// ns of the run in which there was none.
    pub empty_ns: i64,
}

impl QueueDepth {
    /// Computes the depths from the launches. `window`: start and end of the run; `spans`: call and start of each
    /// launch. All are in ns of the device.
    pub(super) fn compute(window: (i64, i64), spans: impl Iterator<Item = (i64, i64)>) -> Self {
        let (from, to) = window;
        let mut queue = Self { empty_ns: to - from, ..Self::default() };
        let steps = depth_steps(spans);
        let mut sum: i128 = 0;
        let mut now = (from, 0u64);
        for (at, depth) in steps.into_iter().chain([(to, 0)]) {
            let at = at.clamp(from, to);
            let ns = at - now.0;
            sum += i128::from(ns) * i128::from(now.1);
            if ns > 0 {
                queue.max = queue.max.max(now.1);
            }
            if now.1 > 0 {
                queue.empty_ns -= ns;
            }
            now = (at, depth);
        }
        if to > from {
            queue.mean = round4(sum as f64 / (to - from) as f64);
        }
        queue
    }
}

/// The depth from each moment on, in order.
pub(super) fn depth_steps(spans: impl Iterator<Item = (i64, i64)>) -> Vec<(i64, u64)> {
    let spans = spans.filter(|(call, start)| call < start);
    let mut changes: Vec<(i64, i64)> =
        spans.flat_map(|(call, start)| [(call, 1), (start, -1)]).collect();
    changes.sort_unstable();
    let mut depth: i64 = 0;
    let mut steps: Vec<(i64, u64)> = Vec::new();
    for (at, change) in changes {
        depth += change;
        let depth = depth.max(0) as u64;
        match steps.last_mut() {
            Some(last) if last.0 == at => last.1 = depth,
            _ => steps.push((at, depth)),
        }
    }
    steps
}
