//! A comparison as Markdown, for a comment on a pull request.

use bigtpu_answers::Comparison;
use bigtpu_output::Untrusted;

use crate::FEW_ROWS;
use crate::tables::{headline, tables};

/// The whole run in the open, everything else folded.
#[must_use]
pub fn markdown(comparison: &Comparison, verdicts: &[Untrusted<'_>]) -> String {
    let mut text = String::from("## TPU profile\n\n");
    for line in headline(comparison).iter().chain(verdicts) {
        text.push_str(&format!("- {}\n", line.markdown()));
    }
    for (i, table) in tables(comparison, FEW_ROWS).iter().enumerate() {
        let body = table.markdown();
        if i == 0 {
            text.push_str(&format!("\n### {}\n\n{body}", table.title().markdown()));
        } else {
            let title = table.title().html();
            text.push_str(&format!(
                "\n<details><summary>{title}</summary>\n\n{body}\n</details>\n"
            ));
        }
    }
    text
}
