//! What a fleet's overview could not look at, and why: an empty list after a failed precondition is no finding.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_messages::{Message, message};

use super::groups::{LEAST_DUMPS, groups};
use super::trends::LEAST_CALLS;
use super::{FleetDevice, FleetDump};

/// Reasons why something was not looked at; `None`: it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FleetUnchecked {
    /// Slow devices, kernels and layers.
    pub devices: Option<Message>,
    /// Calls with a straggler.
    pub calls: Option<Message>,
    /// Trends over calls.
    pub trends: Option<Message>,
}

impl FleetUnchecked {
    pub(super) fn compare(dumps: &[FleetDump<'_>]) -> Self {
        let is_compared = groups(dumps).iter().any(|group| {
            let devices =
                group.iter().filter_map(|at| Some(FleetDevice::from_dump(dumps.get(*at)?)));
            group.len() >= LEAST_DUMPS && devices.collect::<BTreeSet<_>>().len() > 1
        });
        let mut devices: BTreeMap<_, BTreeSet<FleetDevice>> = BTreeMap::new();
        let mut calls: BTreeMap<_, BTreeSet<u32>> = BTreeMap::new();
        for dump in dumps.iter().filter(|dump| dump.device.is_some()) {
            let device = FleetDevice::from_dump(dump);
            devices.entry((dump.run, dump.call, dump.chip)).or_default().insert(device.clone());
            calls.entry((device, dump.run)).or_default().extend(dump.call);
        }
        let has_devices = dumps.iter().any(|dump| dump.device.is_some());
        let has_calls = dumps.iter().any(|dump| dump.call.is_some());
        Self {
            devices: (!is_compared).then(|| message!("fleet-few-alike")),
            calls: match devices.values().any(|devices| devices.len() > 1) {
                true => None,
                false if !has_devices => Some(message!("fleet-unnamed")),
                false => Some(message!("fleet-single-devices")),
            },
            trends: match calls.values().any(|calls| calls.len() >= LEAST_CALLS) {
                true => None,
                false if !has_calls || !has_devices => Some(message!("fleet-unnamed")),
                false => Some(message!("fleet-few-calls")),
            },
        }
    }
}
