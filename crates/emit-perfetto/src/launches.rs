//! Flows from a call of the host to the first kernel slice of what it launched.

use bigtpu_answers::HostLaunch;
use bigtpu_host_trace::HostTrace;
use bigtpu_timeline::Profile;

/// Flows of launches are numbered from here on: those of devices and of the host trace are below.
const FIRST_FLOW: u64 = 1 << 41;

/// A flow from a call to its launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaunchFlow {
    /// Its number.
    pub(crate) number: u64,
    /// Which launch.
    pub(crate) launch: HostLaunch,
}

/// The flows that viewers can show: those of calls before their launches. `before`: how many flows other devices have;
/// `calls`: starts of the host's slices; `offset`: what makes device times host times.
pub(crate) fn launch_flows(
    launches: &[HostLaunch],
    before: usize,
    calls: &[i64],
    offset: i64,
) -> Vec<LaunchFlow> {
    let shown = launches.iter().filter(|launch| {
        calls.get(launch.call).is_some_and(|call| *call < launch.start_ns.saturating_add(offset))
    });
    (FIRST_FLOW + before as u64..)
        .zip(shown)
        .map(|(number, &launch)| LaunchFlow { number, launch })
        .collect()
}

/// Where the slices of a host trace start as they are shown, in ns; none without one.
pub(crate) fn starts(host: Option<&HostTrace>) -> Vec<i64> {
    let Some(host) = host else { return Vec::new() };
    host.slices.iter().map(|slice| host.bulk.shown_ns(slice.start_ns)).collect()
}

/// The flows that end at a core's kernel slices.
#[derive(Debug, Clone, Default)]
pub(crate) struct KernelFlows {
    /// Start of the slice, name of its kernel, flow; by start.
    ends: Vec<(i64, String, u64)>,
}

impl KernelFlows {
    pub(crate) fn collect(flows: &[LaunchFlow], core: u32, profile: &Profile<'_>) -> Self {
        let of_core = flows.iter().filter(|flow| flow.launch.core == core);
        let end = |flow: &LaunchFlow| {
            let kernel = profile.kernels.get(flow.launch.kernel as usize)?;
            Some((flow.launch.start_ns, kernel.clone(), flow.number))
        };
        let mut ends: Vec<_> = of_core.filter_map(end).collect();
        ends.sort_unstable();
        Self { ends }
    }

    /// The flow that ends at the slice of a kernel.
    pub(crate) fn flow_at(&self, start: i64, kernel: &str) -> Option<u64> {
        let first = self.ends.partition_point(|end| end.0 < start);
        let same = self.ends.get(first..)?.iter().take_while(|end| end.0 == start);
        same.into_iter().find(|end| end.1 == kernel).map(|end| end.2)
    }
}
