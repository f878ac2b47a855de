//! Why an output could not be written.

use std::io;
use std::path::{Path, PathBuf};

use crate::encode::shown_path;

/// Why an output could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The output directory can't be made or used.
    #[error(
        "{}: cannot be used as output directory ({source}); give another one",
        shown_path(path)
    )]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The output directory holds an input.
    #[error(
        "{}: cannot be used as output directory: {} is a dump, and outputs are not mixed with it; give a directory \
         outside, or a new one inside",
        shown_path(path),
        shown_path(dump)
    )]
    Input {
        /// The directory.
        path: PathBuf,
        /// The dump that it is, or is in.
        dump: PathBuf,
    },
    /// A file can't be written.
    #[error("{}: cannot be written ({source}); check space and permissions", shown_path(path))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A directory below the output directory is a symbolic link.
    #[error(
        "{}: is a symbolic link, and links below the output directory are not followed; remove it or give another output \
         directory",
        shown_path(path)
    )]
    Link {
        /// The link.
        path: PathBuf,
    },
}

impl OutputError {
    /// What to say of a file, or a directory of files, below an output directory.
    pub(crate) fn at(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        if crate::directory::is_link_error(&source) {
            Self::Link { path }
        } else {
            Self::File { path, source }
        }
    }
}
