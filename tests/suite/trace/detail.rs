//! How much a trace tells of each command: `--detail`.

use std::collections::BTreeSet;

use crate::suite::answers::Synth;
use crate::support::case::case;
use crate::support::run::analyzed;
use crate::support::trace::{Slice, StepTimes, Trace, Value};

/// Arguments that repeat name, category and rate.
const REPEATED: [&str; 3] = ["Function Type", "Function Name", "uArch Rate"];

/// Arguments of commands that a light trace leaves out.
const LEFT_OUT: [&str; 11] = [
    "Batch Launch",
    "Mode",
    "Global Idx",
    "waits for",
    "des_cmd_short",
    "des_cmd_id_dep",
    "cmd_id_dep",
    "Data Type",
    "src_info",
    "dst_info",
    "expected(ns)",
];

fn trace(name: &str, detail: &[&str]) -> Trace {
    analyzed(&case(name).dump(), &[&["--emit", "trace"], detail].concat()).trace()
}

/// Slices, those of commands without these arguments.
fn lines(trace: &Trace, without: &[&str]) -> Vec<String> {
    lines_of(trace, |slice| {
        if slice.arg("Cmd Id").is_some() {
            slice.args.retain(|(name, _)| !without.contains(&name.as_str()));
        }
    })
}

fn lines_of(trace: &Trace, change: impl Fn(&mut Slice)) -> Vec<String> {
    let line = |slice: &Slice| {
        let mut slice = slice.clone();
        change(&mut slice);
        format!("{} {:?} {:?}", slice.line(), slice.flows, slice.ended_flows)
    };
    trace.slices.iter().map(line).collect()
}

fn is_of(slice: &Slice, category: &str) -> bool {
    slice.categories.iter().any(|own| own == category)
}

/// Takes from a slice of a full trace what a light one leaves out, and what views add to that.
fn leave_out(slice: &mut Slice) {
    let is_command = slice.arg("Cmd Id").is_some();
    let is_zero = |value: &Value| value.double() == Some(0.0);
    let is_on_path = is_of(slice, "critical path");
    slice.args.retain(|(name, value)| match name.as_str() {
        "expected by rule" => false,
        "DDR Bandwidth(GB/s)" | "L2M Bandwidth(GB/s)" => !is_zero(value),
        "Event" => !is_on_path,
        name => !(is_command && LEFT_OUT.contains(&name)),
    });
}

/// Adds the step that views find to a slice of a light trace, and takes away the bandwidths that they take for 0.
fn look_up(steps: &StepTimes<'_>, slice: &mut Slice) {
    let told = slice.args.iter().position(|(name, _)| name == "Step");
    let told = told.map(|at| slice.args.remove(at).1);
    let begins_in_step = !["gap", "step", "block", "warm-up", "outlier", "runtime", "overview"]
        .iter()
        .any(|category| is_of(slice, category));
    let step = match told {
        Some(Value::Text(text)) if text == "none" => None,
        None if begins_in_step => steps.step_at(slice.ts).map(Value::Int),
        told => told,
    };
    leave_out(slice);
    slice.args.extend(step.map(|step| ("Step".to_owned(), step)));
}

fn names(trace: &Trace) -> BTreeSet<&str> {
    let commands = trace.slices.iter().filter(|slice| slice.arg("Cmd Id").is_some());
    commands.flat_map(|slice| &slice.args).map(|(name, _)| name.as_str()).collect()
}

#[test]
fn name_category_and_rate_are_told_once() {
    let (full, compat) = (
        trace("aks-mode2-every-command", &[]),
        trace("aks-mode2-every-command", &["--detail", "compat"]),
    );
    // Other slices than those of commands are on tracks that other programs do not have, and so are the other ends of
    // their arrows.
    let commands = |trace: &Trace, without: &[&str]| -> Vec<String> {
        let own = lines(trace, without).into_iter().filter(|line| line.contains("Cmd Id"));
        own.map(|line| line.rsplit_once('}').unwrap().0.to_owned()).collect()
    };
    assert_eq!(commands(&full, &[]), commands(&compat, &REPEATED));
    let (full, compat) = (names(&full), names(&compat));
    assert!(REPEATED.iter().all(|name| compat.contains(name) && !full.contains(name)), "{full:?}");
}

#[test]
fn a_light_trace_has_what_queries_read() {
    let full = trace("aks-mode2-every-command", &[]);
    let light = trace("aks-mode2-every-command", &["--detail", "light"]);
    let of_full = lines_of(&full, leave_out);
    let steps = StepTimes::of(&light);
    assert_eq!(lines_of(&light, |slice| look_up(&steps, slice)), of_full);
    let [full, light] = [&full, &light].map(names);
    assert!(LEFT_OUT.iter().any(|name| full.contains(name)), "{full:?}");
    assert!(LEFT_OUT.iter().all(|name| !light.contains(name)), "{light:?}");
}

/// A run with steps, of which a light trace tells the number only where it is not that of the time.
#[test]
fn a_light_trace_tells_steps_by_time() {
    let synth = Synth::new(&["--launches", "64", "--cores", "2"]);
    let [full, light] = ["full", "light"]
        .map(|detail| analyzed(&synth.path(), &["--emit", "trace", "--detail", detail]).trace());
    let last = |slice: &mut Slice| {
        leave_out(slice);
        let told = slice.args.iter().position(|(name, _)| name == "Step");
        if let Some(at) = told {
            let told = slice.args.remove(at);
            slice.args.push(told);
        }
    };
    let times = StepTimes::of(&light);
    // Pieces of a light trace are smaller.
    let sorted = |mut lines: Vec<String>| {
        lines.sort();
        lines
    };
    let [found, expected] =
        [lines_of(&light, |slice| look_up(&times, slice)), lines_of(&full, last)].map(sorted);
    assert_eq!(found, expected);
    let steps = |trace: &Trace, category: &str| {
        let of = |slice: &&Slice| slice.arg("Step").is_some() && is_of(slice, category);
        trace.slices.iter().filter(of).count()
    };
    let on_path = [&full, &light].map(|trace| steps(trace, "critical path"));
    assert!(on_path[1] > 0 && on_path[1] * 10 < on_path[0], "{on_path:?}");
    assert_eq!(
        light
            .slices
            .iter()
            .filter(|s| s.arg("Cmd Id").is_some() && s.arg("Step").is_some())
            .count(),
        0
    );
    // An importer is told up to where it has all, which it drops no event by.
    assert!(light.marks > 0 && full.marks == 0);
    assert_eq!(light.problems, Vec::<String>::new());
}

/// What a counter sums up to over time.
fn integral(trace: &Trace, track: &str) -> f64 {
    let samples = trace.samples_on(track);
    let pairs = samples.iter().zip(samples.iter().skip(1));
    pairs.map(|(one, next)| (next.ts - one.ts) as f64 * one.value).sum()
}

#[test]
fn counters_of_a_light_trace_are_means() {
    let (full, light) = (
        trace("aks-mode2-sync", &["--detail", "full"]),
        trace("aks-mode2-sync", &["--detail", "light"]),
    );
    let mut counters = 0;
    for track in full.tracks.iter().filter(|track| track.unit.is_some()) {
        let [all, means] = [&full, &light].map(|trace| integral(trace, &track.path));
        assert!((all - means).abs() <= 1e-6 * all.abs(), "{}: {all}, {means}", track.path);
        counters += usize::from(all > 0.0);
    }
    assert!(counters > 4, "{counters} counters");
    let told = |trace: &Trace| {
        let detail = |(name, _): &&(String, String)| name == "bigtpuprofile.detail";
        trace.attributes.iter().find(detail).is_some_and(|(_, text)| text.starts_with("light"))
    };
    assert!(told(&light) && !told(&full));
}
