//! How wide the console's lines may be.

use bigtpu_output::{Lines, Table, Text, text};

use super::layout::{bare, fitting, plain, ranked, wrapped};
use super::standard;

/// Width of a terminal that does not show its own.
const PLAIN_WIDTH: usize = 100;

/// What the console writes to.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// Columns of the terminal; `None` for a file or pipe, which take lines of any width.
    pub width: Option<usize>,
}

impl Screen {
    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        let width = || known_width(terminal_size::terminal_size().map(|(width, _)| width.0));
        Self { width: standard::are_terminals()[0].then(width) }
    }

    /// A table with all its columns; one that is too wide for the terminal is turned.
    #[must_use]
    pub fn whole(self, table: &Table) -> Text<Lines> {
        let text = self.width.map_or_else(|| plain(table), |width| fitting(table, width));
        Text::laid_out(&text)
    }

    /// A table of which a narrow terminal shows the most important columns: those that `ranks` names first; the last line counts the others,
    /// and says which `option` shows them.
    #[must_use]
    pub fn most(self, table: &Table, ranks: &[&str], option: &str) -> Text<Lines> {
        let fitted = |width| ranked(table, width, ranks, option);
        let text = self.width.map_or_else(|| plain(table), fitted);
        Text::laid_out(&text)
    }

    /// A table as [`most`](Self::most) shows it, but without rules where all columns fit.
    #[must_use]
    pub fn most_bare(self, table: &Table, ranks: &[&str], option: &str) -> Text<Lines> {
        self.bare_or(table, |width| ranked(table, width, ranks, option))
    }

    /// A table without rules; one that is too wide is turned.
    #[must_use]
    pub fn bare(self, table: &Table) -> Text<Lines> {
        self.bare_or(table, |width| fitting(table, width))
    }

    fn bare_or(self, table: &Table, narrow: impl Fn(usize) -> String) -> Text<Lines> {
        let text = bare(table);
        Text::laid_out(&match self.width {
            Some(width) if text.lines().any(|line| line.chars().count() > width) => narrow(width),
            _ => text,
        })
    }

    /// A line of text, which may be from outside.
    #[must_use]
    pub fn text(self, line: &str) -> Text<Lines> {
        let line = text!("{}", line);
        match self.width {
            None => line,
            Some(width) => Text::laid_out(&wrapped(line.as_str(), width)),
        }
    }
}

/// The columns that a terminal shows. Some programs that run others in a terminal of their own, as `script`, give it 0
/// columns.
fn known_width(said: Option<u16>) -> usize {
    said.filter(|&width| width > 0).map_or(PLAIN_WIDTH, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_of_no_columns_has_the_plain_width() {
        assert_eq!([Some(0), None, Some(80)].map(known_width), [PLAIN_WIDTH, PLAIN_WIDTH, 80]);
    }
}
