//! A history as lines, a table, JSON and JUnit XML.

use bigtpu_answers::{ChangePoint, History, HistoryVerdict};
use bigtpu_output::{Markup, Table, Text, Untrusted, put, text};

use crate::diff::cells::number;

/// The verdict, then what was looked at.
#[must_use]
pub fn history_lines(history: &History) -> Vec<Untrusted<'static>> {
    let word = match history.verdict {
        HistoryVerdict::Skipped => "Skipped",
        HistoryVerdict::Ok | HistoryVerdict::Slower => "Verdict",
    };
    let History { text, runs, added, times, changes, .. } = history;
    let lines = [
        format!("{word}: {text}"),
        format!("Runs: {runs}, new: {added}; times: {}, changes: {}", times.len(), changes.len()),
    ];
    lines.into_iter().map(Untrusted::from).collect()
}

/// The changes, new ones first; at most `most`.
#[must_use]
pub fn history_table(history: &History, most: usize) -> Table {
    let row = |change: &ChangePoint| {
        let ChangePoint { unit, name, run, number: at, before_ns, after_ns, relative, .. } = change;
        let name = format!("{unit} {name}");
        [
            name.trim_start().to_owned(),
            at.to_string(),
            run.clone(),
            number(*before_ns, "ns"),
            number(*after_ns, "ns"),
            format!("{:+.2}%", relative * 100.0),
            if change.is_new { "new" } else { "" }.to_owned(),
        ]
    };
    let header = ["Time", "Run", "Name", "Before(us)", "After(us)", "Relative", "New"];
    Table::new("Changes of level", header, history.changes.iter().take(most).map(row))
}

/// `history.json`; its schema is `docs/history.schema.json`.
#[must_use]
pub fn history_json(history: &History) -> String {
    serde_json::to_string_pretty(history).unwrap_or_default() + "\n"
}

/// A test case for each time. One fails if it is longer since one of the last runs, and is skipped where the runs are too few.
#[must_use]
pub fn history_junit(history: &History) -> Text<Markup> {
    let slower = |unit: &str, name: &str| {
        let mut of_time = history.changes.iter().filter(|c| c.unit == unit && c.name == name);
        of_time.find(|change| change.is_new && change.relative > 0.0)
    };
    let is_skipped = history.verdict == HistoryVerdict::Skipped;
    let (mut failures, mut cases) = (0, Text::<Markup>::new());
    for (unit, name) in &history.times {
        let mut body = Text::<Markup>::new();
        if let Some(change) = slower(unit, name) {
            failures += 1;
            let message = change.sentence();
            put!(body, "<failure message=\"{}\" type=\"slower\">{}</failure>", message, message);
        } else if is_skipped {
            put!(body, "<skipped message=\"{}\"/>", history.text);
        }
        let class = format!("bigtpuprofile.history {unit}");
        let class = class.trim_end();
        put!(cases, "<testcase classname=\"{}\" name=\"{}\">{}</testcase>\n", class, name, body);
    }
    let tests = history.times.len();
    let counts: Text<Markup> = text!("tests=\"{}\" failures=\"{}\" errors=\"0\"", tests, failures);
    text!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bigtpuprofile history\" {}>\n\
         <testsuite name=\"history\" {} skipped=\"{}\">\n{}</testsuite>\n</testsuites>\n",
        counts,
        counts,
        if is_skipped { tests } else { 0 },
        cases
    )
}
