//! Every event of a trace is shown, or counted as not shown with a reason.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::path::PathBuf;

use bigtpu_host_trace::{FileClock, Hidden, HostTrace, InstantKind, ReadOptions};
use common::{args, name, read};
use proptest::prelude::*;

fn launches(starts: &str, ends: &str) -> HostTrace {
    read(&format!(
        r#"[{{"ph":"X","name":"launch","pid":1,"tid":1,"ts":10,"dur":5}},
        {{"ph":"X","name":"k1","pid":2,"tid":7,"ts":20,"dur":5}},
        {{"ph":"X","name":"k2","pid":2,"tid":7,"ts":30,"dur":5}},
        {{"ph":"X","name":"early","pid":2,"tid":8,"ts":1,"dur":2}},
        {{"ph":"X","name":"around","pid":2,"tid":9,"ts":8,"dur":9}},{starts},{ends}]"#
    ))
}

fn flow(phase: char, id: u32, (pid, tid): (u32, u32), ts: u32) -> String {
    format!(
        r#"{{"ph":"{phase}","bp":"e","cat":"c","name":"n","id":{id},"pid":{pid},"tid":{tid},"ts":{ts}}}"#
    )
}

/// The arrows as `start > end`, by slices.
fn arrows(trace: &HostTrace) -> Vec<String> {
    let slice = |position: u32| {
        let slice = trace.flows[position as usize].slice.map(|slice| trace.slices[slice as usize]);
        slice.map_or("mark", |slice| name(trace, slice.name))
    };
    let behind = |behind| if behind { " behind" } else { "" };
    let arrows = trace.arrows.iter();
    arrows
        .map(|a| format!("{} > {}{}", slice(a.from), slice(a.to), behind(a.ends_behind)))
        .collect()
}

#[test]
fn a_start_has_an_arrow_to_each_of_its_ends() {
    let start = flow('s', 7, (1, 1), 11);
    let ends = [flow('f', 7, (2, 7), 20), flow('f', 7, (2, 7), 30)].join(",");
    let trace = launches(&start, &ends);
    assert_eq!(arrows(&trace), ["launch > k1", "launch > k2"]);
    assert_eq!((trace.tally.arrows, trace.tally.hidden_events()), (3, 0));
    // A step goes on from the last start or step.
    let ends = [flow('t', 7, (2, 7), 20), flow('f', 7, (2, 7), 30)].join(",");
    assert_eq!(arrows(&launches(&start, &ends)), ["launch > k1", "k1 > k2"]);
    // What began before the start, and is not over: the clocks of host and device differ.
    assert_eq!(arrows(&launches(&start, &flow('f', 7, (2, 9), 9))), ["launch > around behind"]);
    // No slice is there.
    assert_eq!(arrows(&launches(&start, &flow('f', 7, (2, 9), 90))), ["launch > mark"]);
}

#[test]
fn points_without_an_arrow_are_counted_by_their_reason() {
    let (start, end) = (flow('s', 7, (1, 1), 11), flow('f', 8, (2, 7), 20));
    let trace = launches(&start, &end);
    let hidden: Vec<_> = trace.tally.hidden.into_iter().collect();
    assert_eq!(hidden, [(Hidden::ArrowWithoutEnd, 1), (Hidden::ArrowWithoutStart, 1)]);
    let trace = launches(&start, &flow('f', 7, (2, 8), 2));
    assert_eq!(trace.tally.hidden.get(&Hidden::ArrowBack), Some(&1));
    assert_eq!((trace.arrows.len(), trace.tally.accounted()), (0, trace.tally.read));
}

#[test]
fn every_phase_is_shown_or_counted() {
    let trace = read(
        r#"[{"ph":"S","name":"as","cat":"c","id":"0x1","ts":2,"pid":1,"tid":1},
        {"ph":"T","name":"as","cat":"c","id":"0x1","ts":3,"pid":1,"tid":1,"args":{"step":"s1"}},
        {"ph":"F","name":"as","cat":"c","id":"0x1","ts":5,"pid":1,"tid":1},{"ph":"P","name":"sample","ts":6,"pid":1,"tid":1},
        {"ph":"N","name":"o","id":1,"ts":6,"pid":1},{"ph":"O","name":"o","id":1,"ts":7,"pid":1},{"ph":"D","name":"o","id":1,"ts":8,"pid":1},
        {"ph":"c","name":"clock_sync","ts":8,"pid":1},{"ph":"V","name":"mem","ts":9,"pid":1,"id":"0x5"},{"ph":"v","name":"mem","ts":9,"pid":1},
        {"ph":"(","name":"ctx","ts":9,"pid":1,"id":"0x5"},{"ph":")","name":"ctx","ts":10,"pid":1,"id":"0x5"},
        {"ph":"L","name":"link","ts":10,"pid":1},{"ph":"q","ts":1},{"ph":"C","name":"n","ts":1,"args":{"x":NaN}}]"#,
    );
    assert_eq!((trace.async_slices[0].start_ns, trace.async_slices[0].end_ns), (2000, 5000));
    assert_eq!(args(&trace, trace.async_instants[0].args), "{step=s1}");
    let kinds: Vec<InstantKind> = trace.instants.iter().map(|mark| mark.kind).collect();
    let expected: Vec<InstantKind> =
        "PNODcVv()L".chars().filter_map(InstantKind::of_phase).collect();
    assert_eq!(kinds, expected);
    // Each of them says what it is, in words of its own.
    let names: BTreeSet<&str> = kinds.iter().filter_map(|kind| kind.name()).collect();
    assert_eq!(names.len(), kinds.len());
    let hidden: Vec<_> = trace.tally.hidden.iter().map(|(why, count)| (*why, *count)).collect();
    assert_eq!(hidden, [(Hidden::CounterWithoutNumber, 1), (Hidden::Phase('q'), 1)]);
    assert_eq!(
        trace.tally.to_string(),
        "15 events read = 2 of slices + 0 of arrows + 11 instants + 0 of counters + 0 of metadata + 2 not shown \
         (1 counters without a finite number, 1 of phase q)"
    );
}

#[test]
fn a_lone_surrogate_costs_one_character() {
    let trace = read(
        r#"[{"ph":"X","cat":"\u7528户","name":"前 \ud83d\ude00 \ud83d","ts":1,"dur":3,"pid":"\udc00"}]"#,
    );
    assert_eq!(name(&trace, trace.slices[0].name), "前 \u{1f600} \u{fffd}");
    assert_eq!(name(&trace, trace.slices[0].cat), "用户");
    assert_eq!(trace.files[0].stats.repaired, 1);
}

/// Files of one run on one clock: their ids do not mix, and what has no base is told.
#[test]
fn several_files_are_on_the_clock_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, base: &str, ts: u32| -> PathBuf {
        let path = dir.path().join(name);
        let (s, f) = (flow('s', 1, (1, 1), ts), flow('f', 1, (1, 1), ts + 20));
        let events = format!(
            r#"{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":5}},{{"ph":"X","name":"to","pid":1,"tid":1,"ts":{},"dur":5}},
            {{"ph":"b","cat":"a","id":1,"name":"wait","pid":1,"ts":{ts}}},{s},{f},
            {{"ph":"X","cat":"tpudnn","name":"disable_profile","pid":1,"tid":2,"ts":{ts},"dur":50}}"#,
            ts + 20
        );
        std::fs::write(&path, format!(r#"{{"traceEvents":[{events}]{base}}}"#)).unwrap();
        path
    };
    let first = file("one", r#","baseTimeNanoseconds":1700000000000000000"#, 100);
    let later = file("two", r#","baseTimeNanoseconds":1700000000000050000"#, 100);
    let none = file("three", "", 100);
    let trace = HostTrace::open_all(&[first, later, none], &ReadOptions::default()).unwrap();
    let starts: Vec<(&str, i64)> =
        trace.kept_slices().map(|(_, slice)| (name(&trace, slice.name), slice.start_ns)).collect();
    let expected = [
        ("one", 100_000),
        ("to", 120_000),
        ("two", 150_000),
        ("to", 170_000),
        ("three", 100_000),
        ("to", 120_000),
    ];
    assert_eq!(starts, expected);
    let clocks: Vec<FileClock> = trace.files.iter().map(|file| file.clock).collect();
    assert_eq!(clocks, [FileClock::First, FileClock::Moved(50_000), FileClock::Unknown]);
    assert_eq!(arrows(&trace), ["one > to", "two > to", "three > to"]);
    // The begins of one id in three files are three.
    assert_eq!(
        (trace.async_tracks.len(), trace.tally.hidden.get(&Hidden::BeginWithoutEnd)),
        (3, Some(&3))
    );
    assert_eq!(trace.anchors.disable_end.as_ref().unwrap().trunc_ns(), 200_000);
    assert_eq!((trace.tally.read, trace.tally.accounted(), trace.processes.len()), (18, 18, 1));
}

proptest! {
    #[test]
    fn all_events_are_accounted_for(
        events in proptest::collection::vec((0usize..26, 0u32..4, 0u32..3, -20i32..60, 0u32..30), 0..60)
    ) {
        let phases: Vec<char> = "XXXBEbnesstffSTFpiCMPNODq?".chars().collect();
        let texts = events.iter().map(|&(phase, id, tid, ts, dur)| {
            let ph = phases[phase];
            let name = ["a", "process_name", "disable_profile", "n"][id as usize];
            let value = ["1", "NaN", "\"x\"", "{}"][id as usize];
            format!(r#"{{"ph":"{ph}","name":"{name}","cat":"c","id":{id},"pid":1,"tid":{tid},"ts":{ts},"dur":{dur},"args":{{"name":{value}}}}}"#)
        });
        let trace = read(&format!("[{}]", texts.collect::<Vec<_>>().join(",")));
        prop_assert_eq!(trace.tally.read, events.len() as u64);
        prop_assert_eq!(trace.tally.accounted(), trace.tally.read, "{}", trace.tally);
    }
}
