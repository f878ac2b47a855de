//! A comparison as a page of its own: no script, no file next to it.

use bigtpu_answers::Comparison;
use bigtpu_messages::Language;
use bigtpu_output::{Markup, Text, Untrusted, put};

use crate::diff::all_lines;
use crate::diff::tables::tables;

const STYLE: &str = "th{position:sticky;top:0;background:var(--panel)}";

/// The page, with all rows.
pub(crate) fn page(comparison: &Comparison, verdicts: &[Untrusted<'_>]) -> Text<Markup> {
    let title = "TPU profile: comparison";
    let mut text = Text::new();
    put!(text, "<h1>{}</h1>\n", title);
    for line in all_lines(comparison, verdicts, Language::English) {
        put!(text, "<p>{}</p>\n", line);
    }
    for table in tables(comparison, usize::MAX, Language::English) {
        text.show(&table.html_section(class));
    }
    bigtpu_output::page(&title.into(), STYLE, &text)
}

/// Relative changes are coloured.
fn class(cell: &str) -> &'static str {
    match (cell.ends_with('%'), cell.starts_with('+'), cell.starts_with('-')) {
        (true, true, _) => "more",
        (true, _, true) => "less",
        _ => "",
    }
}
