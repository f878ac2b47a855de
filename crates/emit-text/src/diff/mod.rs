//! A comparison of runs as text, Markdown (for a pull request), JSON, HTML, and JUnit XML (for CI systems).

mod cells;
mod history;
mod history_line;
mod history_page;
mod html;
mod json;
mod junit;
mod markdown;
mod screen;
mod tables;

use bigtpu_answers::{
    Comparison, Gate, LimitLine, LimitOutcome, LimitResult, LimitState, Unpaired, Verdict,
};
use bigtpu_messages::Language;
use bigtpu_output::{Json, Lines, OutDir, OutputError, Text, Untrusted, Written, put};

pub use history::{history_json, history_junit, history_lines, history_table};
pub use history_page::history_page;
pub use json::json;
pub use markdown::markdown;
pub use screen::{DiffScreen, MOST_ROWS, screen, short, verdict};
pub use tables::{headline, tables};

/// Rows of each table in text and Markdown; HTML and JSON have all.
pub const FEW_ROWS: usize = 20;

/// Name of the page.
pub const HTML_FILE: &str = "diff.html";

/// Writes `diff.txt`, `diff.md`, `diff.json` and `diff.junit.xml`. `language`: of the sentences in `diff.md`; scripts read the others.
///
/// # Errors
/// [`OutputError`] when a file can't be written; none is then left half-written.
pub fn write(
    comparison: &Comparison,
    gate: &Gate,
    language: Language,
    out: &OutDir,
) -> Result<Vec<Written>, OutputError> {
    let lines = verdict_lines(gate);
    Ok(vec![
        out.write("diff.txt", &text(comparison, &lines))?,
        out.write("diff.md", &markdown(comparison, &lines, language))?,
        out.write("diff.json", &Json::in_file(&json(comparison, gate)))?,
        out.write("diff.junit.xml", &junit::junit(gate))?,
    ])
}

/// Writes [`HTML_FILE`] as plain tables, for runs that can't be drawn because only their reports are there.
///
/// # Errors
/// [`OutputError`] when the file can't be written; it is then not left half-written.
pub fn write_tables(
    comparison: &Comparison,
    gate: &Gate,
    out: &OutDir,
) -> Result<Written, OutputError> {
    let lines = verdict_lines(gate);
    out.write(HTML_FILE, &html::page(comparison, &lines))
}

/// What became of each limit: failures first, then warnings.
#[must_use]
pub fn verdict_lines(gate: &Gate) -> Vec<LimitLine> {
    let rank = |outcome: &&LimitOutcome| match outcome.result {
        _ if outcome.is_failure => 0,
        LimitResult::Unmatched | LimitResult::Gone | LimitResult::Skipped => 1,
        LimitResult::Ok | LimitResult::Failed => 2,
    };
    let mut limits: Vec<&LimitOutcome> = gate.limits.iter().collect();
    limits.sort_by_key(rank);
    let mut lines: Vec<LimitLine> = limits.into_iter().flat_map(LimitOutcome::lines).collect();
    let is_failed = |line: &LimitLine| line.state == LimitState::Failed;
    if gate.verdict == Verdict::Failed && !lines.iter().any(is_failed) {
        let line = |unpaired: &Unpaired| LimitLine::new(LimitState::Failed, unpaired.message());
        lines.splice(0..0, gate.unpaired.iter().map(line));
    }
    lines
}

/// What failed, the verdict, what was compared, and the limits that hold.
pub(crate) fn all_lines(
    comparison: &Comparison,
    verdicts: &[LimitLine],
    language: Language,
) -> Vec<Untrusted<'static>> {
    let (failed, others): (Vec<&LimitLine>, Vec<&LimitLine>) =
        verdicts.iter().partition(|line| line.state == LimitState::Failed);
    let shown = |line: &LimitLine| Untrusted::from(line.message.text(language));
    let others: Vec<_> = others.into_iter().map(shown).collect();
    failed
        .into_iter()
        .map(shown)
        .chain(verdict(comparison, language))
        .chain(headline(comparison, language))
        .chain(others)
        .collect()
}

fn text(comparison: &Comparison, verdicts: &[LimitLine]) -> Text<Lines> {
    let mut text = Text::new();
    for line in all_lines(comparison, verdicts, Language::English) {
        put!(text, "{}\n", line);
    }
    for table in tables(comparison, FEW_ROWS, Language::English) {
        put!(text, "\n{}", table.text());
    }
    text
}
