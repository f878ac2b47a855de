//! Why a command was not recorded.

use std::io::Error;
use std::path::PathBuf;

/// Why a command was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// No command is given.
    #[error("no command to record is given; write it after --")]
    NoCommand,
    /// This process's directory is gone.
    #[error("the working directory can't be found; change to one that exists")]
    NoDirectory(#[source] Error),
    /// The program can't be started.
    #[error("{}: can't be started: {source}; check its name and that it may be executed", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// What the system says.
        source: Error,
    },
    /// The end of the command can't be waited for.
    #[error("the end of the command can't be waited for: {0}; run it again")]
    NotWaited(#[source] Error),
    /// A runtime wrote into a directory of an earlier run.
    #[error(
        "{}: this run wrote into a dump of an earlier one, of which {} is left; remove the directory and record again",
        dump.display(),
        file.file_name().unwrap_or_default().to_string_lossy()
    )]
    Mixed {
        /// The dump.
        dump: PathBuf,
        /// A file of the earlier run.
        file: PathBuf,
    },
}
