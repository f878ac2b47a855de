//! Estimates of a language model as a page of its own: no script, no file next to it.

use bigtpu_messages::{Language, message};
use bigtpu_output::{Markup, Text, Untrusted, page_in_two_languages, put};

use crate::estimate::chart;
use crate::estimate::llm::LlmComparison;
use crate::estimate::llm::tables::{headline, memory_table, named, time_table};
use crate::estimate::page::{PARTS, heading, legend, operators, style};
use crate::words::both;

/// Links between devices have a colour, too.
const STYLE: &str = style!(".link{fill:var(--cdma);background:var(--cdma)}");

/// The page.
#[must_use]
pub fn page(comparison: &LlmComparison<'_>) -> Text<Markup> {
    let mut text = heading(&message!("llm-language-model"), &headline(comparison));
    for table in [time_table, memory_table] {
        let [english, chinese] = Language::ALL.map(|language| table(comparison, language));
        text.show(&english.section_in_two_languages(&chinese));
    }
    let estimates: Vec<_> = comparison.found.iter().map(named).collect();
    put!(text, "<h2>{}</h2>\n", both(&message!("llm-request-time")));
    text.show(&chart::times(&estimates));
    text.show(&legend(PARTS.into_iter().chain(["link"])));
    if estimates.iter().any(|estimate| estimate.energy_known) {
        put!(text, "<h2>{}</h2>\n", both(&message!("llm-request-energy")));
        text.show(&chart::energies(&estimates));
    }
    put!(text, "<h2>{}</h2>\n<ul>\n", both(&message!("llm-assumptions")));
    for note in comparison.assumptions() {
        put!(text, "<li>{}</li>\n", both(&note));
    }
    text.own("</ul>\n");
    if let Some(table) = comparison.with_operators(operators) {
        text.show(&table);
    }
    let title = Untrusted::from(format!("Language model: {}", comparison.model.for_library()));
    page_in_two_languages(&title, STYLE, &text)
}
