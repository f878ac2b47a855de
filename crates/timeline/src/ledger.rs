//! The ledger: what was read, corrected, left out or lost, and why. Nothing is lost silently.

use std::fmt;
use std::path::PathBuf;

use bigtpu_chip::Engine;

/// Whose records a line counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Core number, or port for CDMA.
    pub index: u32,
    /// Engine.
    pub engine: Engine,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.engine == Engine::Cdma { "port" } else { "core" };
        write!(f, "{side} {} {}", self.index, self.engine.name())
    }
}

macro_rules! counts {
    ($($(#[doc = $doc:literal])+ $field:ident = $title:literal),* $(,)?) => {
        /// What happened to one engine's records and commands.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct Counts { $($(#[doc = $doc])+ pub $field: u64),* }

        impl Counts {
            /// Titles of the counts, in order.
            pub const TITLES: &'static [&'static str] = &[$($title),*];

            /// The counts, in the order of the titles.
            #[must_use]
            pub fn values(&self) -> Vec<u64> {
                vec![$(self.$field),*]
            }
        }
    };
}

counts! {
    /// Records in the monitor.
    read = "read",
    /// Events shown.
    shown = "shown",
    /// Shown events with a command.
    matched = "matched",
    /// Shown events without a command.
    unmatched = "unmatched",
    /// Of the unmatched: system records named by their length and place alone.
    labelled = "labelled",
    /// Records of the sync preamble, and sync sends spent on CDMA ports.
    preamble = "preamble",
    /// Records trimmed: strays at the edges, unmatched edges, sync pairs around id resets.
    trimmed = "trimmed",
    /// Records that a ring's rotation moved.
    rotated = "rotated",
    /// Records moved to undo disorder.
    reordered = "reordered",
    /// Counter and id run-overs undone.
    wrapped = "wrapped",
    /// Records that are missing or could not be used, as far as known.
    lost = "lost",
    /// Events whose command's bits are not known.
    undecodable = "undecodable",
    /// Commands dispatched, preamble left out.
    commands = "commands",
    /// Commands that no record shows.
    unseen = "unseen",
}

/// One core's or port's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Whose.
    pub place: Place,
    /// What.
    pub counts: Counts,
}

/// How grave a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Doubtful, or worth knowing; no data was lost.
    Warning,
    /// Data was lost.
    Loss,
}

/// One thing that went wrong, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// How grave.
    pub severity: Severity,
    /// The file it was found in.
    pub file: Option<PathBuf>,
    /// Where in the file, in bytes.
    pub offset: Option<u64>,
    /// What was wrong, and what to do.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            let name =
                file.file_name().map_or_else(|| file.to_string_lossy(), |n| n.to_string_lossy());
            write!(f, "{name}")?;
            if let Some(offset) = self.offset {
                write!(f, " at byte {offset}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.text)
    }
}

/// Lines by place, and notes.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Lines of the engines that had records or commands: cores in order, then ports.
    pub lines: Vec<Line>,
    /// What went wrong.
    pub notes: Vec<Note>,
}

impl Ledger {
    /// Whether any data was lost.
    #[must_use]
    pub fn has_loss(&self) -> bool {
        self.notes.iter().any(|n| n.severity == Severity::Loss)
    }
}

/// Notes of one file.
#[derive(Debug)]
pub(crate) struct Notes {
    file: PathBuf,
    pub(crate) notes: Vec<Note>,
}

impl Notes {
    pub(crate) fn of(file: &std::path::Path) -> Self {
        Self { file: file.to_owned(), notes: Vec::new() }
    }

    pub(crate) fn loss(&mut self, offset: u64, text: impl Into<String>) {
        self.add(Severity::Loss, Some(offset), text.into());
    }

    /// A loss that has no one place in the file.
    pub(crate) fn loss_anywhere(&mut self, text: impl Into<String>) {
        self.add(Severity::Loss, None, text.into());
    }

    pub(crate) fn warn(&mut self, offset: Option<u64>, text: impl Into<String>) {
        self.add(Severity::Warning, offset, text.into());
    }

    fn add(&mut self, severity: Severity, offset: Option<u64>, text: String) {
        self.notes.push(Note { severity, file: Some(self.file.clone()), offset, text });
    }
}
