//! A comparison of runs as text, Markdown (for a pull request), JSON and HTML.
#![forbid(unsafe_code)]

mod cells;
mod html;
mod markdown;
mod tables;

use bigtpu_analysis::Diff;
use bigtpu_emit::{EmitError, OutDir, Written};

pub use markdown::markdown;
pub use tables::{headline, tables};

/// Rows of each table in text and Markdown; HTML and JSON have all.
pub const FEW_ROWS: usize = 20;

/// Writes `diff.txt`, `diff.md`, `diff.json` and `diff.html`. `verdicts`: lines on the limits that were checked.
///
/// # Errors
/// [`EmitError`] when a file can't be written; none is then left half-written.
pub fn write(diff: &Diff, verdicts: &[String], out: &OutDir) -> Result<Vec<Written>, EmitError> {
    let json = serde_json::to_string_pretty(diff).unwrap_or_default() + "\n";
    let files = [
        ("diff.txt", text(diff, verdicts)),
        ("diff.md", markdown(diff, verdicts)),
        ("diff.json", json),
        ("diff.html", html::page(diff, verdicts)),
    ];
    let mut written = Vec::new();
    for (name, text) in files {
        let mut file = out.file(name)?;
        file.append(text.as_bytes())?;
        written.push(file.commit()?);
    }
    Ok(written)
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
