//! Arguments of `bigtpuprofile batch`.

use std::path::PathBuf;

use bigtpu_session::batch::{Request, Shard};

use super::lang::LangArgs;
use super::roofs::Roofs;
use super::views::Views;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile batch /data/profiles results --perfetto
      every dump below /data/profiles, results at the same relative path below results
  bigtpuprofile batch /data/profiles results --emit summary --strict
      totals only; exit code 3 if any dump is incomplete
  bigtpuprofile batch /data/profiles results --events
      also results/events: the events of all dumps, partitioned by host, run, device and call
  bigtpuprofile batch /data/node2 results --perfetto --merge
      the dumps of another root beside those that are there; nothing is overwritten

  bigtpuprofile batch profiles.tar.gz results
      the dumps in an archive, without unpacking it before
  bigtpuprofile batch /data/profiles results --shard 3/8
      every eighth dump, on one of eight machines; then: bigtpuprofile batch /data/profiles results --index

Unchanged dumps with results are skipped. results/index.json and results/index.md list all of them; \
    results/index.html shows what they say together.

Exit codes: 0 ok, 1 a dump could not be analyzed, 2 invalid command line, 3 data was lost (with --strict).";

/// Analyze all dumps below a directory
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Directory to search for dumps, at any depth; or a tar, tar.gz or zip archive of one, - for one on stdin
    pub(crate) root: PathBuf,

    /// Directory for the results: one directory per dump, and the index
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) views: Views,

    #[command(flatten)]
    pub(crate) roofs: Roofs,

    /// Analyze only this dump, by its path below the root, and write no index: one process for each dump of a cluster.
    /// A later call without it finds the results and writes the index
    #[arg(long, value_name = "DUMP")]
    pub(crate) only: Vec<PathBuf>,

    /// Analyze only each N-th dump, from number I (0 to N - 1) on, and write no index: one process for each machine or task.
    /// A later call without it, or with --index, writes the index
    #[arg(long, value_name = "I/N", conflicts_with = "only")]
    pub(crate) shard: Option<Shard>,

    /// Analyze nothing: write the index of all results below the output directory, also those of shards in directories of
    /// their own. No dump is read
    #[arg(long, conflicts_with_all = ["only", "shard", "merge", "force"])]
    pub(crate) index: bool,

    /// Analyze all dumps again
    #[arg(long)]
    pub(crate) force: bool,

    /// Add to the results of other dumps that are in the output directory
    #[arg(long)]
    pub(crate) merge: bool,

    /// Threads; 0 uses all processors
    #[arg(short, long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) jobs: u16,

    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// End with exit code 3 if any data was lost
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// What is asked for.
    pub(crate) fn request(&self) -> Request {
        Request {
            out: self.out.clone(),
            choice: self.views.choice(),
            iteration: self.views.iteration,
            only: self.only.clone(),
            shard: self.shard,
            force: self.force,
            merge: self.merge,
        }
    }
}
