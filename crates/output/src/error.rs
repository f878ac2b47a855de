//! Why an output could not be written.

use bigtpu_messages::{ForeignReason as _, error_message};
use std::io;
use std::path::{Path, PathBuf};

use crate::encode::shown_path;

/// Why an output could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The output directory can't be made or used.
    #[error("{}", error_message!("error-output-directory", reason = source.reason(), path = shown_path(path)))]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The output directory holds an input.
    #[error("{}", error_message!("error-output-input", path = shown_path(path), input = shown_path(dump)))]
    Input {
        /// The directory.
        path: PathBuf,
        /// The dump that it is, or is in.
        dump: PathBuf,
    },
    /// A file can't be written.
    #[error("{}", error_message!("error-output-file", reason = source.reason(), path = shown_path(path)))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A directory below the output directory is a symbolic link.
    #[error("{}", error_message!("error-output-link", path = shown_path(path)))]
    Link {
        /// The link.
        path: PathBuf,
    },
}

impl OutputError {
    /// What to say of a file, or a directory of files, below an output directory.
    pub(crate) fn new(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        if crate::directory::is_link_error(&source) {
            Self::Link { path }
        } else {
            Self::File { path, source }
        }
    }
}
