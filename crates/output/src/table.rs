//! Plain tables. Their cells may be text from outside: each way to write a table encodes all of them.

use std::fmt::Write;

use crate::Untrusted;

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    title: Untrusted<'static>,
    header: Vec<Untrusted<'static>>,
    rows: Vec<Vec<Untrusted<'static>>>,
    /// Rows that are below a rule of their own.
    footer: Vec<Vec<Untrusted<'static>>>,
}

impl Table {
    /// A table of what it shows, column headers, and rows with as many cells as the header.
    pub fn new<T, H, R>(title: T, header: H, rows: R) -> Self
    where
        T: Into<Untrusted<'static>>,
        H: IntoIterator<Item: Into<Untrusted<'static>>>,
        R: IntoIterator<Item: IntoIterator<Item: Into<Untrusted<'static>>>>,
    {
        let header = header.into_iter().map(Into::into).collect();
        Self { title: title.into(), header, rows: texts(rows), footer: Vec::new() }
    }

    /// The same table with rows that are below a rule of their own.
    #[must_use]
    pub fn with_footer<R>(self, rows: R) -> Self
    where
        R: IntoIterator<Item: IntoIterator<Item: Into<Untrusted<'static>>>>,
    {
        Self { footer: texts(rows), ..self }
    }

    /// Whether it has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Rows, without those of the footer.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Leaves out all rows after the first `most`.
    pub fn truncate(&mut self, most: usize) {
        self.rows.truncate(most);
    }

    /// What it shows.
    #[must_use]
    pub fn title(&self) -> &Untrusted<'static> {
        &self.title
    }

    /// The column headers, the rows and the footer as lines of plain text, to be laid out.
    #[must_use]
    pub fn lines(&self) -> (Vec<String>, Vec<Vec<String>>) {
        (lines(&self.header), self.rows.iter().chain(&self.footer).map(|row| lines(row)).collect())
    }

    /// The table as lines of plain text, its columns as wide as their widest cells.
    #[must_use]
    pub fn text(&self) -> String {
        let (header, rows) = self.lines();
        let all = || std::iter::once(&header).chain(&rows);
        let width =
            |c: usize| all().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..header.len()).map(|c| width(c).unwrap_or(0)).collect();
        self.text_with(&widths)
    }

    /// The table as lines of plain text, with columns of the given widths; a longer cell sticks out.
    #[must_use]
    pub fn text_with(&self, widths: &[usize]) -> String {
        let mut header = String::new();
        put_row(&mut header, &self.header, widths);
        // Without the line break.
        let length = header.chars().count() - 1;
        let rule = |mark: char, text: &mut String| {
            text.extend(std::iter::repeat_n(mark, length));
            text.push('\n');
        };
        let mut text = String::new();
        rule('=', &mut text);
        // Writing to a text never fails.
        let _ = writeln!(text, "{}", self.title.line());
        rule('=', &mut text);
        text.push_str(&header);
        rule('-', &mut text);
        self.rows.iter().for_each(|row| put_row(&mut text, row, widths));
        if !self.footer.is_empty() {
            rule('-', &mut text);
            self.footer.iter().for_each(|row| put_row(&mut text, row, widths));
        }
        rule('=', &mut text);
        text
    }

    /// The header and the rows as a table in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let rule: Vec<&str> = self
            .header
            .iter()
            .enumerate()
            .map(|(i, _)| if i == 0 { "---" } else { "---:" })
            .collect();
        let line = |cells: &[Untrusted<'_>]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.markdown().to_string()).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = line(&self.header) + &format!("| {} |\n", rule.join(" | "));
        self.rows.iter().for_each(|row| text.push_str(&line(row)));
        text
    }

    /// The header and the rows as a table in HTML. `class` names the class of a cell, or nothing.
    #[must_use]
    pub fn html(&self, class: impl Fn(&str) -> &'static str) -> String {
        let row = |cells: &[Untrusted<'_>], tag: &str| {
            let mut text = String::from("<tr>");
            for cell in cells {
                let class = match class(cell.for_library()) {
                    "" => String::new(),
                    class => format!(" class={class}"),
                };
                let _ = write!(text, "<{tag}{class}>{}</{tag}>", cell.html());
            }
            text + "</tr>\n"
        };
        let rows: String = self.rows.iter().map(|cells| row(cells, "td")).collect();
        format!(
            "<table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
            row(&self.header, "th")
        )
    }

    /// The title as a heading, then the table, in HTML.
    #[must_use]
    pub fn html_section(&self, class: impl Fn(&str) -> &'static str) -> String {
        format!("<h2>{}</h2>\n{}", self.title.html(), self.html(class))
    }
}

fn texts<R>(rows: R) -> Vec<Vec<Untrusted<'static>>>
where
    R: IntoIterator<Item: IntoIterator<Item: Into<Untrusted<'static>>>>,
{
    rows.into_iter().map(|row| row.into_iter().map(Into::into).collect()).collect()
}

fn lines(cells: &[Untrusted<'_>]) -> Vec<String> {
    cells.iter().map(|cell| cell.line().to_string()).collect()
}

/// Appends a row and a line break.
fn put_row(text: &mut String, row: &[Untrusted<'_>], widths: &[usize]) {
    for (number, (cell, width)) in lines(row).iter().zip(widths).enumerate() {
        if number > 0 {
            text.push_str(" | ");
        }
        let blanks = width.saturating_sub(cell.chars().count());
        text.extend(std::iter::repeat_n(' ', blanks));
        text.push_str(cell);
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_cells_are_texts_in_every_form() {
        let rows = [["<script>alert(1)</script>", "+3.00%"], ["a|b\n::error::", "\u{1b}[2J"]];
        let table = Table::new("T\n", ["Name", "Value"], rows);
        let class = |cell: &str| if cell.starts_with('+') { "more" } else { "" };
        let html = table.html_section(class);
        assert!(html.starts_with("<h2>T\\u{a}</h2>\n<table>\n<thead><tr><th>Name</th>"), "{html}");
        assert!(html.contains("<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>"), "{html}");
        assert!(html.contains("<td class=more>+3.00%</td>"), "{html}");
        assert_eq!(table.text().lines().count(), 8);
        assert!(!table.text().contains('\u{1b}'));
        assert!(table.markdown().ends_with("| a\\|b\\\\u{a}::error:: | \\\\u{1b}\\[2J |\n"));
        assert_eq!(table.markdown().lines().count(), 4);
    }
}
