//! Why a batch, or a dump of it, can't be analyzed.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::PathBuf;

use bigtpu_output::OutputError;
use bigtpu_timeline::OpenError;

/// Why a batch, or a dump of it, can't be analyzed.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// What is to be searched is no directory.
    #[error("{}", error_message!("error-batch-no-directory", path = .0.display()))]
    NoDirectory(PathBuf),
    /// Results would lie among the dumps.
    #[error("{}", error_message!("error-batch-output-of-dumps", path = .0.display()))]
    OutputOfDumps(PathBuf),
    /// Nothing is there.
    #[error("{}", error_message!("error-batch-no-dump", root = root.display()).with_first(left_out.as_ref()))]
    NoDump {
        /// The directory.
        root: PathBuf,
        /// The first that was left out.
        left_out: Option<Message>,
    },
    /// A directory of results can't be listed.
    #[error("{}", error_message!("error-batch-unlisted", path = path.display(), reason = source.reason()))]
    Unlisted {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A dump that was named is not there.
    #[error("{}", error_message!("error-batch-no-such-dump", root = root.display(), dump = dump.display()))]
    NoSuchDump {
        /// The directory.
        root: PathBuf,
        /// The dump.
        dump: PathBuf,
    },
    /// The dump's results would be among those of the data set.
    #[error("{}", error_message!("error-batch-in-data-set", place = place.display(), data_set, root = root.display()))]
    InDataSet {
        /// The dump.
        place: PathBuf,
        /// Name of the data set.
        data_set: &'static str,
        /// The directory with all dumps.
        root: PathBuf,
    },
    /// The output directory has results of another batch.
    #[error("{}", error_message!("error-batch-other-dumps", out = out.display(), dump, root))]
    OtherDumps {
        /// The output directory.
        out: PathBuf,
        /// One of the dumps.
        dump: String,
        /// Where it was.
        root: String,
    },
    /// The results of another dump are where those of a dump belong.
    #[error("{}", error_message!("error-batch-other-dump", own = own.display(), source_of_it))]
    OtherDump {
        /// The place.
        own: PathBuf,
        /// The other dump.
        source_of_it: String,
    },
    /// No batch was here.
    #[error("{}", error_message!("error-batch-no-results", path = .0.display()))]
    NoResults(PathBuf),
    /// A dump can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The files of a dump can't be read.
    #[error("{}", .0.reason())]
    Read(#[from] std::io::Error),
    /// The index can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}
