//! The trace of all dumps: a group of tracks for each, the very tracks of its own trace.

use std::collections::BTreeSet;

use bigtpu_synth::Options;

use super::{FOUR, Fleet, sound};
use crate::support::run::TRACE;
use crate::support::trace::{Slice, Trace};

/// What a trace shows, as lines: tracks, slices, samples; times from `start`, tracks without `prefix`.
fn shown(trace: &Trace, prefix: &str, start: i64) -> [BTreeSet<String>; 3] {
    let own = |path: &str| path.strip_prefix(prefix).map(str::to_owned);
    let tracks = trace.tracks.iter().filter_map(|track| {
        Some(format!("{} {:?} {:?}", own(&track.path)?, track.rank, track.unit))
    });
    let slices = trace.slices.iter().chain(&trace.instants).filter_map(|slice| {
        let (track, ts) = (own(&slice.track)?, slice.ts - start);
        let (flows, ends) = (slice.flows.len(), slice.ended_flows.len());
        Some(format!("{} {flows} {ends}", Slice { track, ts, ..slice.clone() }.line()))
    });
    let samples = trace.samples.iter().filter_map(|sample| {
        Some(format!("{} @{} {}", own(&sample.track)?, sample.ts - start, sample.value))
    });
    [tracks.collect(), slices.collect(), samples.collect()]
}

/// The flows of a device.
fn flows(trace: &Trace, prefix: &str) -> BTreeSet<u64> {
    let own = trace.slices.iter().filter(|slice| slice.track.starts_with(prefix));
    own.flat_map(|slice| slice.flows.iter().chain(&slice.ended_flows).copied()).collect()
}

#[test]
fn the_tracks_of_a_device_equal_its_own_trace() {
    let fleet = Fleet::copy(&FOUR);
    fleet.done(&["--emit", "trace,report"]);
    let all = fleet.trace();
    let mut events = 0;
    for ((_, directory), start) in FOUR.iter().zip(fleet.fields("start_ns")) {
        let own = sound(&fleet.out_dir().join(directory).join(TRACE));
        let name = directory.strip_prefix("cdm_profile_data_").unwrap();
        assert_eq!(all.track(name).parent, None);
        let start = start.as_i64().unwrap();
        assert!(shown(&all, &format!("{name}/"), start) == shown(&own, "", 0), "{name}");
        events += own.slices.len();
    }
    // A device's own track shows what its tracks do, in one row.
    let own = all.slices.iter().filter(|slice| slice.track.contains('/') || !slice.is_overview());
    assert_eq!(own.count(), events);
    assert!(all.slices.iter().any(|slice| slice.track == "dev0-0"));
}

#[test]
fn no_flow_joins_two_devices() {
    let options = |seed| Options { launches: 3, seed, ..Options::of_chip("bm1688").unwrap() };
    let names = ["cdm_profile_data_dev0-0", "cdm_profile_data_dev1-0"];
    let fleet = Fleet::synth(&[(names[0], options(0)), (names[1], options(1))]);
    fleet.done(&["--emit", "trace"]);
    let all = fleet.trace();
    let [first, second] = ["dev0-0/", "dev1-0/"].map(|device| flows(&all, device));
    assert!(first.is_disjoint(&second));
    for (name, here) in names.iter().zip([first, second]) {
        let own = flows(&sound(&fleet.out_dir().join(name).join(TRACE)), "");
        assert!(!own.is_empty() && here.len() == own.len(), "{} {}", here.len(), own.len());
    }
}

#[test]
fn calls_start_together_and_follow_one_another() {
    let fleet = Fleet::copy(&FOUR);
    fleet.done(&["--emit", "trace,report"]);
    let starts: Vec<i64> = fleet.fields("start_ns").iter().map(|s| s.as_i64().unwrap()).collect();
    assert_eq!((starts[0], starts[2], starts[1]), (0, 0, starts[3]));
    let trace = fleet.trace();
    let of_call = |call: &str| {
        let of = format!("-{call}/");
        trace.slices.iter().filter(move |slice| slice.track.contains(&of))
    };
    let end = of_call("0").map(Slice::end).max().unwrap();
    let next = of_call("1").map(|slice| slice.ts).min().unwrap();
    assert!(next >= end && starts[1] >= end, "{next} is before {end}");
    let (alignment, note) = fleet.alignment();
    assert_eq!(alignment, "shared_start");
    assert!(
        note.contains("start at the same time") && note.contains("each call starts when"),
        "{note}"
    );
    let said: Vec<_> =
        trace.attributes.iter().filter(|(key, _)| key == "bigtpuprofile.time_line").collect();
    assert_eq!(said.iter().map(|(_, value)| value).collect::<Vec<_>>(), [&note]);
}

#[test]
fn dumps_with_other_names_follow_one_another() {
    let fleet = Fleet::copy(&[("aks-mode2-sync", "first"), ("aks-mode1-batch", "second")]);
    let printed = fleet.done(&["--emit", "trace,report"]);
    let (alignment, note) = fleet.alignment();
    assert_eq!(alignment, "one_after_another");
    assert!(printed.contains(&note), "{printed}");
    let trace = fleet.trace();
    let times = |name: &str| -> Vec<(i64, i64)> {
        let own = trace.slices.iter().filter(|slice| slice.track.starts_with(name));
        own.map(|slice| (slice.ts, slice.end())).collect()
    };
    let (first, second) = (times("first/"), times("second/"));
    assert!(first.iter().map(|t| t.1).max() <= second.iter().map(|t| t.0).min());
    assert_eq!(first.iter().map(|t| t.0).min(), Some(0));
}

#[test]
fn packets_may_be_deflated() {
    let fleet = Fleet::copy(&FOUR[..2]);
    fleet.done(&["--emit", "trace", "--compress_trace"]);
    let deflated = fleet.trace();
    fleet.done(&["--emit", "trace"]);
    let plain = fleet.trace();
    assert!(deflated.compressed && !plain.compressed);
    assert!(shown(&deflated, "", 0) == shown(&plain, "", 0));
}

#[test]
fn all_dumps_have_the_detail_that_is_asked_for() {
    let fleet = Fleet::copy(&FOUR[..2]);
    let transfers = |args: &[&str]| {
        fleet.done(&[&["--emit", "trace"], args].concat());
        let trace = fleet.trace();
        let told = trace.attributes.iter().any(|(name, _)| name == "bigtpuprofile.detail");
        (trace.slices.iter().filter(|slice| slice.arg("src_info").is_some()).count(), told)
    };
    assert!(transfers(&[]).0 > 0 && !transfers(&[]).1);
    assert_eq!(transfers(&["--detail", "light"]), (0, true));
}
