//! Why an output could not be written.

use std::path::PathBuf;

/// Why an output could not be written.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// The output directory can't be made or used.
    #[error("{path}: cannot be used as output directory ({source}); give another one")]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file can't be written.
    #[error("{path}: cannot be written ({source}); check space and permissions")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}
