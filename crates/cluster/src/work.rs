//! When a rank's cores worked.

use crate::part::{CoreState, Part};

/// When the cores worked: sums up to the start of each stretch.
pub(crate) struct Work {
    starts: Vec<i64>,
    sums: Vec<i64>,
    works: Vec<bool>,
}

impl Work {
    /// Of a part's runs.
    pub(crate) fn of(part: &Part) -> Self {
        let mut work = Self { starts: Vec::new(), sums: Vec::new(), works: Vec::new() };
        let (mut at, mut sum) = (part.window.0, 0i64);
        for run in part.runs.iter() {
            let works = matches!(run.state, CoreState::Compute | CoreState::Memory);
            work.starts.push(at);
            work.sums.push(sum);
            work.works.push(works);
            let ns = i64::try_from(run.ns).unwrap_or(i64::MAX);
            at = at.saturating_add(ns);
            sum = if works { sum.saturating_add(ns) } else { sum };
        }
        work
    }

    fn until(&self, t: i64) -> i64 {
        let Some(at) = self.starts.partition_point(|start| *start <= t).checked_sub(1) else {
            return 0;
        };
        let of = |n: usize| self.sums.get(n).copied().unwrap_or(0);
        let works = self.works.get(at).copied().unwrap_or(false);
        let inside = if works { t - self.starts.get(at).copied().unwrap_or(t) } else { 0 };
        let whole = self.sums.get(at + 1).map_or(i64::MAX, |next| next - of(at));
        of(at) + inside.min(whole)
    }

    /// ns of work between two moments of the rank.
    pub(crate) fn between(&self, from: i64, to: i64) -> i64 {
        (self.until(to) - self.until(from)).max(0)
    }
}
