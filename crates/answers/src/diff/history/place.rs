//! Where the level of a series changes.

use super::panel::{FAR, LEAST_BEFORE, Standard};
use super::robust::{cheapest_level, costs, level, middle};

/// Builds by which a change of one series and that of all may be apart and be one.
const NEAR: usize = 4;
/// What all series have in common changed where the values since are this far from the level before, in standard deviations of their mean.
const CHANGED: f64 = 3.0;
/// A change of a series is that of all if both are at least this part of the larger one.
const TAKES_PART: f64 = 0.5;

/// A change of the level: the first build after it, and by how many standard deviations of the series' noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub(super) at: usize,
    pub(super) size: f64,
}

impl Standard {
    /// A change after which the noise is larger, so that the last values have no level in common and each looks like an outlier: all of
    /// them are far from the level before, on one side.
    pub(super) fn far_run(&self, window: usize, from: f64) -> Option<Step> {
        let last = self.values.get(self.values.len().checked_sub(window)?..)?;
        let side = (last.first()? - from).signum();
        let is_far = |value: &f64| (value - from) * side > FAR;
        if !last.iter().all(is_far) {
            return None;
        }
        let long = self.values.iter().rev().take_while(|value| is_far(value)).count();
        let at = self.values.len() - long;
        let size = middle(self.values.get(at..)?.iter().copied()) - from;
        Some(Step { at: at + self.start, size })
    }

    /// A change in this direction: at the cheapest of all places near the last builds.
    pub(super) fn step(&self, window: usize, direction: f64, outliers: f64) -> Step {
        let values = &self.values;
        let most = (2 * window + 4).min(values.len().saturating_sub(LEAST_BEFORE));
        let first = values.len().saturating_sub(most);
        let finite =
            |part: &[f64]| part.iter().copied().filter(|v| v.is_finite()).collect::<Vec<f64>>();
        let mut best = (f64::INFINITY, values.len().saturating_sub(window), 0.0);
        for at in first..values.len().saturating_sub(1) {
            let (old, new) = values.split_at(at);
            let (old, new) = (finite(old), finite(new));
            if old.is_empty() || new.is_empty() {
                continue;
            }
            let from = level(&old, 1.0);
            let (to, cheapest) = cheapest_level(&new, outliers);
            let sum = costs(&old, from, outliers) + cheapest;
            if sum < best.0 && (to - from) * direction > 0.0 {
                best = (sum, at, to - from);
            }
        }
        Step { at: best.1 + self.start, size: best.2 }
    }

    /// Returns the change of all series together, if this series takes part in it: what they have in common has less
    /// noise than one of them. `None` where they changed elsewhere or not, or this series by less.
    pub(super) fn step_of_all(&self, own: Step, common: &Standard, outliers: f64) -> Option<Step> {
        let builds = self.start + self.values.len();
        let window = builds.saturating_sub(own.at).max(1);
        let all = common.step(window, own.size.signum(), outliers);
        let since = builds.checked_sub(all.at)? as f64;
        let (old, new) = self.values.split_at_checked(all.at.checked_sub(self.start)?)?;
        let of = |part: &[f64]| middle(part.iter().copied().filter(|value| value.is_finite()));
        let size = of(new) - of(old);
        let (own_change, change) = (size * self.deviation, all.size * common.deviation);
        let least = TAKES_PART * own_change.abs().max(change.abs());
        let is_one = all.at.abs_diff(own.at) <= NEAR
            && all.size * own.size.signum() * since.sqrt() > CHANGED
            && [own_change, change].iter().all(|part| part * own.size.signum() >= least);
        is_one.then_some(Step { at: all.at, size })
    }
}
