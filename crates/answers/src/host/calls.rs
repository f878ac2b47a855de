//! Calls of `tpudnn`: what launches kernels.

use bigtpu_host_trace::{HostTrace, TPUDNN};

/// Times beyond this many ns (73 years) are taken for it, so that differences stay within 64 bits.
const MOST_NS: i64 = i64::MAX / 4;

/// A time of the host on the device's time line, in ns.
pub(super) fn device_time(host_ns: i64, offset_ns: i64) -> i64 {
    host_ns.saturating_sub(offset_ns).clamp(-MOST_NS, MOST_NS)
}

/// A call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Call {
    /// Position in [`HostTrace::slices`].
    pub(super) slice: usize,
    /// Its thread.
    pub(super) thread: u32,
    /// Start in device time, ns.
    pub(super) start_ns: i64,
    /// End in device time, ns.
    pub(super) end_ns: i64,
}

/// All calls in the order of their starts.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls {
    pub(super) all: Vec<Call>,
    /// What makes device times host times.
    pub(super) offset_ns: i64,
}

impl Calls {
    /// Calls that are not within another one of their thread.
    pub(super) fn collect(host: &HostTrace, offset_ns: i64) -> Self {
        let Some(tpudnn) = host.strings.lookup(TPUDNN) else {
            return Self { offset_ns, ..Self::default() };
        };
        let mut all: Vec<Call> = host
            .kept_slices()
            .filter(|(_, slice)| slice.cat == tpudnn)
            .map(|(position, slice)| Call {
                slice: position,
                thread: slice.thread,
                start_ns: device_time(slice.start_ns, offset_ns),
                end_ns: device_time(slice.end_ns, offset_ns),
            })
            .collect();
        all.sort_by_key(|call| (call.start_ns, -call.end_ns, call.slice));
        let mut ends: Vec<i64> = vec![i64::MIN; host.threads.len()];
        all.retain(|call| match ends.get_mut(call.thread as usize) {
            Some(end) if call.end_ns <= *end && call.start_ns < *end => false,
            Some(end) => {
                *end = (*end).max(call.end_ns);
                true
            }
            None => true,
        });
        Self { all, offset_ns }
    }
}
