//! A comparison as Markdown, for a comment on a pull request.

use bigtpu_answers::Diff;
use bigtpu_emit::Table;

use crate::FEW_ROWS;
use crate::tables::{headline, tables};

/// The whole run in the open, everything else folded.
#[must_use]
pub fn markdown(diff: &Diff, verdicts: &[String]) -> String {
    let mut text = String::from("## TPU profile\n\n");
    for line in headline(diff).iter().chain(verdicts) {
        text.push_str(&format!("- {}\n", escaped(line)));
    }
    for (i, table) in tables(diff, FEW_ROWS).iter().enumerate() {
        let body = rows(table);
        if i == 0 {
            text.push_str(&format!("\n### {}\n\n{body}", table.title));
        } else {
            let title = &table.title;
            text.push_str(&format!(
                "\n<details><summary>{title}</summary>\n\n{body}\n</details>\n"
            ));
        }
    }
    text
}

fn rows(table: &Table) -> String {
    let line = |cells: &Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule: Vec<&str> =
        table.header.iter().enumerate().map(|(i, _)| if i == 0 { "---" } else { "---:" }).collect();
    let mut text = line(&table.header) + &format!("| {} |\n", rule.join(" | "));
    table.rows.iter().for_each(|row| text.push_str(&line(row)));
    text
}

/// Names of kernels come from the dump: none may end a cell, start markup or begin a line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '#' | '\\' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_in_their_cells() {
        assert_eq!(escaped("a|b\n<img>*"), "a\\|b &lt;img&gt;\\*");
    }
}
