//! Dumps that should be alike.

use std::collections::{BTreeMap, BTreeSet};

use super::{FleetDevice, FleetDump};
use crate::identity::RunProgram;

/// Fewest dumps that have a median.
pub(super) const LEAST_DUMPS: usize = 3;

/// Indices of dumps that should be alike: those of a chip, program and call that three devices or more have, else those of the
/// chip and program. Groups of fewer than three dumps are left out.
pub(super) fn groups(dumps: &[FleetDump<'_>]) -> Vec<Vec<usize>> {
    let programs: Vec<RunProgram> =
        dumps.iter().map(|dump| dump.facts.program(dump.chip)).collect();
    let classes = RunProgram::classes(&programs.iter().collect::<Vec<_>>());
    let mut devices: BTreeMap<(usize, Option<u32>), BTreeSet<FleetDevice>> = BTreeMap::new();
    for (dump, class) in dumps.iter().zip(&classes) {
        devices.entry((*class, dump.call)).or_default().insert(FleetDevice::from_dump(dump));
    }
    let mut groups: BTreeMap<(usize, Option<Option<u32>>), Vec<usize>> = BTreeMap::new();
    for (number, (dump, class)) in dumps.iter().zip(&classes).enumerate() {
        let of_call = devices.get(&(*class, dump.call)).map_or(0, BTreeSet::len);
        let call = (of_call >= LEAST_DUMPS).then_some(dump.call);
        groups.entry((*class, call)).or_default().push(number);
    }
    groups.into_values().filter(|group| group.len() >= LEAST_DUMPS).collect()
}
