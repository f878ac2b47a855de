//! Which runs repeat one another, and which are compared with which.

use bigtpu_answers::{Compared, PlacedRun, Pooling, RunProgram, Unit, units};
use bigtpu_messages::Message;

use super::Pool;
use super::input::Source;

/// A run whose report was read.
pub(super) struct ReadRun<'s> {
    pub(super) source: &'s Source,
    /// Side of a comparison; 0: before, 1: after.
    pub(super) side: usize,
    pub(super) report: Compared,
}

/// The unit of each run, and what there is to say about them.
pub(super) fn units_of(
    runs: &[ReadRun<'_>],
    pool: &[Pool],
    workload: Option<&str>,
) -> (Vec<Unit>, Vec<Message>) {
    let programs: Vec<RunProgram> = runs.iter().map(|run| run.report.program()).collect();
    let placed: Vec<PlacedRun<'_>> = runs
        .iter()
        .zip(&programs)
        .map(|(run, program)| PlacedRun { place: &run.source.place, program, side: run.side })
        .collect();
    let pools = |part: Pool| pool.contains(&part) || pool.contains(&Pool::All);
    let pooling = Pooling {
        workload,
        pools_hosts: pools(Pool::Host),
        pools_devices: pools(Pool::Device),
        pools_calls: pools(Pool::Call),
    };
    units(&placed, &pooling)
}

/// The runs of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupOfRuns {
    /// Whose runs.
    pub unit: Unit,
    /// Their chip.
    pub chip: String,
    /// The runs before the change, by their paths.
    pub before: Vec<String>,
    /// The runs after the change.
    pub after: Vec<String>,
}

/// The runs by unit, in the order of units.
pub(super) fn groups(runs: &[ReadRun<'_>], units: &[Unit]) -> Vec<GroupOfRuns> {
    let mut groups: Vec<GroupOfRuns> = Vec::new();
    for (run, unit) in runs.iter().zip(units) {
        let at = groups.iter().position(|group| group.unit == *unit).unwrap_or_else(|| {
            let chip = run.report.program().chip;
            let unit = unit.clone();
            groups.push(GroupOfRuns { unit, chip, before: Vec::new(), after: Vec::new() });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(at) {
            let side = if run.side == 0 { &mut group.before } else { &mut group.after };
            side.push(run.source.name.clone());
        }
    }
    groups.sort_by(|a, b| a.unit.cmp(&b.unit));
    let count =
        |of: fn(&GroupOfRuns) -> &Vec<String>| groups.iter().filter(|g| !of(g).is_empty()).count();
    // With one on each side these two are compared, whatever they are called.
    if count(|group| &group.before) <= 1 && count(|group| &group.after) <= 1 && groups.len() == 2 {
        let last = groups.pop();
        if let (Some(first), Some(last)) = (groups.first_mut(), last) {
            first.unit = Unit::default();
            first.before.extend(last.before);
            first.after.extend(last.after);
        }
    }
    groups
}
