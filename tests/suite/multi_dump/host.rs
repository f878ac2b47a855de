//! A host trace: its tracks once, the devices by its anchors.

use std::fs;

use bigtpu_timeline::{BuildOptions, Dump, Profile};

use super::{FOUR, Fleet};
use crate::support::trace::Trace;

const OPS: [&str; 2] = [
    r#"{"ph":"X","cat":"cpu_op","name":"aten::add","ts":900,"dur":1}"#,
    r#"{"ph":"X","cat":"tpudnn","name":"op","ts":1000,"dur":5}"#,
];
const DISABLE: &str = r#"{"ph":"X","cat":"tpudnn","name":"disable_profile","ts":2000,"dur":10.25}"#;
/// End of [`DISABLE`], ns.
const DISABLE_END: i64 = 2_010_250;
/// Start of the first of [`OPS`], ns.
const FIRST_EVENT: i64 = 900_000;
/// Tail offset of each device, ns.
const TAILS: [i64; 2] = [184_250, 20_000];
/// One call of each device of [`FOUR`].
const TWO: [(&str, &str); 2] = [FOUR[0], FOUR[2]];

/// Dumps whose devices show when the host ended them.
fn with_tails() -> Fleet {
    let fleet = Fleet::copy(&TWO);
    for ((_, name), tail) in TWO.iter().zip(TAILS) {
        let global = fleet.dump(name).join("global.profile");
        let text = fs::read_to_string(&global).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with("tail_offset"));
        let text: Vec<_> =
            lines.map(str::to_owned).chain([format!("tail_offset_ns={tail}")]).collect();
        fs::write(&global, text.join("\n") + "\n").unwrap();
    }
    fleet
}

fn merge(fleet: &Fleet, events: &[&str], args: &[&str]) -> Trace {
    let host = fleet.keep.path().join("host.json");
    fs::write(&host, format!("[{}]", events.join(","))).unwrap();
    let trace = ["--emit", "trace,report", "--trace_file", host.to_str().unwrap()];
    fleet.done(&[&trace, args].concat());
    fleet.trace()
}

/// When the first slice of a device starts.
fn first_of(trace: &Trace, device: &str) -> i64 {
    let own = trace.slices.iter().filter(|slice| slice.track.starts_with(device));
    own.map(|slice| slice.ts).min().unwrap()
}

#[test]
fn each_device_is_aligned_by_its_own_tail_offset() {
    let fleet = with_tails();
    let trace = merge(&fleet, &[OPS[0], OPS[1], DISABLE], &[]);
    for (((_, name), tail), start) in TWO.iter().zip(TAILS).zip(fleet.fields("start_ns")) {
        let dump = Dump::open(&fleet.dump(name)).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        assert_eq!(profile.tail_offset_ns, Some(tail));
        let first = profile.tracks().flat_map(|t| t.events.start.clone()).min().unwrap();
        let expected = DISABLE_END - tail - profile.latest_end;
        assert_eq!(start, expected, "{name}");
        let device = name.strip_prefix("cdm_profile_data_").unwrap();
        assert_eq!(first_of(&trace, device), expected + first, "{name}");
    }
    let (alignment, note) = fleet.alignment();
    assert_eq!(alignment, "anchors");
    assert!(note.contains("can be compared as exactly as"), "{note}");
    // The host's tracks are there once, next to the devices'.
    let roots: Vec<&str> = trace.paths().into_iter().filter(|path| !path.contains('/')).collect();
    assert_eq!(roots, ["dev0-0", "dev1-0"]);
    assert!(trace.paths().iter().any(|path| path.starts_with("cpu op/")));
    let host = |name: &str| trace.slices.iter().filter(|slice| slice.name == name).count();
    assert_eq!((host("aten::add"), host("op")), (1, 1));
}

#[test]
fn a_device_without_tail_offset_is_reported() {
    let fleet = Fleet::copy(&TWO);
    for (_, name) in TWO {
        let global = fleet.dump(name).join("global.profile");
        let text = fs::read_to_string(&global).unwrap();
        let lines: Vec<_> = text.lines().filter(|l| !l.starts_with("tail_offset")).collect();
        fs::write(&global, lines.join("\n") + "\n").unwrap();
    }
    merge(&fleet, &[OPS[0], OPS[1], DISABLE], &[]);
    assert_eq!(fleet.fields("start_ns"), [1_005_000, 1_005_000]);
    let (alignment, note) = fleet.alignment();
    assert_eq!(alignment, "anchors");
    assert!(note.contains("; 2 of them without tail_offset_ns"), "{note}");
}

#[test]
fn without_anchors_all_devices_start_with_the_host() {
    let fleet = with_tails();
    merge(&fleet, &OPS[..1], &[]);
    assert_eq!(fleet.fields("start_ns"), [FIRST_EVENT, FIRST_EVENT]);
    let (alignment, note) = fleet.alignment();
    assert_eq!(alignment, "shared_start");
    assert!(note.contains("no tpudnn event") && note.contains("not aligned"), "{note}");

    merge(&fleet, &[OPS[0], OPS[1], DISABLE], &["--host_align", "start"]);
    assert_eq!(fleet.fields("start_ns"), [FIRST_EVENT, FIRST_EVENT]);
    let (alignment, note) = fleet.alignment();
    assert_eq!(alignment, "shared_start");
    assert!(note.contains("as requested") && note.contains("not aligned"), "{note}");
}

/// The host's anchors are those of one session; several calls of a device by them would lie on each other.
#[test]
fn anchors_do_not_align_several_calls_of_a_device() {
    let fleet = Fleet::copy(&FOUR);
    merge(&fleet, &[OPS[0], OPS[1], DISABLE], &[]);
    let starts = fleet.fields("start_ns");
    assert_eq!((&starts[0], &starts[2]), (&FIRST_EVENT.into(), &FIRST_EVENT.into()));
    assert!(starts[1] == starts[3] && starts[1].as_i64() > starts[0].as_i64(), "{starts:?}");
    let (alignment, note) = fleet.alignment();
    assert_eq!(alignment, "shared_start");
    assert!(
        note.contains("which of several calls of a device") && note.contains("not aligned"),
        "{note}"
    );
}
