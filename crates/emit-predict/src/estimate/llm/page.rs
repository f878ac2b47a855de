//! Estimates of a language model as a page of its own: no script, no file next to it.

use bigtpu_output::{Markup, Text, Untrusted, put, text};

use crate::estimate::chart;
use crate::estimate::llm::LlmComparison;
use crate::estimate::llm::tables::{headline, memory_table, named, time_table};
use crate::estimate::page::{OPERATORS, PARTS, legend, style};
use crate::estimate::tables::operator_table;

/// Links between devices have a colour, too.
const STYLE: &str = style!(".link{fill:#8c5fd0;background:#8c5fd0}");

/// The page.
#[must_use]
pub fn page(comparison: &LlmComparison<'_>) -> Text<Markup> {
    let mut text = text!("<h1>Language model</h1>\n<p>{}</p>\n", headline(comparison));
    text.show(&time_table(comparison).html_section(|_| ""));
    text.show(&memory_table(comparison).html_section(|_| ""));
    let estimates: Vec<_> = comparison.found.iter().map(named).collect();
    text.own("<h2>Time of a request</h2>\n");
    text.show(&chart::times(&estimates));
    text.show(&legend(PARTS.into_iter().chain([("link", "links between devices")])));
    if estimates.iter().any(|estimate| estimate.energy_known) {
        text.own("<h2>Energy of a request</h2>\n");
        text.show(&chart::energies(&estimates));
    }
    text.own("<h2>Assumptions</h2>\n<ul>\n");
    for note in comparison.assumptions() {
        put!(text, "<li>{}</li>\n", note);
    }
    text.own("</ul>\n");
    if let Some(table) =
        comparison.with_operators(|own| operator_table(own, OPERATORS).html_section(|_| ""))
    {
        text.show(&table);
    }
    let title = Untrusted::from(format!("Language model: {}", comparison.model.for_library()));
    bigtpu_output::page(&title, STYLE, &text)
}
