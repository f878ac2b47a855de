//! A comparison as Markdown, for a comment on a pull request.

use bigtpu_answers::{Comparison, LimitLine};
use bigtpu_messages::Language;
use bigtpu_output::{Markdown, Markup, Text, put, text};

use crate::diff::tables::tables;
use crate::diff::{FEW_ROWS, all_lines};

/// The whole run in the open, everything else folded.
#[must_use]
pub fn markdown(
    comparison: &Comparison,
    verdicts: &[LimitLine],
    language: Language,
) -> Text<Markdown> {
    let mut text = Text::literal("## TPU profile\n\n");
    for line in all_lines(comparison, verdicts, language) {
        put!(text, "- {}\n", line);
    }
    for (i, table) in tables(comparison, FEW_ROWS, language).iter().enumerate() {
        let body = table.markdown();
        if i == 0 {
            put!(text, "\n### {}\n\n{}", table.title(), body);
        } else {
            let title: Text<Markup> = text!("{}", table.title());
            put!(text, "\n<details><summary>{}</summary>\n\n{}\n</details>\n", title, body);
        }
    }
    text
}
