//! Arguments of `bigtpuprofile diff`.

use std::path::PathBuf;

use bigtpu_answers::Limit;

use super::roofs::Roofs;

/// Compare two runs, or two sets of runs; with limits, a gate for CI
///
/// Each side is a dump directory, a report.json, a directory with a report.json, or a directory of several of
/// these, which are then repeated runs.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Before
    pub(crate) before: PathBuf,

    /// After
    pub(crate) after: PathBuf,

    /// A further run before; may be given several times
    #[arg(long = "also-before", value_name = "PATH")]
    pub(crate) also_before: Vec<PathBuf>,

    /// A further run after; may be given several times
    #[arg(long = "also-after", value_name = "PATH")]
    pub(crate) also_after: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) roofs: Roofs,

    /// Write diff.txt, diff.md, diff.json, diff.html and diff.junit.xml there
    #[arg(short, long = "out", value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// End with exit code 4 if a row exceeds the limit, such as 'total>+3%', 'kernel:matmul*>+5%', 'loss>0'; may be given
    /// several times, see docs/ci.md
    #[arg(long = "fail-on", alias = "fail_on", value_name = "LIMIT")]
    pub(crate) fail_on: Vec<Limit>,

    /// Fail also on limits that match nothing (default: a warning)
    #[arg(long = "fail-on-unmatched", alias = "fail_on_unmatched")]
    pub(crate) fail_on_unmatched: bool,

    /// Print the comparison as JSON (as in diff.json) instead of tables
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only errors, warnings and failed limits
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
