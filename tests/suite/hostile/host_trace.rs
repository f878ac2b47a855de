//! Host traces that nest deep, hold no numbers, or unfold without end.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::analyze_within_bounds;
use crate::support::case::case;
use crate::support::run::{Said, TRACE};
use crate::support::trace::Trace;

const CASE: &str = "aksv-mode1";
const DEPTH: usize = 100_000;

struct Merged {
    said: Said,
    trace: Trace,
}

/// Merges a host trace within bounds; it must work.
fn merge(name: &str, content: &[u8]) -> Merged {
    let dir = tempfile::tempdir().unwrap();
    let (file, out): (PathBuf, PathBuf) = (dir.path().join(name), dir.path().join("out"));
    fs::write(&file, content).unwrap();
    let args = ["--trace_file", file.to_str().unwrap(), "--strict"];
    let said = analyze_within_bounds(&case(CASE).dump(), &out, &args);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let trace = Trace::open(&out.join(TRACE));
    assert!(trace.problems.is_empty(), "{:#?}", trace.problems);
    Merged { said, trace }
}

fn event(more: &str) -> String {
    format!(r#"{{"ph":"X","pid":1,"tid":1,{more}}}"#)
}

/// How many slices are under the host's track.
fn host_slices(merged: &Merged) -> usize {
    merged.trace.slices.iter().filter(|slice| slice.track.starts_with("cpu op")).count()
}

#[test]
fn events_with_too_deep_arguments_are_left_out() {
    for (open, close) in [("{\"a\":", "}"), ("[", "]")] {
        let args = format!("{}1{}", open.repeat(DEPTH), close.repeat(DEPTH));
        let deep = event(&format!(r#""name":"deep","ts":1,"dur":1,"args":{{"x":{args}}}"#));
        let flat = event(r#""name":"flat","ts":5,"dur":1"#);
        let merged = merge("deep.json", format!("[{deep},{flat}]").as_bytes());
        assert_eq!(merged.said.code, Some(3));
        assert!(merged.said.stderr.contains("an event was left out"), "{}", merged.said.stderr);
        assert_eq!(host_slices(&merged), 1);
    }
}

#[test]
fn slices_may_nest_deep() {
    let nested = |i: usize| event(&format!(r#""name":"n","ts":{i},"dur":{}"#, 2 * (DEPTH - i)));
    let text = format!("[{}]", (0..DEPTH).map(nested).collect::<Vec<_>>().join(","));
    let merged = merge("nested.json", text.as_bytes());
    assert_eq!(merged.said.code, Some(0), "{}", merged.said.stderr);
    assert_eq!(host_slices(&merged), DEPTH);
    assert_eq!(merged.trace.slices.iter().map(|slice| slice.depth).max(), Some(DEPTH - 1));
}

#[test]
fn begins_without_ends_may_nest_deep() {
    let begin = r#"{"ph":"B","pid":1,"tid":1,"name":"n","ts":1}"#;
    let text = format!("[{}]", vec![begin; DEPTH].join(","));
    let merged = merge("open.json", text.as_bytes());
    let says = format!("{DEPTH} begin or end events without a partner");
    assert!(merged.said.stderr.contains(&says), "{}", merged.said.stderr);
}

#[test]
fn events_with_invalid_times_are_left_out() {
    for time in ["NaN", "-Infinity", "1e999", "-1e40", "9223372036854775808", "\"x\"", "null", "{}"]
    {
        let odd = event(&format!(r#""name":"odd","ts":{time},"dur":1"#));
        let good = event(r#""name":"good","ts":5,"dur":1"#);
        let merged = merge("times.json", format!("[{odd},{good}]").as_bytes());
        assert_eq!(merged.said.code, Some(3), "{time}: {}", merged.said.stderr);
        assert_eq!(host_slices(&merged), 1, "{time}");
    }
}

#[test]
fn extreme_times_are_shown_where_they_are() {
    // The largest time that fits 64 bits of ns, and times below 0.
    for (time, dur, ns) in [
        ("9223372036854775", "0.8", 9_223_372_036_854_775_000),
        ("-9223372036854775", "1", -9_223_372_036_854_775_000),
        ("-5", "1e4", -5000),
    ] {
        let text = format!("[{}]", event(&format!(r#""name":"n","ts":{time},"dur":{dur}"#)));
        for tpudnn in [false, true] {
            // As an anchor it moves the device, too.
            let text = match tpudnn {
                true => text.replace("\"ph\"", "\"cat\":\"tpudnn\",\"ph\""),
                false => text.clone(),
            };
            let merged = merge("extreme.json", text.as_bytes());
            assert_eq!(merged.said.code, Some(0), "{time}: {}", merged.said.stderr);
            let found = merged.trace.slices.iter().find(|slice| slice.name == "n").unwrap();
            assert_eq!(found.ts, ns, "{time}");
        }
    }
}

fn zipped(parts: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    parts.for_each(|part| gzip.write_all(&part).unwrap());
    gzip.finish().unwrap()
}

#[test]
fn a_trace_with_a_huge_compression_ratio_is_cut() {
    let good = event(r#""name":"good","ts":5,"dur":1"#);
    let start = || std::iter::once(format!("[{good}").into_bytes());
    let blanks = zipped(start().chain((0..200).map(|_| vec![b' '; 1 << 20])));
    let events = format!(",{good}").repeat(1 << 14).into_bytes();
    let events = zipped(start().chain((0..200).map(|_| events.clone())));
    let name = std::iter::once(b",{\"ph\":\"X\",\"name\":\"".to_vec());
    let name = zipped(start().chain(name).chain((0..200).map(|_| vec![b'n'; 1 << 20])));
    for (what, bomb) in [("blanks", blanks), ("events", events), ("a name", name)] {
        assert!(bomb.len() < 2 << 20, "{what}: {} bytes", bomb.len());
        let merged = merge("bomb.json.gz", &bomb);
        assert_eq!(merged.said.code, Some(3), "{what}: {}", merged.said.stderr);
        let says = "compression ratio above 100:1";
        assert!(merged.said.stderr.contains(says), "{what}: {}", merged.said.stderr);
        assert!(host_slices(&merged) >= 1, "{what}");
    }
}

#[test]
fn all_names_are_plain_texts() {
    let long = "n".repeat(10 << 20);
    // A mark that turns the direction of what follows is seen as an escape, everything else is a name as it is.
    let turned = ("\u{202e}x", "\\u{202e}x");
    let plain = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "../../etc/passwd", &long];
    for (name, shown) in plain.map(|name| (name, name)).into_iter().chain([turned]) {
        let text = format!("[{}]", event(&format!(r#""name":"{name}","ts":5,"dur":1"#)));
        let merged = merge("names.json", text.as_bytes());
        assert_eq!(merged.said.code, Some(0), "{}", merged.said.stderr);
        assert!(merged.trace.slices.iter().any(|slice| slice.name == shown));
    }
}
