//! Why dumps or parts make no cluster.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::PathBuf;

use bigtpu_cluster::JoinError;
use bigtpu_host_trace::TraceError;
use bigtpu_output::OutputError;
use bigtpu_timeline::OpenError;

use crate::Unreadable;
use crate::batch::BatchError;

/// Why dumps or parts make no cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A file can't be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A file is no JSON.
    #[error("{}", error_message!("error-cluster-no-json", file = file.display(), reason = source.reason()))]
    NoJson {
        /// The file.
        file: PathBuf,
        /// Where it ends to be JSON.
        source: serde_json::Error,
    },
    /// A dump is not in the list of all.
    #[error("{}", error_message!("error-cluster-not-listed", list = list.display(), dump = dump.display()))]
    NotListed {
        /// The list.
        list: PathBuf,
        /// The dump.
        dump: PathBuf,
    },
    /// A chip map names no hosts.
    #[error("{}", error_message!("error-cluster-chip-map-of-hosts"))]
    ChipMapOfHosts,
    /// A file is no rank table.
    #[error("{}", error_message!("error-cluster-no-rank-table", path = .0.display()))]
    NoRankTable(PathBuf),
    /// A rank table names a device twice.
    #[error("{}", error_message!("error-cluster-device-twice", file = file.display(), device, node))]
    DeviceTwice {
        /// The table.
        file: PathBuf,
        /// The device.
        device: u32,
        /// The node's number.
        node: usize,
    },
    /// A rank table gives a rank twice.
    #[error("{}", error_message!("error-cluster-rank-twice", path = .0.display()))]
    RankTwice(PathBuf),
    /// A link of a topology is incomplete.
    #[error("{}", error_message!("error-cluster-no-link", path = .0.display()))]
    NoLink(PathBuf),
    /// A file is no topology.
    #[error("{}", error_message!("error-cluster-no-topology", path = .0.display()))]
    NoTopology(PathBuf),
    /// A row of a topology is incomplete.
    #[error("{}", error_message!("error-cluster-no-row", path = .0.display()))]
    NoRow(PathBuf),
    /// A file names no groups.
    #[error("{}", error_message!("error-cluster-no-groups", path = .0.display()))]
    NoGroups(PathBuf),
    /// No file has a name like the pattern of the hosts' traces.
    #[error("{}", error_message!("error-cluster-no-host-trace", value = .0))]
    NoHostTrace(String),
    /// A host's trace can't be read.
    #[error(transparent)]
    HostTrace(#[from] TraceError),
    /// Two dumps are of one device and call.
    #[error("{}", error_message!("error-cluster-double", host, device, call, first = dumps[0], second = dumps[1]))]
    Double {
        /// The dumps.
        dumps: [String; 2],
        /// The host.
        host: String,
        /// The device.
        device: u32,
        /// The call.
        call: u32,
    },
    /// Nothing is left to be joined, with the first note.
    #[error("{}", error_message!("error-cluster-nothing-to-join").with_first(.0.as_ref()))]
    NothingToJoin(Option<Message>),
    /// A dump of which a part was just made can't be read again for the trace, or has other events.
    #[error("{}", error_message!("error-cluster-changed", value = .0))]
    Changed(String),
    /// No call can be joined.
    #[error("{}", error_message!("error-cluster-no-call"))]
    NoCall,
    /// The ranks can't be joined.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// A part can't be made.
    #[error("{}", .0.reason())]
    Part(#[from] std::io::Error),
    /// The directories hold no dumps.
    #[error(transparent)]
    Dumps(#[from] BatchError),
    /// A dump can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The report can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}
