//! The list of files that were written.

use std::io::{self, Write};
use std::path::Path;

use bigtpu_emit_text::console::Plain;
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::{Untrusted, Written, put};
use bigtpu_session::size;

/// More register texts than this are shown as one line.
const FEW_TEXTS: usize = 6;

/// Says of each file that it was written.
///
/// # Errors
/// The output's, such as a closed pipe.
pub(crate) fn show_written(
    out: &mut Plain<impl Write>,
    written: &[Written],
    language: Language,
) -> io::Result<()> {
    for file in written_lines(written, true, language) {
        put!(out, "{}\n", message!("written-file", file = file).text(language))?;
    }
    Ok(())
}

/// Lists the files that were written, if there are any; many register texts share a line unless `full`.
///
/// # Errors
/// The output's, such as a closed pipe.
pub(crate) fn list_written(
    out: &mut Plain<impl Write>,
    written: &[Written],
    full: bool,
    language: Language,
) -> io::Result<()> {
    if !written.is_empty() {
        put!(out, "{}\n", message!("report-written").text(language))?;
    }
    for file in written_lines(written, full, language) {
        put!(out, "  {}\n", file)?;
    }
    Ok(())
}

/// A line for each file; many register texts share one unless `full`.
pub(crate) fn written_lines(written: &[Written], full: bool, language: Language) -> Vec<String> {
    let is_text = |file: &&Written| {
        let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.contains("RegInfo_") && name.ends_with(".txt")
    };
    let texts: Vec<&Written> = written.iter().filter(is_text).collect();
    let together = !full && texts.len() > FEW_TEXTS;
    let mut lines = Vec::new();
    if let Some(first) = texts.first().filter(|_| together) {
        let bytes = texts.iter().map(|file| file.bytes).sum();
        let all = first.path.with_file_name("*RegInfo_*.txt");
        let together = message!(
            "written-together",
            files = Untrusted::from(all.as_path()).line().to_string(),
            count = texts.len(),
            size = size(bytes)
        );
        lines.push(together.text(language));
    }
    for file in written.iter().filter(|file| !(together && is_text(file))) {
        let path = Untrusted::from(file.path.as_path());
        let line = format!("{} ({})", path.line(), size(file.bytes));
        lines.push(match how_to_open(&file.path) {
            Some(hint) => hint.with("file", Arg::Name(line)).text(language),
            None => line,
        });
    }
    lines
}

/// The line of a file that one opens.
fn how_to_open(path: &Path) -> Option<Message> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("pftrace") => Some(Message::new("written-trace")),
        Some("html") => Some(Message::new("written-page")),
        Some("xlsx") => Some(Message::new("written-workbook")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_texts_share_a_line() {
        let file = |name: &str| Written { path: Path::new("out").join(name), bytes: 100 };
        let mut files: Vec<Written> =
            (0..7).map(|n| file(&format!("tiuRegInfo_{n}.txt"))).collect();
        files.push(file("summary.txt"));
        let few = written_lines(&files, false, Language::English);
        assert_eq!(few, ["out/*RegInfo_*.txt (7 files, 700 bytes)", "out/summary.txt (100 bytes)"]);
        assert_eq!(written_lines(&files, true, Language::English).len(), 8);
        assert_eq!(written_lines(&files[1..], false, Language::English).len(), 7);
    }
}
