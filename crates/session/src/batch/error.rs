//! Why a batch, or a dump of it, can't be analyzed.

use std::path::PathBuf;

use bigtpu_output::OutputError;
use bigtpu_timeline::OpenError;

/// Why a batch, or a dump of it, can't be analyzed.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// What is to be searched is no directory.
    #[error("{}: no such directory; give a directory with dumps below it", .0.display())]
    NoDirectory(PathBuf),
    /// Results would lie among the dumps.
    #[error("{}: holds the dumps; give another directory for the results", .0.display())]
    OutputOfDumps(PathBuf),
    /// Nothing is there.
    #[error(
        "{}: no dump below it; a dump directory (cdm_profile_data_dev0-0/) holds global.profile{left_out}",
        root.display()
    )]
    NoDump {
        /// The directory.
        root: PathBuf,
        /// The first that was left out, after a semicolon; or nothing.
        left_out: String,
    },
    /// A directory of results can't be listed.
    #[error("{}: cannot be read ({source}); check its permissions and the disk", path.display())]
    Unlisted {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A dump that was named is not there.
    #[error("{}: holds no dump {}; --only takes its path below it", root.display(), dump.display())]
    NoSuchDump {
        /// The directory.
        root: PathBuf,
        /// The dump.
        dump: PathBuf,
    },
    /// The dump's results would be among those of the data set.
    #[error(
        "{}: its results would be mixed with the data set of --events; rename the directory {data_set}, or give one above {}",
        place.display(),
        root.display()
    )]
    InDataSet {
        /// The dump.
        place: PathBuf,
        /// Name of the data set.
        data_set: &'static str,
        /// The directory with all dumps.
        root: PathBuf,
    },
    /// The output directory has results of another batch.
    #[error(
        "{}: holds the results of other dumps ({dump} of {root}); give another output directory, or add to them with --merge",
        out.display()
    )]
    OtherDumps {
        /// The output directory.
        out: PathBuf,
        /// One of the dumps.
        dump: String,
        /// Where it was.
        root: String,
    },
    /// The results of another dump are where those of a dump belong.
    #[error(
        "{}: holds the results of {source_of_it}; give another output directory, or put the dumps of each host into a directory with the host's name",
        own.display()
    )]
    OtherDump {
        /// The place.
        own: PathBuf,
        /// The other dump.
        source_of_it: String,
    },
    /// No batch was here.
    #[error("{}: holds no results of `batch`", .0.display())]
    NoResults(PathBuf),
    /// A dump can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The files of a dump can't be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The index can't be made.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
