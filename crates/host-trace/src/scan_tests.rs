//! Ends of values are found wherever chunks end.
#![allow(clippy::unwrap_used)]

use super::*;

fn scan_with(text: &str, limit: usize, chunk: usize) -> (Scan, u64) {
    let mut feed = Feed::new(text.as_bytes(), chunk);
    let found = scan(&mut feed, limit, |_| false).unwrap();
    (found, feed.offset())
}

#[test]
fn finds_the_end_whatever_the_chunk() {
    for chunk in 1..40 {
        assert_eq!(scan_with(r#"{"a}\\\"}":{"b":"{"}},{}"#, 100, chunk), (Scan::Whole(21), 0));
        assert_eq!(scan_with(r#"[["]"],{}]]"#, 100, chunk), (Scan::Whole(10), 0));
        assert_eq!(scan_with(r#""a\"b\\" ""#, 100, chunk), (Scan::Whole(8), 0));
        assert_eq!(scan_with(r#"{"a":{}"#, 100, chunk), (Scan::Cut, 0));
    }
}

#[test]
fn the_limit_is_on_the_length_alone() {
    for chunk in 1..40 {
        assert_eq!(scan_with(r#"{"a":1},{}"#, 7, chunk), (Scan::Whole(7), 0));
        assert_eq!(scan_with(r#"{"a":1},{}"#, 6, chunk), (Scan::TooLong, 7));
        assert_eq!(scan_with(r#"{"a":"\""},{}"#, 3, chunk), (Scan::TooLong, 10));
        assert_eq!(scan_with(r#"{"a":"\"#, 3, chunk), (Scan::TooLong, 7));
    }
}

#[test]
fn long_values_are_watched_at_the_same_places() {
    let text = format!("{{\"a\":\"{}\"}}", "x".repeat(300_000));
    for chunk in [1000, 16_384, 1 << 20] {
        let mut seen = Vec::new();
        let mut feed = Feed::new(text.as_bytes(), chunk);
        let found = scan(&mut feed, 200_000, |text| {
            seen.push(text.len());
            false
        });
        assert_eq!((found.unwrap(), seen), (Scan::TooLong, vec![16_384, 32_768, 65_536, 131_072]));
    }
}

#[test]
fn skips_scalars_and_stray_bytes() {
    for chunk in 1..20 {
        let mut feed = Feed::new(&b"-1.5e3,}x:"[..], chunk);
        for offset in [6, 7, 9, 10] {
            skip_value(&mut feed).unwrap();
            assert_eq!(feed.offset(), offset);
        }
    }
}
