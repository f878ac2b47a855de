//! The splitter gives the same pieces whatever the size of the chunks.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::stats::Warning;

/// The pieces of `text`, events with their text, and the warnings.
fn split(text: &[u8], chunk: usize, max_event: usize) -> (Vec<(Piece, String)>, Vec<Warning>) {
    let mut splitter = Splitter::new(text, PathBuf::from("t.json"), chunk, max_event);
    let mut pieces = Vec::new();
    loop {
        match splitter.next().unwrap() {
            Piece::End => return (pieces, splitter.members.warnings),
            piece => pieces.push((piece, String::from_utf8_lossy(splitter.event()).into_owned())),
        }
    }
}

fn events(text: &str) -> Vec<String> {
    let (pieces, _) = split(text.as_bytes(), 7, 1 << 20);
    pieces
        .into_iter()
        .filter(|(piece, _)| matches!(piece, Piece::Event(_)))
        .map(|(_, text)| text)
        .collect()
}

fn warnings(text: &str) -> Vec<String> {
    split(text.as_bytes(), 7, 1 << 20)
        .1
        .into_iter()
        .map(|w| format!("{}: {}", w.offset, w.message.text(bigtpu_messages::Language::English)))
        .collect()
}

#[test]
fn splits_both_forms() {
    assert_eq!(
        events(r#"[{"a":"}{\""},{"b":{"c":[1,{}]}}]"#),
        [r#"{"a":"}{\""}"#, r#"{"b":{"c":[1,{}]}}"#]
    );
    let object = r#" {"x":{"traceEvents":[{"no":1}]},"y":"]}","traceEvents" : [ {} , {"a":1} ] ,"z":[[{}]],"w":-1.5} "#;
    assert_eq!(events(object), ["{}", r#"{"a":1}"#]);
    assert!(warnings(object).is_empty());
    assert_eq!(events("\u{feff}[{}]"), ["{}"]);
    assert!(events("[]").is_empty());
}

#[test]
fn keeps_two_keys_beside_the_events() {
    let text = br#"{"displayTimeUnit":"ns","traceEvents":[],"traceEvents":[{}],"baseTimeNanoseconds": 1709251200000000000}"#;
    let mut splitter = Splitter::new(&text[..], PathBuf::new(), 3, 100);
    assert_eq!(splitter.next().unwrap(), Piece::Event(56));
    assert_eq!(splitter.next().unwrap(), Piece::End);
    assert_eq!(splitter.members.display_time_unit.as_deref(), Some("ns"));
    assert_eq!(splitter.members.base_time_ns, Some(1_709_251_200_000_000_000));
}

#[test]
fn keeps_the_rank_of_a_process() {
    let rank = |text: &str| {
        let mut splitter = Splitter::new(text.as_bytes(), PathBuf::new(), 3, 100);
        while splitter.next().unwrap() != Piece::End {}
        splitter.members.rank
    };
    let groups = r#""pg_config": [{"pg_name": "}\"rank", "ranks": [0, 1]}]"#;
    let of = |members: &str| {
        rank(&format!(r#"{{"distributedInfo": {{{members}}},"traceEvents":[{{"rank": 3}}]}}"#))
    };
    assert_eq!(of(&format!(r#"{groups}, "rank" : 12, "world_size": 16"#)), Some(12));
    assert_eq!(of(groups), None);
    assert_eq!(rank(r#"{"traceEvents":[{"rank": 3}]}"#), None);
}

#[test]
fn cut_text_yields_whole_events_and_a_warning() {
    let whole = r#"{"traceEvents":[{"a":1},{"b":2}],"x":1}"#;
    for end in 16..whole.len() {
        let cut = &whole[..end];
        let expected = usize::from(end >= 23) + usize::from(end >= 31);
        assert_eq!((events(cut).len(), warnings(cut).len()), (expected, 1), "{cut}");
    }
    assert_eq!(
        warnings(r#"[{"a":1},{"b"#),
        ["12: the file is truncated; the text ends inside an event, which is lost"]
    );
}

#[test]
fn other_items_and_long_events_are_bad() {
    let text = br#"[1,null,[2],"x",{"long":"12345"},{"a":1}},"b":[],{},]"#;
    let (pieces, warnings) = split(text, 5, 10);
    let expected = [
        (Piece::Bad(1, EventError::NotAnObject), ""),
        (Piece::Bad(16, EventError::TooLong(10)), ""),
        (Piece::Event(33), r#"{"a":1}"#),
        (Piece::Bad(40, EventError::NotAnObject), ""),
        (Piece::Event(49), "{}"),
    ];
    assert_eq!(pieces, expected.map(|(piece, text)| (piece, text.to_owned())));
    assert!(warnings.is_empty());
}

#[test]
fn a_stray_bracket_does_not_end_the_events() {
    for text in [r#"[{}],{"a":1},[{},"[{}]"#, r#"{"traceEvents":[{}],{"a":1},[{},"[{}],"b":2}"#] {
        assert_eq!(events(text), ["{}", r#"{"a":1}"#, "{}", "{}"]);
        assert_eq!(warnings(text).len(), 1);
    }
}

#[test]
fn names_the_reason_why_a_file_is_not_a_trace() {
    let error = |text: &[u8]| {
        let error =
            Splitter::new(text, PathBuf::from("t.json"), 9, 9).next().unwrap_err().to_string();
        assert!(error.starts_with("host trace t.json: byte "), "{error}");
        error
    };
    assert!(error(b"").contains("found nothing"));
    assert!(error(b" \n<html>").contains("byte 2: "));
    assert!(error(b"\xff\xfe[\0").contains("UTF-16"));
    assert!(error(b"\x28\xb5\x2f\xfd").contains("zstd"));
}

#[test]
fn text_around_the_events_may_be_malformed() {
    let text = r#"{"a":"unescaped "quote" here", "traceEvents":[{}], 5 "b" [] "c":}"#;
    assert_eq!(events(text), ["{}"]);
    assert_eq!(warnings(text).len(), 2);
    assert_eq!(warnings("[] x"), ["3: text after the end of the trace is ignored"]);
    assert_eq!(
        warnings(r#"{"traceEvents":{}}"#),
        ["15: `traceEvents` is not a list and is ignored"]
    );
}

#[test]
fn a_missing_quote_costs_one_event() {
    let good = r#"{"ph":"X","name":"good"}"#;
    let text = format!(r#"[{good},{{"ph":"X","name":"bad}},{}]"#, [good; 20_000].join(",\n"));
    for chunk in [1000, 1 << 20] {
        let (pieces, warnings) = split(text.as_bytes(), chunk, 64 << 20);
        assert_eq!(pieces.iter().filter(|(_, text)| text == good).count(), 20_001);
        assert_eq!((pieces.len(), warnings.len()), (20_002, 0));
    }
    // Short: nothing but the end of the text shows that something is wrong.
    let (pieces, warnings) =
        split(format!(r#"[{{"ph":"X","name":"bad}},{good}]"#).as_bytes(), 10, 1000);
    assert_eq!((pieces.len(), warnings.len()), (2, 0));
}

/// Text that is nearly a trace.
fn nearly_a_trace() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        4 => Just(r#"{"ph":"X","name":"a"},"#.to_owned()),
        4 => Just(r#"{"ph":"X","args":{"a":[{},{"b":"}\\"}]}}"#.to_owned()),
        2 => Just(",\n".to_owned()),
        1 => Just(r#""traceEvents": ["#.to_owned()),
        1 => Just(r#"],"displayTimeUnit":"ms","#.to_owned()),
        2 => r#"[\[\]{}",:\\ 1a]{1,6}"#,
        1 => (0usize..100_000).prop_map(|len| "x".repeat(len)),
        1 => (0usize..20_000).prop_map(|len| format!("\"{}\"", "[{},".repeat(len))),
    ];
    let start = prop_oneof![Just("["), Just(r#"{"a":{"b":[]},"traceEvents":["#), Just("\u{feff}{")];
    (start, proptest::collection::vec(token, 0..40))
        .prop_map(|(start, rest)| (start.to_owned() + &rest.concat()).into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_chunk_size_changes_nothing(text in nearly_a_trace(), chunk in 1usize..5000, max_event in prop_oneof![10usize..100, Just(70_000usize), Just(1usize << 20)]) {
        let whole = split(&text, 1 << 24, max_event);
        prop_assert_eq!(&split(&text, chunk, max_event), &whole);
        prop_assert_eq!(&split(&text, 4096, max_event), &whole);
        if text.len() < 1000 {
            prop_assert_eq!(&split(&text, 1, max_event), &whole);
        }
    }

    #[test]
    fn valid_events_are_unchanged(names in proptest::collection::vec(any::<String>(), 0..20), chunk in 1usize..100) {
        let texts: Vec<String> = names.iter().map(|name| serde_json::json!({"ph": "X", "name": name}).to_string()).collect();
        let trace = format!("{{\"a\":[{{}}],\"traceEvents\":[{}]}}", texts.join(" ,"));
        let (pieces, warnings) = split(trace.as_bytes(), chunk, 1 << 20);
        prop_assert!(warnings.is_empty());
        let found: Vec<String> = pieces.into_iter().map(|(_, text)| text).collect();
        prop_assert_eq!(found, texts);
    }
}
