//! The list of files that were written.

use std::path::Path;

use bigtpu_output::{Untrusted, Written};
use bigtpu_session::size;

/// More register texts than this are shown as one line.
const FEW_TEXTS: usize = 6;

/// A line for each file; many register texts share one unless `full`.
pub(crate) fn written_lines(written: &[Written], full: bool) -> Vec<String> {
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
        lines.push(format!(
            "{} ({} files, {})",
            Untrusted::from(all.as_path()).line(),
            texts.len(),
            size(bytes)
        ));
    }
    for file in written.iter().filter(|file| !(together && is_text(file))) {
        let hint = how_to_open(&file.path);
        let path = Untrusted::from(file.path.as_path());
        lines.push(format!("{} ({}){hint}", path.line(), size(file.bytes)));
    }
    lines
}

fn how_to_open(path: &Path) -> &'static str {
    match path.extension().and_then(|e| e.to_str()) {
        Some("pftrace") => " - open it in https://ui.perfetto.dev",
        Some("html") => " - open it in a browser",
        Some("xlsx") => " - open it in a spreadsheet program",
        _ => "",
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
        let few = written_lines(&files, false);
        assert_eq!(few, ["out/*RegInfo_*.txt (7 files, 700 bytes)", "out/summary.txt (100 bytes)"]);
        assert_eq!(written_lines(&files, true).len(), 8);
        assert_eq!(written_lines(&files[1..], false).len(), 7);
    }
}
