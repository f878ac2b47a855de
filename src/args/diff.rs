//! Arguments of `bigtpuprofile diff`.

use bigtpu_messages::{Message, error_message};
use std::path::PathBuf;

use bigtpu_answers::Limit;
use bigtpu_session::diff::{self, DiffRequest};

use super::lang::LangArgs;
use super::out_dir::out_dir;
use super::roofs::Roofs;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile synth before && bigtpuprofile synth after --plant imbalance=2:1.5 && bigtpuprofile diff before after -o out
      the verdict, its largest causes and short tables on the console; all tables in out, as text, Markdown, JSON, HTML and JUnit XML
  bigtpuprofile diff baseline/report.json after --fail-on 'total>+3%' --fail-on 'loss>0'
      for CI: exit code 4 if a device takes over 3 % longer or lost data
  bigtpuprofile diff --history history results --label 3f2a1bc --fail-on-slower
      for CI: remembers this run, and says since which run a kernel is slower

Exit codes: 0 ok, 1 error, 2 invalid command line, 4 a limit failed. docs/ci.md describes limits, repeated runs and noise.";

/// What may not tell runs apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Pool {
    /// Runs of different hosts are repetitions
    Host,
    /// Runs of different devices are repetitions
    Device,
    /// Runs of different calls are repetitions
    Call,
    /// All runs of a side are repetitions
    All,
}

/// Compare two runs, or two sets of runs; with limits, a gate for CI
///
/// Each side is a dump directory, a report.json, a directory with a report.json, or a directory with several of
/// these at any depth. Runs of the same host, device and call are repeated runs; each device and call is compared with
/// itself.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Run or runs before the change
    pub(crate) before: PathBuf,

    /// Run or runs after the change; not with --history
    #[arg(required_unless_present = "history")]
    pub(crate) after: Option<PathBuf>,

    /// A further run before; may be given several times
    #[arg(long = "also-before", value_name = "PATH")]
    pub(crate) also_before: Vec<PathBuf>,

    /// A further run after; may be given several times
    #[arg(long = "also-after", value_name = "PATH")]
    pub(crate) also_after: Vec<PathBuf>,

    /// Take runs as repetitions of each other although they differ in this: host, device, call or all; several with commas
    ///
    /// By default only runs of the same host, device and call are compared, and limits count on each device and call.
    /// Host, device and call are taken from the directories' names: node1/cdm_profile_data_dev3-0 is device 3, call 0 of
    /// host node1. Directories such as 1, run-1 and rep1 are repetitions.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PARTS")]
    pub(crate) pool: Vec<Pool>,

    /// Name of the workload that all runs are of (default: names of directories, where different programs ran in them)
    ///
    /// Runs of different programs (chip, kernels or layers, commands) are never taken as repetitions: each has a verdict, and
    /// limits count on each.
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,

    /// Print only which runs would be compared with which
    #[arg(long = "dry-run", alias = "dry_run", conflicts_with_all = ["out", "json", "full", "history"])]
    pub(crate) dry_run: bool,

    /// The n-th runs of both sides belong together: they were run in turn (before, after, after, before, ...)
    ///
    /// What both runs of a pair have in common, such as an offset of the day or a drift, is then no change. Needs five pairs or more.
    /// docs/ci.md says when to use what.
    #[arg(long)]
    pub(crate) pairs: bool,

    #[command(flatten)]
    pub(crate) roofs: Roofs,

    /// Add the run, or runs, to the history in this directory, and show since which run the wall time, a kernel or a layer is slower
    ///
    /// DIR/history.jsonl has a line for each run and for what was said of it; history.html, history.json and history.junit.xml have the
    /// result. A run that is there already is not added again. A change is found when two to four builds have it, of simulated times at
    /// once; with fewer than seven builds of measured times the result is `skipped`.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "fail_on", "pairs", "no_baseline", "also_after"])]
    pub(crate) history: Option<PathBuf>,

    /// With --history: what the runs are called, such as the commit: they are one build (default: each run is one, called by its path)
    #[arg(long, value_name = "NAME", requires = "history")]
    pub(crate) label: Option<String>,

    /// With --history: where to read about the build, such as its job or commit; history.html links to it
    #[arg(long, value_name = "URL", requires = "history", value_parser = web_address)]
    pub(crate) link: Option<String>,

    /// With --history: at most one in so many builds may have a false alarm, over all times together
    #[arg(long = "false-alarms", alias = "false_alarms", value_name = "BUILDS", default_value = "200", requires = "history", value_parser = builds)]
    pub(crate) false_alarms: f64,

    /// With --history: smaller changes are none
    #[arg(long = "least-change", alias = "least_change", value_name = "SHARE", default_value = "1%", requires = "history", value_parser = share)]
    pub(crate) least_change: f64,

    /// With --history: end with exit code 4 if a time is longer since one of the runs that were added last
    #[arg(long = "fail-on-slower", alias = "fail_on_slower", requires = "history")]
    pub(crate) fail_on_slower: bool,

    /// Write diff.txt, diff.md, diff.json, diff.junit.xml and diff.html there; of dumps diff.html has both timelines
    #[arg(short, long = "out", value_name = "DIR", value_parser = out_dir())]
    pub(crate) out: Option<PathBuf>,

    /// End with exit code 4 if a row exceeds the limit, such as 'total>+3%', 'kernel:matmul*>+5%', 'loss>0'; may be given
    /// several times, see docs/ci.md
    #[arg(long = "fail-on", alias = "fail_on", value_name = "LIMIT")]
    pub(crate) fail_on: Vec<Limit>,

    /// A limit whose subject is gone, or was never there, is a warning (default: it fails)
    #[arg(long = "allow-missing", alias = "allow_missing", conflicts_with = "fail_on_unmatched")]
    pub(crate) allow_missing: bool,

    /// Also fail if a workload, device or call has runs after the change only
    #[arg(long = "fail-on-unmatched", alias = "fail_on_unmatched")]
    pub(crate) fail_on_unmatched: bool,

    /// There is no baseline yet: give the same runs on both sides. Limits on changes are skipped, limits on values count
    #[arg(long = "no-baseline", alias = "no_baseline")]
    pub(crate) no_baseline: bool,

    /// Print the comparison as JSON (as in diff.json) instead of tables
    #[arg(long)]
    pub(crate) json: bool,

    /// Show all tables: also steps, the critical path, engines, opcodes, data types, shapes, directions
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) full: bool,

    /// Print only errors, warnings and failed limits
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// All runs before the change.
    pub(crate) fn runs_before(&self) -> Vec<PathBuf> {
        std::iter::once(&self.before).chain(&self.also_before).cloned().collect()
    }

    /// What does not tell runs apart.
    pub(crate) fn pools(&self) -> Vec<diff::Pool> {
        self.pool.iter().map(|pool| (*pool).into()).collect()
    }

    /// What is to be compared; `None` without a run after the change.
    pub(crate) fn request(&self) -> Option<DiffRequest> {
        let after = std::iter::once(self.after.as_ref()?).chain(&self.also_after);
        Some(DiffRequest {
            before: self.runs_before(),
            after: after.cloned().collect(),
            pool: self.pools(),
            workload: self.workload.clone(),
            pairs: self.pairs,
            limits: self.fail_on.clone(),
            allows_missing: self.allow_missing,
            fails_on_unmatched: self.fail_on_unmatched,
            no_baseline: self.no_baseline,
            out: self.out.clone(),
        })
    }
}

impl From<Pool> for diff::Pool {
    fn from(pool: Pool) -> Self {
        match pool {
            Pool::Host => Self::Host,
            Pool::Device => Self::Device,
            Pool::Call => Self::Call,
            Pool::All => Self::All,
        }
    }
}

/// An address that a page may link to.
fn web_address(text: &str) -> Result<String, Message> {
    let is_web = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
    let is_plain = !text.contains(|c: char| c.is_control() || c.is_whitespace());
    if is_web && is_plain {
        return Ok(text.to_owned());
    }
    Err(error_message!("problem-web-address"))
}

fn builds(text: &str) -> Result<f64, Message> {
    let number: Option<f64> = text.parse().ok().filter(|n: &f64| (1.0..=1e9).contains(n));
    number.ok_or_else(|| error_message!("problem-builds"))
}

fn share(text: &str) -> Result<f64, Message> {
    let number: Option<f64> = text.strip_suffix('%').and_then(|number| number.parse().ok());
    let share = number.filter(|n| (0.0..=100.0).contains(n)).map(|n| n / 100.0);
    share.ok_or_else(|| error_message!("problem-share"))
}
