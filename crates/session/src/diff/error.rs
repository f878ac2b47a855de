//! Why runs can't be compared.

use std::path::PathBuf;

use bigtpu_answers::{ComparedError, NothingInCommon};
use bigtpu_output::OutputError;
use bigtpu_timeline::OpenError;

use crate::Unreadable;

pub(super) const HINT: &str = "give a dump directory, a report.json, or a directory of these";

/// Why runs can't be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// A directory holds no run.
    #[error("{}: holds neither a dump nor a report; {HINT}", .0.display())]
    NoRun(PathBuf),
    /// A directory, a report or a history can't be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A file lists several dumps.
    #[error(
        "{}: lists several dumps; give its directory, or the report.json in the directory of one of them",
        .0.display()
    )]
    Index(PathBuf),
    /// A file is no report, or one of a newer program.
    #[error("{}: {source}; {advice}", path.display())]
    Compared {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ComparedError,
        /// What to do.
        advice: &'static str,
    },
    /// A line of a history is no record.
    #[error("{}, line {line}: is no record of a run", path.display())]
    NoRecord {
        /// The history's file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Where it ends to be one.
        source: serde_json::Error,
    },
    /// A line of a history is of a newer program.
    #[error(
        "{}, line {line}: a newer version of the program wrote it; install that version",
        path.display()
    )]
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
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
