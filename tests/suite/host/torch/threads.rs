//! A track for each thread, on which slices nest as they did on the thread.

use std::collections::{BTreeMap, BTreeSet};

use super::{events, merged, shown};
use crate::support::multiset::assert_same;
use crate::support::trace::{Slice, Trace, Value, without_lane};

/// The track of each thread, lanes aside.
fn tracks_by_thread(trace: &Trace) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut by_thread: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for event in shown() {
        let span = event.span_ns();
        let name = event.text("name");
        let found = trace.slices.iter().filter(|s| (s.ts, s.dur) == span && s.name == name);
        let tracks = found.map(|s| without_lane(&s.track).to_owned()).collect::<BTreeSet<_>>();
        // Slices that only time and name distinguish say nothing here.
        if tracks.len() == 1 {
            by_thread.entry(event.thread()).or_default().extend(tracks);
        }
    }
    by_thread
}

#[test]
fn each_thread_has_a_track_named_from_the_metadata() {
    let by_thread = tracks_by_thread(&merged());
    let names: BTreeMap<(String, String), String> = events()
        .iter()
        .filter(|event| event.is("M") && event.text("name") == "thread_name")
        .map(|event| match event.args() {
            Value::Dict(args) => (event.thread(), args[0].1.text().unwrap().to_owned()),
            args => panic!("{args}"),
        })
        .collect();
    assert_eq!(by_thread.len(), 4);
    let mut all = BTreeSet::new();
    for (thread, tracks) in by_thread {
        assert_eq!(tracks.len(), 1, "{thread:?} is on {tracks:?}");
        let track = tracks.into_iter().next().unwrap();
        let child = track.strip_prefix("cpu op/").unwrap_or_else(|| panic!("{track}"));
        assert!(child.contains(names[&thread].trim()), "{thread:?} is called {child:?}");
        assert!(all.insert(track), "two threads share a track");
    }
}

/// How many of the slices are around each of them; `None` if some overlap without nesting.
fn depths(mut spans: Vec<(i64, i64, String)>) -> Option<Vec<String>> {
    // A longer slice that starts at the same time is around the shorter.
    spans.sort_by_key(|&(ts, dur, _)| (ts, -dur));
    let mut open: Vec<i64> = Vec::new();
    let mut depths = Vec::new();
    for (ts, dur, name) in spans {
        open.retain(|&end| end > ts);
        if open.iter().any(|&outer| outer < ts + dur) {
            return None;
        }
        depths.push(format!("{name} @{ts}+{dur} under {}", open.len()));
        open.push(ts + dur);
    }
    Some(depths)
}

/// The depths that the trace shows on a track or lane.
fn shown_depths(trace: &Trace, track: &str) -> Vec<String> {
    let slices = trace.slices.iter().filter(|slice| slice.track == track);
    slices.map(|s| format!("{} @{}+{} under {}", s.name, s.ts, s.dur, s.depth)).collect()
}

#[test]
fn nesting_is_kept() {
    let trace = merged();
    let slices = shown();
    let mut nested = 0;
    for (thread, tracks) in tracks_by_thread(&trace) {
        let of_thread = slices.iter().filter(|event| event.thread() == thread);
        let spans = of_thread.map(|event| {
            let (ts, dur) = event.span_ns();
            (ts, dur, event.text("name"))
        });
        // Streams of a GPU are rounded to microseconds and overlap: they need further lanes.
        let Some(expected) = depths(spans.collect()) else { continue };
        nested = nested.max(expected.len());
        let track = tracks.first().unwrap();
        assert_same(track, expected, shown_depths(&trace, track));
    }
    assert!(nested > 700, "the thread of the model is nested throughout");
}

#[test]
fn lanes_are_nested_too() {
    let trace = merged();
    let lanes: BTreeSet<&str> =
        trace.paths().into_iter().filter(|path| path.starts_with("cpu op/")).collect();
    assert!(lanes.iter().any(|lane| lane.ends_with(" #2")));
    for lane in lanes {
        let mut slices: Vec<&Slice> = trace.slices.iter().filter(|s| s.track == lane).collect();
        // Of slices that take the same time, the trace says which is around which.
        slices.sort_by_key(|slice| slice.depth);
        let spans = slices.iter().map(|s| (s.ts, s.dur, s.name.clone())).collect();
        let expected = depths(spans).unwrap_or_else(|| panic!("{lane}: slices overlap"));
        assert_same(lane, expected, shown_depths(&trace, lane));
    }
}
