//! What a fleet's overview could not look at, and why: an empty list after a failed precondition is no finding.

use std::collections::{BTreeMap, BTreeSet};

use super::groups::{LEAST_DUMPS, groups};
use super::trends::LEAST_CALLS;
use super::{FleetDevice, FleetDump};

/// Reasons why something was not looked at, in English and Chinese; `None`: it was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FleetUnchecked {
    /// Slow devices, kernels and layers.
    pub devices: Option<[&'static str; 2]>,
    /// Calls with a straggler.
    pub calls: Option<[&'static str; 2]>,
    /// Trends over calls.
    pub trends: Option<[&'static str; 2]>,
}

impl FleetUnchecked {
    pub(super) fn of(dumps: &[FleetDump<'_>]) -> Self {
        let is_compared = groups(dumps).iter().any(|group| {
            let devices = group.iter().filter_map(|at| Some(FleetDevice::of(dumps.get(*at)?)));
            group.len() >= LEAST_DUMPS && devices.collect::<BTreeSet<_>>().len() > 1
        });
        let mut devices: BTreeMap<_, BTreeSet<FleetDevice>> = BTreeMap::new();
        let mut calls: BTreeMap<_, BTreeSet<u32>> = BTreeMap::new();
        for dump in dumps.iter().filter(|dump| dump.device.is_some()) {
            let device = FleetDevice::of(dump);
            devices.entry((dump.run, dump.call, dump.chip)).or_default().insert(device.clone());
            calls.entry((device, dump.run)).or_default().extend(dump.call);
        }
        let has_devices = dumps.iter().any(|dump| dump.device.is_some());
        let has_calls = dumps.iter().any(|dump| dump.call.is_some());
        let unnamed = [
            "the dumps' names carry no device and call (cdm_profile_data_dev0-3: device 0, call 3)",
            "采集名中没有设备号和调用号（cdm_profile_data_dev0-3：设备 0，调用 3）",
        ];
        Self {
            devices: (!is_compared).then_some([
                "no three dumps are of the same program on the same chip",
                "同一芯片、同一程序的采集不足三个",
            ]),
            calls: match devices.values().any(|devices| devices.len() > 1) {
                true => None,
                false if !has_devices => Some(unnamed),
                false => Some(["no call has several devices", "没有包含多个设备的调用"]),
            },
            trends: match calls.values().any(|calls| calls.len() >= LEAST_CALLS) {
                true => None,
                false if !has_calls || !has_devices => Some(unnamed),
                false => Some(["no device has six calls", "没有设备达到六次调用"]),
            },
        }
    }
}
