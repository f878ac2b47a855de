//! Arguments of `bigtpuprofile cluster`.

use std::path::PathBuf;

use bigtpu_cluster::Scale;
use bigtpu_session::cluster::{self, JoinRequest, PartRequest, TraceScope};
use clap::{Subcommand, ValueEnum};

use super::lang::LangArgs;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile synth --cluster 8 run && bigtpuprofile cluster run out
      an example of 8 devices, and its analysis: out/cluster.html, cluster.pftrace, cluster.json, tables
  bigtpuprofile cluster run out --rank-table run/rank_table.json --scale 'link:0>1=2' --scale rank:3=0.5
      with the numbers of the program's ranks, and two predictions
  bigtpuprofile cluster part host0/cdm_profile_data_dev3-0 -o parts/host0-dev3.part
      what the join needs of one dump: on each machine, side by side
  bigtpuprofile cluster join parts/*.part out
      the same report from the parts alone

Write ./part or ./join for a directory with the name of a command. docs/cluster.md explains all numbers.
Exit codes: 0 ok, 1 no cluster can be made, 2 invalid command line, 3 with --strict for missing ranks, lost data or \
    ranks that no link joins.";

/// Many devices as one run: links, one clock, collectives, waits, stragglers
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Directories with dumps below them, or tar, tar.gz or zip archives of such, then the directory for the results
    #[arg(value_name = "RUN... OUT", num_args = 2.., required = true)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) join: JoinArgs,
}

/// Steps of their own.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Take what the join needs of one dump
    Part(PartArgs),
    /// Join parts; the dumps are not needed
    Join {
        /// Parts, then the directory for the results
        #[arg(value_name = "PART... OUT", num_args = 2.., required = true)]
        paths: Vec<PathBuf>,

        #[command(flatten)]
        join: JoinArgs,
    },
}

/// A view of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// cluster.html: all ranks on one page
    Page,
    /// cluster.pftrace: all ranks on one clock, for Perfetto
    Trace,
    /// cluster.json
    Report,
    /// operations, pairs, states and links as Parquet
    Tables,
}

/// Arguments of `cluster part`.
#[derive(Debug, clap::Args)]
pub(crate) struct PartArgs {
    /// The dump
    pub(crate) dump: PathBuf,

    /// File for the part, or a directory for DUMP.part
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: PathBuf,

    /// File with the paths of all dumps of the cluster, one a line: the host is the name above the dump that
    /// differs between them, as in `cluster RUN OUT`
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    pub(crate) dumps: Option<PathBuf>,

    /// The dump's path in that list, where DUMP is a copy of it
    #[arg(long, value_name = "PATH", requires = "dumps")]
    pub(crate) path: Option<PathBuf>,

    /// Name of the host (default: the nearest directory above the dump that names no rank and no repetition)
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,

    /// Trace of the rank's host (Chrome JSON): names of communications, steps, and where the device lies on its clock
    #[arg(long = "host-trace", alias = "host_trace", value_name = "FILE")]
    pub(crate) host_trace: Option<PathBuf>,

    /// Threads; 0 takes one for each processor
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: u16,

    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// What dumps and parts have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct JoinArgs {
    /// Rank table of the runtime: host, device and rank of each
    #[arg(
        long = "rank-table",
        alias = "rank_table",
        value_name = "FILE",
        conflicts_with = "chip_map"
    )]
    pub(crate) rank_table: Option<PathBuf>,

    /// Device of each rank, as CHIP_MAP: 0,2,6,7
    #[arg(long = "chip-map", alias = "chip_map", value_name = "DEVICES", value_delimiter = ',')]
    pub(crate) chip_map: Vec<u32>,

    /// Links that are known: JSON with links, or the rows of c2c_port_info
    #[arg(long, value_name = "FILE")]
    pub(crate) topology: Option<PathBuf>,

    /// Names of groups of ranks: JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) groups: Option<PathBuf>,

    /// Only the dumps of this call
    #[arg(long, value_name = "N")]
    pub(crate) call: Option<u32>,

    /// Predict the run with a change: link=2, link:0>1=2, rank:3=0.5, skew=0, latency=0.5, tiu=2, ddr=2, kernel:NAME=0.5;
    /// may be given several times
    #[arg(long, value_name = "CHANGE")]
    pub(crate) scale: Vec<Scale>,

    /// Traces of the ranks' hosts (Chrome JSON), as 'traces/*rank{rank}.json'; without {rank} the file or its name says it
    #[arg(long = "host-trace", alias = "host_trace", value_name = "PATTERN")]
    pub(crate) host_trace: Option<String>,

    /// How well the clocks of the hosts agree, in ns; without it only devices of one host are put on one clock by host traces
    #[arg(long = "host-sync", alias = "host_sync", value_name = "NS", requires = "host_trace")]
    pub(crate) host_sync: Option<f64>,

    /// Cores and engines in cluster.pftrace: full, comm (ranks, links and operations only) or ranks=0,3; by default full
    /// up to 16 ranks and 2 GiB
    #[arg(long, value_name = "SCOPE")]
    pub(crate) trace: Option<TraceScope>,

    /// What to write (default: all): page, trace, report, tables
    #[arg(long, value_name = "VIEWS", value_delimiter = ',')]
    pub(crate) emit: Vec<View>,

    /// Exit with 3 for missing ranks, lost data or ranks that no link joins
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print cluster.json on stdout instead of the summary
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Threads; 0 takes one for each processor
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: u16,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl PartArgs {
    /// What is asked for.
    pub(crate) fn request(&self) -> PartRequest {
        PartRequest {
            dump: self.dump.clone(),
            out: self.out.clone(),
            list: self.dumps.clone(),
            path: self.path.clone(),
            host: self.host.clone(),
            host_trace: self.host_trace.clone(),
        }
    }
}

impl JoinArgs {
    /// What is asked for.
    pub(crate) fn request(&self) -> JoinRequest {
        JoinRequest {
            rank_table: self.rank_table.clone(),
            chip_map: self.chip_map.clone(),
            topology: self.topology.clone(),
            groups: self.groups.clone(),
            call: self.call,
            scales: self.scale.clone(),
            views: self.emit.iter().map(|view| (*view).into()).collect(),
            trace: self.trace.clone().unwrap_or_default(),
            host_trace: self.host_trace.clone(),
            host_sync_ns: self.host_sync,
        }
    }
}

impl From<View> for cluster::View {
    fn from(view: View) -> Self {
        match view {
            View::Page => Self::Page,
            View::Trace => Self::Trace,
            View::Report => Self::Report,
            View::Tables => Self::Tables,
        }
    }
}
