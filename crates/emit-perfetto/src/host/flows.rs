//! Flows of the host trace: one for each arrow.

use bigtpu_host_trace::{ArrowPoint, HostTrace, StrId};

use super::threads::{Content, Mark};
use crate::event_flows::FlowPoint;
use crate::launches::LaunchFlow;

/// Host flows are numbered from here on, device flows below.
const FIRST_FLOW: u64 = 1 << 40;

/// Adds the arrows to the slices at which they start and end. A point without a slice becomes a mark.
///
/// Each arrow is a flow with a number of its own: of a flow with several ends viewers show the first. An arrow that ends
/// where its slice begins starts before that; others end where the slice is over, see [`bigtpu_host_trace::Arrow`].
pub(super) fn attach(host: &HostTrace, threads: &mut [[Content; 2]], tpudnn: Option<StrId>) {
    for (position, flow) in host.flows.iter().enumerate().filter(|(_, flow)| flow.slice.is_none()) {
        if let Some(sides) = threads.get_mut(flow.thread as usize) {
            let side = &mut sides[usize::from(Some(flow.cat) == tpudnn)];
            side.marks.push((host.bulk.shown_ns(flow.at_ns), Mark::LooseFlow(position)));
        }
    }
    for (number, arrow) in (FIRST_FLOW..).zip(&host.arrows) {
        let end = if arrow.ends_behind { FlowPoint::EndBehind } else { FlowPoint::End };
        for (position, point) in [(arrow.from, FlowPoint::Start), (arrow.to, end)] {
            let position = position as usize;
            let Some(flow) = host.flows.get(position) else { continue };
            add(host, threads, tpudnn, (position, flow), (point, number));
        }
    }
}

/// Adds one end of an arrow.
fn add(
    host: &HostTrace,
    threads: &mut [[Content; 2]],
    tpudnn: Option<StrId>,
    (position, flow): (usize, &ArrowPoint),
    (point, number): (FlowPoint, u64),
) {
    let slice = flow.slice.map(|slice| slice as usize);
    let cat = slice.and_then(|slice| host.slices.get(slice)).map_or(flow.cat, |slice| slice.cat);
    let Some(sides) = threads.get_mut(flow.thread as usize) else { return };
    let side = &mut sides[usize::from(Some(cat) == tpudnn)];
    match slice {
        None => side.flows_of_marks.push((position, point, number)),
        // Positions are in order: they were found one after another.
        Some(slice) => {
            if let Ok(place) = side.slices.binary_search(&slice) {
                side.flows.push((place, point, number));
            }
        }
    }
}

/// Adds the flows from calls to what they launched on a device: they start where the call does.
pub(super) fn launches(
    host: &HostTrace,
    threads: &mut [[Content; 2]],
    tpudnn: Option<StrId>,
    launches: &[LaunchFlow],
) {
    for LaunchFlow { number, launch } in launches {
        let Some(slice) = host.slices.get(launch.call) else { continue };
        let Some(sides) = threads.get_mut(slice.thread as usize) else { continue };
        let side = &mut sides[usize::from(Some(slice.cat) == tpudnn)];
        if let Ok(place) = side.slices.binary_search(&launch.call) {
            side.flows.push((place, FlowPoint::Start, *number));
        }
    }
}
