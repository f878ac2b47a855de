//! Operators of the host by the device time that they caused.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use bigtpu_host_trace::{HostSlice, HostTrace, TPUDNN};
use serde::{Deserialize, Serialize};

use super::calls::{Call, Calls};
use super::rounds::Round;

/// An operator of the host, such as `aten::addmm`, over all its calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct HostOperator {
    /// Its name; the call's own name where no operator is around it.
    pub name: String,
    /// Launches that it caused, itself or by operators within it.
    pub launches: u64,
    /// ns of these launches, each from its start on the first core to its end on the last.
    pub device_ns: i64,
    /// ns of `device_ns` that belong to launches whose innermost operator it is.
    pub self_device_ns: i64,
}

/// All operators that caused launches; `self_device_ns` sorts them.
pub(super) fn operators(
    host: &HostTrace,
    calls: &Calls,
    rounds: &[Round],
    of_round: &[Option<usize>],
) -> Vec<HostOperator> {
    let mut of_call: BTreeMap<usize, (u64, i64)> = BTreeMap::new();
    for (round, call) in rounds.iter().zip(of_round) {
        let Some(call) = call else { continue };
        let sum = of_call.entry(*call).or_default();
        *sum = (sum.0 + 1, sum.1 + round.end_ns - round.start_ns);
    }
    let mut threads = Threads::new(host);
    let mut operators: BTreeMap<&str, HostOperator> = BTreeMap::new();
    for (call, (launches, ns)) in of_call {
        let Some(call) = calls.all.get(call) else { continue };
        let around = threads.enclosing(call);
        let own = || host.slices.get(call.slice).map(|slice| host.strings.get(slice.name));
        let names: Vec<&str> = match around.is_empty() {
            true => own().into_iter().collect(),
            false => around.iter().map(|slice| host.strings.get(slice.name)).collect(),
        };
        let innermost = names.last().copied();
        // An operator that calls itself counts once.
        for name in names.into_iter().collect::<BTreeSet<&str>>() {
            let operator = operators.entry(name).or_default();
            operator.name = name.to_owned();
            operator.launches += launches;
            operator.device_ns += ns;
            if Some(name) == innermost {
                operator.self_device_ns += ns;
            }
        }
    }
    let mut operators: Vec<HostOperator> = operators.into_values().collect();
    operators.sort_by(|a, b| {
        let ns = |o: &HostOperator| (o.self_device_ns, o.device_ns);
        ns(b).cmp(&ns(a)).then_with(|| a.name.cmp(&b.name))
    });
    operators
}

/// The operators of each thread, for calls in the order of their starts.
struct Threads<'a> {
    host: &'a HostTrace,
    /// Operators of each thread, in the order of their starts; the longest of those that start together is first.
    slices: Vec<Vec<&'a HostSlice>>,
    next: Vec<usize>,
    open: Vec<Vec<&'a HostSlice>>,
}

impl<'a> Threads<'a> {
    fn new(host: &'a HostTrace) -> Self {
        let tpudnn = host.strings.lookup(TPUDNN);
        let count = host.threads.len();
        let mut slices: Vec<Vec<&HostSlice>> = vec![Vec::new(); count];
        for (_, slice) in host.kept_slices().filter(|(_, slice)| Some(slice.cat) != tpudnn) {
            if let Some(thread) = slices.get_mut(slice.thread as usize) {
                thread.push(slice);
            }
        }
        for thread in &mut slices {
            thread.sort_by_key(|slice| (slice.start_ns, Reverse(slice.end_ns)));
        }
        Self { host, slices, next: vec![0; count], open: vec![Vec::new(); count] }
    }

    /// The operators of a thread that run at a moment, the outermost first.
    fn running_at(&mut self, thread: usize, ns: i64) -> &[&'a HostSlice] {
        let parts = (self.slices.get(thread), self.next.get_mut(thread), self.open.get_mut(thread));
        let (Some(slices), Some(next), Some(open)) = parts else { return &[] };
        while let Some(slice) = slices.get(*next).filter(|slice| slice.start_ns <= ns) {
            open.push(slice);
            *next += 1;
        }
        open.retain(|slice| slice.end_ns > ns);
        open
    }

    /// The operators around a call: those of its thread; else, of the process's threads, of the one whose innermost
    /// operator started last.
    fn enclosing(&mut self, call: &Call) -> Vec<&'a HostSlice> {
        let host = self.host;
        let Some(ns) = host.slices.get(call.slice).map(|slice| slice.start_ns) else {
            return Vec::new();
        };
        let own = self.running_at(call.thread as usize, ns).to_vec();
        if !own.is_empty() {
            return own;
        }
        let process = |thread: usize| host.threads.get(thread).map(|thread| thread.process);
        let mut best: Vec<&HostSlice> = Vec::new();
        for thread in 0..host.threads.len() {
            if process(thread) != process(call.thread as usize) {
                continue;
            }
            let found = self.running_at(thread, ns);
            let start = |slices: &[&HostSlice]| slices.last().map(|slice| slice.start_ns);
            if start(found) > start(&best) {
                best = found.to_vec();
            }
        }
        best
    }
}
