//! Errors of this crate: one sentence that names the file and says what to do.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::PathBuf;

/// What can make a dump directory unreadable as a whole.
///
/// Damage inside a file is not an error: it is returned as data, so that all that is sound is kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory does not exist.
    #[error("{}", error_message!("error-format-no-directory", path = path.display()))]
    NoDirectory {
        /// The path as given.
        path: PathBuf,
    },
    /// The path is a file.
    #[error("{}", error_message!("error-format-not-a-directory", path = path.display()).with_first(hint.as_ref()))]
    NotADirectory {
        /// The path as given.
        path: PathBuf,
        /// What the file is, and what to do with it.
        hint: Option<Message>,
    },
    /// The path is a compiled model.
    #[error("{}", error_message!("error-format-compiled-model", path = path.display()))]
    CompiledModel {
        /// The path as given.
        path: PathBuf,
    },
    /// The directory holds no `global.profile`.
    #[error("{}", error_message!("error-format-no-global", path = path.display()).with_first(hint.as_ref()))]
    NoGlobal {
        /// The directory as given.
        path: PathBuf,
        /// Where a dump directory was found instead, as a clause of its own, or empty.
        hint: Option<Message>,
    },
    /// The directory holds `global.profile`, yet no core's or port's file.
    #[error("{}", error_message!("error-format-no-profiles", path = path.display()))]
    NoProfiles {
        /// The directory as given.
        path: PathBuf,
    },
    /// A container whose iterations hold no PMU records.
    #[error("{}", error_message!("error-format-summary-only", path = path.display()).with_first(hint.as_ref()))]
    SummaryOnly {
        /// The directory as given.
        path: PathBuf,
        /// Where a dump with records was found instead, as a clause of its own, or empty.
        hint: Option<Message>,
    },
    /// A container without the iteration that was asked for.
    #[error("{}", error_message!("error-format-no-iteration", path = path.display(), iteration, known))]
    NoIteration {
        /// The directory as given.
        path: PathBuf,
        /// What was asked for.
        iteration: u32,
        /// The iterations that the container has.
        known: String,
    },
    /// An iteration was asked for of a dump that is no container.
    #[error("{}", error_message!("error-format-not-iterated", path = path.display()))]
    NotIterated {
        /// The directory as given.
        path: PathBuf,
    },
    /// `global.profile` names no chip.
    #[error("{}", error_message!("error-format-no-arch", path = path.display()))]
    NoArch {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{}", error_message!("error-format-io", path = path.display(), reason = source.reason()))]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
