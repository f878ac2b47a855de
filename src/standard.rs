//! Standard output and standard error. What is written there is text: a character that a terminal takes for a command, or
//! that can't be seen, becomes an escape, wherever it comes from.

use std::io::{self, IsTerminal, StderrLock, StdoutLock, Write};

use bigtpu_output::{plain_json, plain_lines};

/// Lines of plain text.
pub(crate) struct Plain<W>(W);

/// Standard output.
pub(crate) fn out() -> Plain<StdoutLock<'static>> {
    Plain(io::stdout().lock())
}

/// Standard error.
pub(crate) fn err() -> Plain<StderrLock<'static>> {
    Plain(io::stderr().lock())
}

/// Whether standard output and standard error are terminals.
pub(crate) fn are_terminals() -> [bool; 2] {
    [io::stdout().is_terminal(), io::stderr().is_terminal()]
}

/// Writes a text of our own, such as a man page, as it is.
pub(crate) fn own(text: &[u8]) -> io::Result<()> {
    io::stdout().write_all(text)
}

/// A line on standard error. A reader of it that went away is no reason to stop.
pub(crate) fn note(line: &str) {
    let _ = writeln!(err(), "{line}");
}

/// Writes JSON to standard output: its texts keep their meaning, see [`plain_json`].
pub(crate) fn json(text: &str) -> io::Result<()> {
    out().write_all(plain_json(text).as_bytes())
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Pieces are whole texts: those of `write!`.
        self.0.write_all(plain_lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever writes past this module shows a terminal what a dump wants it to see.
    #[test]
    fn nothing_else_writes_to_standard_output_or_error() {
        let all = walkdir::WalkDir::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        let files = all.into_iter().map(|entry| entry.unwrap().into_path());
        for file in files.filter(|file| file.is_file() && !file.ends_with("standard.rs")) {
            let text = std::fs::read_to_string(&file).unwrap();
            for way in
                ["io::stdout", "io::stderr", "println!", "print!(", "/dev/stdout", "/dev/stderr"]
            {
                assert!(!text.contains(way), "{}: {way}", file.display());
            }
        }
    }

    #[test]
    fn a_terminal_gets_texts_only() {
        let mut out = Plain(Vec::new());
        let name = "name";
        writeln!(out, "{name}: \u{1b}[2J\u{202e}").unwrap();
        assert_eq!(String::from_utf8(out.0).unwrap(), "name: \\u{1b}[2J\\u{202e}\n");
    }
}
