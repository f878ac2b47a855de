//! What is wrong with one event costs that event only, and is said.

use super::{host_slices, merge_events, merge_text, strict_code};
use crate::support::run::Finished;
use crate::support::summary::notes;

const GOOD: &str = r#"{"ph":"X","name":"good","pid":1,"tid":1,"ts":1,"dur":1}"#;
const ALSO: &str = r#"{"ph":"X","name":"also","pid":1,"tid":1,"ts":20,"dur":1}"#;

#[track_caller]
fn keeps_both(run: &Finished) {
    let slices = host_slices(&run.trace());
    assert_eq!(slices, ["cpu op/thread 1 good 1000+1000", "cpu op/thread 1 also 20000+1000"]);
}

#[test]
fn a_broken_event_is_left_out_and_named() {
    let broken = [
        (r#"{"ph":"X","name":"brok"en","pid":1,"tid":1,"ts":2,"dur":1}"#, "is not valid JSON"),
        (r#"{"ph":"X","name":"x","pid":1,"tid":1,"ts":"soon","dur":1}"#, "`ts` is not a decimal"),
        (r#"{"ph":"X","name":"x","pid":1,"tid":1,"dur":1}"#, "has no `ts`"),
        (r#"{"ph":"X","name":"x","pid":1,"tid":1,"ts":5,"dur":-1}"#, "`dur` is negative"),
        (r#"{"ph":"X","name":"x","pid":1,"tid":1,"ts":1e300,"dur":1}"#, "64-bit nanoseconds"),
        (r#"{"name":"x","pid":1,"tid":1,"ts":5,"dur":1}"#, "has no `ph`"),
        (r#"{"ph":"f","name":"x","pid":1,"tid":1,"ts":5}"#, "has no `id`"),
        ("42", "is not a JSON object"),
    ];
    for (event, why) in broken {
        let run = merge_events(&[GOOD, event, ALSO]);
        keeps_both(&run);
        let offset = "{\"traceEvents\": [\n".len() + GOOD.len() + ",\n".len();
        let place = format!("host.json at byte {offset}: an event was left out: ");
        let line = run.said.stderr.lines().find(|line| line.contains(&place));
        let line = line.unwrap_or_else(|| panic!("{event}: {}", run.said.stderr));
        let summary = run.text("summary.txt");
        assert!(notes(&summary).contains(&line), "not in the summary: {summary}");
        let (_, note) = line.split_once(": ").unwrap();
        let in_trace = run.trace().attributes.iter().any(|(_, value)| value == note);
        assert!(in_trace, "not in the trace: {note}");
        assert!(line.starts_with("lost: ") && line.contains(why), "{line}");
    }
}

#[test]
fn many_broken_events_are_counted() {
    let events = [&[GOOD], [r#"{"ph":"X","name":"x"}"#; 20].as_slice(), &[ALSO]].concat();
    let run = merge_text(&format!("[{}]", events.join(",")), &["-v"]);
    keeps_both(&run);
    let said = &run.said.stderr;
    let named = said.lines().filter(|line| line.contains("an event was left out")).count();
    assert!(named > 0, "{said}");
    assert!(said.contains(&format!(": {} more events were left out", 20 - named)), "{said}");
}

#[test]
fn a_cut_trace_shows_what_is_whole() {
    let text = format!("{{\"traceEvents\": [{GOOD}, {ALSO}, {{\"ph\":\"X\",\"name\":\"lo");
    let run = merge_text(&text, &[]);
    keeps_both(&run);
    let place = format!("host.json at byte {}: the file is truncated", text.len());
    assert!(run.said.stderr.contains(&place), "{}", run.said.stderr);
    // Every cut of a sound trace can be read, once its list has begun.
    let whole = format!("{{\"traceEvents\": [{GOOD}, {ALSO}]}}");
    for end in (17..whole.len()).step_by(13) {
        let run = merge_text(&whole[..end], &[]);
        assert!(run.said.stderr.contains("the file is truncated"), "cut at {end}");
        let first_ends = 17 + GOOD.len();
        let expected =
            usize::from(end >= first_ends) + usize::from(end >= first_ends + 2 + ALSO.len());
        assert_eq!(host_slices(&run.trace()).len(), expected, "cut at {end}");
    }
}

#[test]
fn begins_and_ends_without_a_partner_are_counted() {
    let run = merge_events(&[
        GOOD,
        r#"{"ph":"B","name":"open","pid":1,"tid":1,"ts":8}"#,
        r#"{"ph":"E","pid":1,"tid":2,"ts":9}"#,
        ALSO,
    ]);
    keeps_both(&run);
    assert!(
        run.said.stderr.contains("2 begin or end events without a partner"),
        "{}",
        run.said.stderr
    );
}

#[test]
fn invalid_json_numbers_are_kept() {
    let run = merge_events(&[
        r#"{"ph":"X","name":"nan","pid":1,"tid":1,"ts":6,"dur":1,"args":{"loss":NaN,"up":Infinity,"down":-Infinity,"no":null}}"#,
    ]);
    assert!(!run.said.stderr.contains("left out"), "{}", run.said.stderr);
    let trace = run.trace();
    let slice = trace.slices_on("cpu op/thread 1")[0];
    assert!(slice.arg("loss").unwrap().double().unwrap().is_nan());
    assert_eq!(slice.arg("up").unwrap().double(), Some(f64::INFINITY));
    assert_eq!(slice.arg("down").unwrap().double(), Some(f64::NEG_INFINITY));
    assert!(slice.arg("no").is_some());
}

#[test]
fn an_empty_list_of_events_is_a_trace() {
    let run = merge_text("[]", &[]);
    assert!(host_slices(&run.trace()).is_empty());
    assert!(run.said.stderr.contains("no tpudnn event"), "{}", run.said.stderr);
}

#[test]
fn losses_of_a_host_trace_count_with_strict() {
    assert_eq!(strict_code(&format!("[{GOOD},{ALSO}]")), Some(0));
    assert_eq!(strict_code(&format!("[{GOOD},{ALSO}")), Some(3), "the list has no end");
    assert_eq!(strict_code(&format!("[{GOOD},42,{ALSO}]")), Some(3), "an event is none");
}
