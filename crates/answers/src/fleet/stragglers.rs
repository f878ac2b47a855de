//! Devices, cores and calls that others wait for. Waiting is no work.

use std::collections::{BTreeMap, BTreeSet};

use super::groups::groups;
use super::sum::{Sum, Total};
use super::{FleetDevice, FleetDump, median};

/// A device or core whose work is this many times the median is a straggler.
const SLOWER: f64 = 1.05;

/// A device that works longer than the others.
#[derive(Debug, Clone, PartialEq)]
pub struct SlowDevice {
    /// Which.
    pub device: FleetDevice,
    /// Its calls, in all runs.
    pub calls: usize,
    /// Its work over the median of the dumps that should be alike: the median of its calls.
    pub ratio: f64,
    /// ns of work above the median, summed over its calls.
    pub lost_ns: i64,
    /// Its slowest dump, by its place in the list.
    pub worst: usize,
}

/// A core that works longer than the other cores of its device.
#[derive(Debug, Clone, PartialEq)]
pub struct SlowCore {
    /// Its device.
    pub device: FleetDevice,
    /// Which.
    pub core: u32,
    /// Dumps in which it worked.
    pub calls: usize,
    /// Its work over the median core's of the same dump: the median of its calls.
    pub ratio: f64,
    /// ns of work above the median core's, summed over its calls.
    pub lost_ns: i64,
    /// The dump in which it lost most.
    pub worst: usize,
}

/// A call in which one device worked longer than the others.
#[derive(Debug, Clone, PartialEq)]
pub struct SlowCall {
    /// Run, where there are several.
    pub run: Option<String>,
    /// Call.
    pub call: Option<u32>,
    /// Devices.
    pub devices: usize,
    /// The dump that worked longest.
    pub slowest: usize,
    /// Its work over the median.
    pub ratio: f64,
    /// ns of its work above the median: what the others waited, if they had to.
    pub lost_ns: i64,
}

/// Devices above the median of the dumps that should be alike.
pub(super) fn devices(dumps: &[FleetDump<'_>]) -> Vec<SlowDevice> {
    let mut sums: BTreeMap<FleetDevice, Sum<usize>> = BTreeMap::new();
    for group in groups(dumps) {
        let of = |at: &usize| dumps.get(*at).map(|dump| (*at, dump, dump.facts.work_ns as f64));
        let own: Vec<_> = group.iter().filter_map(of).collect();
        let usual = median(own.iter().map(|(.., work)| *work));
        for (at, dump, work) in own.into_iter().filter(|_| usual > 0.0) {
            let sum = sums.entry(FleetDevice::from_dump(dump)).or_default();
            sum.add(work / usual, work - usual, at);
        }
    }
    if sums.len() < 2 {
        return Vec::new();
    }
    let row = |(device, sum): (FleetDevice, Sum<usize>)| {
        let Total { calls, ratio, lost_ns, worst } = sum.total()?;
        (ratio >= SLOWER).then_some(SlowDevice { device, calls, ratio, lost_ns, worst })
    };
    let mut rows: Vec<SlowDevice> = sums.into_iter().filter_map(row).collect();
    rows.sort_by(|a, b| b.lost_ns.cmp(&a.lost_ns).then_with(|| a.device.cmp(&b.device)));
    rows
}

/// Cores above the median core of their dump.
pub(super) fn cores(dumps: &[FleetDump<'_>]) -> Vec<SlowCore> {
    let mut sums: BTreeMap<(FleetDevice, u32), Sum<usize>> = BTreeMap::new();
    for (at, dump) in dumps.iter().enumerate() {
        let own = &dump.facts.cores;
        let usual = median(own.iter().map(|core| core.work_ns as f64));
        for core in own.iter().filter(|_| own.len() > 1 && usual > 0.0) {
            let sum = sums.entry((FleetDevice::from_dump(dump), core.core)).or_default();
            let work = core.work_ns as f64;
            sum.add(work / usual, work - usual, at);
        }
    }
    let row = |((device, core), sum): ((FleetDevice, u32), Sum<usize>)| {
        let Total { calls, ratio, lost_ns, worst } = sum.total()?;
        (ratio >= SLOWER).then_some(SlowCore { device, core, calls, ratio, lost_ns, worst })
    };
    let mut rows: Vec<SlowCore> = sums.into_iter().filter_map(row).collect();
    rows.sort_by(|a, b| {
        let place = |row: &SlowCore| (row.device.clone(), row.core);
        b.lost_ns.cmp(&a.lost_ns).then_with(|| place(a).cmp(&place(b)))
    });
    rows
}

/// Run, call, chip.
type CallKey<'a> = (Option<&'a str>, Option<u32>, &'a str);

/// Calls that several devices took part in, with one that worked longer.
pub(super) fn calls(dumps: &[FleetDump<'_>]) -> Vec<SlowCall> {
    let mut calls: BTreeMap<CallKey<'_>, Vec<usize>> = BTreeMap::new();
    for (at, dump) in dumps.iter().enumerate().filter(|(_, dump)| dump.device.is_some()) {
        calls.entry((dump.run, dump.call, dump.chip)).or_default().push(at);
    }
    let row = |((run, call, _), own): (CallKey<'_>, Vec<usize>)| {
        let known: Vec<(usize, &FleetDump<'_>)> =
            own.iter().filter_map(|at| Some((*at, dumps.get(*at)?))).collect();
        let devices: BTreeSet<FleetDevice> =
            known.iter().map(|(_, dump)| FleetDevice::from_dump(dump)).collect();
        if devices.len() < 2 || devices.len() < known.len() {
            return None;
        }
        let work = |dump: &FleetDump<'_>| dump.facts.work_ns;
        let (slowest, dump) = known.iter().rev().max_by_key(|(_, dump)| work(dump))?;
        let usual = median(known.iter().map(|(_, dump)| work(dump) as f64));
        let ratio = work(dump) as f64 / usual;
        (usual > 0.0 && ratio >= SLOWER).then(|| SlowCall {
            run: run.map(str::to_owned),
            call,
            devices: devices.len(),
            slowest: *slowest,
            ratio,
            lost_ns: work(dump) - usual.round() as i64,
        })
    };
    let mut rows: Vec<SlowCall> = calls.into_iter().filter_map(row).collect();
    rows.sort_by(|a, b| {
        b.lost_ns.cmp(&a.lost_ns).then_with(|| (&a.run, a.call).cmp(&(&b.run, b.call)))
    });
    rows
}
