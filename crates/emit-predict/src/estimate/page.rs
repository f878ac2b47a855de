//! Estimates as a page of its own: no script, no file next to it.

use bigtpu_messages::{Language, Message, message};
use bigtpu_output::{Markup, Text, Untrusted, page_in_two_languages, put, text};

use crate::estimate::tables::{headline, operator_table, target_table};
use crate::estimate::{Comparison, chart};
use crate::words::both;

/// The styles of pages of estimates, and some more.
macro_rules! style {
    ($more:literal) => {
        concat!(
            "\
svg{width:100%;max-width:900px;font:13px system-ui,sans-serif}svg text{fill:currentColor}\
.compute{fill:var(--tiu);background:var(--tiu)}.mem_transfer,.main_mem{fill:var(--gdma);background:var(--gdma)}\
.kv_load{fill:var(--warn);background:var(--warn)}.host_to_device{fill:var(--sdma);background:var(--sdma)}\
.device_to_host{fill:var(--bad);background:var(--bad)}.launch,.idle{fill:var(--kernel);background:var(--kernel)}\
.key span[class]{display:inline-block;width:.9em;height:.9em;margin:0 .4em 0 1.2em;vertical-align:-.1em}",
            $more
        )
    };
}
pub(crate) use style;

const STYLE: &str = style!("");

/// Parts of the charts.
pub(crate) const PARTS: [&str; 6] =
    ["compute", "mem_transfer", "kv_load", "host_to_device", "device_to_host", "launch"];

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
pub fn page(comparison: &Comparison<'_>) -> Text<Markup> {
    let mut text = heading(&message!("predict-estimate"), &headline(comparison));
    put!(text, "<h2>{}</h2>\n", both(&message!("predict-time")));
    text.show(&chart::times(comparison.estimates));
    text.show(&legend(PARTS));
    if comparison.estimates.iter().any(|estimate| estimate.energy_known) {
        put!(text, "<h2>{}</h2>\n", both(&message!("predict-energy")));
        text.show(&chart::energies(comparison.estimates));
    }
    let [english, chinese] = Language::ALL.map(|language| target_table(comparison, language));
    text.show(&english.section_in_two_languages(&chinese));
    for estimate in comparison.estimates.iter().filter(|estimate| !estimate.notes.is_empty()) {
        let title = message!("predict-assumptions-for", target = &estimate.target);
        put!(text, "<h3>{}</h3>\n<ul>\n", both(&title));
        for note in &estimate.notes {
            put!(text, "<li>{}</li>\n", both(note));
        }
        text.own("</ul>\n");
    }
    text.show(&operators(comparison));
    let title = Untrusted::from(format!("Estimate: {}", comparison.model.for_library()));
    page_in_two_languages(&title, STYLE, &text)
}

/// Title and subject of the page.
pub(crate) fn heading(title: &Message, headline: &Message) -> Text<Markup> {
    text!("<h1>{}</h1>\n<p>{}</p>\n", both(title), both(headline))
}

/// The operators that take longest; where there are more, it says so.
pub(crate) fn operators(comparison: &Comparison<'_>) -> Text<Markup> {
    let [shown, chinese] =
        Language::ALL.map(|language| operator_table(comparison, OPERATORS, language));
    let all = operator_table(comparison, usize::MAX, Language::English).len();
    let mut text = shown.section_in_two_languages(&chinese);
    if shown.len() < all {
        let cut = message!("predict-some-operators", shown = shown.len(), all = all);
        put!(text, "<p>{}</p>\n", both(&cut));
    }
    text
}

/// What the colours of the charts are.
pub(crate) fn legend(parts: impl IntoIterator<Item = &'static str>) -> Text<Markup> {
    let mut text = Text::literal("<p class=key>");
    for class in parts {
        put!(text, "<span class=\"{}\"></span>{}", class, both(&part_name(class)));
    }
    put!(text, "</p>\n<p>{}</p>\n", both(&message!("predict-overlap")));
    text
}
