//! Why runs can't be compared.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::PathBuf;

use bigtpu_answers::{ComparedError, NothingInCommon};
use bigtpu_output::OutputError;
use bigtpu_timeline::OpenError;

use crate::Unreadable;

pub(super) const HINT: Message = Message::new("problem-give-run");

/// Why runs can't be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// A directory holds no run.
    #[error("{}", error_message!("error-diff-no-run", path = .0.display(), hint = HINT))]
    NoRun(PathBuf),
    /// A directory, a report or a history can't be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A file lists several dumps.
    #[error("{}", error_message!("error-diff-index", path = .0.display()))]
    Index(PathBuf),
    /// A file is no report, or one of a newer program.
    #[error("{}", error_message!("error-in-file-advice", path = path.display(), source, advice))]
    Compared {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ComparedError,
        /// What to do.
        advice: Message,
    },
    /// A line of a history is no record.
    #[error("{}", error_message!("error-diff-no-record", path = path.display(), line))]
    NoRecord {
        /// The history's file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Where it ends to be one.
        source: serde_json::Error,
    },
    /// A line of a history is of a newer program.
    #[error("{}", error_message!("error-diff-newer-record", path = path.display(), line))]
    NewerRecord {
        /// The history's file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
    },
    /// The sides have nothing that can be compared.
    #[error(transparent)]
    NothingInCommon(#[from] NothingInCommon),
    /// A dump can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A record can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}
