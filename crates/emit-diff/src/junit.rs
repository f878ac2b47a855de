//! Limits as JUnit XML, which CI systems show as tests: a test case for each limit.

use bigtpu_answers::{Gate, LimitOutcome, LimitResult};

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

/// A limit that matches nothing is not a success.
fn is_skipped(limit: &LimitOutcome) -> bool {
    limit.result == LimitResult::Unmatched && !limit.is_failure
}

fn case(outcome: &LimitOutcome) -> String {
    let lines = outcome.lines();
    let message = escaped(lines.first().map_or("", String::as_str));
    let body = if outcome.is_failure {
        let text = escaped(&lines.join("\n"));
        format!("<failure message=\"{message}\" type=\"limit\">{text}</failure>")
    } else if is_skipped(outcome) {
        format!("<skipped message=\"{message}\"/>")
    } else {
        String::new()
    };
    let name = escaped(&outcome.limit.to_string());
    format!("<testcase classname=\"bigtpuprofile.diff\" name=\"{name}\">{body}</testcase>\n")
}

/// XML has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_texts() {
        assert_eq!(escaped("a<b>&\"\u{1}\n"), "a&lt;b&gt;&amp;&quot;\u{fffd}&#10;");
    }
}
