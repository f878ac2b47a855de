//! Limits as JUnit XML, which CI systems show as tests: a test case for each limit and unit.

use bigtpu_answers::{Gate, LimitOutcome, LimitResult};
use bigtpu_messages::Language;
use bigtpu_output::{Markup, Text, put, text};

/// The limits as one test suite.
pub(crate) fn junit(gate: &Gate) -> Text<Markup> {
    let limits = &gate.limits;
    let failed = limits.iter().filter(|limit| limit.is_failure).count();
    let skipped = limits.iter().filter(|limit| is_skipped(limit)).count();
    let counts: Text<Markup> =
        text!("tests=\"{}\" failures=\"{}\" errors=\"0\"", limits.len(), failed);
    text!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bigtpuprofile diff\" {}>\n\
         <testsuite name=\"limits\" {} skipped=\"{}\">\n{}</testsuite>\n</testsuites>\n",
        counts,
        counts,
        skipped,
        Text::<Markup>::joined(limits.iter().map(case), "")
    )
}

/// A limit that matches nothing is not a success, nor is one without a baseline.
fn is_skipped(limit: &LimitOutcome) -> bool {
    matches!(limit.result, LimitResult::Unmatched | LimitResult::Gone | LimitResult::Skipped)
        && !limit.is_failure
}

fn case(outcome: &LimitOutcome) -> Text<Markup> {
    let lines: Vec<String> =
        outcome.lines().iter().map(|line| line.message.text(Language::English)).collect();
    let message = lines.first().map_or("", String::as_str);
    let mut body: Text<Markup> = Text::new();
    if outcome.is_failure {
        let texts = Text::<Markup>::joined(&lines, "&#10;");
        put!(body, "<failure message=\"{}\" type=\"limit\">{}</failure>", message, texts);
    } else if is_skipped(outcome) {
        put!(body, "<skipped message=\"{}\"/>", message);
    }
    let unit = outcome.unit.as_ref().map_or_else(String::new, |unit| format!(".{unit}"));
    text!(
        "<testcase classname=\"bigtpuprofile.diff{}\" name=\"{}\">{}</testcase>\n",
        unit,
        outcome.limit.to_string(),
        body
    )
}
