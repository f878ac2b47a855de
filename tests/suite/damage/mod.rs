//! Damaged dumps: all that is sound is shown, and what was lost is said.

mod blocks;
mod commands;
mod extremes;
mod files;
mod global;
mod joining;
mod quality;
mod random;
mod truncated;

use std::collections::BTreeMap;

use crate::support::dump::DumpCopy;
use crate::support::register_text::records;
use crate::support::run::Finished;
use crate::support::summary::notes;
use crate::support::workbook::rows;

/// What must be said of a damaged dump.
struct Note<'a> {
    /// Data was lost; else the damage is only worth a warning.
    lost: bool,
    /// The file and, where there is one, the place in it.
    place: &'a str,
    /// Further words of the note; of bytes that are lost, the share of the file is among them.
    says: &'a [&'a str],
}

impl Note<'_> {
    /// Whether a line of stderr is this note.
    fn is(&self, line: &str) -> bool {
        let (severity, text) = line.split_once(": ").unwrap_or(("", line));
        let place = format!("{}: ", self.place);
        severity == if self.lost { "lost" } else { "warning" }
            && text.starts_with(&place)
            && self.says.iter().all(|word| text.contains(word))
    }
}

/// Analyzes a damaged dump: it must work, with the note on stderr, in the summary, the trace and the workbook; and with
/// `--strict` it must end with code 3 if, and only if, data was lost.
#[track_caller]
fn expect(what: &str, dump: &DumpCopy, note: &Note<'_>) -> Finished {
    let run = dump.analyze(&["--perfetto", "--enable_doc", "--verbose"]);
    let said = &run.said;
    assert_eq!(said.code, Some(0), "{what}: {}", said.stderr);
    let line = said.stderr.lines().find(|line| note.is(line));
    let line =
        line.unwrap_or_else(|| panic!("{what}: not said of {}:\n{}", note.place, said.stderr));
    let summary = run.text("summary.txt");
    assert!(notes(&summary).contains(&line), "{what}: not in the summary: {line}\n{summary}");

    let (_, text) = line.split_once(": ").unwrap();
    let mut attributes = run.trace().attributes.into_iter();
    assert!(attributes.any(|(_, value)| value == text), "{what}: not in the trace: {text}");
    in_workbook(what, &run, text);

    let strict = dump.analyze(&["--perfetto", "--enable_doc", "--strict"]);
    let code = if note.lost { 3 } else { 0 };
    assert_eq!(strict.said.code, Some(code), "{what}, --strict: {}", strict.said.stderr);
    // Strictness changes the verdict only.
    assert!(strict.files() == run.files(), "{what}: --strict changes the outputs");
    run
}

/// Expects a note in the workbook: its words, its file and its byte have cells of their own.
#[track_caller]
fn in_workbook(what: &str, run: &Finished, note: &str) {
    let (place, said) = note.split_once(": ").unwrap();
    let (file, offset) = place.split_once(" at byte ").unwrap_or((place, ""));
    let rows = rows(run.out_dir(), "Data Quality");
    let found = rows.iter().any(|row| row[4] == said && row[1] == file && row[3] == offset);
    assert!(found, "{what}: not in the workbook: {note}");
}

/// How many records each register text shows.
fn shown(run: &Finished) -> BTreeMap<String, usize> {
    let names = run.names().into_iter().filter(|name| name.contains("RegInfo_"));
    names.map(|name| (name.clone(), records(&run.text(&name)).len())).collect()
}

/// What the undamaged dump shows.
fn undamaged(case: &str) -> BTreeMap<String, usize> {
    shown(&DumpCopy::copy(case).analyze(&[]))
}
