//! The critical path as a track of its own.

use std::sync::Arc;

use bigtpu_replay::CriticalPath;
use bigtpu_timeline::Profile;

use crate::model::{Content, Detail, Group, Owner, Role, Slice, Slices, Track};

/// Name of the track.
const NAME: &str = "Critical Path";

/// What the run waited for, from its first start to its last end without gaps.
pub(crate) fn path_group(profile: &Profile<'_>, path: &CriticalPath) -> Group {
    let origin = profile.tracks().flat_map(|t| &t.events.start).min().copied().unwrap_or(0);
    let kernels: Vec<Arc<str>> = profile.kernels.iter().map(|name| name.as_str().into()).collect();
    let slice = |segment: &bigtpu_replay::Segment| {
        let kernel = segment.kernel.and_then(|k| kernels.get(k as usize)).cloned();
        Slice {
            start: origin.saturating_add(segment.start),
            end: origin.saturating_add(segment.end),
            name: segment.reason.name().to_owned(),
            detail: Detail::Path { engine_id: segment.engine_id, event: segment.event.1, kernel },
        }
    };
    let slices = Slices::new(path.segments.iter().map(slice).collect());
    let track = Track { role: Role::Named(NAME.to_owned()), content: Content::Slices(slices) };
    Group { owner: Owner::Named(NAME.to_owned()), tracks: vec![track] }
}
