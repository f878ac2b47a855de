//! Events of a host trace on the time line of a dump.

use std::path::Path;

use bigtpu_host_trace::{HostAlign, TraceError};
use bigtpu_timeline::Profile;

use super::phase::HostEvent;
use crate::host::Host;

/// All events of the host, with times of the device.
pub(super) fn events(file: &Path, profile: &Profile<'_>) -> Result<Vec<HostEvent>, TraceError> {
    let host = Host::open(file, HostAlign::Anchors)?;
    let offset = host.device_offset(profile);
    let trace = &host.trace;
    let event = |slice: &bigtpu_host_trace::HostSlice| HostEvent {
        name: trace.strings.get(slice.name).to_owned(),
        start: slice.start_ns.saturating_sub(offset),
    };
    Ok(trace.slices.iter().map(event).collect())
}
