//! The comparison on the console: on one screen, or whole.

use anyhow::Result;
use bigtpu_answers::Comparison;
use bigtpu_emit_text::console::{COLUMNS, Screen, bare, standard, wrapped};
use bigtpu_emit_text::diff::{FEW_ROWS, MOST_ROWS, headline, screen, tables, verdict};
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::{Lines, Table, Text, Untrusted, Written, put, text};
use bigtpu_session::diff::GroupOfRuns;
use bigtpu_session::remark;

use crate::written::show_written;

/// Lines of a screen.
const HEIGHT: usize = 40;
/// Lines on what was compared that are not cut.
const HEAD_LINES: usize = 4;

/// What failed first, then the verdict; `ok`: limits that hold; `reported`: how many lines standard error gets of the others.
pub(super) fn show(
    comparison: &Comparison,
    failed: Option<&str>,
    full: bool,
    (ok, reported): (&[String], usize),
    written: &[Written],
    language: Language,
) -> Result<()> {
    let mut out = standard::stdout();
    let screen = Screen::stdout();
    if full {
        if let Some(failed) = failed {
            let line = message!("diff-failed", text = failed).text(language);
            put!(out, "{}\n", screen.text(&line))?;
        }
        for line in verdict(comparison, language).iter().chain(&headline(comparison, language)) {
            put!(out, "{}\n", screen.text(line.for_library()))?;
        }
        for table in tables(comparison, FEW_ROWS, language) {
            put!(out, "{}\n{}\n", table.title(), screen.whole(&table))?;
        }
    } else {
        put!(
            out,
            "{}",
            one_screen(comparison, failed, ok.len() + reported + written.len(), language)
        )?;
    }
    for line in ok {
        put!(out, "{}\n", screen.text(line))?;
    }
    Ok(show_written(&mut out, written, language)?)
}

/// At most a screen, with so many further lines: the tables have the rows that there is room for.
fn one_screen(
    comparison: &Comparison,
    failed: Option<&str>,
    further: usize,
    language: Language,
) -> Text<Lines> {
    let head = head(comparison, failed, language);
    let mut most = MOST_ROWS;
    loop {
        let mut lines = head.clone();
        let short = screen(comparison, most, language);
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
fn head(comparison: &Comparison, failed: Option<&str>, language: Language) -> Vec<String> {
    let wrap = |text: &Untrusted<'_>| {
        let line = line(text);
        // Terminals break Chinese lines themselves, wherever they end.
        let lines = if language == Language::English { wrapped(&line, COLUMNS) } else { line };
        lines.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let failed =
        failed.map(|text| Untrusted::from(message!("diff-failed", text = text).text(language)));
    let mut lines: Vec<String> = failed.iter().flat_map(wrap).collect();
    lines.extend(verdict(comparison, language).iter().flat_map(wrap));
    let about = headline(comparison, language);
    let all = about.len();
    lines.extend(about.iter().take(HEAD_LINES).flat_map(wrap));
    if all > HEAD_LINES {
        let count = Arg::Count((all - HEAD_LINES) as u64);
        lines.push(message!("diff-more-lines", count = count).text(language));
    }
    lines
}

/// Which runs are compared with which, without a comparison.
pub(super) fn groups(groups: &[GroupOfRuns], notes: &[Message], language: Language) -> Result<()> {
    let mut out = standard::stdout();
    let row = |group: &GroupOfRuns| {
        let GroupOfRuns { unit, chip, before, after } = group;
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let number = |n: Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let workload = match &unit.part {
            Some(part) => format!("{} ({part})", unit.workload()),
            None => unit.workload().to_owned(),
        };
        let is_compared = match (before.is_empty(), after.is_empty()) {
            (false, false) => "yes",
            (false, true) => "no: it has no run after",
            _ => "no: it has no run before",
        };
        [
            workload,
            chip.clone(),
            text(&unit.host),
            number(unit.device),
            number(unit.call),
            before.len().to_string(),
            after.len().to_string(),
            is_compared.to_owned(),
        ]
    };
    let header =
        ["Workload", "Chip", "Host", "Device", "Call", "Runs before", "Runs after", "Compared"];
    let title = Message::new("diff-table-groups").text(language);
    let table = Table::new(title, header, groups.iter().map(row));
    put!(out, "{}\n{}\n", table.title(), Screen::stdout().whole(&table))?;
    for group in groups {
        put!(out, "{}\n", group.unit.to_string())?;
        for (side, runs) in [("before", &group.before), ("after", &group.after)] {
            for run in runs {
                put!(out, "  {}: {}\n", side, run)?;
            }
        }
    }
    for note in notes {
        put!(out, "{}\n", remark(note.clone()).text(language))?;
    }
    Ok(())
}
