//! Whether a dump holds all that its runtime wrote, as far as the dump itself shows.

use std::fmt;

use bigtpu_messages::{Arg, LocalizedText, Message, message};

use crate::note::{Note, Severity, plain};

/// What the evidence in a dump comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletenessVerdict {
    /// The dump has all that the PMU and the runtime wrote, and what is needed to see that.
    Complete,
    /// Nothing is known to be missing, but a missing part would not be noticed.
    Unverified,
    /// Something that was written is missing or can't be used.
    Incomplete,
}

impl CompletenessVerdict {
    /// Name in sentences.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Unverified => "can't be verified",
            Self::Incomplete => "incomplete",
        }
    }

    /// Name in files for machines.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Unverified => "unverified",
            Self::Incomplete => "incomplete",
        }
    }
}

/// The verdict on a dump and its reasons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completeness {
    losses: Vec<Note>,
    doubts: Vec<Note>,
    skipped: u64,
}

impl Completeness {
    /// Adds what was found of the dump; only losses count.
    pub(crate) fn lose(&mut self, notes: &[Note]) {
        let losses = notes.iter().filter(|note| note.severity == Severity::Loss);
        self.losses.extend(losses.cloned());
    }

    /// Adds what can't be seen in the dump.
    pub(crate) fn doubt(&mut self, doubts: Vec<Note>) {
        self.doubts.extend(doubts);
    }

    /// Commands that the PMU of this chip writes no record of: they ran, and nothing that was written is missing.
    pub(crate) fn skip(&mut self, commands: u64) {
        self.skipped = commands;
    }

    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> CompletenessVerdict {
        match (self.losses.is_empty(), self.doubts.is_empty()) {
            (true, true) => CompletenessVerdict::Complete,
            (true, false) => CompletenessVerdict::Unverified,
            (false, _) => CompletenessVerdict::Incomplete,
        }
    }

    /// Why the dump is incomplete, or why this can't be verified: the file and what is missing.
    #[must_use]
    pub fn reasons(&self) -> &[Note] {
        if self.losses.is_empty() { &self.doubts } else { &self.losses }
    }
}

impl fmt::Display for Completeness {
    /// In English, as files for scripts have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said().text)
    }
}

impl Completeness {
    /// One line, in both languages. Losses are among the ledger's notes: only the first is repeated.
    #[must_use]
    pub fn said(&self) -> LocalizedText {
        let reasons = || self.reasons().iter().map(Note::with_place);
        let message = match (self.verdict(), reasons().next()) {
            (CompletenessVerdict::Incomplete, Some(reason)) => match self.reasons().len() - 1 {
                0 => message!("note-incomplete", reason = reason),
                more => message!("note-incomplete-more", reason = reason, more = more),
            },
            (CompletenessVerdict::Unverified, _) => {
                message!("note-unverified", reasons = Arg::Clauses(reasons().collect()))
            }
            _ if self.skipped > 0 => message!("note-complete-but", skipped = self.skipped),
            _ => Message::new("note-complete"),
        };
        plain(message)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn losses_decide_before_doubts() {
        let note = |severity, text: &str| {
            Note::about_file(severity, Path::new("a/b"), Message::verbatim(text))
        };
        let mut found = Completeness::default();
        assert_eq!(
            (found.verdict(), found.said().text.as_str()),
            (CompletenessVerdict::Complete, "complete")
        );
        found.skip(3);
        let said = "complete: all that the PMU wrote is there, and of 3 very short commands it wrote no record";
        assert_eq!(
            (found.verdict(), found.said().text.as_str()),
            (CompletenessVerdict::Complete, said)
        );
        found.lose(&[note(Severity::Warning, "odd"), note(Severity::Note, "fine")]);
        assert_eq!(found.verdict(), CompletenessVerdict::Complete);
        found.doubt(vec![note(Severity::Note, "no counts"), note(Severity::Note, "no words")]);
        assert_eq!(found.said().text, "can't be verified: b: no counts; b: no words");
        found.lose(&[note(Severity::Loss, "cut"), note(Severity::Loss, "gone")]);
        let said = "incomplete, because b: cut; 1 more reason is in the notes";
        assert_eq!((found.reasons().len(), found.said().text.as_str()), (2, said));
    }
}
