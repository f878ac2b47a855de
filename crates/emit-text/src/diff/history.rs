//! A history as lines, a table, JSON and JUnit XML.

use bigtpu_answers::{History, HistoryEvent, HistoryVerdict};
use bigtpu_messages::{Arg, Language, message};
use bigtpu_output::{Markup, Table, Text, Untrusted, put, text};

use crate::diff::cells::number;

/// The verdict, then what else is new, then what was looked at.
#[must_use]
pub fn history_lines(history: &History, language: Language) -> Vec<Untrusted<'static>> {
    let History { text, builds, runs, added, series, builds_per_alarm, least_change, .. } = history;
    let text = text.to(language);
    let name = |text: &str| Arg::Name(text.to_owned());
    let verdict = match history.verdict {
        HistoryVerdict::Skipped => message!("history-skipped", text = name(text)),
        HistoryVerdict::Ok => message!("history-verdict", text = name(text)),
        HistoryVerdict::Slower => message!("history-slower", text = name(text)),
    };
    let mut lines = vec![verdict.text(language)];
    let new = history.events.iter().filter(|event| event.is_new);
    let sentences = new.map(|event| event.sentence(language));
    let also = |sentence: String| message!("history-also", text = name(&sentence)).text(language);
    lines.extend(sentences.filter(|sentence| sentence != text).map(also));
    let looked_at = message!(
        "history-builds",
        builds = name(&builds.to_string()),
        runs = name(&runs.to_string()),
        added = name(&added.to_string()),
        times = name(&series.len().to_string()),
        alarm = name(&builds_per_alarm.to_string()),
        least = name(&(least_change * 100.0).to_string())
    );
    lines.push(looked_at.text(language));
    lines.into_iter().map(Untrusted::from).collect()
}

/// The events, new ones first; at most `most`.
#[must_use]
pub fn history_table(history: &History, most: usize) -> Table {
    let row = |event: &HistoryEvent| {
        let us = |ns: Option<f64>| ns.map_or_else(|| "-".to_owned(), |ns| number(ns, "ns"));
        let name = format!("{} {}", event.unit, event.name);
        [
            name.trim_start().to_owned(),
            event.number.to_string(),
            event.run.clone(),
            us(event.before_ns),
            us(event.after_ns),
            event.relative.map_or_else(
                || format!("{:?}", event.kind).to_lowercase(),
                |relative| format!("{:+.2}%", relative * 100.0),
            ),
            if event.is_new { "new" } else { "" }.to_owned(),
        ]
    };
    let header = ["Time", "Run", "Name", "Before(us)", "After(us)", "Change", "Reported"];
    Table::new("Changes of level", header, history.events.iter().take(most).map(row))
}

/// `history.json`; its schema is `docs/history.schema.json`.
#[must_use]
pub fn history_json(history: &History) -> String {
    serde_json::to_string_pretty(history).unwrap_or_default() + "\n"
}

/// A test case for each time. One fails if it is longer since one of the last runs, and is skipped where the runs are too few.
#[must_use]
pub fn history_junit(history: &History) -> Text<Markup> {
    let slower = |unit: &str, name: &String| {
        let mut alarms =
            history.events.iter().filter(|event| event.is_alarm() && event.unit == unit);
        alarms.find(|event| event.name == *name || event.also.contains(name))
    };
    let is_skipped = history.verdict == HistoryVerdict::Skipped;
    let (mut failures, mut cases) = (0, Text::<Markup>::new());
    for series in &history.series {
        let mut body = Text::<Markup>::new();
        if let Some(event) = slower(&series.unit, &series.name) {
            failures += 1;
            let message = event.sentence(Language::English);
            put!(body, "<failure message=\"{}\" type=\"slower\">{}</failure>", message, message);
        } else if is_skipped {
            put!(body, "<skipped message=\"{}\"/>", history.text.text);
        }
        let class = format!("bigtpuprofile.history {}", series.unit);
        let class = class.trim_end();
        let name = &series.name;
        put!(cases, "<testcase classname=\"{}\" name=\"{}\">{}</testcase>\n", class, name, body);
    }
    let tests = history.series.len();
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
