//! Text that is not as it should be costs as little as can be.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::path::Path;

use bigtpu_host_trace::{DecimalError, EventError, HostTrace, ReadOptions, TraceError};
use common::{args, name, read};

#[test]
fn numbers_that_are_not_finite_do_not_lose_the_event() {
    let trace = read(
        r#"[{"ph":"X","ts":1,"dur":1,"name":"NaN","args":{"a":NaN,"b":-Infinity,"c":[1e999],"d":"\u0001nan"}}]"#,
    );
    assert_eq!(
        args(&trace, trace.slices[0].args),
        "{a=Double(NaN) b=Double(-inf) c=[Double(inf)] d=Double(NaN)}"
    );
    assert_eq!(
        (
            name(&trace, trace.slices[0].name),
            trace.files[0].stats.repaired,
            trace.files[0].stats.bad
        ),
        ("NaN", 1, 0)
    );
}

#[test]
fn bad_events_are_counted_and_the_others_are_read() {
    let deep = format!("{{\"ph\":\"X\",\"args\":{}1{}}}", "[".repeat(500), "]".repeat(500));
    let items = [
        r#"{"ph":"X","ts":1,"dur":1,"args":{"kept":1}}"#,
        r#"{"ph":"X","ts":"x","dur":1,"args":{"lost":1}}"#,
        r#"{"ph":"X","ts":1e300,"dur":1}"#,
        r#"{"ph":"X","dur":1}"#,
        r#"{"ph":"X","ts":1,"dur":-1}"#,
        r#"{"ph":"X","ts":9223372036854775,"dur":9223372036854775}"#,
        r#"{"ts":1}"#,
        r#"{"ph":"XX","ts":1}"#,
        r#"{"ph":"f","ts":1}"#,
        r#"{"ph":"X" "ts":1}"#,
        &deep,
        "17",
        r#"{"ph":"P","ts":1}"#,
        r#"{"ph":"X","ts":3,"dur":1,"args":{"kept":2}}"#,
    ];
    let options = ReadOptions { kept_bad: 20, ..ReadOptions::default() };
    let text = format!("[{}]", items.join(","));
    let trace = HostTrace::read(text.as_bytes(), Path::new("t"), &options).unwrap();
    let kept: Vec<_> = trace.slices.iter().map(|s| args(&trace, s.args)).collect();
    assert_eq!(kept, ["{kept=Int(1)}", "{kept=Int(2)}"]);
    assert_eq!(trace.files[0].stats.events, 14);
    assert_eq!(trace.files[0].stats.bad, 11);
    assert_eq!(trace.instants[0].kind, bigtpu_host_trace::InstantKind::Sample);
    let bad = &trace.files[0].stats.first_bad;
    assert_eq!(bad[0].offset, 45);
    let whys: Vec<EventError> = bad.iter().map(|bad| bad.why.clone()).collect();
    assert_eq!(whys[0], EventError::Time { field: "ts", why: DecimalError::NotANumber });
    assert_eq!(whys[1], EventError::Time { field: "ts", why: DecimalError::OutOfRange });
    assert_eq!(whys[2..4], [EventError::Missing("ts"), EventError::NegativeDuration]);
    assert_eq!(whys[4], EventError::Time { field: "dur", why: DecimalError::OutOfRange });
    assert_eq!(
        whys[5..8],
        [EventError::Missing("ph"), EventError::Phase, EventError::Missing("id")]
    );
    assert!(matches!(
        &whys[8..],
        [EventError::Syntax(_), EventError::Syntax(_), EventError::NotAnObject]
    ));
    assert!(whys[9].to_string().contains("recursion limit"), "{}", whys[9]);
}

#[test]
fn a_file_that_is_not_a_trace_is_an_error() {
    let error = |text: &str| {
        HostTrace::read(text.as_bytes(), Path::new("t.json"), &ReadOptions::default()).unwrap_err()
    };
    assert!(matches!(error(""), TraceError::NotATrace { offset: 0, .. }));
    assert!(matches!(
        error(r#"{"a":{"traceEvents":[]}}"#),
        TraceError::NoEvents { offset: 24, .. }
    ));
    let missing = HostTrace::open(Path::new("/no/such/file"), &ReadOptions::default())
        .unwrap_err()
        .to_string();
    assert!(missing.starts_with("host trace /no/such/file: cannot open it ("), "{missing}");
}
