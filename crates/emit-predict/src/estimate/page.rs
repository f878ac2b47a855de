//! Estimates as a page of its own: no script, no file next to it.

use bigtpu_messages::{Language, Message, message};
use bigtpu_output::amount::Micro;
use bigtpu_output::{
    Markup, PanelDefinition, Text, Untrusted, page_in_two_languages, panel, put, text,
};
use bigtpu_predict::estimate::Estimate;

use crate::estimate::tables::{headline, operator_table, target_name, target_table};
use crate::estimate::{ModelEstimates, chart};
use crate::words::both;

/// The charts, and the colours of their parts, which are those of the engines on other pages.
pub(crate) const STYLE: &str = "\
.bars{width:100%;max-width:900px;font-size:13px}.bars text{fill:currentColor}\
.compute{--part:var(--tiu)}.mem_transfer,.main_mem{--part:var(--gdma)}.kv_load{--part:var(--warn)}\
.host_to_device{--part:var(--sdma)}.device_to_host{--part:var(--bad)}.launch,.idle{--part:var(--kernel)}.link{--part:var(--cdma)}";

/// What the numbers are.
pub(crate) const TIMES: PanelDefinition =
    PanelDefinition { id: "predict-times-are", source: "prediction/estimate.md#the-page" };
pub(crate) const ENERGIES: PanelDefinition =
    PanelDefinition { id: "predict-energies-are", source: "prediction/estimate.md#the-page" };
const TARGETS: PanelDefinition =
    PanelDefinition { id: "predict-targets-are", source: "prediction/estimate.md#the-page" };
const BY_OPERATOR: PanelDefinition =
    PanelDefinition { id: "predict-operators-are", source: "prediction/estimate.md#the-page" };

/// What a part of a time or an energy is for.
pub(crate) fn part_name(part: &str) -> Message {
    match part {
        "compute" => message!("predict-part-compute"),
        "mem_transfer" | "main_mem" => message!("predict-part-memory"),
        "kv_load" => message!("predict-part-cache"),
        "host_to_device" => message!("predict-part-to-device"),
        "device_to_host" => message!("predict-part-to-host"),
        "launch" => message!("predict-part-launch"),
        "idle" => message!("predict-part-idle"),
        "link" => message!("predict-part-link"),
        other => Message::verbatim(other),
    }
}

/// Rows of the table of operators.
pub(crate) const OPERATORS: usize = 200;

/// The page.
#[must_use]
pub fn page(comparison: &ModelEstimates<'_>) -> Text<Markup> {
    let mut text = heading(&message!("predict-estimate"), &headline(comparison));
    text.show(&charts(comparison.estimates, ["predict-time", "predict-energy"]));
    let [english, chinese] =
        Language::ALL.map(|language| target_table(comparison, language, Micro::Sign));
    text.show(&english.panel(&chinese, &TARGETS, &Text::new()));
    for estimate in comparison.estimates.iter().filter(|estimate| !estimate.notes.is_empty()) {
        let title = message!("predict-assumptions-for", target = target_name(estimate));
        text.show(&panel(&both(&title), None, &list(&estimate.notes)));
    }
    text.show(&operators(comparison));
    let title = Untrusted::from(format!("Estimate: {}", comparison.model.for_library()));
    page_in_two_languages(&title, STYLE, &text)
}

/// Panels of times and, where any is known, of energies. `names`: ids of their headings.
pub(crate) fn charts(estimates: &[Estimate], names: [&'static str; 2]) -> Text<Markup> {
    let [time, energy] = names.map(|name| both(&Message::new(name)));
    let mut text = panel(&time, Some(&TIMES), &chart::times(estimates));
    if estimates.iter().any(|estimate| estimate.energy_known) {
        text.show(&panel(&energy, Some(&ENERGIES), &chart::energies(estimates)));
    }
    text
}

/// Sentences below each other.
pub(crate) fn list<'a>(notes: impl IntoIterator<Item = &'a Message>) -> Text<Markup> {
    let mut text = Text::literal("<ul>\n");
    for note in notes {
        put!(text, "<li>{}</li>\n", both(note));
    }
    text.own("</ul>\n");
    text
}

/// Title and subject of the page.
pub(crate) fn heading(title: &Message, headline: &Message) -> Text<Markup> {
    text!("<h1>{}</h1>\n<p>{}</p>\n", both(title), both(headline))
}

/// The operators that take longest; where there are more, it says so.
pub(crate) fn operators(comparison: &ModelEstimates<'_>) -> Text<Markup> {
    let [shown, chinese] = Language::ALL
        .map(|language| operator_table(comparison, OPERATORS, (language, Micro::Sign)));
    let all = operator_table(comparison, usize::MAX, (Language::English, Micro::Sign)).len();
    let mut below = Text::new();
    if shown.len() < all {
        let cut = message!("predict-some-operators", shown = shown.len(), all = all);
        put!(below, "<p class=\"muted\">{}</p>\n", both(&cut));
    }
    shown.panel(&chinese, &BY_OPERATOR, &below)
}
