//! `--emit json`: Chrome's JSON holds what the trace holds.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::suite::answers::Synth;
use crate::support::case::{Case, case};
use crate::support::multiset::assert_same;
use crate::support::run::analyzed;
use crate::support::trace::{Slice, Value};

/// ns of a time in µs, as it is written.
fn ns(value: &Json) -> i64 {
    let (whole, part) = value.to_string().split_once('.').map_or_else(
        || (value.to_string(), "0".to_owned()),
        |(whole, part)| (whole.to_owned(), part.to_owned()),
    );
    let part: i64 = format!("{part:0<3}")[..3].parse().unwrap();
    let whole: i64 = whole.parse().unwrap();
    whole * 1000 + if value.to_string().starts_with('-') { -part } else { part }
}

fn compare(case: &Case) {
    let args = [case.args(), vec!["--emit".to_owned(), "trace,json".to_owned()]].concat();
    let run = analyzed(&case.dump(), &args);
    let trace = run.trace();
    let json: Json = serde_json::from_str(&run.text("trace.json")).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let of = |phase: &'static str| events.iter().filter(move |event| event["ph"] == phase);
    // The reader of the trace puts its zero on the host's clock.
    let zero = trace.attributes.iter().find(|(key, _)| key == "bigtpuprofile.time_zero_ns");
    let zero: i64 = zero.map_or(0, |(_, zero)| zero.parse().unwrap());
    let line = |ts: i64, dur: i64, name: &str, categories: &str, args: &Value| {
        format!("@{ts}+{dur} {name} [{categories}] {args}")
    };
    let expected = trace.slices.iter().chain(&trace.instants).map(|slice: &Slice| {
        let args = Value::Dict(slice.args.clone());
        line(slice.ts - zero, slice.dur, &slice.name, &slice.categories.join(","), &args)
    });
    let found = of("X").map(|event| {
        let [name, categories] = [&event["name"], &event["cat"]].map(|text| text.as_str().unwrap());
        line(ns(&event["ts"]), ns(&event["dur"]), name, categories, &Value::of_json(&event["args"]))
    });
    assert_same(&case.name, expected, found);
    let samples = trace.samples.iter().map(|s| format!("@{} {:?}", s.ts - zero, s.value));
    let found = of("C").map(|event| {
        let value = event["args"].as_object().unwrap().values().next().unwrap();
        format!("@{} {:?}", ns(&event["ts"]), value.as_f64().unwrap())
    });
    assert_same(&case.name, samples, found);
    // Each arrow from the same slice's start to the same slice's start or end.
    let mut arrows: BTreeMap<u64, [Vec<i64>; 2]> = BTreeMap::new();
    for slice in trace.slices.iter().chain(&trace.instants) {
        for flow in &slice.flows {
            arrows.entry(*flow).or_default()[0].push(slice.ts - zero);
        }
        slice.ended_flows.iter().for_each(|flow| arrows.entry(*flow).or_default()[1].push(0));
    }
    let mut found: BTreeMap<u64, [Vec<i64>; 2]> = BTreeMap::new();
    for event in of("s") {
        let time = ns(&event["ts"]);
        found.entry(event["id"].as_u64().unwrap()).or_default()[0].push(time);
    }
    for event in of("f") {
        found.entry(event["id"].as_u64().unwrap()).or_default()[1].push(0);
    }
    assert_eq!(found, arrows, "{}: flows", case.name);
    // A viewer binds the end of an arrow to the innermost slice that is open at its time: it is the one that the trace names.
    let mut ended: Vec<String> = Vec::new();
    for slice in trace.slices.iter().chain(&trace.instants) {
        let of_slice = |flow| format!("{flow} @{} {}", slice.ts - zero, slice.name);
        ended.extend(slice.ended_flows.iter().map(of_slice));
    }
    let mut threads: BTreeMap<String, Vec<(i64, i64, &str)>> = BTreeMap::new();
    let thread = |event: &Json| format!("{}/{}", event["pid"], event["tid"]);
    for event in of("X") {
        let (start, name) = (ns(&event["ts"]), event["name"].as_str().unwrap());
        let slice = (start, start + ns(&event["dur"]), name);
        threads.entry(thread(event)).or_default().push(slice);
    }
    let bound = of("f").map(|event| {
        let time = ns(&event["ts"]);
        let is_open = |(start, end, _): &&(i64, i64, &str)| {
            *start <= time && (time < *end || (start == end && time == *end))
        };
        let (start, _, name) = threads[&thread(event)].iter().rev().find(is_open).unwrap();
        format!("{} @{start} {name}", event["id"])
    });
    assert_same(&case.name, ended, bound);
    // Each event is of a thread that has a name, and times of a thread's slices nest.
    let named = |event: &Json| {
        of("M").any(|m| {
            m["name"] == "thread_name" && m["pid"] == event["pid"] && m["tid"] == event["tid"]
        })
    };
    assert!(of("X").take(200).all(named), "{}: a thread without a name", case.name);
    let mut open: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for event in of("X") {
        let (start, end) = (ns(&event["ts"]), ns(&event["ts"]) + ns(&event["dur"]));
        let stack = open.entry(format!("{}/{}", event["pid"], event["tid"])).or_default();
        while stack.last().is_some_and(|last| *last <= start) {
            stack.pop();
        }
        assert!(stack.last().is_none_or(|last| end <= *last), "{}: {event}", case.name);
        stack.push(end);
    }
}

#[test]
fn chrome_json_has_the_same_slices_arrows_and_samples() {
    for name in ["aks-mode2-every-command", "aksv-mode2-cdma", "aksv-mode2-trace", "aks-layers"] {
        compare(&case(name));
    }
}

/// Other tools have no views to look up what a light trace leaves out.
#[test]
fn light_chrome_json_tells_steps_and_bandwidths_of_0() {
    let synth = Synth::new(&["--launches", "64", "--cores", "2"]);
    let [full, light] = ["full", "light"].map(|detail| {
        let run = analyzed(&synth.path(), &["--emit", "json", "--detail", detail]);
        let json: Json = serde_json::from_str(&run.text("trace.json")).unwrap();
        let with = |name: &str| {
            let events = json["traceEvents"].as_array().unwrap().iter();
            events.filter(|event| event["args"].get(name).is_some()).count()
        };
        ["Step", "L2M Bandwidth(GB/s)", "DDR Bandwidth(GB/s)", "Event", "Global Idx"].map(with)
    });
    assert!(full.iter().all(|count| *count > 100), "{full:?}");
    assert_eq!((&light[..4], light[4]), (&full[..4], 0));
}
