//! Idle time of the chip: was nothing launched, or did the device not do what was launched?

use bigtpu_host_trace::HostTrace;
use bigtpu_measure::{Spans, Times};
use serde::{Deserialize, Serialize};

use super::calls::Calls;
use super::rounds::Round;

/// Stretches that are listed.
const MOST: usize = 10;

/// A time in which the chip was idle because nothing was launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct HostGap {
    /// ns on the device's time line.
    pub start_ns: i64,
    /// ns.
    pub end_ns: i64,
    /// What the host did in most of it; empty where the trace shows nothing.
    pub host: String,
}

/// The idle time of the chip, by whom it is due to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct HostIdle {
    /// ns in which no engine ran anything.
    pub idle_ns: i64,
    /// ns of `idle_ns` in which every launch that had been called had ended: the host is late.
    pub host_bound_ns: i64,
    /// The rest: something was launched, and waited or stood still on the device.
    pub device_bound_ns: i64,
    /// The longest stretches of `host_bound_ns`.
    pub longest: Vec<HostGap>,
}

impl HostIdle {
    pub(super) fn compute(
        times: &Times,
        host: &HostTrace,
        calls: &Calls,
        rounds: &[Round],
        of_round: &[Option<usize>],
    ) -> Self {
        let active = times.all.work.with(&times.all.sync);
        let idle = Spans::union([times.window]).difference(&active);
        let outstanding = rounds.iter().zip(of_round).map(|(round, call)| {
            let call = call.and_then(|call| calls.all.get(call));
            (call.map_or(round.start_ns, |call| call.start_ns.min(round.start_ns)), round.end_ns)
        });
        let host_bound = idle.difference(&Spans::union(outstanding));
        let mut longest: Vec<(i64, i64)> = host_bound.iter().collect();
        longest.sort_by_key(|(start, end)| (start - end, *start));
        longest.truncate(MOST);
        let longest = longest.into_iter().map(|(start_ns, end_ns)| {
            let host = meanwhile(host, start_ns, end_ns, calls.offset_ns);
            HostGap { start_ns, end_ns, host }
        });
        Self {
            idle_ns: idle.total(),
            host_bound_ns: host_bound.total(),
            device_bound_ns: idle.total() - host_bound.total(),
            longest: longest.collect(),
        }
    }
}

/// The event of the host that covers most of a time; of equal ones the shortest.
fn meanwhile(host: &HostTrace, start_ns: i64, end_ns: i64, offset_ns: i64) -> String {
    let (from, to) = (start_ns.saturating_add(offset_ns), end_ns.saturating_add(offset_ns));
    let covering = host.kept_slices().filter_map(|(_, slice)| {
        let covered = slice.end_ns.min(to).saturating_sub(slice.start_ns.max(from));
        (covered > 0).then_some((covered, slice.start_ns.saturating_sub(slice.end_ns), slice.name))
    });
    let best = covering.max_by_key(|&(covered, shorter, _)| (covered, shorter));
    best.map_or_else(String::new, |(.., name)| host.strings.get(name).to_owned())
}
