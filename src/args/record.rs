//! Arguments of `bigtpuprofile record`.

use std::ffi::OsString;
use std::path::PathBuf;

use bigtpu_answers::Limit;
use bigtpu_measure::NamePattern;
use bigtpu_session::record::CaptureSetting;

use super::analyze::Options;
use super::out_dir::out_dir;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile record --open -- python train.py
      runs the program with the capture switched on, analyzes the dump that it wrote, and shows the page
  bigtpuprofile record --perfetto -o out -- tpu-model-rt --bmodel model.bmodel
      a static model: trace, summary and report.json in out
  bigtpuprofile record --retry -- python train.py
      again with larger rings if they were too small
  bigtpuprofile record --runs 6 --compare './kernel_old' -- ./kernel_new
      runs both in turn, six times each, and says whether the new one is slower
  bigtpuprofile record --host-trace 'trace*.json' -- python train.py
      with the trace of torch.profiler that the program writes

The program runs in this directory, with its own standard streams. Its exit code is that of this command, unless it is 0: then \
    the exit codes are those of an analysis, or of diff with --compare. torch-tpu captures only between enable_profile and \
    disable_profile: docs/capture.md has the calls.";

/// Run a program with the capture switched on, and analyze what it wrote
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Program to run, and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    /// Capture mode: 0 records, 1 also the commands by type, 2 also their full bits (default: the environment's, else 2)
    #[arg(long, value_name = "MODE", value_parser = clap::value_parser!(u8).range(..=2))]
    mode: Option<u8>,

    /// Records of each PMU ring (default: the runtime's)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    records: Option<u64>,

    /// Directory for the results
    #[arg(short, long, value_name = "DIR", default_value = "profile_out", value_parser = out_dir())]
    pub(crate) out: PathBuf,

    /// Show the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// With --open: only print the address
    #[arg(long = "no_browser", alias = "no-browser", requires = "open")]
    pub(crate) no_browser: bool,

    /// Merge the host traces with such a name that the program writes into its directory, as 'trace*.json'
    #[arg(long = "host-trace", alias = "host_trace", value_name = "NAME", value_parser = pattern)]
    pub(crate) host_trace: Option<NamePattern>,

    /// If a PMU ring was full, run the program again with larger rings (on a terminal this is asked)
    #[arg(long)]
    pub(crate) retry: bool,

    /// Run the program N times: results in run-1 to run-N, and the spread of the times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) runs: u16,

    /// Compare with earlier results, or with another command, which is then run in turn with this one: a path, or a line for the shell
    #[arg(long, value_name = "RESULTS|COMMAND")]
    pub(crate) compare: Option<OsString>,

    /// With --compare: end with exit code 4 if a row exceeds the limit, as in diff
    #[arg(long = "fail-on", alias = "fail_on", value_name = "LIMIT", requires = "compare")]
    pub(crate) fail_on: Vec<Limit>,

    #[command(flatten)]
    pub(crate) options: Options,
}

impl Args {
    /// How the first run is captured.
    pub(crate) fn setting(&self) -> CaptureSetting {
        CaptureSetting { mode: self.mode, records: self.records }
    }
}

fn pattern(text: &str) -> Result<NamePattern, std::convert::Infallible> {
    Ok(NamePattern::new(text))
}
