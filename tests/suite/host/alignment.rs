//! Where device time lies on the host's: by tpudnn's own events.

use std::fs;

use bigtpu_timeline::{BuildOptions, Dump, Profile};

use super::{first_on_device, host_slices};
use crate::support::dump::DumpCopy;
use crate::support::trace::Trace;

const OPS: [&str; 3] = [
    r#"{"ph":"X","cat":"cpu_op","name":"aten::add","ts":900,"dur":1}"#,
    r#"{"ph":"X","cat":"tpudnn","name":"later","ts":1500.0005,"dur":0.0006}"#,
    r#"{"ph":"X","cat":"tpudnn","name":"earlier","ts":1000,"dur":5}"#,
];
const DISABLE: &str =
    r#"{"ph":"X","cat":"tpudnn","name":"disable_profile","ts":2000.0004,"dur":10.25}"#;
const OTHER_DISABLES: [&str; 3] = [
    r#"{"ph":"X","cat":"tpudnn","name":"disable_profile","ts":1700,"dur":10}"#,
    r#"{"ph":"X","cat":"cpu_op","name":"disable_profile","ts":5000,"dur":10}"#,
    r#"{"ph":"X","cat":"tpudnn","name":"my_ops::disable_profile","ts":6000,"dur":10}"#,
];
/// Host time of the end of `later`, the first tpudnn event that is shown: 1500001.1 ns, cut.
const FIRST_TPUDNN_END: i64 = 1_500_001;
/// Host time of the end of `disable_profile`: 2010250.4 ns.
const DISABLE_END: i64 = 2_010_250;

/// What comes of a host trace: the trace, what is said of it, and the end of the latest record in
/// device time.
struct Aligned {
    trace: Trace,
    stderr: String,
    latest_end: i64,
}

fn align(tail: Option<&str>, events: &[&str]) -> Aligned {
    let dump = DumpCopy::copy("aksv-mode1");
    if let Some(tail) = tail {
        dump.edit_global(|text| format!("{text}\ntail_offset_ns={tail}\n"));
    }
    let host = dump.parent().join("host.json");
    fs::write(&host, format!("[{}]", events.join(","))).unwrap();
    let run = dump.analyze(&["--perfetto", "--trace_file", host.to_str().unwrap()]);
    assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
    let opened = Dump::open(&dump.path()).unwrap();
    let profile = Profile::build(&opened, &BuildOptions::default());
    let latest_end = profile.latest_end;
    Aligned { trace: run.trace(), stderr: run.said.stderr.clone(), latest_end }
}

/// Device time 0 on the host's time line: the first slice of this dump starts at 0.
fn offset(aligned: &Aligned) -> i64 {
    first_on_device(&aligned.trace)
}

#[test]
fn the_pmus_pause_is_the_end_of_disable_profile_less_the_tail() {
    let aligned = align(Some("184250"), &[OPS.as_slice(), &[DISABLE]].concat());
    assert_eq!(offset(&aligned), DISABLE_END - 184_250 - aligned.latest_end);
    assert_eq!(aligned.stderr, "");
}

#[test]
fn the_last_disable_profile_of_tpudnn_counts_at_any_position() {
    for events in [
        [&[DISABLE], OPS.as_slice(), &OTHER_DISABLES].concat(),
        [&OTHER_DISABLES, OPS.as_slice(), &[DISABLE]].concat(),
    ] {
        let aligned = align(Some("250"), &events);
        assert_eq!(offset(&aligned), DISABLE_END - 250 - aligned.latest_end);
    }
}

#[test]
fn disable_profile_alone_is_an_anchor() {
    let aligned = align(Some("0"), &[DISABLE]);
    assert_eq!(offset(&aligned), DISABLE_END - aligned.latest_end);
    assert!(host_slices(&aligned.trace).is_empty(), "it is not shown");
    assert_eq!(aligned.stderr, "");
}

#[test]
fn without_a_tail_the_first_tpudnn_event_ends_where_the_pmu_starts() {
    let aligned = align(None, &[&[DISABLE], OPS.as_slice()].concat());
    // First in the file, not in time, and none of those that are not shown.
    assert_eq!(offset(&aligned), FIRST_TPUDNN_END);
    assert_eq!(aligned.stderr, "");
}

#[test]
fn without_disable_profile_too() {
    let aligned = align(Some("184250"), &OPS);
    assert_eq!(offset(&aligned), FIRST_TPUDNN_END);
    let aligned = align(Some("184250"), &[OPS.as_slice(), &OTHER_DISABLES[1..]].concat());
    assert_eq!(offset(&aligned), FIRST_TPUDNN_END);
}

#[test]
fn without_tpudnn_nothing_is_aligned() {
    let aligned = align(Some("184250"), &OPS[..1]);
    assert_eq!(offset(&aligned), 900_000, "the host's first event");
    assert!(aligned.stderr.contains("not aligned"), "{}", aligned.stderr);
    assert_eq!(host_slices(&aligned.trace), ["cpu op/thread without an id aten::add 900000+1000"]);
}

#[test]
fn disable_profile_without_a_tail_is_no_anchor() {
    let aligned = align(None, &[DISABLE]);
    assert_eq!(offset(&aligned), 0, "no event of the host is shown");
    assert!(aligned.stderr.contains("not aligned"), "{}", aligned.stderr);
}

#[test]
fn a_device_that_started_before_the_hosts_zero_is_shown_where_it_was() {
    let early = r#"{"ph":"X","cat":"tpudnn","name":"disable_profile","ts":9,"dur":1}"#;
    let aligned = align(Some("0"), &[early]);
    let slices = &aligned.trace.slices;
    assert_eq!(slices.iter().map(|slice| slice.end()).max(), Some(10_000));
    assert!(aligned.latest_end > 10_000);
    assert_eq!(offset(&aligned), 10_000 - aligned.latest_end);
    assert_eq!(aligned.stderr, "");
}

#[test]
fn tpudnn_and_cpu_have_root_tracks_and_the_profiler_none() {
    let profiler = [
        r#"{"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","ts":1,"dur":9999}"#,
        r#"{"ph":"X","cat":"tpudnn","name":"enable_profile","ts":800,"dur":10}"#,
        r#"{"ph":"X","cat":"tpudnn","name":"my_ops::enable_profile","ts":800,"dur":10}"#,
    ];
    let events = [profiler.as_slice(), &OPS, &[DISABLE], &OTHER_DISABLES].concat();
    let aligned = align(None, &events);
    let shown: Vec<String> = host_slices(&aligned.trace)
        .iter()
        .map(|slice| slice.replace("thread without an id ", ""))
        .collect();
    assert_eq!(
        shown,
        [
            "cpu op/aten::add 900000+1000",
            "tpudnn op/earlier 1000000+5000",
            "tpudnn op/later 1500000+1"
        ]
    );
}
