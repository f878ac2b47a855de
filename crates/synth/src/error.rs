//! Errors of this crate.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::PathBuf;

use bigtpu_chip::NoSuchChip;

/// Why no dump was written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such chip.
    #[error(transparent)]
    Chip(#[from] NoSuchChip),
    /// No dump can be like that.
    #[error("{}", error_message!("error-synth-options", what))]
    Options {
        /// What is not possible, and what is.
        what: Message,
    },
    /// A block would be larger than its length field can say.
    #[error("{}", error_message!("error-synth-too-large", file, bytes))]
    TooLarge {
        /// The file.
        file: String,
        /// Bytes of the block.
        bytes: u64,
    },
    /// The directory holds something.
    #[error("{}", error_message!("error-synth-not-empty", path = path.display()))]
    NotEmpty {
        /// The directory.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{}", error_message!("error-synth-io", path = path.display(), reason = source.reason()))]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
