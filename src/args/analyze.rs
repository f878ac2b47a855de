//! Arguments of an analysis, `bigtpuprofile <input_dir> [output_dir]`.

use std::path::PathBuf;

use bigtpu_host_trace::HostAlign;
use clap::ValueEnum;

/// What an analysis is asked for.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Dump directory: cdm_profile_data_dev*, with global.profile and *.profile files
    #[arg(required_unless_present = "generate")]
    pub(crate) input_dir: Option<PathBuf>,

    /// Directory for the results
    #[arg(default_value = "profile_out")]
    pub(crate) output_dir: PathBuf,

    /// Write perfetto.pftrace and the summary
    #[arg(long)]
    pub(crate) perfetto: bool,

    /// Do not write or show the summary
    #[arg(long = "disable_summary", alias = "disable-summary")]
    pub(crate) disable_summary: bool,

    /// Do not write the page
    #[arg(long = "disable_web", alias = "disable-web")]
    pub(crate) disable_web: bool,

    /// Do not write the workbook
    #[arg(long = "disable_doc", alias = "disable-doc", conflicts_with = "enable_doc")]
    pub(crate) disable_doc: bool,

    /// Write the workbook also with --perfetto
    #[arg(long = "enable_doc", alias = "enable-doc")]
    pub(crate) enable_doc: bool,

    /// Host trace to merge: Chrome JSON of torch profiler or tpudnn, gzipped or not
    #[arg(long = "trace_file", alias = "trace-file", value_name = "FILE")]
    pub(crate) trace_file: Option<PathBuf>,

    /// Where device time starts on the host's time line
    #[arg(
        long = "host_align",
        alias = "host-align",
        value_name = "HOW",
        default_value = "anchors"
    )]
    pub(crate) host_align: HostAlignArg,

    /// TIU clock in MHz; else that of global.profile, else the chip's own
    #[arg(long = "tiu_freq", alias = "tiu-freq", value_name = "MHZ", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tiu_freq: Option<u64>,

    /// Report cores 0..N-1 only
    #[arg(long = "num_core", alias = "num-core", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) num_core: Option<u32>,

    /// Deflate the packets inside the trace: a quarter of the size, opened by current viewers
    #[arg(long = "compress_trace", alias = "compress-trace")]
    pub(crate) compress_trace: bool,

    /// Write events.parquet: a row for each event, for queries
    #[arg(long)]
    pub(crate) events: bool,

    /// Write events.csv: the same rows as text
    #[arg(long)]
    pub(crate) csv: bool,

    /// Roofs of the chip that replace those that are known, as JSON: see docs/analysis.md
    #[arg(long, value_name = "FILE")]
    pub(crate) hw: Option<PathBuf>,

    /// Show every answer: phases, kernels, roofs, bubbles, balance, all advice with its evidence
    #[arg(long, conflicts_with = "json")]
    pub(crate) full: bool,

    /// Print report.json on stdout and nothing else
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,

    /// Threads; 0 takes as many as there are processors
    #[arg(short, long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) jobs: u16,

    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Show the whole ledger and all notes
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// End with exit code 3 if any data was lost
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print a man page or shell completions, and end
    #[arg(long, value_name = "WHAT", exclusive = true)]
    pub(crate) generate: Option<Generated>,
}

/// What `--generate` prints.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Generated {
    /// Man page
    Man,
    /// Completions for bash
    CompleteBash,
    /// Completions for zsh
    CompleteZsh,
    /// Completions for fish
    CompleteFish,
    /// Completions for PowerShell
    CompletePowershell,
}

/// How a host trace is aligned.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum HostAlignArg {
    /// By the host's tpudnn events; without any, device time starts at 0
    Anchors,
    /// At the host trace's first event
    Start,
}

impl From<HostAlignArg> for HostAlign {
    fn from(how: HostAlignArg) -> Self {
        match how {
            HostAlignArg::Anchors => Self::Anchors,
            HostAlignArg::Start => Self::Start,
        }
    }
}
