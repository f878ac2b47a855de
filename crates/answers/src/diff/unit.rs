//! A comparison of each set of runs that repeat one another.
//!
//! Runs of one workload, host, device and call are repetitions of the same work. Runs of two devices are not: a device that is
//! slow among many would disappear in their median.

use bigtpu_messages::{Message, error_message, message};
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Diff, SourcedRun, Subject, diff};
use crate::identity::Unit;

/// The comparison of the runs of a unit.
#[derive(Debug, Clone)]
pub struct UnitDiff {
    /// Whose runs.
    pub unit: Unit,
    /// What changed.
    pub diff: Diff,
}

impl UnitDiff {
    /// The relative change of the wall time; 0 where it is not known.
    fn slowdown(&self) -> f64 {
        let total = self.diff.rows.iter().find(|row| row.subject == Subject::Total);
        total.and_then(|row| row.first()?.relative).unwrap_or(0.0)
    }
}

/// All comparisons of two sides.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// What is not compared, and why.
    pub warnings: Vec<Message>,
    /// What was left out, and why.
    pub notes: Vec<Message>,
    /// A comparison for each unit, the one whose wall time grew most first. There is at least one.
    pub units: Vec<UnitDiff>,
    /// Units that have runs on one side only.
    pub unpaired: Vec<Unpaired>,
}

/// A unit that has runs on one side only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unpaired {
    /// Whose runs.
    pub unit: Unit,
    /// Its runs are those before; else those after.
    pub is_before: bool,
}

/// The two sides have no unit in common.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-nothing-in-common", before, after))]
pub struct NothingInCommon {
    before: String,
    after: String,
}

/// Compares the runs of two sides, unit by unit. With a single unit on each side these two are compared, whatever
/// their names. `pairs`: the n-th runs of a unit on both sides belong together.
///
/// # Errors
/// When runs on both sides, but in no common unit, leave nothing to compare.
pub fn compare(
    before: Vec<SourcedRun>,
    after: Vec<SourcedRun>,
    pairs: bool,
) -> Result<Comparison, NothingInCommon> {
    let (mut old, mut new) = (by_unit(before), by_unit(after));
    if old.len() <= 1 && new.len() <= 1 {
        let only =
            |side: BTreeMap<Unit, Vec<SourcedRun>>| side.into_values().next().unwrap_or_default();
        let unit = UnitDiff { unit: Unit::default(), diff: diff(&only(old), &only(new), pairs) };
        return Ok(Comparison { units: vec![unit], ..Comparison::default() });
    }
    let names = |side: &BTreeMap<Unit, Vec<SourcedRun>>| {
        let names: Vec<String> = side.keys().map(Unit::to_string).collect();
        names.join(", ")
    };
    let (names_before, names_after) = (names(&old), names(&new));
    let mut units = Vec::new();
    let mut unpaired = Vec::new();
    let keys: Vec<Unit> = old.keys().chain(new.keys()).cloned().collect();
    for unit in keys {
        match (old.remove(&unit), new.remove(&unit)) {
            (Some(before), Some(after)) => {
                units.push(UnitDiff { unit, diff: diff(&before, &after, pairs) });
            }
            (None, None) => {}
            (is_before, _) => unpaired.push(Unpaired { unit, is_before: is_before.is_some() }),
        }
    }
    if units.is_empty() {
        return Err(NothingInCommon { before: names_before, after: names_after });
    }
    units.sort_by(|a, b| b.slowdown().total_cmp(&a.slowdown()).then(a.unit.cmp(&b.unit)));
    let warnings = unpaired.iter().map(|one| message!("diff-not-compared", unit = one.message()));
    Ok(Comparison { warnings: warnings.collect(), units, unpaired, ..Comparison::default() })
}

fn by_unit(runs: Vec<SourcedRun>) -> BTreeMap<Unit, Vec<SourcedRun>> {
    let mut units: BTreeMap<Unit, Vec<SourcedRun>> = BTreeMap::new();
    for run in runs {
        units.entry(run.unit.clone()).or_default().push(run);
    }
    units
}

impl Comparison {
    /// The unit whose wall time grew most.
    #[must_use]
    pub fn worst(&self) -> Option<&UnitDiff> {
        self.units.first()
    }

    /// There is one unit: nothing is to be told apart.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.units.len() == 1 && self.unpaired.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::testing::run;
    use crate::diff::{Gate, GateOptions, Verdict};

    /// A run of a kernel on each of so many devices.
    fn devices(times: &[i64]) -> Vec<SourcedRun> {
        let run = |(device, ns): (u32, &i64)| {
            let unit = Unit { device: Some(device), call: Some(0), ..Unit::default() };
            SourcedRun { unit, ..run(&[("k", *ns)], 0) }
        };
        (0..).zip(times).map(run).collect()
    }

    #[test]
    fn one_slow_device_among_eight_fails_the_gate() {
        let before = devices(&[436_000; 8]);
        let mut times = [436_000; 8];
        times[3] = 1_210_000;
        let comparison = compare(before, devices(&times), false).unwrap();
        assert_eq!(comparison.units.len(), 8);
        assert_eq!(comparison.worst().unwrap().unit.to_string(), "dev3 call 0");
        let gate =
            Gate::check(&["total>+3%".parse().unwrap()], GateOptions::default(), &comparison);
        assert_eq!(gate.verdict, Verdict::Failed);
        let failed: Vec<_> = gate.limits.iter().filter(|limit| limit.is_failure).collect();
        assert_eq!(failed.len(), 1, "only the slow device's");
        assert_eq!(failed[0].unit.as_deref(), Some("dev3 call 0"));
        assert_eq!(gate.limits.len(), 8, "a result for each device");
    }

    #[test]
    fn devices_on_one_side_only_are_named() {
        let comparison = compare(devices(&[100, 100]), devices(&[100]), false).unwrap();
        assert_eq!(
            comparison.warnings.iter().map(Message::to_string).collect::<Vec<_>>(),
            ["dev1 call 0 has runs only before the change: it is not compared"]
        );
        let gate = |allows_missing: bool| {
            let options = GateOptions { allows_missing, ..GateOptions::default() };
            Gate::check(&["total>+3%".parse().unwrap()], options, &comparison).verdict
        };
        assert_eq!((gate(false), gate(true)), (Verdict::Failed, Verdict::Ok), "one is gone");
    }

    #[test]
    fn sides_without_a_common_unit_are_refused_but_single_ones_are_compared() {
        let mut other = devices(&[100, 100]);
        for run in &mut other {
            run.unit.device = run.unit.device.map(|device| device + 2);
        }
        let error = compare(devices(&[100, 100]), other.clone(), false).unwrap_err().to_string();
        assert!(error.contains("before: dev0 call 0, dev1 call 0; after: dev2 call 0"), "{error}");
        other.truncate(1);
        assert!(compare(devices(&[100]), other, false).unwrap().is_single());
    }
}
