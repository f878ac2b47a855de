//! Estimates of a language model as a page of its own: no script, no file next to it.

use bigtpu_messages::{Language, message};
use bigtpu_output::amount::Micro;
use bigtpu_output::{
    Markup, PanelDefinition, Table, Text, Untrusted, page_in_two_languages, panel,
};

use crate::estimate::llm::LlmComparison;
use crate::estimate::llm::tables::{headline, memory_table, named, time_table};
use crate::estimate::page::{STYLE, charts, heading, list, operators};
use crate::words::both;

/// What the numbers are.
const TIMES: PanelDefinition =
    PanelDefinition { id: "llm-times-are", source: "prediction/llm.md#formulas" };
const MEMORY: PanelDefinition =
    PanelDefinition { id: "llm-memory-is", source: "prediction/llm.md#formulas" };

/// The page.
#[must_use]
pub fn page(comparison: &LlmComparison<'_>) -> Text<Markup> {
    let mut text = heading(&message!("llm-language-model"), &headline(comparison));
    let times =
        |comparison: &LlmComparison<'_>, language| time_table(comparison, language, Micro::Sign);
    let table = |table: fn(&LlmComparison<'_>, Language) -> _, definition| {
        let [english, chinese]: [Table; 2] =
            Language::ALL.map(|language| table(comparison, language));
        english.panel(&chinese, definition, &Text::new())
    };
    text.show(&table(times, &TIMES)).show(&table(memory_table, &MEMORY));
    let estimates: Vec<_> = comparison.found.iter().map(named).collect();
    text.show(&charts(&estimates, ["llm-request-time", "llm-request-energy"]));
    text.show(&panel(&both(&message!("llm-assumptions")), None, &list(&comparison.assumptions())));
    if let Some(table) = comparison.with_operators(operators) {
        text.show(&table);
    }
    let title = Untrusted::from(format!("Language model: {}", comparison.model.for_library()));
    page_in_two_languages(&title, STYLE, &text)
}
