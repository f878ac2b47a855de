//! Small traces as profilers write them, each with one thing that is easily lost, event by event.

use super::{first_on_device, merge};
use crate::support::case::fixture;
use crate::support::run::{Finished, analyzed, finish, tool};
use crate::support::trace::{Slice, Trace, Value};

fn case(name: &str) -> Finished {
    merge(&fixture("host").join(name), &["-v"])
}

fn line(slice: &Slice) -> String {
    let args = Value::Dict(slice.args.clone());
    format!("{} @{}+{} [{}] {args}", slice.name, slice.ts, slice.dur, slice.categories.join(","))
}

/// The host's slices.
fn own(trace: &Trace) -> impl Iterator<Item = &Slice> {
    trace.slices.iter().filter(|slice| slice.track.starts_with("cpu op"))
}

/// All slices and marks of the host, by time.
fn lines(trace: &Trace) -> Vec<String> {
    let mut all: Vec<&Slice> = own(trace).chain(&trace.instants).collect();
    all.sort_by_key(|slice| (slice.ts, -slice.dur, &slice.name));
    all.into_iter().map(line).collect()
}

/// What the run says of the number of events and what became of them.
fn tally(run: &Finished) -> String {
    let said = run.said.stderr.lines().chain(run.said.stdout.lines());
    let line = said.filter_map(|line| line.split_once(" events read = ")).next();
    let (before, after) = line.unwrap_or_else(|| panic!("{}", run.said.stderr));
    let count = before.rsplit(' ').next().unwrap_or_default();
    format!("{count} events read = {after}")
}

#[test]
fn one_launch_has_an_arrow_to_each_of_three_kernels() {
    let run = case("flow_one_to_many.json");
    let trace = run.trace();
    let ends = |flow: u64| -> Vec<&str> {
        let of = |slice: &&Slice| slice.ended_flows.contains(&flow);
        own(&trace).filter(of).map(|slice| slice.name.as_str()).collect()
    };
    let launch = own(&trace).find(|slice| slice.name == "launch").unwrap();
    assert_eq!((launch.ts, launch.dur, launch.flows.len()), (10_000, 5_000, 3));
    let mut found: Vec<Vec<&str>> = launch.flows.iter().map(|flow| ends(*flow)).collect();
    found.sort();
    assert_eq!(found, [["k1"], ["k2"], ["k3"]]);
    assert_eq!(
        tally(&run),
        "8 events read = 4 of slices + 4 of arrows + 0 instants + 0 of counters + 0 of metadata + 0 not shown"
    );
}

#[test]
fn half_a_surrogate_pair_costs_one_character_of_a_name() {
    let run = case("lone_surrogate.json");
    assert_eq!(lines(&run.trace()), ["前向 😀 😀 \u{fffd} @1000+3000 [用户] {标签: \"值\", }"]);
    assert!(
        run.said.stderr.contains("1 events are no valid JSON and were repaired"),
        "{}",
        run.said.stderr
    );
}

#[test]
fn every_phase_of_the_format_is_there() {
    let run = case("unread_phases.json");
    let expected = [
        "a @1000+20000 [cpu_op] {}",
        "as @2000+3000 [c] {}",
        "as @3000+0 [c] {step: \"s1\", }",
        "sample @6000+0 ",
        "o @6000+0 ",
        "o @7000+0 ",
        "o @8000+0 ",
        "clock_sync @8000+0 ",
        "mem @9000+0 ",
        "ctx @9000+0 ",
        "ctx @10000+0 ",
        "link @10000+0 ",
    ];
    let found = lines(&run.trace());
    let mut missing: Vec<&str> = expected.to_vec();
    missing.retain(|start| !found.iter().any(|line| line.starts_with(start)));
    assert!(missing.is_empty() && found.len() == expected.len(), "{missing:?} of {found:#?}");
    assert_eq!(
        tally(&run),
        "13 events read = 3 of slices + 0 of arrows + 10 instants + 0 of counters + 0 of metadata + 0 not shown"
    );
}

#[test]
fn zero_times_do_not_move_the_device() {
    let dir = tempfile::tempdir().unwrap();
    let dump = dir.path().join("dump");
    let synth = ["synth", "--writer", "tpudnn", "--chip", "aksv", "--launches", "2", "-q"];
    assert_eq!(finish(tool().args(synth).arg(&dump)).code, Some(0));
    let host = fixture("host").join("zero_timestamps.json");
    let args = ["--emit", "trace", "--trace_file", host.to_str().unwrap(), "-v"];
    let run = analyzed(&dump, &args);
    let trace = run.trace();
    let device = first_on_device(&trace);
    assert!((device - 8_000_000_000_000_123).abs() < 1_000_000, "the device is at {device} ns");
    let op = trace.slices.iter().find(|slice| slice.name == "op0").unwrap();
    assert_eq!(op.ts, 8_000_000_000_000_123);
    let zeros: Vec<_> = trace.slices.iter().filter(|slice| slice.name.starts_with('z')).collect();
    assert_eq!(zeros.len(), 5);
    let is_told = |zero: &&&Slice| zero.arg("own time (ns)") == Some(&Value::Int(0));
    assert_eq!(zeros.iter().filter(is_told).filter(|zero| zero.ts == op.ts).count(), 5);
    let note = "5 events with times from 0 to 0 ns lie 8000000 s before the others";
    assert!(run.said.stderr.contains(note), "{}", run.said.stderr);
    // Two of the twelve are the profiler's own.
    assert_eq!(
        tally(&run),
        "12 events read = 10 of slices + 0 of arrows + 0 instants + 0 of counters + 0 of metadata + 2 not shown \
         (2 of the profiler itself)"
    );
}
