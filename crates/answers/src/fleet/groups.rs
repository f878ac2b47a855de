//! Dumps that should be alike.

use std::collections::{BTreeMap, BTreeSet};

use super::{FleetDevice, FleetDump};

/// Fewest dumps that have a median.
pub(super) const LEAST_DUMPS: usize = 3;

/// Indices of dumps that should be alike: those of a chip and call that three devices or more have, else those of the
/// chip. Groups of fewer than three dumps are left out.
pub(super) fn groups(dumps: &[FleetDump<'_>]) -> Vec<Vec<usize>> {
    let mut devices: BTreeMap<(&str, Option<u32>), BTreeSet<FleetDevice>> = BTreeMap::new();
    for dump in dumps {
        devices.entry((dump.chip, dump.call)).or_default().insert(FleetDevice::of(dump));
    }
    let mut groups: BTreeMap<(&str, Option<Option<u32>>), Vec<usize>> = BTreeMap::new();
    for (number, dump) in dumps.iter().enumerate() {
        let of_call = devices.get(&(dump.chip, dump.call)).map_or(0, BTreeSet::len);
        let call = (of_call >= LEAST_DUMPS).then_some(dump.call);
        groups.entry((dump.chip, call)).or_default().push(number);
    }
    groups.into_values().filter(|group| group.len() >= LEAST_DUMPS).collect()
}
