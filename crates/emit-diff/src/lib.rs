//! A comparison of runs as text, Markdown (for a pull request), JSON, HTML, and JUnit XML (for CI systems).
#![forbid(unsafe_code)]

mod cells;
mod html;
mod junit;
mod markdown;
mod tables;

use bigtpu_answers::{Diff, Gate, LimitOutcome, LimitResult};
use bigtpu_emit::{EmitError, OutDir, Written};

pub use markdown::markdown;
pub use tables::{headline, tables};

/// Rows of each table in text and Markdown; HTML and JSON have all.
pub const FEW_ROWS: usize = 20;

/// Name of the page.
pub const HTML_FILE: &str = "diff.html";

/// Writes `diff.txt`, `diff.md`, `diff.json` and `diff.junit.xml`.
///
/// # Errors
/// [`EmitError`] when a file can't be written; none is then left half-written.
pub fn write(diff: &Diff, gate: &Gate, out: &OutDir) -> Result<Vec<Written>, EmitError> {
    let lines = verdict_lines(gate);
    let files = [
        ("diff.txt", text(diff, &lines)),
        ("diff.md", markdown(diff, &lines)),
        ("diff.json", json(diff, gate)),
        ("diff.junit.xml", junit::junit(gate)),
    ];
    files.into_iter().map(|(name, text)| write_text(out, name, &text)).collect()
}

/// Writes [`HTML_FILE`] as plain tables, for runs that can't be drawn because only their reports are there.
///
/// # Errors
/// [`EmitError`] when the file can't be written; it is then not left half-written.
pub fn write_tables(diff: &Diff, gate: &Gate, out: &OutDir) -> Result<Written, EmitError> {
    write_text(out, HTML_FILE, &html::page(diff, &verdict_lines(gate)))
}

fn write_text(out: &OutDir, name: &str, text: &str) -> Result<Written, EmitError> {
    let mut file = out.file(name)?;
    file.append(text.as_bytes())?;
    file.commit()
}

/// The comparison and what became of the limits, as in `diff.json`; its schema is `docs/diff.schema.json`.
#[must_use]
pub fn json(diff: &Diff, gate: &Gate) -> String {
    #[derive(serde::Serialize)]
    struct Both<'a> {
        #[serde(flatten)]
        diff: &'a Diff,
        gate: &'a Gate,
    }
    serde_json::to_string_pretty(&Both { diff, gate }).unwrap_or_default() + "\n"
}

/// What became of each limit: failures first, then warnings.
#[must_use]
pub fn verdict_lines(gate: &Gate) -> Vec<String> {
    let rank = |outcome: &&LimitOutcome| match outcome.result {
        _ if outcome.is_failure => 0,
        LimitResult::Unmatched => 1,
        LimitResult::Ok | LimitResult::Failed => 2,
    };
    let mut limits: Vec<&LimitOutcome> = gate.limits.iter().collect();
    limits.sort_by_key(rank);
    limits.into_iter().flat_map(LimitOutcome::lines).collect()
}

fn text(diff: &Diff, verdicts: &[String]) -> String {
    let mut lines = headline(diff);
    lines.extend(verdicts.iter().cloned());
    let mut text = lines.join("\n") + "\n";
    for table in tables(diff, FEW_ROWS) {
        text.push('\n');
        text.push_str(&table.text());
    }
    text
}
