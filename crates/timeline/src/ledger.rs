//! The ledger: what was read, corrected, left out or lost, and why. Nothing is lost silently.

use std::fmt;
use std::path::{Path, PathBuf};

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, Message, message};

use crate::completeness::Completeness;
use crate::note::{Extent, Note, Severity};
use crate::ring::size_that_holds;

/// The engine whose records a row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EngineId {
    /// Core number, or port for CDMA.
    pub index: u32,
    /// Engine.
    pub engine: Engine,
}

impl EngineId {
    /// The engine as a place in a sentence.
    #[must_use]
    pub fn message(self) -> Message {
        let (number, engine) = (Arg::Number(self.index.into()), self.engine.name());
        match self.engine {
            Engine::Cdma => message!("place-engine-port", port = number, engine = engine),
            _ => message!("place-engine-core", core = number, engine = engine),
        }
    }
}

impl fmt::Display for EngineId {
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
    /// Unmatched events that are system records, named by their length and place alone.
    labelled = "labelled",
    /// Records of the sync preamble, and sync sends spent on CDMA ports.
    preamble = "preamble",
    /// Records of the runtime's own work around a static model: copies of inputs and outputs, barriers.
    runtime = "runtime",
    /// Records trimmed: strays and unmatched records at the edges, sync pairs around id resets, further records of one
    /// execution on a port. Those that may be more than markers count as lost, too.
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

impl Counts {
    /// Records that the law of conservation does not account for: every record of a monitor is shown, or is one of the
    /// preamble, of the runtime or of those that were trimmed. 0 unless there is a defect in this program.
    ///
    /// ```text
    /// read = shown + preamble + runtime + trimmed
    /// ```
    #[must_use]
    pub fn unaccounted(&self) -> u64 {
        let Self { read, shown, preamble, runtime, trimmed, .. } = *self;
        let known =
            [shown, preamble, runtime, trimmed].iter().fold(0u64, |a, b| a.saturating_add(*b));
        read.abs_diff(known)
    }
}

/// One core's or port's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Whose.
    pub engine_id: EngineId,
    /// What.
    pub counts: Counts,
}

/// Lines by place, and notes.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Lines of the engines that had records or commands: cores in order, then ports.
    pub lines: Vec<Line>,
    /// What went wrong.
    pub notes: Vec<Note>,
    /// Whether the dump holds all that was written.
    pub completeness: Completeness,
    /// Whether a file was there and could not be read: another try may have more.
    pub has_unread: bool,
}

impl Ledger {
    /// The ledger of a run without records; its losses make it incomplete.
    pub(crate) fn of_notes(notes: Vec<Note>) -> Self {
        let mut ledger = Self::default();
        ledger.add_of_dump(notes);
        ledger
    }

    /// One setting sizes the rings of all engines of the cores: each note of a full one names the size in which what an engine was
    /// dispatched fits. What an engine's own records show is less where its ids restart with each launch.
    pub(crate) fn ask_for_one_ring(&mut self) {
        let of_cores = self.lines.iter().filter(|line| line.engine_id.engine != Engine::Cdma);
        let most =
            of_cores.map(|line| line.counts.commands + line.counts.preamble).max().unwrap_or(0);
        let asked = self.notes.iter_mut().filter(|note| note.message.id == "note-lapped");
        let mut sizes: Vec<&mut u64> = asked
            .filter_map(|note| match note.message.args.get_mut("enough") {
                Some(Arg::Count(enough)) => Some(enough),
                _ => None,
            })
            .collect();
        let of_notes = sizes.iter().map(|size| **size).max().unwrap_or(0);
        let enough = size_that_holds(most, 0).max(of_notes);
        sizes.iter_mut().for_each(|size| **size = enough);
    }

    /// Whether any data was lost.
    #[must_use]
    pub fn has_loss(&self) -> bool {
        self.notes.iter().any(|n| n.severity == Severity::Loss)
    }

    /// Adds notes about a part of the dump that is read after the records, such as its layers: a loss of it makes the
    /// dump incomplete.
    pub fn add_of_dump(&mut self, notes: Vec<Note>) {
        self.completeness.lose(&notes);
        self.notes.extend(notes);
    }
}

/// Notes of a file beyond this many are counted only.
const MOST_NOTES: usize = 200;

/// Notes of one file.
#[derive(Debug)]
pub(crate) struct Notes {
    file: PathBuf,
    /// Bytes of the file.
    size: u64,
    /// The file that offsets count in, and where it starts among them, if not the file itself.
    within: Option<(PathBuf, u64, u64)>,
    notes: Vec<Note>,
    /// Number of notes that are not kept, and the highest severity of them.
    more: Option<(u64, Severity)>,
}

impl Notes {
    pub(crate) fn new(file: &Path, size: usize) -> Self {
        Self {
            file: file.to_owned(),
            size: size as u64,
            within: None,
            notes: Vec::new(),
            more: None,
        }
    }

    /// Notes of the same file that are taken beside these; see [`Notes::append`].
    pub(crate) fn empty_for_the_file(&self) -> Self {
        let file = self.file.clone();
        Self { file, size: self.size, within: None, notes: Vec::new(), more: None }
    }

    /// Adds notes that were taken beside these, as if they had been taken after them.
    pub(crate) fn append(&mut self, later: Self) {
        for note in later.notes {
            self.push(note);
        }
        if let Some((count, gravest)) = later.more {
            self.count(count, gravest);
        }
    }

    /// What follows is about another file: offsets count from `base` on, and it has `size` bytes. `None`: about the
    /// file itself.
    pub(crate) fn set_file(&mut self, file: Option<(&Path, u64, u64)>) {
        self.within = file.map(|(path, base, size)| (path.to_owned(), base, size));
    }

    /// A loss of `bytes` bytes at `offset`.
    pub(crate) fn loss(&mut self, offset: u64, bytes: u64, message: impl Into<Message>) {
        let of = self.within.as_ref().map_or(self.size, |(.., size)| *size);
        let extent = Extent { bytes, of };
        self.add(Severity::Loss, Some(offset), Some(extent), message.into());
    }

    /// A loss that can't be reported in bytes of the file.
    pub(crate) fn loss_anywhere(&mut self, offset: Option<u64>, message: impl Into<Message>) {
        self.add(Severity::Loss, offset, None, message.into());
    }

    /// Something that healthy captures of a chip show, too.
    pub(crate) fn note(&mut self, message: impl Into<Message>) {
        self.add(Severity::Note, None, None, message.into());
    }

    /// A doubt.
    pub(crate) fn warn(&mut self, offset: Option<u64>, message: impl Into<Message>) {
        self.add(Severity::Warning, offset, None, message.into());
    }

    fn add(
        &mut self,
        severity: Severity,
        offset: Option<u64>,
        extent: Option<Extent>,
        message: Message,
    ) {
        let (file, base) = match &self.within {
            Some((path, base, _)) => (path, *base),
            None => (&self.file, 0),
        };
        let (file, offset) = (Some(file.clone()), offset.map(|at| at.saturating_sub(base)));
        self.push(Note { severity, file, offset, extent, message });
    }

    fn push(&mut self, note: Note) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        } else {
            self.count(1, note.severity);
        }
    }

    /// Counts notes that are not kept.
    fn count(&mut self, more: u64, severity: Severity) {
        let (count, gravest) = self.more.unwrap_or((0, severity));
        self.more = Some((count + more, gravest.max(severity)));
    }

    /// Whether any of them is a loss.
    pub(crate) fn has_loss(&self) -> bool {
        let gravest = self.notes.iter().map(|note| note.severity).max();
        gravest.max(self.more.map(|(_, gravest)| gravest)) >= Some(Severity::Loss)
    }

    /// All notes of the file.
    pub(crate) fn finish(mut self) -> Vec<Note> {
        if let Some((count, severity)) = self.more {
            let message = message!("note-more", count = count);
            self.notes.push(Note::about_file(severity, &self.file, message));
        }
        self.notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_file_place_and_share() {
        let mut notes = Notes::new(Path::new("dir/cdmlib0_0.profile"), 200);
        notes.loss(8, 5, Message::verbatim("cut"));
        notes.warn(None, Message::verbatim("odd\u{1b}[31m \u{202e}name"));
        let notes = notes.finish();
        let said = |note: &Note| note.said_with_place().text;
        assert_eq!(said(&notes[0]), "cdmlib0_0.profile at byte 8: cut (2.5% of the file)");
        let harmless = "cdmlib0_0.profile: odd\\u{1b}[31m \\u{202e}name";
        assert_eq!(said(&notes[1]), harmless);
    }

    /// Wherever a file's notes are cut in two lists, both together are the same.
    #[test]
    fn notes_that_were_taken_beside_others_follow_them() {
        let take = |notes: &mut Notes, range: std::ops::Range<usize>| {
            for n in range {
                match n % 3 {
                    0 => notes.warn(Some(n as u64), Message::verbatim(format!("doubt {n}"))),
                    1 => notes.note(Message::verbatim(format!("note {n}"))),
                    _ => notes.loss(n as u64, 1, Message::verbatim(format!("loss {n}"))),
                }
            }
        };
        for all in [0, 7, MOST_NOTES, MOST_NOTES + 1, 3 * MOST_NOTES] {
            let mut whole = Notes::new(Path::new("file"), 10);
            take(&mut whole, 0..all);
            let whole = whole.finish();
            for cut in [0, 3, MOST_NOTES - 1, MOST_NOTES, MOST_NOTES + 1, all] {
                let cut = cut.min(all);
                let mut notes = Notes::new(Path::new("file"), 10);
                let mut later = notes.empty_for_the_file();
                take(&mut later, cut..all);
                take(&mut notes, 0..cut);
                notes.append(later);
                assert_eq!(notes.finish(), whole, "{all} notes, cut at {cut}");
            }
        }
    }

    #[test]
    fn notes_beyond_the_most_are_counted_with_their_gravity() {
        let mut notes = Notes::new(Path::new("file"), 1);
        (0..=MOST_NOTES).for_each(|_| notes.warn(None, Message::verbatim("doubtful")));
        notes.loss(0, 1, Message::verbatim("lost"));
        let notes = notes.finish();
        assert_eq!(notes.len(), MOST_NOTES + 1);
        let last = notes.last().unwrap();
        assert_eq!(last.severity, Severity::Loss);
        assert_eq!(last.said_with_place().text, "file: 2 more notes about this file are not shown");
    }
}
