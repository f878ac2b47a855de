//! The ledger as a table and notes.

use bigtpu_output::Table;
use bigtpu_timeline::{Completeness, Counts, Note, Profile, Severity};

/// What happened to each engine's records.
#[must_use]
pub fn ledger_table(profile: &Profile<'_>) -> Table {
    let header = std::iter::once("Engine").chain(Counts::TITLES.iter().copied());
    let rows = profile.ledger.lines.iter().map(|line| {
        let counts = line.counts.values().into_iter().map(|n| n.to_string());
        std::iter::once(line.engine_id.to_string()).chain(counts).collect::<Vec<_>>()
    });
    Table::new("Ledger (records read, matched, corrected and lost)", header, rows)
}

/// Whether the dump holds all that was written, in a line.
#[must_use]
pub fn completeness_line(profile: &Profile<'_>) -> String {
    completeness_text(&profile.ledger.completeness)
}

/// A verdict in a line.
#[must_use]
pub fn completeness_text(found: &Completeness) -> String {
    format!("Completeness: {found}")
}

/// The notes in words, losses first.
#[must_use]
pub fn notes(profile: &Profile<'_>) -> Vec<String> {
    let mut notes: Vec<_> = profile.ledger.notes.iter().collect();
    notes.sort_by_key(|n| std::cmp::Reverse(n.severity));
    notes.into_iter().map(note_line).collect()
}

/// A note after a word on its severity.
#[must_use]
pub fn note_line(note: &Note) -> String {
    let word = match note.severity {
        Severity::Loss => "lost",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    format!("{word}: {note}")
}
