//! Flows of the host trace.

use std::collections::HashMap;

use bigtpu_host_trace::{EventId, FlowPhase, HostTrace, StrId};

use super::threads::{Content, Mark};
use crate::event_flows::FlowPoint;
use crate::launches::LaunchFlow;

/// Host flows are numbered from here on, device flows below.
const FIRST_FLOW: u64 = 1 << 40;

/// Ties each flow point to the slice that holds it: the innermost one around its time or, for an end that
/// binds to what follows, the next one. A point without a slice becomes a mark.
///
/// A viewer drops the end of a flow that did not start. So a flow ends where its slice begins only if it started before
/// that, else where the slice ends; an end whose start the trace does not hold has no arrow and is left out.
pub(super) fn attach(host: &HostTrace, threads: &mut [[Content; 2]], tpudnn: Option<StrId>) {
    let mut numbers: HashMap<(StrId, StrId, EventId), u64> = HashMap::new();
    let mut started: HashMap<u64, i64> = HashMap::new();
    let mut ends: Vec<End> = Vec::new();
    let mut found: Vec<Option<Finder>> = Vec::new();
    found.resize_with(threads.len(), || None);
    for (position, flow) in host.flows.iter().enumerate() {
        let next = FIRST_FLOW + numbers.len() as u64;
        let number = *numbers.entry((flow.cat, flow.name, flow.id)).or_insert(next);
        let is_end = flow.phase == FlowPhase::End;
        let thread = flow.thread as usize;
        let Some(sides) = threads.get_mut(thread) else { continue };
        let finder = found[thread].get_or_insert_with(|| Finder::new(host, sides));
        let binds_next = is_end && !flow.binds_enclosing;
        let at = match finder.find(flow.at_ns, binds_next) {
            Some(Holder { side, slice, start }) if is_end => {
                ends.push(End { thread, side, slice, number, start });
                continue;
            }
            Some(Holder { side, slice, start }) => {
                sides[side].flows.push((slice, FlowPoint::Start, number));
                start
            }
            None => {
                let side = usize::from(Some(flow.cat) == tpudnn);
                sides[side].marks.push((flow.at_ns, Mark::LooseFlow(position, number, is_end)));
                flow.at_ns
            }
        };
        if !is_end {
            started.entry(number).and_modify(|first| *first = at.min(*first)).or_insert(at);
        }
    }
    for End { thread, side, slice, number, start } in ends {
        let Some(&first) = started.get(&number) else { continue };
        let point = if first < start { FlowPoint::End } else { FlowPoint::EndBehind };
        threads[thread][side].flows.push((slice, point, number));
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
        // Positions are in order: they were found one after another.
        if let Ok(place) = side.slices.binary_search(&launch.call) {
            side.flows.push((place, FlowPoint::Start, *number));
        }
    }
}

/// The slice at which a flow ends.
struct End {
    thread: usize,
    side: usize,
    /// Place in the side's slices.
    slice: usize,
    number: u64,
    /// ns; start of the slice.
    start: i64,
}

/// The slice that holds a point.
struct Holder {
    side: usize,
    /// Place in the side's slices.
    slice: usize,
    /// ns; start of the slice.
    start: i64,
}

/// Finds slices of a thread by time.
struct Finder {
    /// (start, end, side, place in the side's slices), by start and, at the same start, longest first.
    slices: Vec<(i64, i64, usize, usize)>,
    /// Slice that holds each slice.
    outer: Vec<Option<usize>>,
}

impl Finder {
    fn new(host: &HostTrace, sides: &[Content; 2]) -> Self {
        let mut slices: Vec<(i64, i64, usize, usize)> = Vec::new();
        for (side, content) in sides.iter().enumerate() {
            for (place, &position) in content.slices.iter().enumerate() {
                let slice = &host.slices[position];
                slices.push((slice.start_ns, slice.end_ns, side, place));
            }
        }
        slices.sort_by_key(|&(start, end, ..)| (start, std::cmp::Reverse(end)));
        let mut open: Vec<usize> = Vec::new();
        let outer = (0..slices.len())
            .map(|i| {
                while open.last().is_some_and(|&o| slices[o].1 < slices[i].1) {
                    open.pop();
                }
                let outer = open.last().copied();
                open.push(i);
                outer
            })
            .collect();
        Self { slices, outer }
    }

    fn find(&self, at: i64, binds_next: bool) -> Option<Holder> {
        let holder =
            |&(start, _, side, slice): &(i64, i64, usize, usize)| Holder { side, slice, start };
        let after = self.slices.partition_point(|s| s.0 <= at);
        let mut candidate = after.checked_sub(1);
        while let Some(i) = candidate {
            if at <= self.slices[i].1 {
                return Some(holder(&self.slices[i]));
            }
            candidate = self.outer[i];
        }
        self.slices.get(after).filter(|_| binds_next).map(holder)
    }
}
