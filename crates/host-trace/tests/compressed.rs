//! Gzipped traces: whole, in parts, cut, damaged and hostile.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{Read, Write};
use std::path::Path;

use bigtpu_host_trace::{HostTrace, ReadOptions};
use bigtpu_messages::Language;
use flate2::Compression;
use flate2::write::GzEncoder;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: impl Read) -> HostTrace {
    HostTrace::read(bytes, Path::new("t.json.gz"), &ReadOptions::default()).unwrap()
}

fn trace(events: usize) -> String {
    let events: Vec<String> =
        (0..events).map(|i| format!(r#"{{"ph":"X","name":"op{i}","ts":{i},"dur":1}}"#)).collect();
    format!("{{\"traceEvents\":[{}]}}", events.join(","))
}

#[test]
fn whole_and_in_parts() {
    let text = trace(5000);
    let whole = read(&gzip(text.as_bytes())[..]);
    assert_eq!((whole.slices.len(), whole.files[0].stats.warnings.len()), (5000, 0));
    assert_eq!(whole.files[0].stats.text_bytes, text.len() as u64);
    let (first, second) = text.as_bytes().split_at(text.len() / 3);
    let parts = [gzip(first), gzip(second)].concat();
    assert_eq!(read(&parts[..]).slices.len(), 5000);
    assert_eq!(read(text.as_bytes()).slices.len(), 5000);
}

#[test]
fn cut_files_keep_their_whole_events() {
    let bytes = gzip(trace(5000).as_bytes());
    let cut = read(&bytes[..bytes.len() / 2]);
    assert!((1000..4500).contains(&cut.slices.len()), "{}", cut.slices.len());
    let warning = &cut.files[0].stats.warnings[0].message.text(Language::English);
    assert!(warning.starts_with("the compressed data are damaged or truncated ("), "{warning}");
    // Only the checksum is missing.
    let cut = read(&bytes[..bytes.len() - 4]);
    assert_eq!((cut.slices.len(), cut.files[0].stats.warnings.len()), (5000, 1));
}

#[test]
fn damaged_files_do_not_stop_anything() {
    let bytes = gzip(trace(2000).as_bytes());
    for place in (20..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        if let Ok(trace) = HostTrace::read(&damaged[..], Path::new("t"), &ReadOptions::default()) {
            assert!(trace.slices.len() <= 2001);
        }
    }
}

/// Megabytes of one byte, without memory behind it.
fn flood(byte: u8, megabytes: u64) -> impl Read {
    std::io::repeat(byte).take(megabytes << 20)
}

#[test]
fn large_texts_need_only_bounded_buffers() {
    let options = ReadOptions { max_event_bytes: 1 << 20, ..ReadOptions::default() };
    for (start, byte, end, bad) in [
        (r#"{"x":""#, b'a', r#"","traceEvents":[{"ph":"i","ts":1}]}"#, 0),
        (r#"{"x":"#, b'[', "", 0),
        (r#"{"traceEvents":["#, b' ', r#"{"ph":"i","ts":1}]}"#, 0),
        (r#"[{"ph":"i","ts":1},{"a":""#, b'\\', r#""},{"ph":"i","ts":1}]"#, 1),
        (r#"[{"ph":"i","ts":1},{"a":"#, b'[', "", 1),
        (r#"[{"ph":"i","ts":1},"#, b'{', "", 1),
        (r#"[{"ph":"i","ts":1},"#, b'7', "]", 1),
    ] {
        let text = start.as_bytes().chain(flood(byte, 8)).chain(end.as_bytes());
        match HostTrace::read(text, Path::new("t"), &options) {
            Ok(trace) => {
                assert!(!trace.instants.is_empty(), "{start}");
                assert_eq!(trace.files[0].stats.bad, bad, "{start}");
            }
            Err(error) => assert_eq!((start, bad), (r#"{"x":"#, 0), "{error}"),
        }
    }
}

#[test]
fn broken_events_without_end_take_linear_time() {
    // Each one is broken and the next one starts inside it.
    let text = format!("[{}", r#"{"a":{},{"ph":"i","ts":1},"#.repeat(20_000));
    let trace = read(text.as_bytes());
    assert!(trace.files[0].stats.bad > 0);
}
