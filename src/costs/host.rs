//! Events of a host trace on the time line of a dump.

use std::path::Path;

use anyhow::Result;
use bigtpu_costs::HostEvent;
use bigtpu_host_trace::{HostAlign, HostTrace, ReadOptions};
use bigtpu_timeline::Profile;

/// All events of the host, with times of the device.
pub(super) fn events(file: &Path, profile: &Profile<'_>) -> Result<Vec<HostEvent>> {
    let host = HostTrace::open(file, &ReadOptions::default())?;
    let offset =
        HostAlign::Anchors.device_offset(&host, profile.tail_offset_ns, profile.latest_end);
    let event = |slice: &bigtpu_host_trace::Slice| HostEvent {
        name: host.strings.get(slice.name).to_owned(),
        start: slice.start_ns.saturating_sub(offset),
    };
    Ok(host.slices.iter().map(event).collect())
}
