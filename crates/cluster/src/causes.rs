//! What holds a rank up: what it does longer than the median of its island, over the whole run.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::found::Found;
use crate::kernel_times::KernelTimes;
use crate::numbers::{lower_median, thousandth};
use crate::part::DumpPart;
use crate::report::StragglerCause;

/// Name of the time between launches.
pub(crate) const GAPS: &str = "launch gaps";
/// Names of states, where a dump has no launches; no kernel has them, because of the blank.
pub(crate) const COMPUTING: &str = "all computation";
pub(crate) const MOVING: &str = "all transfers of memory";
pub(crate) const IDLE: &str = "all pauses";
/// Numbers of these states.
const STATES: [(&str, usize); 3] = [(COMPUTING, 0), (MOVING, 1), (IDLE, 9)];
/// Number of the state between launches.
const BETWEEN: usize = 8;
/// Less is not a cause.
const LEAST_NS: f64 = 500.0;

/// ns of each rank of an island, by what it does.
pub(crate) struct Causes<'a> {
    times: BTreeMap<usize, BTreeMap<&'a str, i64>>,
}

impl<'a> Causes<'a> {
    pub(crate) fn find(found: &'a Found, island: usize) -> Self {
        let members: Vec<usize> = found.clocks.members(island).collect();
        let times =
            members.par_iter().filter_map(|&rank| Some((rank, times(found, rank)?))).collect();
        Self { times }
    }

    /// What takes a rank longest beyond the median rank's time; `None` if nothing takes longer than on the median rank.
    pub(crate) fn of_rank(&self, rank: usize) -> Option<StragglerCause> {
        let own = self.times.get(&rank)?;
        let cause = |(&what, &ns): (&&'a str, &i64)| {
            let mut all: Vec<i64> = self
                .times
                .values()
                .map(|times| times.get(what).copied().unwrap_or_default())
                .collect();
            all.sort_unstable();
            let median = lower_median(&all).unwrap_or_default();
            let times = (median > 0).then(|| thousandth(ns as f64 / median as f64));
            StragglerCause { what: what.to_owned(), ns: (ns - median) as f64, times }
        };
        let causes = own.iter().map(cause).filter(|cause| cause.ns > LEAST_NS);
        causes.max_by(|a, b| a.ns.total_cmp(&b.ns).then_with(|| b.what.cmp(&a.what)))
    }
}

/// ns of a rank by kernel and between launches; by state where it has no launches of kernels that do not communicate.
fn times(found: &Found, rank: usize) -> Option<BTreeMap<&str, i64>> {
    let part = &found.ranks.get(rank)?.part;
    let states = &found.states.get(rank)?.ns;
    let state =
        |number: usize| states.get(number).map_or(0, |&ns| i64::try_from(ns).unwrap_or(i64::MAX));
    let communicating = communicating(part);
    let mut times: BTreeMap<&str, i64> = BTreeMap::new();
    for (number, ns) in kernel_times(part) {
        let name = part.kernels.get(number as usize).map_or("", String::as_str);
        if !name.is_empty() && !communicating.contains(&number) {
            *times.entry(name).or_default() += ns;
        }
    }
    if times.is_empty() {
        return Some(STATES.iter().map(|&(name, number)| (name, state(number))).collect());
    }
    times.insert(GAPS, state(BETWEEN));
    Some(times)
}

/// Kernels in whose launches ports work: the time of these is also that of the peers.
fn communicating(part: &DumpPart) -> BTreeSet<u32> {
    let kernels = part.threads.iter().flat_map(|thread| thread.commands.kernels());
    kernels.filter_map(|kernel| kernel.checked_sub(1)).collect()
}

/// ns of each kernel; where launches overlap, time counts for the one that began first.
fn kernel_times(part: &DumpPart) -> BTreeMap<u32, i64> {
    let mut sums = BTreeMap::new();
    for (kernel, ns) in KernelTimes::add_up(part).split(part.window.0, part.window.1) {
        if let Some(kernel) = kernel {
            *sums.entry(kernel).or_default() += ns;
        }
    }
    sums
}
