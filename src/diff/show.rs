//! The comparison on the console: on one screen, or whole.

use anyhow::Result;
use bigtpu_answers::Comparison;
use bigtpu_emit_text::console::{COLUMNS, Screen, bare, standard, wrapped};
use bigtpu_emit_text::diff::{FEW_ROWS, MOST_ROWS, headline, screen, short, tables, verdict};
use bigtpu_output::{Lines, Text, Untrusted, Written, put, text};

use crate::written::written_lines;

/// Lines of a screen.
const HEIGHT: usize = 40;
/// Lines on what was compared that are not cut.
const HEAD_LINES: usize = 4;

/// The verdict first; `ok`: limits that hold; `reported`: how many lines standard error gets of the others.
pub(super) fn show(
    comparison: &Comparison,
    full: bool,
    (ok, reported): (&[String], usize),
    written: &[Written],
) -> Result<()> {
    let mut out = standard::out();
    let screen = Screen::stdout();
    if full {
        for line in verdict(comparison).iter().chain(&headline(comparison)) {
            put!(out, "{}\n", screen.text(line.for_library()))?;
        }
        for table in tables(comparison, FEW_ROWS) {
            put!(out, "{}\n{}\n", table.title(), screen.whole(&table))?;
        }
    } else {
        put!(out, "{}", one_screen(comparison, ok.len() + reported + written.len()))?;
    }
    for line in ok {
        put!(out, "{}\n", screen.text(line))?;
    }
    for line in written_lines(written, true) {
        put!(out, "written: {}\n", line)?;
    }
    Ok(())
}

/// At most a screen, with so many further lines: the tables have the rows that there is room for.
fn one_screen(comparison: &Comparison, further: usize) -> Text<Lines> {
    let head = head(comparison);
    let mut most = MOST_ROWS;
    loop {
        let mut lines = head.clone();
        let short = screen(comparison, most);
        for table in &short.tables {
            lines.push(line(table.title()));
            lines.extend(bare(table).lines().map(str::to_owned));
        }
        lines.extend(short.rest);
        if lines.len() + further <= HEIGHT || most == 1 {
            return Text::laid_out(&(lines.join("\n") + "\n"));
        }
        most -= 1;
    }
}

/// A text from outside as a line.
fn line(text: &Untrusted<'_>) -> String {
    let line: Text<Lines> = text!("{}", text);
    line.as_str().to_owned()
}

/// The verdict, its causes, and what was compared.
fn head(comparison: &Comparison) -> Vec<String> {
    let wrap = |text: &Untrusted<'_>| {
        let lines = wrapped(&line(text), COLUMNS);
        lines.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut lines: Vec<String> = verdict(comparison).iter().flat_map(wrap).collect();
    let about = headline(comparison);
    let all = about.len();
    lines.extend(about.iter().take(HEAD_LINES).map(|text| short(&line(text), COLUMNS)));
    if all > HEAD_LINES {
        lines.push(format!("{} more lines on what was compared: --full", all - HEAD_LINES));
    }
    lines
}
