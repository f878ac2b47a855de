//! The ledger as a table and notes.

use bigtpu_messages::{Language, Message, message};
use bigtpu_output::Table;
use bigtpu_timeline::{Completeness, Counts, Note, Profile, Severity};

/// What happened to each engine's records.
#[must_use]
pub fn ledger_table(profile: &Profile<'_>, language: Language) -> Table {
    let header = std::iter::once("Engine").chain(Counts::TITLES.iter().copied());
    let rows = profile.ledger.lines.iter().map(|line| {
        let counts = line.counts.values().into_iter().map(|n| n.to_string());
        std::iter::once(line.engine_id.to_string()).chain(counts).collect::<Vec<_>>()
    });
    Table::new(Message::new("report-ledger").text(language), header, rows)
}

/// Whether the dump holds all that was written, in a line.
#[must_use]
pub fn completeness_line(profile: &Profile<'_>, language: Language) -> String {
    completeness_text(&profile.ledger.completeness, language)
}

/// A verdict in a line.
#[must_use]
pub fn completeness_text(found: &Completeness, language: Language) -> String {
    let verdict = Message::verbatim(found.said().to(language));
    message!("note-completeness", verdict = verdict).text(language)
}

/// The notes that are to be shown in words, losses first.
#[must_use]
pub fn notes(
    profile: &Profile<'_>,
    is_shown: impl Fn(&Note) -> bool,
    language: Language,
) -> Vec<String> {
    let mut notes: Vec<_> = profile.ledger.notes.iter().filter(|note| is_shown(note)).collect();
    notes.sort_by_key(|n| std::cmp::Reverse(n.severity));
    notes.into_iter().map(|note| note_line(note, language)).collect()
}

/// A note after a word on its severity.
#[must_use]
pub fn note_line(note: &Note, language: Language) -> String {
    let severity = Message::new(match note.severity {
        Severity::Loss => "note-loss",
        Severity::Warning => "note-warning",
        Severity::Note | Severity::Detail => "note-remark",
    });
    let said = note.said_with_place();
    message!("note-line", severity = severity, note = said.to(language)).text(language)
}
