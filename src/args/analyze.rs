//! Arguments of an analysis, `bigtpuprofile <input_dir> [output_dir]`, or of several dumps.

use std::path::{Path, PathBuf};

use anyhow::Result;
use bigtpu_format::Files;
use bigtpu_host_trace::HostAlign;
use bigtpu_session::{Host, Settings};
use clap::ValueEnum;
use regex_lite::Regex;

use super::cut::CutArgs;
use super::generated::Generated;
use super::lang::LangArgs;
use super::roofs::Roofs;
use super::views::Views;

/// An analysis: of what, where to, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Dump directory: cdm_profile_data_dev*, with global.profile and *.profile files; or one that holds several; or a tar,
    /// tar.gz or zip archive of such a directory, - for one on stdin
    #[arg(required_unless_present = "generate")]
    input_dir: Option<PathBuf>,

    /// Directory for the results
    #[arg(default_value = "profile_out")]
    output_dir: PathBuf,

    /// With three or more directories: all except the last are dumps, the last is for the results
    #[arg(value_name = "MORE")]
    more: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) options: Options,

    /// Print a man page or shell completions, and end
    #[arg(long, value_name = "WHAT", exclusive = true, value_parser = Generated::parser())]
    pub(crate) generate: Option<Generated>,
}

/// How dumps are analyzed, and what is shown and written.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) views: Views,

    #[command(flatten)]
    pub(crate) cut: CutArgs,

    /// Host trace to merge: Chrome JSON of torch profiler or tpudnn, gzipped or zipped or not; several, each with this option, are put
    /// on one clock by their baseTimeNanoseconds
    #[arg(long = "trace_file", alias = "trace-file", value_name = "FILE")]
    pub(crate) trace_file: Vec<PathBuf>,

    /// Where device time starts on the host's time line
    #[arg(
        long = "host_align",
        alias = "host-align",
        value_name = "HOW",
        default_value = "anchors"
    )]
    pub(crate) host_align: HostAlignArg,

    /// Where steps (iterations) begin: at each kernel whose name matches; with --trace_file, each matching event of the
    /// host holds one (default: the kernels that repeat, and the host's ProfilerStep#N)
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    pub(crate) step: Option<Regex>,

    #[command(flatten)]
    pub(crate) roofs: Roofs,

    /// Show all results: phases, kernels, roofline, gaps, balance, all advice with its evidence
    #[arg(long, conflicts_with = "json")]
    pub(crate) full: bool,

    /// Print only report.json, on stdout
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,

    /// Threads; 0 uses all processors
    #[arg(short, long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) jobs: u16,

    /// Print only errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Show the whole ledger and all notes
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,

    /// End with exit code 3 if any data was lost
    #[arg(long)]
    pub(crate) strict: bool,
}

impl Options {
    /// What all dumps of the run have in common; reads the files that the arguments name.
    ///
    /// # Errors
    /// When one of them can't be read.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let files = Some(&self.trace_file).filter(|files| !files.is_empty());
        let open =
            |files: &Vec<PathBuf>| Host::open_all(files, &Files::default(), self.host_align.into());
        Ok(Settings {
            host: files.map(open).transpose()?,
            hardware: self.roofs.read()?,
            step: self.step.clone(),
            language: self.lang.language(),
            ..self.views.settings()
        })
    }
}

impl Args {
    /// The directories with dumps, and the one for the results.
    pub(crate) fn places(&self) -> (Vec<&Path>, &Path) {
        let input = self.input_dir.as_deref();
        match self.more.split_last() {
            None => (input.into_iter().collect(), &self.output_dir),
            Some((output, more)) => {
                let between = std::iter::once(&self.output_dir).chain(more).map(PathBuf::as_path);
                (input.into_iter().chain(between).collect(), output)
            }
        }
    }
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
