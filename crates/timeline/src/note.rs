//! A note of the ledger: one thing that was corrected, left out or lost, where, and what to do.

use std::fmt;
use std::path::{Path, PathBuf};

use bigtpu_messages::{Arg, LocalizedText, Message, message};

use crate::printable::printable;

/// Severity of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// What became of an input of which all is shown: nobody has to read it at each run.
    Detail,
    /// Worth knowing of a healthy capture.
    Note,
    /// Doubtful; no data was lost.
    Warning,
    /// Data was lost.
    Loss,
}

/// How much of a file a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Bytes that are left out or in doubt.
    pub bytes: u64,
    /// Bytes of the whole file.
    pub of: u64,
}

impl Extent {
    /// A note with this extent behind it.
    fn of_note(self, note: Message) -> Message {
        let share = self.bytes as f64 / self.of.max(1) as f64;
        match share {
            ..0.001 => message!("note-extent-small", note = note),
            _ => message!("note-extent", note = note, share = Arg::Share(share)),
        }
    }
}

/// One thing that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Severity.
    pub severity: Severity,
    /// The file it was found in.
    pub file: Option<PathBuf>,
    /// Where in the file, in bytes.
    pub offset: Option<u64>,
    /// How much of the file it is about.
    pub extent: Option<Extent>,
    /// What was wrong, and what to do.
    pub message: Message,
}

impl Note {
    /// A note about a file as a whole.
    #[must_use]
    pub fn about_file(severity: Severity, file: &Path, message: impl Into<Message>) -> Self {
        let message = message.into();
        Self { severity, file: Some(file.to_owned()), offset: None, extent: None, message }
    }

    /// A note about the dump as a whole.
    #[must_use]
    pub fn of_dump(severity: Severity, message: Message) -> Self {
        Self { severity, file: None, offset: None, extent: None, message }
    }

    /// What was wrong, and how much of the file it is.
    #[must_use]
    pub fn with_extent(&self) -> Message {
        let message = self.message.clone();
        self.extent.map_or(message.clone(), |extent| extent.of_note(message))
    }

    /// What was wrong, and how much of the file it is, with file and offset before it.
    #[must_use]
    pub fn with_place(&self) -> Message {
        let (file, note) = (self.file_name(), self.with_extent());
        match (&self.file, self.offset) {
            (None, _) => note,
            (Some(_), None) => message!("note-in-file", file = file, note = note),
            (Some(_), Some(offset)) => {
                message!("note-at-byte", file = file, offset = Arg::Bytes(offset), note = note)
            }
        }
    }

    /// What was wrong and how much of the file it is, in both languages, without control characters: words of the dump may be in it.
    #[must_use]
    pub fn said(&self) -> LocalizedText {
        plain(self.with_extent())
    }

    /// What [`Note::said`] says, with file and offset before it.
    #[must_use]
    pub fn said_with_place(&self) -> LocalizedText {
        plain(self.with_place())
    }

    /// The file's name without its directory and without control characters; empty if there is no file.
    #[must_use]
    pub fn file_name(&self) -> String {
        let file = self.file.as_deref().unwrap_or(Path::new(""));
        printable(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy()).into_owned()
    }
}

impl fmt::Display for Note {
    /// With its place, in English, as files for scripts have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said_with_place().text)
    }
}

/// A text without control characters.
pub(crate) fn plain(message: Message) -> LocalizedText {
    let mut text = LocalizedText::from(message);
    for said in [&mut text.text, &mut text.text_zh] {
        *said = printable(said).into_owned();
    }
    text
}
