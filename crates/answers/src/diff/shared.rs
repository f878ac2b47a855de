//! How much of two sides is the same program: without that, a change of time has no cause to name.

use std::collections::BTreeMap;

use bigtpu_measure::layers::is_unnamed;

use super::compared::is_work;
use super::lineage::Lineage;
use super::{Compared, SourcedRun};

/// Sides with less of their time in the same kernels or layers are of different programs.
const LEAST_SHARED: f64 = 0.3;
/// Layers that the model does not name are the same only if one does at most so many times the work of the other: every model has a
/// `3 Conv2D`.
const LIKE_WORK: f64 = 2.0;

/// Time in ns of a kernel or layer, and its bytes and operations.
#[derive(Debug, Clone, Copy, Default)]
struct Done {
    ns: f64,
    amount: f64,
}

/// Kernels or layers of the first run whose report says what they do.
fn done(runs: &[SourcedRun]) -> BTreeMap<&str, Done> {
    let run = runs.iter().find(|run| !run.report.work.is_empty());
    run.map(|run| of_report(&run.report)).unwrap_or_default()
}

fn of_report(report: &Compared) -> BTreeMap<&str, Done> {
    let mut all: BTreeMap<&str, Done> = BTreeMap::new();
    for work in report.work.iter().filter(|work| is_work(work.reason) && !work.owner().is_empty()) {
        let done = all.entry(work.owner()).or_default();
        done.ns += work.ns.unwrap_or(0.0);
        done.amount += work.bytes.unwrap_or(0.0) + work.ops.unwrap_or(0.0);
    }
    all
}

fn is_like(one: Done, other: Done) -> bool {
    one.amount <= other.amount * LIKE_WORK && other.amount <= one.amount * LIKE_WORK
}

/// The share of the time of both sides that is in the same kernels or layers, where this is little: 1 is all. `before`: with the names
/// after. `None` where the sides are of one program, or nothing tells.
pub(super) fn unrelated(
    before: &[SourcedRun],
    after: &[SourcedRun],
    lineage: &Lineage,
) -> Option<f64> {
    let sides = [done(before), done(after)];
    if sides.iter().any(BTreeMap::is_empty) {
        return None;
    }
    let [before, after] = &sides;
    let is_shared = |name: &str| {
        let both = before.get(name).zip(after.get(name));
        let is_same = both.is_some_and(|(one, other)| !is_unnamed(name) || is_like(*one, *other));
        is_same || lineage.set_of(name).is_some()
    };
    // Each side counts as much as the other, however long it runs.
    let share = |side: &BTreeMap<&str, Done>| {
        let all: f64 = side.values().map(|done| done.ns).sum();
        let of_shared = side.iter().filter(|(name, _)| is_shared(name));
        of_shared.map(|(_, done)| done.ns).sum::<f64>() / all.max(1.0)
    };
    let share = (share(before) + share(after)) / 2.0;
    (share < LEAST_SHARED).then_some(share)
}

#[cfg(test)]
mod tests {
    use crate::diff::diff;
    use crate::diff::testing::planted_run;

    #[test]
    fn runs_of_different_programs_are_told_apart_before_their_times_are() {
        let one = [("matmul", 1000, 500, 10), ("softmax", 2000, 700, 30), ("norm", 3000, 900, 70)];
        let other = [("conv", 9000, 77, 1), ("pool", 8000, 5, 9), ("norm", 10, 1, 1)];
        let [one, other] = [one, other].map(|kernels| vec![planted_run(&kernels)]);
        let same = diff(&one, &one, false).verdict.unwrap();
        assert!(!same.text.text.contains("not the same program"), "{}", same.text.text);
        let verdict = diff(&one, &other, false).verdict.unwrap();
        assert!(
            verdict.text.text.starts_with("The runs have only 25 % of their time"),
            "{}",
            verdict.text.text
        );
        assert!(verdict.causes.is_empty());
    }
}
