//! Errors of this crate.

use std::path::PathBuf;

use bigtpu_chip::NoSuchChip;

/// Why no dump was written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such chip.
    #[error(transparent)]
    Chip(#[from] NoSuchChip),
    /// No dump can be like that.
    #[error("invalid options: {what}")]
    Options {
        /// What is not possible, and what is.
        what: String,
    },
    /// A block would be larger than its length field can say.
    #[error(
        "{file}: a block of {bytes} bytes exceeds the format's 4 GiB; take fewer launches or tiles"
    )]
    TooLarge {
        /// The file.
        file: String,
        /// Bytes of the block.
        bytes: u64,
    },
    /// The directory holds something.
    #[error("{path}: is not empty; give a new directory for the dump")]
    NotEmpty {
        /// The directory.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{path}: cannot be written ({source}); check its permissions and the free space")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
