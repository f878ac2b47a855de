//! How much a trace tells of each command: `--detail`.

use std::collections::BTreeSet;

use crate::support::case::case;
use crate::support::run::analyzed;
use crate::support::trace::{Slice, Trace};

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
    let line = |slice: &Slice| {
        let mut slice = slice.clone();
        if slice.arg("Cmd Id").is_some() {
            slice.args.retain(|(name, _)| !without.contains(&name.as_str()));
        }
        format!("{} {:?} {:?}", slice.line(), slice.flows, slice.ended_flows)
    };
    trace.slices.iter().map(line).collect()
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
    let left_out = [&LEFT_OUT[..], &["expected by rule"]].concat();
    assert_eq!(lines(&light, &[]), lines(&full, &left_out));
    let [full, light] = [&full, &light].map(names);
    assert!(LEFT_OUT.iter().any(|name| full.contains(name)), "{full:?}");
    assert!(LEFT_OUT.iter().all(|name| !light.contains(name)), "{light:?}");
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
