//! What is asked for when a dump is opened, and why it can't be.

use std::path::PathBuf;

use bigtpu_chip::{Chip, NoSuchChip};
use bigtpu_format::Files;
use bigtpu_messages::error_message;

/// Why a dump can't be analyzed at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or a file of it.
    #[error(transparent)]
    Format(#[from] bigtpu_format::Error),
    /// `arch` names no chip that is supported.
    #[error("{}", error_message!("error-in-file-advice", path = path.display(), source, advice = source.advice()))]
    Chip {
        /// `global.profile`.
        path: PathBuf,
        /// What was asked for.
        source: NoSuchChip,
    },
}

/// How a dump is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The chip of a dump that names none: one that names another is right, with a warning.
    pub arch: Option<&'static Chip>,
    /// Which iteration of libsophon's container; else the first that has records.
    pub iteration: Option<u32>,
    /// Where the files are.
    pub files: Files,
}
