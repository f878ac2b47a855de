//! Gzipped traces and those in zip archives: whole, in parts, cut, damaged and hostile.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{Read, Write};
use std::path::Path;

use bigtpu_host_trace::{HostTrace, ReadOptions};
use bigtpu_messages::Language;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

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

/// A file of a zip archive: its header, data, and sizes behind them if `behind`.
fn zip_member(name: &str, text: &[u8], method: u16, behind: bool) -> Vec<u8> {
    let data = match method {
        8 => {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        }
        _ => text.to_vec(),
    };
    let sizes = |size: usize| (size as u32).to_le_bytes();
    let mut bytes = b"PK\x03\x04\x14\0".to_vec();
    bytes.extend([if behind { 8 } else { 0 }, 0]);
    bytes.extend(method.to_le_bytes());
    bytes.extend([0; 8]);
    let told = if behind { [[0; 4]; 2] } else { [sizes(data.len()), sizes(text.len())] };
    bytes.extend(told.concat());
    bytes.extend((name.len() as u16).to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(name.as_bytes());
    bytes.extend(&data);
    if behind {
        bytes.extend(b"PK\x07\x08\0\0\0\0");
        bytes.extend([sizes(data.len()), sizes(text.len())].concat());
    }
    bytes
}

/// What stands behind the files of an archive.
const LIST: &[u8] = b"PK\x01\x02 the list of files, which is not read";

#[test]
fn the_only_file_of_a_zip_archive_is_read() {
    let text = trace(5000);
    for (method, behind) in [(8, false), (8, true), (0, false)] {
        let whole = [&zip_member("t.json", text.as_bytes(), method, behind), LIST].concat();
        let trace = read(&whole[..]);
        assert_eq!((trace.slices.len(), trace.files[0].stats.warnings.len()), (5000, 0));
        let cut = read(&whole[..whole.len() / 2]);
        assert!((1000..4500).contains(&cut.slices.len()), "{}", cut.slices.len());
        assert_eq!(cut.files[0].stats.warnings.len(), 1);
    }
    let one = |method| zip_member("a.json", text.as_bytes(), method, false);
    let mut locked = one(8);
    locked[6] = 1;
    for (archive, why) in [
        ([one(8), one(8)].concat(), "it holds several files"),
        ([zip_member("a", text.as_bytes(), 8, true), one(0)].concat(), "it holds several files"),
        (locked, "its file is encrypted"),
        (zip_member("a", text.as_bytes(), 12, false), "packed in a way that is not read"),
        (zip_member("a", text.as_bytes(), 0, true), "packed in a way that is not read"),
    ] {
        let archive = [&archive, LIST].concat();
        let read = HostTrace::read(&archive[..], Path::new("t.zip"), &ReadOptions::default());
        let error = read.unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("unpack it"), "{error}");
    }
    let flood = vec![b' '; 64 << 20];
    let bomb = [&zip_member("a", &[b"[".as_slice(), &flood].concat(), 8, false), LIST].concat();
    let cut = read(&bomb[..]);
    let warning = cut.files[0].stats.warnings[0].message.text(Language::English);
    assert!(warning.contains("compression ratio above 100:1"), "{warning}");
}
