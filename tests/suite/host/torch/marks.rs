//! Marks, and flows between slices.

use std::collections::{BTreeMap, BTreeSet};

use super::super::is_device;
use super::{events, merged, shown};
use crate::support::host::Event;
use crate::support::multiset::assert_same;
use crate::support::trace::{Slice, Trace};

#[test]
fn instants_are_kept() {
    let events = events();
    let marks = events.iter().filter(|event| event.is("i"));
    let expected = marks.map(|event| format!("{} @{}", event.text("name"), event.start().ns()));
    let trace = merged();
    let found = trace.instants.iter().filter(|m| m.flows.is_empty() && m.ended_flows.is_empty());
    let found: Vec<String> = found.map(|mark| format!("{} @{}", mark.name, mark.ts)).collect();
    assert_eq!(found.len(), 2);
    assert_same("marks", expected, found);
}

/// Slices and marks of the host.
fn of_host(trace: &Trace) -> Vec<&Slice> {
    let slices = trace.slices.iter().filter(|slice| !is_device(&slice.track));
    slices.chain(&trace.instants).collect()
}

#[test]
fn every_point_of_a_flow_with_both_ends_is_kept() {
    let events = events();
    let ids = |phase: &str| -> BTreeSet<String> {
        events.iter().filter(|event| event.is(phase)).map(|event| event.text("id")).collect()
    };
    let (starts, ends) = (ids("s"), ids("f"));
    let whole = starts.intersection(&ends).count();
    assert!(whole > 100 && whole < ends.len(), "{whole} of {} ends", ends.len());
    let trace = merged();
    let of_host = of_host(&trace);
    let numbers = |flows: fn(&Slice) -> &Vec<u64>| -> Vec<u64> {
        of_host.iter().flat_map(|slice| flows(slice)).copied().collect()
    };
    let (started, ended) = (numbers(|slice| &slice.flows), numbers(|slice| &slice.ended_flows));
    // What has no other end is no arrow.
    assert_eq!((started.len(), ended.len()), (whole, whole));
    let distinct = |flows: Vec<u64>| flows.into_iter().collect::<BTreeSet<_>>().len();
    assert_eq!((distinct(started), distinct(ended)), (whole, whole), "one flow, one number");
}

/// The innermost slice around a point of a flow.
fn enclosing_slice(slices: &[Event], point: &Event) -> Option<String> {
    let at = point.start();
    let of_thread = slices.iter().filter(|slice| slice.thread() == point.thread());
    // Of slices that take the same time, the later in the file is inside.
    let innermost = of_thread
        .rev()
        .filter(|slice| slice.start() <= at && at <= slice.end())
        .min_by_key(|slice| (std::cmp::Reverse(slice.start()), slice.end()))?;
    let (ts, dur) = innermost.span_ns();
    Some(format!("{} @{ts}+{dur}", innermost.text("name")))
}

#[test]
fn flows_join_the_slices_around_their_points() {
    let slices = shown();
    let mut expected: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
    for event in events() {
        for (side, phase) in ["s", "f"].into_iter().enumerate() {
            if event.is(phase) {
                expected.entry(event.text("id")).or_default()[side] =
                    enclosing_slice(&slices, &event);
            }
        }
    }
    let mut found: BTreeMap<u64, [Option<String>; 2]> = BTreeMap::new();
    let trace = merged();
    for slice in trace.slices.iter().filter(|slice| !is_device(&slice.track)) {
        let line = format!("{} @{}+{}", slice.name, slice.ts, slice.dur);
        for (side, flows) in [&slice.flows, &slice.ended_flows].into_iter().enumerate() {
            for &flow in flows {
                found.entry(flow).or_default()[side] = Some(line.clone());
            }
        }
    }
    let joined = |ends: [Option<String>; 2]| match ends {
        [Some(start), Some(end)] => Some(format!("{start} -> {end}")),
        _ => None,
    };
    let expected: Vec<String> = expected.into_values().filter_map(joined).collect();
    assert!(expected.len() > 100, "only {} whole flows", expected.len());
    assert_same("flows", expected, found.into_values().filter_map(joined));
}
