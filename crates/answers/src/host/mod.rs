//! Host and device: which call of the host launched what, how long that took, and why the device stood still
//! (`docs/analysis.md`).

mod calls;
mod idle;
mod matching;
mod operators;
mod queue;
mod rounds;
mod steps;

use std::collections::HashMap;

use bigtpu_host_trace::HostTrace;
use bigtpu_measure::{Distribution, DumpModel, Durations, Times};
use regex_lite::Regex;
use serde::{Deserialize, Serialize};

use crate::report::NoteFacts;
use crate::steps::Steps;
use calls::Calls;
pub use idle::{HostGap, HostIdle};
pub use matching::Matching;
pub use operators::HostOperator;
pub use queue::QueueDepth;
use rounds::{Round, rounds};

/// How device time is put on the host's time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HostAlignment {
    /// The PMU's pause is the end of the host's `disable_profile`.
    DisableProfile,
    /// The PMU's start is the end of the first `tpudnn` call.
    FirstCall,
    /// Device time starts at the host's first event: times of host and device can't be compared.
    None,
}

/// What to look at a host trace with.
#[derive(Debug, Clone, Copy)]
pub struct HostOptions<'a> {
    /// How times are aligned.
    pub alignment: HostAlignment,
    /// What makes device times host times, in ns.
    pub offset_ns: i64,
    /// Names of the events that hold a step; `ProfilerStep#N` without.
    pub step: Option<&'a Regex>,
}

/// From a host's call to the first command of what it launched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct LaunchLatency {
    /// Launches.
    pub count: u64,
    /// Distribution of the launches' latencies.
    #[serde(flatten)]
    pub durations: Distribution,
}

impl LaunchLatency {
    fn compute(latencies: impl Iterator<Item = i64>) -> Self {
        let durations: Durations = latencies.collect();
        Self { count: durations.count(), durations: Distribution::compute(&durations) }
    }
}

/// A launch and the call that caused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostLaunch {
    /// Position of the call in [`HostTrace::slices`].
    pub call: usize,
    /// Kernel: index into [`bigtpu_timeline::Profile::kernels`].
    pub kernel: u32,
    /// First core that ran it.
    pub core: u32,
    /// Start of its first command, in ns of the device.
    pub start_ns: i64,
}

impl HostLaunch {
    /// Lists the launches that have a call.
    fn collect(
        model: &DumpModel<'_>,
        rounds: &[Round],
        calls: &Calls,
        pairs: &[(usize, usize)],
    ) -> Vec<Self> {
        let mut cores: HashMap<(u32, i64), u32> = HashMap::new();
        for (core, launches) in (0..).zip(model.core_launches) {
            for launch in launches {
                cores.entry((launch.kernel, launch.start)).or_insert(core);
            }
        }
        let of = |&(round, call): &(usize, usize)| {
            let (round, call) = (rounds.get(round)?, calls.all.get(call)?);
            let Round { kernel, start_ns, .. } = *round;
            let core = *cores.get(&(kernel, start_ns))?;
            Some(Self { call: call.slice, kernel, core, start_ns })
        };
        pairs.iter().filter_map(of).collect()
    }
}

/// The part of a report that a host trace adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct HostReport {
    /// How times are aligned. Without an alignment there is nothing below but notes.
    pub alignment: HostAlignment,
    /// Calls of `tpudnn`, those within another call left out.
    pub calls: u64,
    /// Launches on the device; what several cores run together counts once.
    pub launches: u64,
    /// How launches were matched with calls; none if nothing was.
    pub matching: Option<Matching>,
    /// Launches with a call.
    pub matched: u64,
    /// Matched launches that begin before their call: the alignment is not exact, or the match is wrong.
    pub before_call: u64,
    /// From the start of the call to the launch's first command. Time in the queue is in it.
    pub latency: LaunchLatency,
    /// Latency of launches whose call found the device with nothing to do: nothing of it is time in the queue.
    pub free_latency: LaunchLatency,
    /// Launches that were called and have not begun.
    pub queue: QueueDepth,
    /// Whom the idle time of the chip is due to.
    pub idle: HostIdle,
    /// Operators of the host by the device time that they caused, the greatest first.
    pub operators: Vec<HostOperator>,
    /// Iterations by the host's markers.
    pub steps: Option<Steps>,
    /// What is doubtful or lost of the host trace.
    pub notes: Vec<NoteFacts>,
}

impl HostReport {
    pub(crate) fn compute(
        model: &DumpModel<'_>,
        times: &Times,
        host: &HostTrace,
        options: HostOptions<'_>,
        notes: Vec<NoteFacts>,
    ) -> (Self, Vec<HostLaunch>) {
        let rounds = rounds(model);
        let calls = Calls::collect(host, options.offset_ns);
        let is_aligned = options.alignment != HostAlignment::None;
        let (matching, of_round) = match is_aligned {
            true => matching::matched(model, host, &calls, &rounds),
            false => (None, vec![None; rounds.len()]),
        };
        let pairs: Vec<(usize, usize)> = of_round
            .iter()
            .enumerate()
            .filter_map(|(round, call)| Some((round, (*call)?)))
            .collect();
        let ns = |&(round, call): &(usize, usize)| {
            let (round, call) = (rounds.get(round)?, calls.all.get(call)?);
            Some((call.start_ns, round.start_ns, round.end_ns))
        };
        let spans: Vec<(i64, i64, i64)> = pairs.iter().filter_map(ns).collect();
        let latency = |&(call, start, _): &(i64, i64, i64)| (start - call).max(0);
        // A launch is free if all earlier ones had ended when it was called.
        let mut busy_until = i64::MIN;
        let mut free = Vec::new();
        for span in &spans {
            if span.0 >= busy_until {
                free.push(*span);
            }
            busy_until = busy_until.max(span.2);
        }
        let launches = HostLaunch::collect(model, &rounds, &calls, &pairs);
        let report = Self {
            alignment: options.alignment,
            calls: calls.all.len() as u64,
            launches: rounds.len() as u64,
            matching,
            matched: spans.len() as u64,
            before_call: spans.iter().filter(|(call, start, _)| start < call).count() as u64,
            latency: LaunchLatency::compute(spans.iter().map(latency)),
            free_latency: LaunchLatency::compute(free.iter().map(latency)),
            queue: QueueDepth::compute(
                times.window,
                spans.iter().map(|&(call, start, _)| (call, start)),
            ),
            idle: match is_aligned {
                true => HostIdle::compute(times, host, &calls, &rounds, &of_round),
                false => HostIdle::default(),
            },
            operators: operators::operators(host, &calls, &rounds, &of_round),
            steps: steps::steps(model, times, host, &calls, &rounds, &of_round, options.step),
            notes,
        };
        (report, launches)
    }
}

#[cfg(test)]
mod tests;
