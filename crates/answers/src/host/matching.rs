//! Which call launched what. Traces have no number that says it.

use std::collections::HashMap;

use bigtpu_host_trace::HostTrace;
use bigtpu_measure::DumpModel;
use serde::{Deserialize, Serialize};

use super::calls::Calls;
use super::rounds::Round;

/// How launches were matched with calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// Matched by names, in order: `tpudnnMatmulAsync` launched `matmul_fp16`.
    Names,
    /// Matched by order: there are as many calls as launches.
    Order,
    /// Matched by time, with the last call before the launch. The launch's real call may be an earlier one, so
    /// latencies and the depth of the queue are lower bounds.
    Time,
}

impl Matching {
    /// As a view says it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Names => "by name",
            Self::Order => "in order",
            Self::Time => "by time",
        }
    }
}

/// Names must match this share of the launches, and order must be possible for it.
const LEAST: f64 = 0.8;
/// Shorter names match too much.
const LEAST_LETTERS: usize = 3;

/// For each launch its call, as a position in `calls`.
pub(super) fn matched(
    model: &DumpModel<'_>,
    host: &HostTrace,
    calls: &Calls,
    rounds: &[Round],
) -> (Option<Matching>, Vec<Option<usize>>) {
    if calls.all.is_empty() || rounds.is_empty() {
        return (None, vec![None; rounds.len()]);
    }
    let is_most = |n: usize| n as f64 >= LEAST * rounds.len() as f64;
    let by_name = by_name(model, host, calls, rounds);
    if is_most(by_name.iter().flatten().count()) {
        return (Some(Matching::Names), by_name);
    }
    let pairs = || calls.all.iter().zip(rounds);
    let possible = pairs().filter(|(call, round)| call.start_ns <= round.start_ns).count();
    if calls.all.len() == rounds.len() && is_most(possible) {
        return (Some(Matching::Order), (0..rounds.len()).map(Some).collect());
    }
    let last = |round: &Round| {
        calls.all.partition_point(|call| call.start_ns <= round.start_ns).checked_sub(1)
    };
    let found: Vec<Option<usize>> = rounds.iter().map(last).collect();
    (found.iter().flatten().next().map(|_| Matching::Time), found)
}

/// Calls and launches are in the same order; a call may launch several kernels of its name.
fn by_name(
    model: &DumpModel<'_>,
    host: &HostTrace,
    calls: &Calls,
    rounds: &[Round],
) -> Vec<Option<usize>> {
    let cores = |name: &str| core_of(name);
    let call_names: Vec<String> = calls
        .all
        .iter()
        .map(|call| host.slices.get(call.slice).map_or("", |s| host.strings.get(s.name)))
        .map(cores)
        .collect();
    let kernel_names: Vec<String> = model.kernels.iter().map(|name| cores(name)).collect();
    let is_match = |call: &str, kernel: &str| {
        let (short, long) = if call.len() < kernel.len() { (call, kernel) } else { (kernel, call) };
        short.len() >= LEAST_LETTERS && long.contains(short)
    };
    // The calls of each kernel, in order; how many of them are used; the last one.
    let mut of_kernel: HashMap<u32, (Vec<usize>, usize)> = HashMap::new();
    let mut found = Vec::with_capacity(rounds.len());
    for round in rounds {
        let name = kernel_names.get(round.kernel as usize).map_or("", String::as_str);
        let (matching, used) = of_kernel.entry(round.kernel).or_insert_with(|| {
            let of = |is: &dyn Fn(&String) -> bool| -> Vec<usize> {
                let all = call_names.iter().enumerate();
                all.filter(|(_, call)| is(call)).map(|(i, _)| i).collect()
            };
            let equal = of(&|call| call == name);
            // A call of another kernel's very name is that kernel's: add_rms_norm is no rms_norm.
            let similar = || of(&|call| is_match(call, name) && !kernel_names.contains(call));
            (if equal.is_empty() { similar() } else { equal }, 0)
        });
        let next = matching.get(*used).copied();
        let is_before =
            |i: &usize| calls.all.get(*i).is_some_and(|call| call.start_ns <= round.start_ns);
        if next.as_ref().is_some_and(is_before) {
            *used += 1;
        }
        found.push(used.checked_sub(1).and_then(|last| matching.get(last).copied()));
    }
    found
}

/// The word of a name that says what it does: `tpudnnMatmulAsync` and `tpu_kernel_api_matmul` are `matmul`.
fn core_of(name: &str) -> String {
    let name = name.rsplit("::").next().unwrap_or(name);
    let lower: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut core = lower.to_ascii_lowercase();
    for prefix in ["tpudnn", "tpukernel", "tpu", "api"] {
        core = core.strip_prefix(prefix).map_or(core.clone(), str::to_owned);
    }
    for suffix in ["async", "multicore", "kernel"] {
        core = core.strip_suffix(suffix).map_or(core.clone(), str::to_owned);
    }
    core
}

#[cfg(test)]
mod tests {
    use super::core_of;

    #[test]
    fn names_are_cut_to_what_they_say() {
        assert_eq!(core_of("tpudnnMatmulAsync"), "matmul");
        assert_eq!(core_of("tpu_kernel_api_matmul_multi_core"), "matmul");
        assert_eq!(core_of("my_ops::flash_attention"), "flashattention");
    }
}
