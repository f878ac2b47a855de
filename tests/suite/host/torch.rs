//! A real trace of the torch profiler: 868 slices on four threads, with flows and marks, and without
//! a word of the TPU.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use super::{CASE, first_on_device, is_device, merge, merge_text};
use crate::support::case::{case, fixture};
use crate::support::host::{Event, events_of, list_of, text_of};
use crate::support::multiset::assert_same;
use crate::support::run::analyzed;
use crate::support::trace::{Slice, Trace, Value, without_lane};

const UNALIGNED: &str = "host and device are not aligned";

fn file() -> PathBuf {
    fixture("host/torch_alexnet.json.gz")
}

fn shown() -> Vec<Event> {
    let events = events_of(&text_of(&file()));
    let shown: Vec<Event> = events.into_iter().filter(Event::is_shown_slice).collect();
    assert_eq!(shown.len(), 868 - 1, "all but the profiler's own");
    shown
}

fn merged() -> Trace {
    merge(&file(), &[]).trace()
}

/// What of a slice must be the JSON's, beside its thread.
fn line(name: &str, ts: i64, dur: i64, category: &str, args: &Value) -> String {
    format!("{name} {category} @{ts}+{dur} {args}")
}

fn host_lines(trace: &Trace) -> Vec<String> {
    let host = trace.slices.iter().filter(|slice| !is_device(&slice.track));
    host.map(|s| line(&s.name, s.ts, s.dur, &s.categories.join(","), &Value::Dict(s.args.clone())))
        .collect()
}

#[test]
fn every_slice_is_there_with_exact_times_and_arguments() {
    let expected = shown().into_iter().map(|event| {
        let (ts, dur) = event.span_ns();
        line(&event.text("name"), ts, dur, &event.text("cat"), &event.args())
    });
    assert_same("slices", expected, host_lines(&merged()));
}

#[test]
fn zipped_plain_object_or_list_make_no_difference() {
    let text = text_of(&file());
    let zipped = merge(&file(), &[]).files();
    let plain = merge_text(&text, &[]).files();
    let list = merge_text(&list_of(&text), &[]).files();
    assert!(zipped == plain, "zipped and plain differ");
    assert!(plain == list, "an object and a bare list differ");
}

/// The track of each thread, lanes aside.
fn tracks_by_thread(trace: &Trace) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut by_thread: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for event in shown() {
        let span = event.span_ns();
        let name = event.text("name");
        let found = trace.slices.iter().filter(|s| (s.ts, s.dur) == span && s.name == name);
        let tracks = found.map(|s| without_lane(&s.track).to_owned()).collect::<BTreeSet<_>>();
        // Slices that only time and name tell apart say nothing here.
        if tracks.len() == 1 {
            by_thread.entry(event.thread()).or_default().extend(tracks);
        }
    }
    by_thread
}

#[test]
fn each_thread_has_a_track_named_from_the_metadata() {
    let by_thread = tracks_by_thread(&merged());
    let names: BTreeMap<(String, String), String> = events_of(&text_of(&file()))
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
    let events = shown();
    let mut nested = 0;
    for (thread, tracks) in tracks_by_thread(&trace) {
        let of_thread = events.iter().filter(|event| event.thread() == thread);
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

#[test]
fn marks_are_kept() {
    let events = events_of(&text_of(&file()));
    let marks = events.iter().filter(|event| event.is("i"));
    let expected = marks.map(|event| format!("{} @{}", event.text("name"), event.start().ns()));
    let trace = merged();
    let found = trace.instants.iter().filter(|m| m.flows.is_empty() && m.ended_flows.is_empty());
    let found: Vec<String> = found.map(|mark| format!("{} @{}", mark.name, mark.ts)).collect();
    assert_eq!(found.len(), 2);
    assert_same("marks", expected, found);
}

#[test]
fn every_point_of_a_flow_is_kept() {
    let events = events_of(&text_of(&file()));
    let points = |phase: &str| events.iter().filter(|event| event.is(phase)).count();
    let trace = merged();
    let all: Vec<&Slice> = trace
        .slices
        .iter()
        .filter(|slice| !is_device(&slice.track))
        .chain(&trace.instants)
        .collect();
    assert_eq!(all.iter().map(|slice| slice.flows.len()).sum::<usize>(), points("s"));
    assert_eq!(all.iter().map(|slice| slice.ended_flows.len()).sum::<usize>(), points("f"));
    // A flow of one start and one end joins the very slices that hold its points.
    let started: BTreeSet<u64> = all.iter().flat_map(|slice| slice.flows.clone()).collect();
    let ended: BTreeSet<u64> = all.iter().flat_map(|slice| slice.ended_flows.clone()).collect();
    assert_eq!((started.len(), ended.len()), (points("s"), points("f")), "one number, one flow");
    let ids = |phase: &str| -> BTreeSet<String> {
        events.iter().filter(|event| event.is(phase)).map(|event| event.text("id")).collect()
    };
    let whole = ids("s").intersection(&ids("f")).count();
    assert_eq!(started.intersection(&ended).count(), whole);
    assert!(whole > 100);
}

#[test]
fn without_an_anchor_the_device_stays_and_a_warning_says_so() {
    let run = merge(&file(), &[]);
    assert!(run.said.stderr.contains(UNALIGNED), "{}", run.said.stderr);
    assert!(run.said.stderr.starts_with("warning: "));
    let alone = analyzed(&case(CASE).dump(), &["--perfetto"]).trace();
    let device = |trace: &Trace| -> Vec<String> {
        let slices = trace.slices.iter().filter(|slice| is_device(&slice.track));
        slices.map(Slice::line).collect()
    };
    let trace = run.trace();
    assert_eq!(first_on_device(&trace), first_on_device(&alone));
    assert_same("device slices", device(&alone), device(&trace));
}

#[test]
fn the_device_can_be_put_at_the_hosts_start() {
    let run = merge(&file(), &["--host_align", "start"]);
    assert!(run.said.stderr.contains("not aligned"), "{}", run.said.stderr);
    let alone = first_on_device(&analyzed(&case(CASE).dump(), &["--perfetto"]).trace());
    let host = shown().iter().map(|event| event.start().ns()).min().unwrap();
    assert_eq!(first_on_device(&run.trace()), host + alone);
    assert_same("host slices", host_lines(&merged()), host_lines(&run.trace()));
}

#[test]
fn the_fixture_is_zipped() {
    assert!(fs::read(file()).unwrap().starts_with(&[0x1f, 0x8b]));
}
