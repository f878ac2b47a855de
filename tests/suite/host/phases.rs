//! Every kind of event, in a trace made for it.

use std::collections::BTreeSet;

use super::{host_slices, merge_events};
use crate::support::run::Finished;
use crate::support::trace::Value;

const NAMES: [&str; 2] = [
    r#"{"ph":"M","name":"process_name","pid":7,"args":{"name":"runner"}}"#,
    r#"{"ph":"M","name":"thread_name","pid":7,"tid":70,"args":{"name":"loader"}}"#,
];

fn merge(events: &[&str]) -> Finished {
    merge_events(&[&NAMES, events].concat())
}

#[test]
fn begins_and_ends_make_slices_with_the_arguments_of_both() {
    let trace = merge(&[
        r#"{"ph":"B","name":"outer","cat":"step","pid":7,"tid":70,"ts":1.5,"args":{"a":1}}"#,
        r#"{"ph":"X","name":"inner","pid":7,"tid":70,"ts":2.0005,"dur":1.0004}"#,
        r#"{"ph":"E","pid":7,"tid":70,"ts":9.25,"args":{"b":"two"}}"#,
    ])
    .trace();
    let track = "cpu op/loader 70";
    // 2.0005 + 1.0004 us is 3000.9 ns: both ends are cut, after the exact sum.
    assert_eq!(
        host_slices(&trace),
        [format!("{track} outer 1500+7750"), format!("{track} inner 2000+1000")]
    );
    let outer = trace.slices_on(track)[0];
    assert_eq!(outer.categories, ["step"]);
    assert_eq!(
        outer.args,
        [("a".to_owned(), Value::Int(1)), ("b".to_owned(), Value::Text("two".into()))]
    );
    assert_eq!(trace.slices_on(track)[1].depth, 1);
}

#[test]
fn slices_that_overlap_without_nesting_go_to_sibling_lanes() {
    let trace = merge(&[
        r#"{"ph":"X","name":"a","pid":7,"tid":70,"ts":0,"dur":10}"#,
        r#"{"ph":"X","name":"b","pid":7,"tid":70,"ts":5,"dur":10}"#,
        r#"{"ph":"X","name":"c","pid":7,"tid":70,"ts":6,"dur":2}"#,
    ])
    .trace();
    assert_eq!(
        host_slices(&trace),
        [
            "cpu op/loader 70 a 0+10000",
            "cpu op/loader 70 #2 b 5000+10000",
            "cpu op/loader 70 c 6000+2000"
        ]
    );
}

#[test]
fn threads_of_several_processes_are_separate() {
    let trace = merge(&[
        r#"{"ph":"X","name":"a","pid":7,"tid":70,"ts":0,"dur":1}"#,
        r#"{"ph":"X","name":"b","pid":8,"tid":70,"ts":0,"dur":1}"#,
        r#"{"ph":"X","name":"c","pid":8,"tid":"main","ts":0,"dur":1}"#,
    ])
    .trace();
    // Process and thread, by name where there is one and always by number.
    let expected: [(&str, &[&str]); 3] = [
        ("a", &["cpu op/", "runner", "7", "loader", "70"]),
        ("b", &["cpu op/", "process 8", "thread 70"]),
        ("c", &["cpu op/", "process 8", "thread main"]),
    ];
    for (name, words) in expected {
        let track = &trace.slices.iter().find(|slice| slice.name == name).unwrap().track;
        assert!(words.iter().all(|word| track.contains(word)), "{name} is on {track}");
    }
}

#[test]
fn instants_of_any_scope_are_kept() {
    let trace = merge(&[
        r#"{"ph":"i","name":"here","cat":"note","s":"t","pid":7,"tid":70,"ts":3.125,"args":{"why":"x"}}"#,
        r#"{"ph":"I","name":"old","pid":7,"tid":70,"ts":2}"#,
        r#"{"ph":"R","name":"mark","pid":7,"tid":70,"ts":1}"#,
        r#"{"ph":"X","name":"around","pid":7,"tid":70,"ts":1.5,"dur":5}"#,
    ])
    .trace();
    let marks: Vec<(&str, i64)> = trace.instants.iter().map(|m| (m.name.as_str(), m.ts)).collect();
    assert_eq!(marks, [("mark", 1000), ("old", 2000), ("here", 3125)]);
    let here = trace.instants.last().unwrap();
    assert_eq!(
        (here.categories.as_slice(), here.track.as_str()),
        (&["note".to_owned()][..], "cpu op/loader 70")
    );
    assert_eq!(here.arg("why"), Some(&Value::Text("x".into())));
}

#[test]
fn counters_are_kept_in_time_order_one_track_a_series() {
    let trace = merge(&[
        r#"{"ph":"C","name":"memory","pid":7,"ts":4,"args":{"used":20,"free":1.5}}"#,
        r#"{"ph":"C","name":"memory","pid":7,"ts":1.5,"args":{"used":10,"free":2.5}}"#,
        r#"{"ph":"C","name":"load","pid":7,"ts":2,"args":{"load":-3}}"#,
    ])
    .trace();
    let samples = |track: &str| -> Vec<(i64, f64)> {
        trace.samples_on(track).iter().map(|sample| (sample.ts, sample.value)).collect()
    };
    assert_eq!(samples("cpu op/memory used"), [(1500, 10.0), (4000, 20.0)]);
    assert_eq!(samples("cpu op/memory free"), [(1500, 2.5), (4000, 1.5)]);
    assert_eq!(samples("cpu op/load"), [(2000, -3.0)]);
}

#[test]
fn flows_join_the_slices_that_hold_their_points() {
    let trace = merge(&[
        r#"{"ph":"X","name":"launch","pid":7,"tid":70,"ts":0,"dur":5}"#,
        r#"{"ph":"X","name":"deep","pid":7,"tid":70,"ts":1,"dur":2}"#,
        r#"{"ph":"X","name":"pass","pid":7,"tid":71,"ts":4,"dur":2}"#,
        r#"{"ph":"X","name":"run","pid":7,"tid":72,"ts":8,"dur":2}"#,
        r#"{"ph":"s","id":5,"name":"f","cat":"c","pid":7,"tid":70,"ts":2}"#,
        r#"{"ph":"t","id":5,"name":"f","cat":"c","pid":7,"tid":71,"ts":5}"#,
        r#"{"ph":"f","id":5,"name":"f","cat":"c","pid":7,"tid":72,"ts":7}"#,
        r#"{"ph":"s","id":6,"name":"f","cat":"c","pid":7,"tid":70,"ts":4}"#,
        r#"{"ph":"f","bp":"e","id":6,"name":"f","cat":"c","pid":7,"tid":72,"ts":9}"#,
    ])
    .trace();
    let points = |name: &str| {
        let slice = trace
            .slices
            .iter()
            // Gaps are named after their causes: a launch, for one.
            .find(|slice| slice.name == name && !slice.track.contains("Gap"))
            .unwrap();
        (slice.flows.clone(), slice.ended_flows.clone())
    };
    let (deep, launch) = (points("deep").0, points("launch").0);
    assert_eq!((deep.len(), launch.len()), (1, 1));
    assert_ne!(deep, launch);
    // A step ends an arrow and starts the next one.
    let (passed, ended) = points("pass");
    assert_eq!((passed.len(), ended), (1, deep));
    // An end without `bp` belongs to the next slice, one with it to the slice around it.
    let ended: BTreeSet<u64> = points("run").1.into_iter().collect();
    assert_eq!(ended, passed.into_iter().chain(launch).collect());
}

#[test]
fn asynchronous_slices_are_kept() {
    let trace = merge(&[
        r#"{"ph":"b","cat":"request","id":"0x1","name":"whole","pid":7,"ts":1}"#,
        r#"{"ph":"b","cat":"request","id":"0x1","name":"part","pid":7,"ts":2}"#,
        r#"{"ph":"n","cat":"request","id":"0x1","name":"point","pid":7,"ts":3}"#,
        r#"{"ph":"e","cat":"request","id":"0x1","name":"part","pid":7,"ts":4}"#,
        r#"{"ph":"e","cat":"request","id":"0x1","name":"whole","pid":7,"ts":6}"#,
    ])
    .trace();
    let track = "cpu op/request 0x1";
    assert_eq!(
        host_slices(&trace),
        [format!("{track} whole 1000+5000"), format!("{track} part 2000+2000")]
    );
    assert_eq!((trace.instants[0].name.as_str(), trace.instants[0].ts), ("point", 3000));
}

#[test]
fn arguments_keep_their_names_types_and_nesting() {
    let trace = merge(&[concat!(
        r#"{"ph":"X","name":"a","pid":7,"tid":70,"ts":0,"dur":1,"args":{"n":9007199254740993,"#,
        r#""big":18446744073709551615,"low":-9223372036854775808,"x":0.1,"whole":2.0,"yes":true,"#,
        r#""text":"\u00fc\n\"","shape":[[1,2.5],[],{"k":"v"}],"deep":{"a":{"b":[false]}}}}"#
    )])
    .trace();
    let slice = trace.slices_on("cpu op/loader 70")[0];
    let arg = |name: &str| slice.arg(name).unwrap();
    assert_eq!(arg("n").int(), Some(9_007_199_254_740_993));
    assert_eq!(arg("big").int(), Some(u64::MAX.into()));
    assert_eq!(arg("low").int(), Some(i64::MIN.into()));
    assert_eq!((arg("x").double(), arg("whole").double()), (Some(0.1), Some(2.0)));
    assert_eq!((arg("yes"), arg("text").text()), (&Value::Bool(true), Some("\u{fc}\n\"")));
    assert_eq!(arg("shape").to_string(), r#"[[1 2.5 ] - {k: "v", } ]"#);
    assert_eq!(arg("deep").to_string(), "{a: {b: [false ], }, }");
}
