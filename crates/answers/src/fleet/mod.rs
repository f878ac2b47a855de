//! The answers on many dumps side by side: which device, core and call is slow, what takes longer than elsewhere, what
//! changes from call to call, and which advice would give most.
//!
//! Dumps are compared within a group that should be alike: those of one chip, program and call, where three devices or more have
//! it, else all dumps of the chip and program. Definitions are in `docs/fleet.md`.

mod advice;
mod facts;
mod groups;
mod outliers;
mod stragglers;
mod sum;
mod trends;
mod unchecked;

pub use advice::FleetAdvice;
pub use facts::{AdviceFacts, CoreWork, FleetFacts, PartTime};
pub use outliers::Outlier;
pub use stragglers::{SlowCall, SlowCore, SlowDevice};
pub use trends::Trend;
pub use unchecked::FleetUnchecked;

/// A dump of a fleet.
#[derive(Debug, Clone, Copy)]
pub struct FleetDump<'a> {
    /// Its name: a path below the fleet's directory.
    pub dump: &'a str,
    /// Chip.
    pub chip: &'a str,
    /// Host, where it is known.
    pub host: Option<&'a str>,
    /// Repetition, where there are several.
    pub run: Option<&'a str>,
    /// Device, where it is known.
    pub device: Option<u32>,
    /// Call, where it is known.
    pub call: Option<u32>,
    /// What was found.
    pub facts: &'a FleetFacts,
}

/// A device of a fleet: the same in all calls of all runs. A dump that does not say its device stands for itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FleetDevice {
    /// Host, where it is known.
    pub host: Option<String>,
    /// Device, where it is known.
    pub device: Option<u32>,
    /// The dump, where the device is not known.
    pub dump: Option<String>,
}

impl FleetDevice {
    fn from_dump(dump: &FleetDump<'_>) -> Self {
        let own = dump.device.is_none().then(|| dump.dump.to_owned());
        Self { host: dump.host.map(str::to_owned), device: dump.device, dump: own }
    }
}

/// What many dumps say together. Each list begins with what costs most.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FleetOverview {
    /// Devices that work longer than the others.
    pub devices: Vec<SlowDevice>,
    /// Cores that work longer than the other cores of their device.
    pub cores: Vec<SlowCore>,
    /// Calls in which one device kept the others waiting.
    pub calls: Vec<SlowCall>,
    /// Kernels that take longer on a device than at the fleet's median.
    pub kernels: Vec<Outlier>,
    /// Layers of static models that take longer on a device than at the fleet's median.
    pub layers: Vec<Outlier>,
    /// Devices whose calls get slower or faster.
    pub trends: Vec<Trend>,
    /// Advice of all dumps.
    pub advice: Vec<FleetAdvice>,
    /// What could not be looked at.
    pub unchecked: FleetUnchecked,
}

impl FleetOverview {
    /// Compares dumps, in any order.
    #[must_use]
    pub fn compare(dumps: &[FleetDump<'_>]) -> Self {
        Self {
            devices: stragglers::devices(dumps),
            cores: stragglers::cores(dumps),
            calls: stragglers::calls(dumps),
            kernels: outliers::outliers(dumps, |facts| &facts.kernels),
            layers: outliers::outliers(dumps, |facts| &facts.layers),
            trends: trends::trends(dumps),
            advice: advice::advice(dumps),
            unchecked: FleetUnchecked::compare(dumps),
        }
    }
}

/// The median; 0 of none.
fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    crate::diff::stat::median(&values).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Message;

    use super::*;

    /// Four devices with five cores and six calls; on device 2 core 3 and one kernel are slow, and device 1 gets slower.
    fn facts() -> Vec<(u32, u32, FleetFacts)> {
        let of = |(device, call): (u32, u32)| {
            let slow = device == 2;
            let work = |core: u32| 1000 + i64::from(core) + if slow && core == 3 { 500 } else { 0 };
            let part = |name: &str, mean: i64| PartTime {
                name: name.to_owned(),
                count: 10,
                total_ns: 10 * mean,
                mean_ns: mean as f64,
            };
            let gain_ns = Some(if slow { 90 } else { 10 });
            let drift = if device == 1 { 50 * i64::from(call) } else { 0 };
            let facts = FleetFacts {
                wall_ns: 2000 + drift,
                work_ns: (0..5).map(work).max().unwrap(),
                cores: (0..5).map(|core| CoreWork { core, work_ns: work(core) }).collect(),
                kernels: vec![part("rope", if slow { 150 } else { 100 }), part("norm", 70)],
                advice: vec![AdviceFacts {
                    id: "x".into(),
                    text: Message::verbatim(device.to_string()).into(),
                    gain_ns,
                    is_bound: false,
                }],
                ..FleetFacts::default()
            };
            (device, call, facts)
        };
        (0..4).flat_map(|device| (0..6).map(move |call| (device, call))).map(of).collect()
    }

    #[test]
    fn the_slow_device_core_kernel_and_trend_are_found_and_nothing_else() {
        let facts = facts();
        let dumps: Vec<FleetDump<'_>> = facts
            .iter()
            .map(|(device, call, facts)| FleetDump {
                dump: "d",
                chip: "AKS",
                host: None,
                run: None,
                device: Some(*device),
                call: Some(*call),
                facts,
            })
            .collect();
        let found = FleetOverview::compare(&dumps);
        let device = |row: &FleetDevice| row.device;
        assert_eq!(found.devices.len(), 1);
        assert_eq!((device(&found.devices[0].device), found.devices[0].calls), (Some(2), 6));
        let core = &found.cores;
        assert_eq!((core.len(), core[0].core, device(&core[0].device)), (1, 3, Some(2)));
        assert_eq!(found.calls.len(), 6);
        assert!(found.calls.iter().all(|call| call.lost_ns == 499 && call.devices == 4));
        let kernel = &found.kernels;
        assert_eq!((kernel.len(), kernel[0].name.as_str(), kernel[0].lost_ns), (1, "rope", 3000));
        assert_eq!((kernel[0].ratio, kernel[0].calls), (1.5, 6));
        assert_eq!((found.trends.len(), device(&found.trends[0].device)), (1, Some(1)));
        let advice = &found.advice;
        assert_eq!((advice.len(), advice[0].dumps, advice[0].gain_ns), (1, 24, 6 * 120));
        assert_eq!(advice[0].text.text, "2");
        assert_eq!(found.unchecked, FleetUnchecked::default());
    }

    /// A dump of the first call.
    fn dump<'a>(name: &'a str, device: Option<u32>, facts: &'a FleetFacts) -> FleetDump<'a> {
        let call = device.map(|_| 0);
        FleetDump { dump: name, chip: "AKS", host: None, run: None, device, call, facts }
    }

    /// Names without a device: each dump stands for itself, and what needs devices and calls is said not to be checked.
    #[test]
    fn dumps_without_a_device_are_told_apart() {
        let facts = facts();
        let names: Vec<String> = (0..4).map(|n| format!("dump-{n}")).collect();
        let first_calls = facts.iter().filter(|(_, call, _)| *call == 0);
        let dumps: Vec<FleetDump<'_>> = names
            .iter()
            .zip(first_calls)
            .map(|(name, (.., facts))| dump(name, None, facts))
            .collect();
        let found = FleetOverview::compare(&dumps);
        let core = &found.cores[0];
        assert_eq!((core.core, core.device.dump.as_deref()), (3, Some("dump-2")));
        assert_eq!(found.devices[0].device.dump.as_deref(), Some("dump-2"));
        let FleetUnchecked { devices, calls, trends } = found.unchecked;
        assert!(devices.is_none() && calls.is_some() && trends.is_some());
        let two = FleetOverview::compare(&dumps[..2]);
        assert!(two.unchecked.devices.is_some(), "two have no median");
    }

    /// Dumps of other programs are no yardstick: a long one among short ones is not slow.
    #[test]
    fn other_programs_are_not_alike() {
        let facts = facts();
        let mut other = facts[0].2.clone();
        other.work_ns *= 10;
        other.kernels[0].name = "conv".into();
        let alike = facts.iter().filter(|(device, call, _)| *device != 2 && *call == 0);
        let mut dumps: Vec<FleetDump<'_>> =
            alike.map(|(device, _, facts)| dump("d", Some(*device), facts)).collect();
        dumps.push(dump("d", Some(9), &other));
        assert!(FleetOverview::compare(&dumps).devices.is_empty());
    }
}
