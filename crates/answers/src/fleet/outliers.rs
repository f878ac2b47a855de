//! Kernels and layers that take longer on a device than at the fleet's median.

use std::collections::BTreeMap;

use super::groups::{LEAST_DUMPS, groups};
use super::sum::{Sum, Total};
use super::{FleetDevice, FleetDump, FleetFacts, PartTime, median};

/// A part whose mean time is this many times the median is an outlier.
const SLOWER: f64 = 1.1;

/// A kernel or layer that takes longer on a device than at the fleet's median.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlier {
    /// Its name.
    pub name: String,
    /// Where.
    pub device: FleetDevice,
    /// Dumps of this device that have it.
    pub calls: usize,
    /// Mean ns of a launch or run over the median of the dumps that should be alike: the median of the device's dumps.
    pub ratio: f64,
    /// ns above the median, of all launches or runs.
    pub lost_ns: i64,
    /// The dump that lost most.
    pub worst: usize,
    /// Mean ns there.
    pub mean_ns: f64,
    /// ns at the median.
    pub median_ns: f64,
}

/// The dump in which a part lost most, its mean there, and the median.
type Worst = (usize, f64, f64);

/// Parts above the median. `parts`: kernels or layers of a dump.
pub(super) fn outliers(
    dumps: &[FleetDump<'_>],
    parts: for<'f> fn(&'f FleetFacts) -> &'f Vec<PartTime>,
) -> Vec<Outlier> {
    let mut sums: BTreeMap<(&str, FleetDevice), Sum<Worst>> = BTreeMap::new();
    for group in groups(dumps) {
        let mut by_name: BTreeMap<&str, Vec<(usize, &PartTime)>> = BTreeMap::new();
        for at in group {
            let own = dumps.get(at).map(|dump| parts(dump.facts).as_slice());
            for part in own.unwrap_or_default() {
                by_name.entry(&part.name).or_default().push((at, part));
            }
        }
        by_name.retain(|_, all| all.len() >= LEAST_DUMPS);
        for (name, all) in by_name {
            let usual = median(all.iter().map(|(_, part)| part.mean_ns));
            for (at, part) in all.into_iter().filter(|_| usual > 0.0) {
                let Some(dump) = dumps.get(at) else { continue };
                let sum = sums.entry((name, FleetDevice::from_dump(dump))).or_default();
                let lost = (part.mean_ns - usual) * part.count as f64;
                sum.add(part.mean_ns / usual, lost, (at, part.mean_ns, usual));
            }
        }
    }
    let row = |((name, device), sum): ((&str, FleetDevice), Sum<Worst>)| {
        let Total { calls, ratio, lost_ns, worst: (worst, mean_ns, median_ns) } = sum.total()?;
        let name = name.to_owned();
        (ratio >= SLOWER && lost_ns > 0).then_some(Outlier {
            name,
            device,
            calls,
            ratio,
            lost_ns,
            worst,
            mean_ns,
            median_ns,
        })
    };
    let mut rows: Vec<Outlier> = sums.into_iter().filter_map(row).collect();
    rows.sort_by(|a, b| {
        let place = |row: &Outlier| (row.name.clone(), row.device.clone());
        b.lost_ns.cmp(&a.lost_ns).then_with(|| place(a).cmp(&place(b)))
    });
    rows
}
