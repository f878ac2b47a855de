//! A comparison as a page of its own: no script, no file next to it.

use bigtpu_answers::{Comparison, LimitLine};
use bigtpu_messages::{Language, Message};
use bigtpu_output::{Markup, Text, Untrusted, page_in_two_languages, put, text};

use crate::diff::all_lines;
use crate::diff::tables::tables;

const STYLE: &str = "th{position:sticky;top:0;background:var(--panel)}";

/// The page, with all rows.
pub(crate) fn page(comparison: &Comparison, verdicts: &[LimitLine]) -> Text<Markup> {
    let [english, chinese] =
        Language::ALL.map(|language| in_language(comparison, verdicts, language));
    let both = text!("<div lang=\"en\">{}</div>\n<div lang=\"zh\">{}</div>\n", english, chinese);
    let [title, _] = Message::new("diff-title").in_both();
    page_in_two_languages(&Untrusted::from(title), STYLE, &both)
}

fn in_language(
    comparison: &Comparison,
    verdicts: &[LimitLine],
    language: Language,
) -> Text<Markup> {
    let mut text = Text::new();
    put!(text, "<h1>{}</h1>\n", Message::new("diff-title").text(language));
    for line in all_lines(comparison, verdicts, language) {
        put!(text, "<p>{}</p>\n", line);
    }
    for table in tables(comparison, usize::MAX, language) {
        text.show(&table.html_section(class));
    }
    text
}

/// Relative changes are coloured.
fn class(cell: &str) -> &'static str {
    match (cell.ends_with('%'), cell.starts_with('+'), cell.starts_with('-')) {
        (true, true, _) => "more",
        (true, _, true) => "less",
        _ => "",
    }
}
