//! Limits as JUnit XML, which CI systems show as tests: a test case for each limit and unit.

use bigtpu_answers::{Gate, LimitOutcome, LimitResult};
use bigtpu_output::Untrusted;

/// The limits as one test suite.
pub(crate) fn junit(gate: &Gate) -> String {
    let limits = &gate.limits;
    let failed = limits.iter().filter(|limit| limit.is_failure).count();
    let skipped = limits.iter().filter(|limit| is_skipped(limit)).count();
    let counts = format!("tests=\"{}\" failures=\"{failed}\" errors=\"0\"", limits.len());
    let cases: String = limits.iter().map(case).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bigtpuprofile diff\" {counts}>\n\
         <testsuite name=\"limits\" {counts} skipped=\"{skipped}\">\n{cases}</testsuite>\n</testsuites>\n"
    )
}

/// A limit that matches nothing is not a success, nor is one without a baseline.
fn is_skipped(limit: &LimitOutcome) -> bool {
    matches!(limit.result, LimitResult::Unmatched | LimitResult::Skipped) && !limit.is_failure
}

fn case(outcome: &LimitOutcome) -> String {
    let lines = outcome.lines();
    let message = Untrusted::from(lines.first().map_or("", String::as_str));
    let message = message.xml();
    let body = if outcome.is_failure {
        let texts = lines.iter().map(|line| Untrusted::from(line).xml().to_string());
        let text = texts.collect::<Vec<_>>().join("&#10;");
        format!("<failure message=\"{message}\" type=\"limit\">{text}</failure>")
    } else if is_skipped(outcome) {
        format!("<skipped message=\"{message}\"/>")
    } else {
        String::new()
    };
    let name = Untrusted::from(outcome.limit.to_string());
    let name = name.xml();
    let unit = Untrusted::from(outcome.unit.as_ref().map_or_else(String::new, |u| format!(".{u}")));
    let unit = unit.xml();
    format!("<testcase classname=\"bigtpuprofile.diff{unit}\" name=\"{name}\">{body}</testcase>\n")
}
