//! Errors of this crate.

use std::path::PathBuf;

use bigtpu_chip::UnknownChip;

/// Why no dump was written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such chip.
    #[error(transparent)]
    Chip(#[from] UnknownChip),
    /// The operating system refused.
    #[error("{path}: cannot be written ({source}); check its permissions and the room on the disk")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
