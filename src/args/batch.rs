//! Arguments of `bigtpuprofile batch`.

use std::path::PathBuf;

use super::roofs::Roofs;
use super::views::Views;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile batch /data/profiles results --perfetto
      every dump below /data/profiles, each into the same place below results
  bigtpuprofile batch /data/profiles results --emit summary --strict
      totals only; exit code 3 when any dump has gaps
  bigtpuprofile batch /data/profiles results --events
      also results/events: the events of all dumps, partitioned by device and call

Dumps that are done and unchanged are skipped. results/index.json and results/index.md list all of them.

Exit codes: 0 fine, 1 some dump could not be analyzed, 2 wrong usage, 3 data was lost (with --strict).";

/// Analyze all dumps below a directory
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Directory below which dumps are looked for, at any depth
    pub(crate) root: PathBuf,

    /// Directory for the results: one directory a dump, and the index
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) views: Views,

    #[command(flatten)]
    pub(crate) roofs: Roofs,

    /// Analyze all dumps again
    #[arg(long)]
    pub(crate) force: bool,

    /// Threads; 0 takes as many as there are processors
    #[arg(short, long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) jobs: u16,

    /// Say nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// End with exit code 3 if any data was lost
    #[arg(long)]
    pub(crate) strict: bool,
}
