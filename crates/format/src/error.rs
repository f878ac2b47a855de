//! Errors of this crate: one sentence that names the file and says what to do.

use std::path::PathBuf;

/// What can make a dump directory unreadable as a whole.
///
/// Damage inside a file is not an error: it is returned as data, so that all that is sound is kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory does not exist.
    #[error(
        "{path}: no such directory; give the cdm_profile_data_* directory that the runtime wrote"
    )]
    NoDirectory {
        /// The path as given.
        path: PathBuf,
    },
    /// The path is a file.
    #[error(
        "{path}: is not a directory; give the cdm_profile_data_* directory itself, not a file in it"
    )]
    NotADirectory {
        /// The path as given.
        path: PathBuf,
    },
    /// The path is a compiled model.
    #[error(
        "{path}: a compiled model, which holds commands but no times; bigtpuprofile simulate {path} predicts them"
    )]
    CompiledModel {
        /// The path as given.
        path: PathBuf,
    },
    /// The directory holds no `global.profile`.
    #[error(
        "{path}: no global.profile here; a dump directory (cdm_profile_data_dev0-0/) holds \
         global.profile, a cdmlib0_N.profile for each core and a cdma0_P.profile for each port{hint}"
    )]
    NoGlobal {
        /// The directory as given.
        path: PathBuf,
        /// Where a dump directory was found instead, as a clause of its own, or empty.
        hint: String,
    },
    /// The directory holds `global.profile`, yet no core's or port's file.
    #[error(
        "{path}: no cdmlib*_N.profile or cdma*_P.profile here, only global.profile; \
         the runtime wrote no records: profile again, and copy the whole directory (docs/capture.md)"
    )]
    NoProfiles {
        /// The directory as given.
        path: PathBuf,
    },
    /// A container whose iterations hold no PMU records.
    #[error(
        "{path}: iter*.profile hold a summary only, no PMU records: on this chip the runtime writes them into cdm_profile_data_dev* next to it; give that directory{hint}"
    )]
    SummaryOnly {
        /// The directory as given.
        path: PathBuf,
        /// Where a dump with records was found instead, as a clause of its own, or empty.
        hint: String,
    },
    /// A container without the iteration that was asked for.
    #[error("{path}: no iteration {iteration}; there are {known}")]
    NoIteration {
        /// The directory as given.
        path: PathBuf,
        /// What was asked for.
        iteration: u32,
        /// Those that there are.
        known: String,
    },
    /// An iteration was asked for of a dump that is no container.
    #[error("{path}: the dump has no iterations; leave out --iteration")]
    NotIterated {
        /// The directory as given.
        path: PathBuf,
    },
    /// `global.profile` names no chip.
    #[error(
        "{path}: no line `arch=...`; name the chip with --arch, as in --arch AKS, or add the line"
    )]
    NoArch {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{path}: cannot be read ({source}); check its permissions")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
