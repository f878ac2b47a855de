//! With a host trace the reference rounds times through a double and spreads host slices over lanes of
//! one track: here the JSON itself says what is right.

use super::trace::{Reference, compare, compat};
use crate::support::case::{Case, with_reference};
use crate::support::host::{events_of, text_of};
use crate::support::multiset::assert_same;
use crate::support::run::analyzed;
use crate::support::trace::{Trace, Value};

/// Most that a double is off at the times of today, twice and with some room.
const ROUNDING_NS: i64 = 1024;

fn cases() -> Vec<(Case, String, Trace)> {
    let cases: Vec<_> = with_reference().into_iter().filter(|c| c.host_trace().is_some()).collect();
    assert!(!cases.is_empty(), "no case has a host trace");
    cases
        .into_iter()
        .map(|case| {
            let json = text_of(&case.host_trace().unwrap());
            let trace = analyzed(&case.dump(), &compat(&case)).trace();
            (case, json, trace)
        })
        .collect()
}

#[test]
fn host_slices_are_those_of_the_json_to_the_nanosecond() {
    for (case, json, trace) in cases() {
        let events = events_of(&json);
        let expected = events.iter().filter(|event| event.is_shown_slice()).map(|event| {
            let root = if event.text("cat") == "tpudnn" { "tpudnn op" } else { "cpu op" };
            let (ts, dur) = event.span_ns();
            format!("{root} @{ts}+{dur} {} {}", event.text("name"), event.args())
        });
        let found = trace.slices.iter().filter_map(|slice| {
            let (root, _thread) = slice.track.split_once('/')?;
            let args = Value::Dict(slice.args.clone());
            root.ends_with(" op")
                .then(|| format!("{root} @{}+{} {} {args}", slice.ts, slice.dur, slice.name))
        });
        assert_same(&case.name, expected, found);
    }
}

#[test]
fn device_slices_equal_the_reference_except_for_one_shift() {
    for (case, _, trace) in cases() {
        let mut reference = Reference::read(&case);
        let of_device = |track: &str| !track.ends_with(" op") && !track.contains(" op/");
        let first = |times: Vec<(&str, i64)>| {
            times.into_iter().filter(|(track, _)| of_device(track)).map(|(_, ts)| ts).min().unwrap()
        };
        let shift = first(trace.slices.iter().map(|s| (s.track.as_str(), s.ts)).collect())
            - first(reference.slices.iter().map(|s| (s.track.as_str(), s.ts)).collect());
        assert!(shift.abs() <= ROUNDING_NS, "{}: shifted by {shift} ns", case.name);
        reference.slices.iter_mut().for_each(|slice| slice.ts += shift);
        reference.samples.iter_mut().for_each(|sample| sample.ts += shift);
        compare(&case, &reference, &trace);
    }
}
