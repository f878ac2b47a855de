//! What can be wrong with a trace as a whole, and with one event of it.

use bigtpu_messages::{ForeignReason as _, error_message};
use std::io;
use std::path::PathBuf;

use bigtpu_messages::{Arg, Message, message};

use crate::decimal_parse::DecimalError;

/// Why a trace cannot be read at all. Offsets count bytes of the JSON text (after decompression).
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be opened.
    #[error("{}", error_message!("error-host-trace-open", path = path.display(), reason = source.reason()))]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be read on.
    #[error("{}", error_message!("error-host-trace-read", path = path.display(), offset, reason = source.reason()))]
    Read {
        /// The file.
        path: PathBuf,
        /// How much text had been read.
        offset: u64,
        /// What the system said.
        source: io::Error,
    },
    /// The file is a zip archive of another kind than is read.
    #[error("{}", error_message!("error-host-trace-zip", path = path.display(), why = why.reason()))]
    Zip {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: io::Error,
    },
    /// The text is not a JSON trace.
    #[error("{}", error_message!("error-host-trace-not-a-trace", path = path.display(), offset, found))]
    NotATrace {
        /// The file.
        path: PathBuf,
        /// Where the text goes wrong.
        offset: u64,
        /// What is there.
        found: String,
    },
    /// The text is a JSON object without a list of events.
    #[error("{}", error_message!("error-host-trace-no-events", path = path.display(), offset))]
    NoEvents {
        /// The file.
        path: PathBuf,
        /// The length of the text.
        offset: u64,
    },
}

impl TraceError {
    /// For a file that can't be read on behind `offset` bytes of its text.
    pub(crate) fn reading(path: PathBuf, offset: u64, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::Unsupported => Self::Zip { path, why: source },
            _ => Self::Read { path, offset, source },
        }
    }

    /// For a file whose text at `offset` continues with `text`, which is not how a trace starts.
    pub(crate) fn not_a_trace(
        path: PathBuf,
        offset: u64,
        text: &[u8],
        damage: Option<&io::Error>,
    ) -> Self {
        let found = match (text, damage) {
            ([], Some(why)) => format!("damaged compressed data ({why})"),
            ([], None) => "nothing".to_owned(),
            ([0xff, 0xfe, ..] | [0xfe, 0xff, ..], _) => {
                "UTF-16 text (convert it to UTF-8)".to_owned()
            }
            ([0x28, 0xb5, 0x2f, 0xfd, ..], _) => "zstd data (decompress them)".to_owned(),
            _ => format!("\"{}\"", text.get(..16).unwrap_or(text).escape_ascii()),
        };
        Self::NotATrace { path, offset, found }
    }
}

/// Why one event is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// The event's text is not JSON, or is nested too deep.
    #[error("{}", error_message!("error-host-trace-syntax", value = .0))]
    Syntax(String),
    /// An item of the list of events is no object.
    #[error("{}", error_message!("error-host-trace-not-an-object"))]
    NotAnObject,
    /// The event's text is longer than [`ReadOptions::max_event_bytes`](crate::ReadOptions).
    #[error("{}", error_message!("error-host-trace-too-long", value = .0))]
    TooLong(usize),
    /// A key without which the event means nothing.
    #[error("{}", error_message!("error-host-trace-missing", value = .0))]
    Missing(&'static str),
    /// A time that cannot be read.
    #[error("{}", error_message!("error-host-trace-time", field, why))]
    Time {
        /// `ts` or `dur`.
        field: &'static str,
        /// What is wrong with it.
        why: DecimalError,
    },
    /// The event ends before it starts.
    #[error("{}", error_message!("error-host-trace-negative-duration"))]
    NegativeDuration,
    /// The event's phase is not one letter.
    #[error("{}", error_message!("error-host-trace-phase"))]
    Phase,
    /// Metadata without the value its name promises.
    #[error("{}", error_message!("error-host-trace-metadata", value = .0))]
    Metadata(&'static str),
    /// There is no room for more arguments (4 GiB packed) or records (2^32 - 1).
    #[error("{}", error_message!("error-host-trace-full"))]
    Full,
}

impl EventError {
    /// What the ledger says of it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Syntax(why) => message!("note-event-syntax", why = why),
            Self::NotAnObject => Message::new("note-event-no-object"),
            Self::TooLong(bytes) => {
                message!("note-event-too-long", bytes = Arg::Bytes(*bytes as u64))
            }
            Self::Missing(key) => message!("note-event-without", key = *key),
            Self::Time { field, why } => {
                let why = Message::new(match why {
                    DecimalError::NotANumber => "note-no-decimal",
                    DecimalError::OutOfRange => "note-beyond-range",
                    DecimalError::TooSmall => "note-small-exponent",
                });
                message!("note-event-time", key = *field, why = why)
            }
            Self::NegativeDuration => Message::new("note-event-negative"),
            Self::Phase => Message::new("note-event-phase"),
            Self::Metadata(key) => message!("note-event-metadata", key = *key),
            Self::Full => Message::new("note-event-full"),
        }
    }
}
