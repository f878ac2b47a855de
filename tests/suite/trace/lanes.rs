//! Records that overlap are on sibling lanes: a track in a viewer is a stack, and these do not nest.

use std::collections::BTreeMap;

use crate::support::case::with_reference;
use crate::support::dump::{DumpCopy, kind};
use crate::support::run::{Finished, analyzed};
use crate::support::trace::{Slice, Trace, lane_number, without_lane};

const CASE: &str = "aksv-mode1";

/// Slices of each track and lane, by time.
fn by_lane(trace: &Trace) -> BTreeMap<&str, Vec<&Slice>> {
    let mut lanes: BTreeMap<&str, Vec<&Slice>> = BTreeMap::new();
    for slice in &trace.slices {
        lanes.entry(&slice.track).or_default().push(slice);
    }
    lanes.values_mut().for_each(|slices| slices.sort_by_key(|slice| (slice.ts, slice.dur)));
    lanes
}

fn slices_of_a_lane_follow_one_another(what: &str, trace: &Trace) {
    for (lane, slices) in by_lane(trace) {
        for pair in slices.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            assert!(
                before.end() <= after.ts,
                "{what}: {} overlaps {}",
                before.line(),
                after.line()
            );
        }
        let nested = slices.iter().find(|slice| slice.depth > 0);
        assert!(nested.is_none(), "{what}: {lane} nests {nested:?}");
    }
}

/// The dump with core 0's GDMA records each lasting until one of those that follow starts, or `longer`.
fn overlapping(following: usize, longer: u32) -> Finished {
    let dump = DumpCopy::copy(CASE);
    dump.edit("cdmlib0_0.profile", |blocks| {
        let monitor = blocks.iter_mut().find(|block| block.kind == kind::GDMA).unwrap();
        let starts: Vec<Vec<u8>> =
            monitor.content.chunks_exact(64).map(|record| record[..4].to_vec()).collect();
        let records = monitor.content.chunks_exact_mut(64).enumerate();
        // The first two are the preamble.
        for (number, record) in records.skip(2) {
            let Some(start) = starts.get(number + following) else { continue };
            let end = u32::from_le_bytes(start.as_slice().try_into().unwrap()) + longer;
            record[4..8].copy_from_slice(&end.to_le_bytes());
        }
    });
    analyzed(&dump.path(), &["--perfetto"])
}

#[test]
fn device_slices_never_nest() {
    for case in with_reference().iter().filter(|case| case.host_trace().is_none()) {
        let trace = analyzed(&case.dump(), &case.args()).trace();
        slices_of_a_lane_follow_one_another(&case.name, &trace);
    }
}

#[test]
fn overlapping_records_take_as_many_lanes_as_they_need() {
    for (following, longer) in [(1, 1), (2, 0), (2, 1), (3, 0), (3, 1)] {
        let trace = overlapping(following, longer).trace();
        slices_of_a_lane_follow_one_another(CASE, &trace);
        let mut lanes: Vec<&str> =
            trace.paths().into_iter().filter(|path| without_lane(path) == "Core 0/GDMA").collect();
        lanes.sort_by_key(|lane| lane_number(lane));
        let numbers: Vec<u32> = lanes.iter().map(|lane| lane_number(lane)).collect();
        assert_eq!(numbers, (1..=following as u32 + longer).collect::<Vec<_>>(), "{lanes:?}");
        // Lanes are siblings of their track, at its place.
        let first = trace.track("Core 0/GDMA");
        for lane in lanes {
            let track = trace.track(lane);
            assert_eq!((&track.parent, track.rank), (&first.parent, first.rank), "{lane}");
        }
    }
}

#[test]
fn a_slice_is_placed_in_the_first_free_lane() {
    // A lane is free at the very moment at which its last slice ends.
    for (longer, lanes) in [(0, 2), (1, 3)] {
        let trace = overlapping(2, longer).trace();
        let mut until: Vec<i64> = Vec::new();
        for slice in trace.slices_on("Core 0/GDMA") {
            let free = until.iter().position(|&end| end <= slice.ts).unwrap_or(until.len());
            assert_eq!(lane_number(&slice.track), free as u32 + 1, "{}", slice.line());
            until.resize(until.len().max(free + 1), 0);
            until[free] = slice.end();
        }
        assert_eq!(until.len(), lanes);
    }
}
