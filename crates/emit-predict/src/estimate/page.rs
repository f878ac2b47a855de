//! Estimates as a page of its own: no script, no file next to it.

use bigtpu_output::Untrusted;

use crate::estimate::tables::{headline, operator_table, target_table};
use crate::estimate::{Comparison, chart};

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:76em;padding:0 1em}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.15em .8em;text-align:right;\
border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left}\
svg{width:100%;max-width:900px;font:13px system-ui,sans-serif}svg text{fill:currentColor}\
.compute{fill:#397af2;background:#397af2}.mem_transfer,.main_mem{fill:#3eb5bf;background:#3eb5bf}\
.kv_load{fill:#298940;background:#298940}.host_to_device{fill:#e2a336;background:#e2a336}\
.device_to_host{fill:#c9503f;background:#c9503f}.launch,.idle{fill:#999;background:#999}\
.key span{display:inline-block;width:.9em;height:.9em;margin:0 .4em 0 1.2em;vertical-align:-.1em}";

/// Parts of the charts: class and words.
const PARTS: [(&str, &str); 6] = [
    ("compute", "arithmetic"),
    ("mem_transfer", "main memory"),
    ("kv_load", "key-value cache"),
    ("host_to_device", "host to device"),
    ("device_to_host", "device to host"),
    ("launch", "launch or idle"),
];

/// Rows of the table of operators.
const OPERATORS: usize = 200;

/// The page.
#[must_use]
pub fn page(comparison: &Comparison<'_>) -> String {
    let mut text = format!("<h1>Estimate</h1>\n<p>{}</p>\n", headline(comparison).html());
    text.push_str("<h2>Time</h2>\n");
    text.push_str(&chart::times(comparison.estimates));
    let keys: String = PARTS
        .iter()
        .map(|(class, words)| format!("<span class=\"{class}\"></span>{words}"))
        .collect();
    text.push_str(&format!(
        "<p class=key>{keys}</p>\n<p>The length of a bar is the time. Arithmetic and memory access overlap, so the colours show their proportion, not their order.</p>\n"
    ));
    if comparison.estimates.iter().any(|estimate| estimate.energy_known) {
        text.push_str("<h2>Energy</h2>\n");
        text.push_str(&chart::energies(comparison.estimates));
    }
    text.push_str(&target_table(comparison).html_section(|_| ""));
    for estimate in comparison.estimates.iter().filter(|estimate| !estimate.notes.is_empty()) {
        let notes: String = estimate
            .notes
            .iter()
            .map(|note| format!("<li>{}</li>\n", Untrusted::from(note).html()))
            .collect();
        text.push_str(&format!(
            "<h3>Assumptions for {}</h3>\n<ul>\n{notes}</ul>\n",
            Untrusted::from(&estimate.target).html()
        ));
    }
    text.push_str(&operator_table(comparison, OPERATORS).html_section(|_| ""));
    let title = Untrusted::from(format!("Estimate: {}", comparison.model.for_library()));
    bigtpu_output::page(&title, STYLE, &text)
}
