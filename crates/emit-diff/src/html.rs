//! A comparison as a page of its own: no script, no file next to it.

use bigtpu_answers::Diff;
use bigtpu_emit::Table;

use crate::tables::{headline, tables};

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.15em .8em;text-align:right;\
border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left}th{position:sticky;top:0;background:Canvas}\
.more{color:#c33}.less{color:#2a7}";

/// The page, with all rows.
pub(crate) fn page(diff: &Diff, verdicts: &[String]) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n<title>TPU profile: comparison</title>\n\
         <style>{STYLE}</style>\n<h1>TPU profile: comparison</h1>\n"
    );
    for line in headline(diff).iter().chain(verdicts) {
        text.push_str(&format!("<p>{}</p>\n", escaped(line)));
    }
    for table in tables(diff, usize::MAX) {
        text.push_str(&section(&table));
    }
    text.push_str("</html>\n");
    text
}

fn section(table: &Table) -> String {
    let row = |cells: &Vec<String>, tag: &str| {
        let cells: String = cells
            .iter()
            .map(|cell| format!("<{tag}{}>{}</{tag}>", class(cell), escaped(cell)))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
    format!(
        "<h2>{}</h2>\n<table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
        escaped(&table.title),
        row(&table.header, "th")
    )
}

/// Relative changes are coloured.
fn class(cell: &str) -> &'static str {
    match (cell.ends_with('%'), cell.starts_with('+'), cell.starts_with('-')) {
        (true, true, _) => " class=more",
        (true, _, true) => " class=less",
        _ => "",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_texts() {
        let table = Table {
            title: "T".into(),
            header: vec!["Name".into()],
            rows: vec![vec!["<script>alert(1)</script>".into()], vec!["+3.00%".into()]],
            footer: Vec::new(),
        };
        let html = section(&table);
        assert!(html.contains("<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>"), "{html}");
        assert!(html.contains("<td class=more>+3.00%</td>"), "{html}");
    }
}
