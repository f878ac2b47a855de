//! Why dumps or parts make no cluster.

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
    #[error("{}: is no JSON ({source})", file.display())]
    NoJson {
        /// The file.
        file: PathBuf,
        /// Where it ends to be JSON.
        source: serde_json::Error,
    },
    /// A dump is not in the list of all.
    #[error(
        "{}: does not list {}; give --path with the dump's path in the list",
        list.display(),
        dump.display()
    )]
    NotListed {
        /// The list.
        list: PathBuf,
        /// The dump.
        dump: PathBuf,
    },
    /// A chip map names no hosts.
    #[error("--chip-map is for the devices of one host; give --rank-table for several")]
    ChipMapOfHosts,
    /// A file is no rank table.
    #[error(
        "{}: is no rank table; it needs node_list[].device_list[].device_id and rank",
        .0.display()
    )]
    NoRankTable(PathBuf),
    /// A rank table names a device twice.
    #[error("{}: names device {device} of node {node} twice", file.display())]
    DeviceTwice {
        /// The table.
        file: PathBuf,
        /// The device.
        device: u32,
        /// The node's number.
        node: usize,
    },
    /// A rank table gives a rank twice.
    #[error("{}: gives one rank to two devices", .0.display())]
    RankTwice(PathBuf),
    /// A link of a topology is incomplete.
    #[error("{}: a link needs from and to, each with rank and port", .0.display())]
    NoLink(PathBuf),
    /// A file is no topology.
    #[error(
        "{}: is no topology; give {{\"links\": [...]}} or the rows of c2c_port_info",
        .0.display()
    )]
    NoTopology(PathBuf),
    /// A row of a topology is incomplete.
    #[error("{}: a row needs src_device_id, dst_device_id, send_port and recv_port", .0.display())]
    NoRow(PathBuf),
    /// A file names no groups.
    #[error(
        "{}: needs {{\"groups\": [{{\"name\": \"tp0\", \"ranks\": [0, 1]}}]}}",
        .0.display()
    )]
    NoGroups(PathBuf),
    /// No file has a name like the pattern of the hosts' traces.
    #[error("no file is named like {0}; {{rank}} stands for the number of a rank")]
    NoHostTrace(String),
    /// A host's trace can't be read.
    #[error(transparent)]
    HostTrace(#[from] TraceError),
    /// Two dumps are of one device and call.
    #[error(
        "{} and {} are both of host {host}, device {device}, call {call}: leave one out, or put the dumps of each host into a directory of its own",
        dumps[0],
        dumps[1]
    )]
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
    /// Nothing is left to be joined; the text is the first note after a semicolon, or nothing.
    #[error("there is no dump to join{0}")]
    NothingToJoin(String),
    /// A dump of which a part was just made can't be read again for the trace, or has other events.
    #[error(
        "{0}: cannot be read a second time, for the trace; it changed meanwhile, or the system refused its files: run again"
    )]
    Changed(String),
    /// No call can be joined.
    #[error("no call has the dumps of two devices; analyze one with `bigtpuprofile DUMP OUT`")]
    NoCall,
    /// The ranks can't be joined.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// A part can't be made.
    #[error(transparent)]
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
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
