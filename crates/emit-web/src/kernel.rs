//! Kernel scopes: which kernel a core or a CDMA port worked for.

use bigtpu_analysis::{Activity, KernelSlice, assign_lanes, kernel_slices};
use bigtpu_timeline::{Profile, Track};

use crate::column::Column;
use crate::track::{Body, Built};

/// The kernel track of some tracks that belong together; `None` without kernels.
pub(crate) fn kernel_track(
    profile: &Profile<'_>,
    tracks: &[&Track<'_>],
    offset: i64,
    core: i64,
) -> Option<Built> {
    let slices = kernel_slices(profile, tracks);
    if slices.is_empty() {
        return None;
    }
    let mut body = Body::default();
    let mut facts = [
        Column::signed("scope"),
        Column::text("batch"),
        Column::text("mode"),
        Column::plain("events"),
    ];
    for slice in &slices {
        let name = profile.kernels.get(slice.kernel as usize).map_or("", String::as_str);
        let name = body.names.index("kernel", name, Activity::Work);
        body.push(slice.start + offset, slice.end - slice.start, name, 0);
        let [scope, batch, mode, events] = &mut facts;
        scope.push(slice.scope.map_or(-1, i64::from));
        batch.push_text(&batches(slice));
        mode.push_text(&slice.modes.iter().map(|m| m.name()).collect::<Vec<_>>().join("/"));
        events.push_wide(slice.events);
    }
    let start: Vec<i64> = slices.iter().map(|s| s.start).collect();
    let end: Vec<i64> = slices.iter().map(|s| s.end.max(s.start)).collect();
    body.place(assign_lanes(&start, &end));
    Some(body.build("kernel", core, facts.into()))
}

fn batches(slice: &KernelSlice) -> String {
    slice.batches.iter().map(u32::to_string).collect::<Vec<_>>().join("/")
}
