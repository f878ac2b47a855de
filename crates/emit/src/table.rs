//! Plain tables: right-aligned cells joined by ` | `.

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What the table shows.
    pub title: String,
    /// Column headers.
    pub header: Vec<String>,
    /// Rows, each with as many cells as the header.
    pub rows: Vec<Vec<String>>,
    /// Rows that are below a rule of their own.
    pub footer: Vec<Vec<String>>,
}

impl Table {
    /// The table as text, its columns as wide as their widest cells.
    #[must_use]
    pub fn text(&self) -> String {
        let all = || std::iter::once(&self.header).chain(&self.rows).chain(&self.footer);
        let width =
            |c: usize| all().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..self.header.len()).map(|c| width(c).unwrap_or(0)).collect();
        self.text_with(&widths)
    }

    /// The table as text, with columns of the given widths; a longer cell sticks out.
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
        text.push_str(&self.title);
        text.push('\n');
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
}

/// Appends a row and a line break.
fn put_row(text: &mut String, row: &[String], widths: &[usize]) {
    for (number, (cell, width)) in row.iter().zip(widths).enumerate() {
        if number > 0 {
            text.push_str(" | ");
        }
        let blanks = width.saturating_sub(cell.chars().count());
        text.extend(std::iter::repeat_n(' ', blanks));
        text.push_str(cell);
    }
    text.push('\n');
}
