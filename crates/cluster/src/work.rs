//! When a rank's cores did something.

use std::cell::Cell;

use bigtpu_measure::NamePattern;

use crate::part::DumpPart;
use crate::runs::CoreState;

/// What a rank's cores do that a change is of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Own {
    /// They compute, or move data.
    Work,
    /// A TIU computes.
    Compute,
    /// GDMA or SDMA move data, and no TIU computes.
    Memory,
    /// Launches of a kernel, by a pattern of its name: `*` stands for any letters.
    Kernel(String),
}

/// When it happened: stretches in order, none of which touches another, and sums up to the start of each.
pub(crate) struct Work {
    stretches: Vec<(i64, i64)>,
    sums: Vec<i64>,
    /// Stretches that began up to the last moment that was asked for: the next one is near.
    near: Cell<usize>,
}

impl Work {
    /// Collects when the cores of a part did `own`.
    pub(crate) fn collect(part: &DumpPart, own: &Own) -> Self {
        match own {
            Own::Work => Self::of_states(part, &[CoreState::Compute, CoreState::Memory]),
            Own::Compute => Self::of_states(part, &[CoreState::Compute]),
            Own::Memory => Self::of_states(part, &[CoreState::Memory]),
            Own::Kernel(pattern) => {
                let pattern = NamePattern::new(pattern);
                let is_own: Vec<bool> = part.kernels.iter().map(|k| pattern.matches(k)).collect();
                let launches = part.launches.iter();
                let own = launches.filter(|l| is_own.get(l.kernel as usize) == Some(&true));
                Self::of_stretches(own.map(|l| (l.start, l.end)))
            }
        }
    }

    fn of_states(part: &DumpPart, states: &[CoreState]) -> Self {
        let mut at = part.window.0;
        let stretches = part.runs.iter().filter_map(|run| {
            let start = at;
            at = at.saturating_add(i64::try_from(run.ns).unwrap_or(i64::MAX));
            states.contains(&run.state).then_some((start, at))
        });
        Self::of_stretches(stretches)
    }

    /// Work in stretches that are sorted by start; those that overlap or touch become one.
    fn of_stretches(all: impl Iterator<Item = (i64, i64)>) -> Self {
        let mut work = Self { stretches: Vec::new(), sums: Vec::new(), near: Cell::new(0) };
        for (start, end) in all {
            match work.stretches.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => work.stretches.push((start, end)),
            }
        }
        let mut sum = 0i64;
        for (start, end) in &work.stretches {
            work.sums.push(sum);
            sum = sum.saturating_add(end.saturating_sub(*start));
        }
        work
    }

    /// Stretches that began up to a moment, looked for from where the last one was: a replay goes through the time.
    fn begun(&self, t: i64) -> usize {
        let has_begun = |at: usize| self.stretches.get(at).is_some_and(|(start, _)| *start <= t);
        let (mut low, mut high) = (self.near.get(), self.near.get());
        // The answer is from `low` to `high`.
        let mut step = 1;
        while low > 0 && !has_begun(low - 1) {
            (high, low, step) = (low - 1, low.saturating_sub(step), 2 * step);
        }
        step = 1;
        while has_begun(high) {
            (low, high, step) = (high + 1, (high + step).min(self.stretches.len()), 2 * step);
        }
        let own = self.stretches.get(low..high.max(low)).unwrap_or_default();
        let begun = low + own.partition_point(|(start, _)| *start <= t);
        self.near.set(begun);
        begun
    }

    fn ns_until(&self, t: i64) -> i64 {
        let Some(at) = self.begun(t).checked_sub(1) else { return 0 };
        let (start, end) = self.stretches.get(at).copied().unwrap_or_default();
        self.sums.get(at).copied().unwrap_or(0).saturating_add(t.min(end).saturating_sub(start))
    }

    /// ns between two moments of the rank.
    pub(crate) fn ns_between(&self, from: i64, to: i64) -> i64 {
        self.ns_until(to).saturating_sub(self.ns_until(from)).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launches::Launch;
    use crate::runs::CoreStretch;

    #[test]
    fn work_is_counted_by_state_and_by_kernel() {
        let run = |state, ns| CoreStretch { state, ns };
        let part = DumpPart {
            window: (100, 200),
            kernels: vec!["matmul".to_owned(), "norm".to_owned()],
            runs: [
                run(CoreState::Compute, 30),
                run(CoreState::Memory, 20),
                run(CoreState::Idle, 10),
                run(CoreState::Compute, 40),
            ]
            .into_iter()
            .collect(),
            launches: [
                Launch { kernel: 0, start: 100, end: 150 },
                Launch { kernel: 0, start: 120, end: 155 },
                Launch { kernel: 1, start: 160, end: 200 },
            ]
            .into_iter()
            .collect(),
            ..DumpPart::default()
        };
        let ns = |own: Own, from, to| Work::collect(&part, &own).ns_between(from, to);
        assert_eq!(ns(Own::Work, 0, 300), 90);
        assert_eq!([ns(Own::Compute, 110, 170), ns(Own::Memory, 0, 300)], [30, 20]);
        assert_eq!(ns(Own::Kernel("mat*".to_owned()), 90, 300), 55);
        assert_eq!(ns(Own::Kernel("*orm".to_owned()), 170, 180), 10);
        assert_eq!(ns(Own::Kernel("none".to_owned()), 0, 300), 0);
    }

    #[test]
    fn moments_are_found_from_wherever_the_last_one_was() {
        let work = Work::of_stretches((0..200).map(|n| (n * 10, n * 10 + 3)));
        let plain = |t: i64| work.stretches.partition_point(|(start, _)| *start <= t);
        let moments = [0, 9, 10, 11, 700, 1989, 1990, 5000, -1, 350, 351, 349, 20, 1500, 1499, 0];
        for t in moments.into_iter().chain((0..400).map(|n| n * n * 7919 % 2100 - 50)) {
            assert_eq!(work.begun(t), plain(t), "{t}");
        }
        assert_eq!(work.ns_between(5, 1_000), 297);
    }
}
