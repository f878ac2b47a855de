//! Standard output and standard error. They take what files take: texts in which all that comes from outside is encoded,
//! and JSON.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal, StderrLock, StdoutLock, Write};

use bigtpu_output::{Csv, Lines, Pieces, Text, plain_json, put};

use super::colour;
use super::layout::broken;
use super::screen::Screen;

/// Lines of plain text, written with `put!`; on a terminal with colours.
#[derive(Debug)]
pub struct Plain<W> {
    to: W,
    is_coloured: bool,
    /// Columns of the terminal, where it is one: longer lines are broken at blanks.
    width: Option<usize>,
}

/// Standard output.
#[must_use]
pub fn stdout() -> Plain<StdoutLock<'static>> {
    let width = Screen::stdout().width;
    Plain { to: io::stdout().lock(), is_coloured: is_coloured(are_terminals()[0]), width }
}

/// Standard error.
#[must_use]
pub fn err() -> Plain<StderrLock<'static>> {
    Plain { to: io::stderr().lock(), is_coloured: is_coloured(are_terminals()[1]), width: None }
}

/// Whether standard output and standard error are terminals.
#[must_use]
pub fn are_terminals() -> [bool; 2] {
    [io::stdout().is_terminal(), io::stderr().is_terminal()]
}

fn is_coloured(is_terminal: bool) -> bool {
    let [no_color, term] = ["NO_COLOR", "TERM"].map(env::var_os);
    colour::is_wanted(is_terminal, no_color.as_deref(), term.as_deref())
}

/// Writes a text of our own, such as a man page, as it is.
///
/// # Errors
/// Standard output's, such as a closed pipe.
pub fn own(text: &[u8]) -> io::Result<()> {
    io::stdout().write_all(text)
}

/// A line of our own sentences and numbers on standard error, written piece by piece: it takes no memory. A reader that went away is
/// no reason to stop.
pub fn note_without_memory(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A line on standard error. A reader of it that went away is no reason to stop.
pub fn note(line: &Text<Lines>) {
    let mut err = err();
    let _ = put!(err, "{}\n", line);
}

/// Writes lines to standard output.
///
/// # Errors
/// Standard output's, such as a closed pipe.
pub fn lines(lines: &Text<Lines>) -> io::Result<()> {
    let mut out = stdout();
    put!(out, "{}", lines)?;
    out.flush()
}

/// Writes JSON to standard output: its texts keep their meaning, see [`plain_json`].
///
/// # Errors
/// Standard output's, such as a closed pipe.
pub fn json(text: &str) -> io::Result<()> {
    io::stdout().write_all(plain_json(text).as_bytes())
}

/// Writes CSV to standard output.
///
/// # Errors
/// Standard output's, such as a closed pipe.
pub fn csv(text: &Text<Csv>) -> io::Result<()> {
    io::stdout().write_all(text.as_str().as_bytes())
}

impl<W: Write> Plain<W> {
    /// Without colours.
    #[must_use]
    pub fn new(to: W) -> Self {
        Self { to, is_coloured: false, width: None }
    }

    /// For `put!`.
    #[must_use]
    pub fn sink(&self) -> Pieces<Lines> {
        Text::new().sink()
    }

    /// For `put!`.
    ///
    /// # Errors
    /// The sink's.
    pub fn put_pieces(&mut self, pieces: fmt::Arguments<'_>) -> io::Result<()> {
        // At once: a program beside this one must not write into the line.
        let text = pieces.to_string();
        let text = match self.width {
            Some(width) => broken(&text, width),
            None => text,
        };
        match self.is_coloured {
            true => self.to.write_all(colour::painted(&text).as_bytes()),
            false => self.to.write_all(text.as_bytes()),
        }
    }

    /// Writes out what is held back.
    ///
    /// # Errors
    /// The sink's.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_texts_only() {
        let mut out = Vec::new();
        let name = "\u{1b}[2J\n::error::\u{202e}";
        let mut plain = Plain::new(&mut out);
        put!(plain, "name: {}\n", name).unwrap();
        let shown = "name: \\u{1b}[2J\\u{a}::error::\\u{202e}\n";
        assert_eq!(String::from_utf8(out).unwrap(), shown);
    }
}
