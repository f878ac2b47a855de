//! Estimates as a page of its own: no script, no file next to it.

use bigtpu_output::{Markup, Text, Untrusted, page_in_two_languages, put, text};

use crate::estimate::tables::{headline, operator_table, target_table};
use crate::estimate::{Comparison, chart};
use crate::words::{both, chinese, sentences};

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

/// Parts of the charts: class and words.
pub(crate) const PARTS: [(&str, &str); 6] = [
    ("compute", "arithmetic"),
    ("mem_transfer", "main memory"),
    ("kv_load", "key-value cache"),
    ("host_to_device", "host to device"),
    ("device_to_host", "device to host"),
    ("launch", "launch or idle"),
];

/// Rows of the table of operators.
pub(crate) const OPERATORS: usize = 200;

/// The page.
#[must_use]
pub fn page(comparison: &Comparison<'_>) -> Text<Markup> {
    let mut text = heading("Estimate", &headline(comparison));
    put!(text, "<h2>{}</h2>\n", both("Time"));
    text.show(&chart::times(comparison.estimates));
    text.show(&legend(PARTS));
    if comparison.estimates.iter().any(|estimate| estimate.energy_known) {
        put!(text, "<h2>{}</h2>\n", both("Energy"));
        text.show(&chart::energies(comparison.estimates));
    }
    text.show(&target_table(comparison).section_in_two_languages(chinese));
    for estimate in comparison.estimates.iter().filter(|estimate| !estimate.notes.is_empty()) {
        let title = format!("Assumptions for {}", estimate.target);
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
pub(crate) fn heading(title: &str, headline: &Untrusted<'_>) -> Text<Markup> {
    text!("<h1>{}</h1>\n<p>{}</p>\n", both(title), both(headline.for_library()))
}

/// The operators that take longest; where there are more, it says so.
pub(crate) fn operators(comparison: &Comparison<'_>) -> Text<Markup> {
    let (shown, all) =
        (operator_table(comparison, OPERATORS), operator_table(comparison, usize::MAX).len());
    let mut text = shown.section_in_two_languages(chinese);
    if shown.len() < all {
        let cut = format!("{} of {all} operators", shown.len());
        put!(text, "<p>{}</p>\n", both(&cut));
    }
    text
}

/// What the colours of the charts are.
pub(crate) fn legend(
    parts: impl IntoIterator<Item = (&'static str, &'static str)>,
) -> Text<Markup> {
    let mut text = Text::of("<p class=key>");
    for (class, words) in parts {
        put!(text, "<span class=\"{}\"></span>{}", class, both(words));
    }
    let overlap = sentences(
        "The length of a bar is the time. Arithmetic and memory access overlap, so the colours show their proportion, not their order.",
        "条的长度表示时间。计算与访存重叠，因此颜色只表示比例，不表示先后。",
    );
    put!(text, "</p>\n<p>{}</p>\n", overlap);
    text
}
