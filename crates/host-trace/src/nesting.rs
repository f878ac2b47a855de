//! Lays the slices of one thread out in lanes in each of which they nest.
//!
//! Viewers show a track as a stack: what begins last ends first. Slices of a thread mostly obey
//! that; those that overlap without nesting go to further lanes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bigtpu_output::lanes::{FREE, LaneTree};

use crate::model::{AsyncSlice, HostSlice};

/// When a slice starts and ends, ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The start, ns.
    pub start_ns: i64,
    /// The end, ns; one before the start counts as the start.
    pub end_ns: i64,
}

impl From<&HostSlice> for Span {
    fn from(slice: &HostSlice) -> Self {
        Self { start_ns: slice.start_ns, end_ns: slice.end_ns }
    }
}

impl From<&AsyncSlice> for Span {
    fn from(slice: &AsyncSlice) -> Self {
        Self { start_ns: slice.start_ns, end_ns: slice.end_ns }
    }
}

/// The begin or the end of a slice in its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceEdge {
    /// The slice's position in what was given.
    pub slice: usize,
    /// When, ns.
    pub at_ns: i64,
    /// Whether the slice begins here.
    pub begin: bool,
}

/// Keeps those that lie within no other, by start: of steps or calls within each other the outermost. `span_of`: the
/// start and the end of one, ns; of those with the same span the first stays.
pub fn keep_outermost<T>(all: &mut Vec<T>, span_of: impl Fn(&T) -> (i64, i64)) {
    all.sort_by_key(|one| {
        let (start, end) = span_of(one);
        (start, Reverse(end))
    });
    let mut until = i64::MIN;
    all.retain(|one| {
        let (start, end) = span_of(one);
        let is_outer = start >= until;
        until = until.max(end);
        is_outer
    });
}

/// Assigns each slice to a lane; gives each lane's begins and ends in the order to write them.
///
/// Slices are taken by start, the longer first, then as given. Each goes to the first lane in
/// which nothing is open, or the innermost open slice lasts as long as it. In each lane times do
/// not decrease and each end closes the last begin still open; at one time ends come before
/// begins (a slice of no duration begins and ends after the other ends) and parents begin before
/// their children. Takes O(n log n) time.
#[must_use]
pub fn nest(spans: &[Span]) -> Vec<Vec<SliceEdge>> {
    let mut order: Vec<(i64, Reverse<i64>, usize)> = spans
        .iter()
        .enumerate()
        .map(|(slice, span)| (span.start_ns, Reverse(span.end_ns.max(span.start_ns)), slice))
        .collect();
    order.sort_unstable();

    let mut layout =
        Layout { lanes: Vec::new(), tree: LaneTree::default(), ends: BinaryHeap::new() };
    for (start, Reverse(end), slice) in order {
        layout.end_until(start);
        layout.begin(slice, start, end);
    }
    layout.end_until(i64::MAX);
    layout.lanes.into_iter().map(|lane| lane.edges).collect()
}

#[derive(Default)]
struct Lane {
    edges: Vec<SliceEdge>,
    /// Open slices and their ends, the innermost last.
    open: Vec<(usize, i64)>,
}

struct Layout {
    lanes: Vec<Lane>,
    tree: LaneTree,
    /// The ends of all open slices and their lanes, the earliest on top.
    ends: BinaryHeap<Reverse<(i64, usize)>>,
}

impl Layout {
    fn begin(&mut self, slice: usize, start: i64, end: i64) {
        let place = self.tree.first_with(end);
        if place >= self.lanes.len() {
            self.lanes.resize_with(place + 1, Lane::default);
        }
        if let Some(lane) = self.lanes.get_mut(place) {
            lane.edges.push(SliceEdge { slice, at_ns: start, begin: true });
            lane.open.push((slice, end));
        }
        self.tree.set(place, end);
        self.ends.push(Reverse((end, place)));
    }

    /// Ends all slices that end at `time` or before.
    fn end_until(&mut self, time: i64) {
        while let Some(&Reverse((end, place))) = self.ends.peek() {
            if end > time {
                break;
            }
            self.ends.pop();
            let Some(lane) = self.lanes.get_mut(place) else {
                continue;
            };
            // A lane's innermost slice is the one that ends first.
            if let Some((slice, end)) = lane.open.pop() {
                lane.edges.push(SliceEdge { slice, at_ns: end, begin: false });
            }
            self.tree.set(place, lane.open.last().map_or(FREE, |&(_, end)| end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_spans_within_others_the_outermost_stay() {
        let mut all = vec![("in", 3, 5), ("out", 1, 9), ("also out", 1, 9), ("next", 9, 10)];
        keep_outermost(&mut all, |(_, start, end)| (*start, *end));
        assert_eq!(all.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), ["out", "next"]);
    }
}
