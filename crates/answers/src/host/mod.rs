//! Host and device: which call of the host launched what, how long that took, and why the device stood still
//! (`docs/analysis.md`).

mod calls;
mod idle;
mod matches;
mod matching;
mod operators;
mod queue;
mod rounds;
mod steps;

use std::sync::Arc;

use bigtpu_host_trace::HostTrace;
use bigtpu_measure::{Distribution, DumpModel, Durations, Times};
use serde::{Deserialize, Serialize};

use crate::report::NoteFacts;
use crate::steps::{StepSpans, Steps};
pub use idle::{HostGap, HostIdle};
pub(crate) use matches::HostMatches;
pub use matching::Matching;
pub use operators::HostOperator;
pub use queue::QueueDepth;

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

/// A host trace, and how the device is aligned with it.
#[derive(Debug, Clone)]
pub struct HostInput {
    /// Its events.
    pub trace: Arc<HostTrace>,
    /// How times are aligned.
    pub alignment: HostAlignment,
    /// What makes device times host times, in ns.
    pub offset_ns: i64,
    /// What is doubtful or lost of it.
    pub notes: Vec<NoteFacts>,
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
    /// What the calls that launched something tell of the run. `steps`: those by the host's markers.
    pub(crate) fn compute(
        model: &DumpModel<'_>,
        times: &Times,
        host: &HostInput,
        found: &HostMatches,
        steps: Option<&StepSpans>,
    ) -> Self {
        let (host, notes) = (&host.trace, host.notes.clone());
        let HostMatches { alignment, calls, rounds, of_round, matching, .. } = found;
        let spans = found.spans();
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
        Self {
            alignment: *alignment,
            calls: calls.all.len() as u64,
            launches: rounds.len() as u64,
            matching: *matching,
            matched: spans.len() as u64,
            before_call: spans.iter().filter(|(call, start, _)| start < call).count() as u64,
            latency: LaunchLatency::compute(spans.iter().map(latency)),
            free_latency: LaunchLatency::compute(free.iter().map(latency)),
            queue: QueueDepth::compute(
                times.window,
                spans.iter().map(|&(call, start, _)| (call, start)),
            ),
            idle: match alignment {
                HostAlignment::None => HostIdle::default(),
                _ => HostIdle::compute(times, host, calls, rounds, of_round),
            },
            operators: operators::operators(host, calls, rounds, of_round),
            steps: steps.and_then(|steps| Steps::timed(steps, model, times)),
            notes,
        }
    }
}

#[cfg(test)]
mod tests;
