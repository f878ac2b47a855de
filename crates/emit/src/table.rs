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
        let line = |row: &Vec<String>| -> String {
            let cells = row.iter().zip(widths).map(|(cell, &w)| format!("{cell:>w$}"));
            cells.collect::<Vec<_>>().join(" | ")
        };
        let length = line(&self.header).chars().count();
        let rule = |c: &str| c.repeat(length);
        let mut lines =
            vec![rule("="), self.title.clone(), rule("="), line(&self.header), rule("-")];
        lines.extend(self.rows.iter().map(line));
        if !self.footer.is_empty() {
            lines.push(rule("-"));
            lines.extend(self.footer.iter().map(line));
        }
        lines.push(rule("="));
        lines.join("\n") + "\n"
    }
}
