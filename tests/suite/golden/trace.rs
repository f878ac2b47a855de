//! Every track, slice and argument of the reference is in the trace, every change of its counters, and no track and slice
//! besides.
//!
//! System commands have one category; a bandwidth is a double, also where it is 0.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value as Json;

use crate::support::case::{Case, with_reference};
use crate::support::multiset::assert_same;
use crate::support::run::analyzed;
use crate::support::trace::{Sample, Slice, Trace, Value, without_lane};

/// Arguments that the reference does not have: the numeric twin of `uArch Rate`, slack, layers, and how well a command is known.
const OURS: [&str; 16] = [
    "uArch Rate(%)",
    "slack(ns)",
    "Layer Id",
    "Layer Name",
    "waits for",
    "released by",
    "retries",
    "times",
    "waiting for credit(ns)",
    "waiting for sender(ns)",
    "transfer(ns)",
    "completion(ns)",
    "Link Bandwidth(GB/s)",
    "expected(ns)",
    "quality",
    "expected by rule",
];

/// What the reference's trace holds.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) tracks: Vec<String>,
    pub(super) slices: Vec<Slice>,
    pub(super) samples: Vec<Sample>,
}

impl Reference {
    pub(super) fn read(case: &Case) -> Self {
        let text = fs::read_to_string(case.reference().join("pftrace.json")).unwrap();
        let json: Json = serde_json::from_str(&text).unwrap();
        let list = |key: &str| json[key].as_array().unwrap().iter();
        let text = |json: &Json| json.as_str().unwrap().to_owned();
        Self {
            tracks: list("tracks").map(text).collect(),
            slices: list("slices").map(slice).collect(),
            samples: list("counters")
                .map(|json| Sample {
                    track: text(&json["track"]),
                    ts: json["ts"].as_i64().unwrap(),
                    value: json["value"].as_f64().unwrap(),
                })
                .collect(),
        }
    }
}

fn slice(json: &Json) -> Slice {
    let Value::Dict(args) = Value::of_json(&json["args"]) else { panic!("{json} has no args") };
    let categories = json["cat"].as_array().unwrap().iter();
    let category = |text: &str| if text == "SYS" { "sys".to_owned() } else { text.to_owned() };
    let bandwidth = |(name, value): (String, Value)| match value {
        Value::Int(0) if name.ends_with(" Bandwidth(GB/s)") => (name, Value::Double(0.0)),
        value => (name, value),
    };
    let args = args.into_iter().map(bandwidth).collect();
    Slice {
        track: json["track"].as_str().unwrap().to_owned(),
        ts: json["ts"].as_i64().unwrap(),
        dur: json["dur"].as_i64().unwrap(),
        name: json["name"].as_str().unwrap().to_owned(),
        categories: categories.map(|cat| category(cat.as_str().unwrap())).collect(),
        args,
        flows: Vec::new(),
        ended_flows: Vec::new(),
        depth: 0,
    }
}

/// The samples where a counter changes; of those at one moment the last.
fn changes<'a>(samples: impl Iterator<Item = &'a Sample>) -> Vec<String> {
    let mut by_track: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        by_track.entry(&sample.track).or_default().push(sample);
    }
    let mut lines = Vec::new();
    for mut samples in by_track.into_values() {
        samples.sort_by_key(|sample| sample.ts);
        let mut shown = None;
        for (at, sample) in samples.iter().enumerate() {
            let is_last = samples.get(at + 1).is_none_or(|next| next.ts > sample.ts);
            if is_last && shown.replace(sample.value) != Some(sample.value) {
                lines.push(sample.line());
            }
        }
    }
    lines
}

/// A slice as the reference would have it.
fn line(slice: &Slice) -> String {
    let mut slice = slice.clone();
    slice.args.retain(|(name, _)| !OURS.contains(&name.as_str()));
    slice.line()
}

/// Whether a slice is the launch of a kernel that also runs on CDMA: the reference shows it on the
/// port only, which takes it away from the core.
fn is_launch_on_cdma_too(slice: &Slice, trace: &Trace) -> bool {
    let on_port = |s: &&Slice| s.track.starts_with("CDMA/") && s.track.contains("Kernel Function");
    let is_launch = slice.track.starts_with("Core ") && slice.track.contains("Kernel Function");
    is_launch && trace.slices.iter().filter(on_port).any(|s| s.name == slice.name)
}

/// Compares the device's tracks.
pub(super) fn compare(case: &Case, reference: &Reference, trace: &Trace) {
    let name = &case.name;
    let of_device = |track: &str| !track.starts_with("cpu op") && !track.starts_with("tpudnn op");
    let expected = reference.slices.iter().filter(|s| of_device(&s.track));
    let expected: Vec<String> = expected.map(Slice::line).collect();
    let found = trace.slices.iter().filter(|s| of_device(&s.track));
    let found = found.filter(|slice| {
        // Only what the reference lacks may be excused.
        !is_launch_on_cdma_too(slice, trace) || expected.contains(&line(slice))
    });
    assert_same(&format!("{name}: slices"), expected.clone(), found.map(line));

    // The host's threads are below their processes.
    let tracks = |paths: Vec<&str>| {
        let own = paths.into_iter().filter(|path| of_device(path)).map(without_lane);
        own.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let (theirs, ours) = (
        tracks(reference.tracks.iter().map(String::as_str).collect()),
        tracks(trace.paths().into_iter().collect()),
    );
    assert_eq!(theirs, ours, "{name}: tracks");
    let is_known = |track: &str| reference.tracks.iter().any(|known| known == without_lane(track));
    let samples = trace.samples.iter().filter(|sample| is_known(&sample.track));
    assert_same(&format!("{name}: samples"), changes(reference.samples.iter()), changes(samples));
}

/// Arguments of an analysis whose trace has all that the reference's has.
pub(super) fn compat(case: &Case) -> Vec<String> {
    let own = case.args().into_iter();
    own.chain(["--detail", "compat"].map(str::to_owned)).collect()
}

#[test]
fn every_slice_argument_and_sample_is_in_the_trace() {
    for case in with_reference().iter().filter(|case| case.host_trace().is_none()) {
        let trace = analyzed(&case.dump(), &compat(case)).trace();
        compare(case, &Reference::read(case), &trace);
    }
}
