//! Flows of the host trace.

use std::collections::HashMap;

use bigtpu_host_trace::{EventId, FlowPhase, HostTrace, StrId};

use super::threads::{Content, Mark};

/// Host flows are numbered from here on, device flows below.
const FIRST_FLOW: u64 = 1 << 40;

/// Ties each flow point to the slice that holds it: the innermost one around its time or, for an end that
/// binds to what follows, the next one. A point without a slice becomes a mark.
pub(super) fn attach(host: &HostTrace, threads: &mut [[Content; 2]], tpudnn: Option<StrId>) {
    let mut numbers: HashMap<(StrId, StrId, EventId), u64> = HashMap::new();
    let mut found: Vec<Option<Finder>> = Vec::new();
    found.resize_with(threads.len(), || None);
    for (position, flow) in host.flows.iter().enumerate() {
        let next = FIRST_FLOW + numbers.len() as u64;
        let number = *numbers.entry((flow.cat, flow.name, flow.id)).or_insert(next);
        let ends = flow.phase == FlowPhase::End;
        let thread = flow.thread as usize;
        let Some(sides) = threads.get_mut(thread) else { continue };
        let finder = found[thread].get_or_insert_with(|| Finder::new(host, sides));
        let binds_next = ends && !flow.binds_enclosing;
        match finder.find(flow.at_ns, binds_next) {
            Some((side, place)) => sides[side].flows.push((place, number, ends)),
            None => {
                let side = usize::from(Some(flow.cat) == tpudnn);
                sides[side].marks.push((flow.at_ns, Mark::LooseFlow(position, number, ends)));
            }
        }
    }
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

    fn find(&self, at: i64, binds_next: bool) -> Option<(usize, usize)> {
        let after = self.slices.partition_point(|s| s.0 <= at);
        let mut candidate = after.checked_sub(1);
        while let Some(i) = candidate {
            let (_, end, side, place) = self.slices[i];
            if at <= end {
                return Some((side, place));
            }
            candidate = self.outer[i];
        }
        let next = self.slices.get(after).filter(|_| binds_next)?;
        Some((next.2, next.3))
    }
}
