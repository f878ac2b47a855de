//! Plain tables. Their cells may be text from outside: each way to write a table encodes all of them.

use crate::{
    Lines, Markdown, Markup, PanelDefinition, Text, Untrusted, component, phrase, put, text,
};

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

    /// Adds rows below a rule of their own.
    #[must_use]
    pub fn with_footer<R>(self, rows: R) -> Self
    where
        R: IntoIterator<Item: IntoIterator<Item: Into<Untrusted<'static>>>>,
    {
        Self { footer: texts(rows), ..self }
    }

    /// Its title and rows under the header of another one: the same table in another language.
    #[must_use]
    pub fn with_header_of(self, other: &Self) -> Self {
        Self { header: other.header.clone(), ..self }
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
    pub fn text(&self) -> Text<Lines> {
        let mut widths = vec![0; self.header.len()];
        for row in std::iter::once(&self.header).chain(&self.rows).chain(&self.footer) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.line_width().max(*width);
            }
        }
        self.text_with(&widths)
    }

    /// The table as lines of plain text, with columns of the given widths; a longer cell sticks out.
    #[must_use]
    pub fn text_with(&self, widths: &[usize]) -> Text<Lines> {
        let mut header = Text::new();
        put_row(&mut header, &self.header, widths);
        // Without the line break.
        let length = header.as_str().chars().count() - 1;
        let rule = |mark: &'static str, text: &mut Text<Lines>| {
            (0..length).for_each(|_| _ = text.own(mark));
            text.own("\n");
        };
        let mut text = Text::new();
        rule("=", &mut text);
        put!(text, "{}\n", self.title);
        rule("=", &mut text);
        text.show(&header);
        rule("-", &mut text);
        self.rows.iter().for_each(|row| put_row(&mut text, row, widths));
        if !self.footer.is_empty() {
            rule("-", &mut text);
            self.footer.iter().for_each(|row| put_row(&mut text, row, widths));
        }
        rule("=", &mut text);
        text
    }

    /// The header and the rows as a table in Markdown.
    #[must_use]
    pub fn markdown(&self) -> Text<Markdown> {
        let mut text = Text::new();
        put!(text, "| {} |\n", Text::<Markdown>::joined(&self.header, " | "));
        for number in 0..self.header.len() {
            text.own(if number == 0 { "| --- |" } else { " ---: |" });
        }
        text.own("\n");
        for row in &self.rows {
            put!(text, "| {} |\n", Text::<Markdown>::joined(row, " | "));
        }
        text
    }

    /// The header and the rows as a table in HTML. `class` names the class of a cell, or nothing.
    #[must_use]
    pub fn html(&self, class: impl Fn(&str) -> &'static str) -> Text<Markup> {
        self.html_with(self, class)
    }

    /// Whether a column holds numbers, which stand at the right; names in the first one never do.
    fn is_number(&self, column: usize) -> bool {
        let starts = |cell: &Untrusted<'_>| {
            cell.for_library()
                .trim_start_matches(['+', '-', '−'])
                .starts_with(|c: char| c.is_ascii_digit())
        };
        column > 0 && self.rows.iter().filter_map(|row| row.get(column)).any(starts)
    }

    /// The header and the rows as a table in HTML. A cell has both texts where `other`, the table in another language,
    /// has another text.
    fn html_with(&self, other: &Self, class: impl Fn(&str) -> &'static str) -> Text<Markup> {
        let is_number: Vec<bool> = (0..self.header.len()).map(|at| self.is_number(at)).collect();
        let row = |text: &mut Text<Markup>, cells: [&[Untrusted<'_>]; 2], tag: &'static str| {
            text.own("<tr>");
            let [cells, others] = cells;
            for ((cell, other), is_number) in cells.iter().zip(others).zip(&is_number) {
                text.own("<").own(tag);
                match (is_number, class(cell.for_library())) {
                    (true, "") => _ = text.own(" class=num"),
                    (true, class) => put!(text, " class=\"num {}\"", class),
                    (false, "") => {}
                    (false, class) => put!(text, " class={}", class),
                }
                text.own(">").show(&in_two(cell, other)).own("</").own(tag).own(">");
            }
            text.own("</tr>\n");
        };
        // Who has no pointer scrolls a table that is wider than the window with the arrow keys.
        let mut text =
            Text::literal("<div class=\"scroll\" tabindex=\"0\"><table class=\"data\">\n<thead>");
        row(&mut text, [&self.header, &other.header], "th");
        text.own("</thead>\n<tbody>\n");
        for (cells, others) in self.rows.iter().zip(&other.rows) {
            row(&mut text, [cells, others], "td");
        }
        text.own("</tbody>\n</table></div>\n");
        text
    }

    /// The title as a heading, then the table, in HTML.
    #[must_use]
    pub fn html_section(&self, class: impl Fn(&str) -> &'static str) -> Text<Markup> {
        text!("<h2>{}</h2>\n{}", self.title, self.html(class))
    }

    /// The table in HTML, for [`page_in_two_languages`](crate::page_in_two_languages): `chinese` is the same table in Chinese.
    #[must_use]
    pub fn html_in_two_languages(&self, chinese: &Self) -> Text<Markup> {
        self.html_with(chinese, |_| "")
    }

    /// The table in a panel with its title and the definition of its numbers, in HTML, for
    /// [`page_in_two_languages`](crate::page_in_two_languages): `chinese` is the same table in Chinese, `below` what follows it.
    #[must_use]
    pub fn panel(
        &self,
        chinese: &Self,
        definition: &PanelDefinition,
        below: &Text<Markup>,
    ) -> Text<Markup> {
        let table = text!("{}{}", self.html_in_two_languages(chinese), below);
        component::panel(&in_two(&self.title, &chinese.title), Some(definition), &table)
    }
}

fn in_two(text: &Untrusted<'_>, chinese: &Untrusted<'_>) -> Text<Markup> {
    match text == chinese {
        true => text!("{}", text),
        false => phrase(text, chinese),
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
fn put_row(text: &mut Text<Lines>, row: &[Untrusted<'_>], widths: &[usize]) {
    for (number, (cell, width)) in row.iter().zip(widths).enumerate() {
        text.own(if number > 0 { " | " } else { "" }).column(cell, *width);
    }
    text.own("\n");
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
        let html = html.as_str();
        let start = "<h2>T\\u{a}</h2>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"data\">\n<thead><tr><th>Name</th>";
        assert!(html.starts_with(start), "{html}");
        assert!(html.contains("<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>"), "{html}");
        assert!(html.contains("<td class=\"num more\">+3.00%</td>"), "{html}");
        let (text, markdown) = (table.text(), table.markdown());
        assert_eq!(text.as_str().lines().count(), 8);
        assert!(!text.as_str().contains('\u{1b}'));
        let markdown = markdown.as_str();
        assert!(markdown.starts_with("| Name | Value |\n| --- | ---: |\n"), "{markdown}");
        assert!(markdown.ends_with("| a\\|b\\\\u{a}::error:: | \\\\u{1b}\\[2J |\n"), "{markdown}");
        assert_eq!(markdown.lines().count(), 4);
    }
}
