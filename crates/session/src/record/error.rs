//! Why a command was not recorded.

use bigtpu_messages::{ForeignReason as _, error_message};
use std::io::Error;
use std::path::PathBuf;

/// Why a command was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// No command is given.
    #[error("{}", error_message!("error-record-no-command"))]
    NoCommand,
    /// This process's directory is gone.
    #[error("{}", error_message!("error-record-no-directory"))]
    NoDirectory(#[source] Error),
    /// The program can't be started.
    #[error("{}", error_message!("error-record-not-started", program = program.display(), reason = source.reason()))]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// What the system says.
        source: Error,
    },
    /// The end of the command can't be waited for.
    #[error("{}", error_message!("error-record-not-waited", reason = .0.reason()))]
    NotWaited(#[source] Error),
    /// A runtime wrote into a directory of an earlier run.
    #[error("{}", error_message!("error-record-mixed", dump = dump.display(), file = file.file_name().unwrap_or_default().to_string_lossy()))]
    Mixed {
        /// The dump.
        dump: PathBuf,
        /// A file of the earlier run.
        file: PathBuf,
    },
}
