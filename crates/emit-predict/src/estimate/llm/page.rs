//! Estimates of a language model as a page of its own: no script, no file next to it.

use bigtpu_output::{Markup, Text, Untrusted, page_in_two_languages, put};

use crate::estimate::chart;
use crate::estimate::llm::LlmComparison;
use crate::estimate::llm::tables::{headline, memory_table, named, time_table};
use crate::estimate::page::{PARTS, heading, legend, operators, style};
use crate::words::{both, chinese};

/// Links between devices have a colour, too.
const STYLE: &str = style!(".link{fill:var(--cdma);background:var(--cdma)}");

/// The page.
#[must_use]
pub fn page(comparison: &LlmComparison<'_>) -> Text<Markup> {
    let mut text = heading("Language model", &headline(comparison));
    text.show(&time_table(comparison).section_in_two_languages(chinese));
    text.show(&memory_table(comparison).section_in_two_languages(chinese));
    let estimates: Vec<_> = comparison.found.iter().map(named).collect();
    put!(text, "<h2>{}</h2>\n", both("Time of a request"));
    text.show(&chart::times(&estimates));
    text.show(&legend(PARTS.into_iter().chain([("link", "links between devices")])));
    if estimates.iter().any(|estimate| estimate.energy_known) {
        put!(text, "<h2>{}</h2>\n", both("Energy of a request"));
        text.show(&chart::energies(&estimates));
    }
    put!(text, "<h2>{}</h2>\n<ul>\n", both("Assumptions"));
    for note in comparison.assumptions() {
        put!(text, "<li>{}</li>\n", both(note));
    }
    text.own("</ul>\n");
    if let Some(table) = comparison.with_operators(operators) {
        text.show(&table);
    }
    let title = Untrusted::from(format!("Language model: {}", comparison.model.for_library()));
    page_in_two_languages(&title, STYLE, &text)
}
