//! Estimates as a page of its own: no script, no file next to it.

use bigtpu_emit::Table;

use crate::tables::{headline, operator_table, target_table};
use crate::{Comparison, chart};

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
    let title = escaped(&headline(comparison));
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n<title>Estimate: {}</title>\n\
         <style>{STYLE}</style>\n<h1>Estimate</h1>\n<p>{title}</p>\n",
        escaped(comparison.model)
    );
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
    text.push_str(&section(&target_table(comparison)));
    for estimate in comparison.estimates.iter().filter(|estimate| !estimate.notes.is_empty()) {
        let notes: String =
            estimate.notes.iter().map(|note| format!("<li>{}</li>\n", escaped(note))).collect();
        text.push_str(&format!(
            "<h3>Assumptions for {}</h3>\n<ul>\n{notes}</ul>\n",
            escaped(&estimate.target)
        ));
    }
    text.push_str(&section(&operator_table(comparison, OPERATORS)));
    text.push_str("</html>\n");
    text
}

fn section(table: &Table) -> String {
    let row = |cells: &Vec<String>, tag: &str| {
        let cells: String =
            cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
    format!(
        "<h2>{}</h2>\n<table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
        escaped(&table.title),
        row(&table.header, "th")
    )
}

/// Text inside elements and attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
