//! Whether a dump holds all that its runtime wrote, as far as the dump itself shows.

use std::fmt;

use crate::ledger::{Note, Severity};

/// What the evidence in a dump comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing is missing, and the dump has what is needed to see that.
    Complete,
    /// Nothing is known to be missing, but a missing part would not be noticed.
    Unverified,
    /// Something is missing or can't be used.
    Incomplete,
}

impl Verdict {
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

    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.losses.is_empty(), self.doubts.is_empty()) {
            (true, true) => Verdict::Complete,
            (true, false) => Verdict::Unverified,
            (false, _) => Verdict::Incomplete,
        }
    }

    /// Why the dump is incomplete, or why this can't be verified: the file and what is missing.
    #[must_use]
    pub fn reasons(&self) -> &[Note] {
        if self.losses.is_empty() { &self.doubts } else { &self.losses }
    }
}

impl fmt::Display for Completeness {
    /// One line. Losses are among the ledger's notes: only the first is repeated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = self.verdict();
        f.write_str(verdict.name())?;
        let shown = match verdict {
            Verdict::Incomplete => 1,
            _ => usize::MAX,
        };
        let link = if verdict == Verdict::Incomplete { ", because " } else { ": " };
        let reasons = self.reasons();
        for (n, reason) in reasons.iter().take(shown).enumerate() {
            write!(f, "{}{reason}", if n == 0 { link } else { "; " })?;
        }
        match reasons.len().saturating_sub(shown) {
            0 => Ok(()),
            1 => f.write_str("; 1 more reason is in the notes"),
            more => write!(f, "; {more} more reasons are in the notes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn losses_decide_before_doubts() {
        let note = |severity, text: &str| Note::of(severity, Path::new("a/b"), text.to_owned());
        let mut found = Completeness::default();
        assert_eq!((found.verdict(), found.to_string().as_str()), (Verdict::Complete, "complete"));
        found.lose(&[note(Severity::Warning, "odd"), note(Severity::Note, "fine")]);
        assert_eq!(found.verdict(), Verdict::Complete);
        found.doubt(vec![note(Severity::Note, "no counts"), note(Severity::Note, "no words")]);
        assert_eq!(found.to_string(), "can't be verified: b: no counts; b: no words");
        found.lose(&[note(Severity::Loss, "cut"), note(Severity::Loss, "gone")]);
        let said = "incomplete, because b: cut; 1 more reason is in the notes";
        assert_eq!((found.reasons().len(), found.to_string().as_str()), (2, said));
    }
}
