//! Arguments of `bigtpuprofile open`.

use std::path::PathBuf;

use bigtpu_session::open::ShowRequest;

use super::lang::LangArgs;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile open cdm_profile_data_dev0-0
      analyzes the dump and shows its page in the browser
  bigtpuprofile open out --perfetto
      shows the trace in out in https://ui.perfetto.dev, with cores unfolded and the critical path pinned
  bigtpuprofile open out/perfetto.pftrace --offline perfetto_ui
      the same with a copy of the viewer in the directory perfetto_ui, without a network
  bigtpuprofile open --page-only -o bigtpuprofile.html
      writes the analyzer in one HTML file, for a machine on which nothing can be installed

The files are served on 127.0.0.1 only, under an address that no one else knows. The command ends when the browser has them.";

/// Show a dump, its results or a trace in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Dump directory, directory of results, trace (*.pftrace) or page (*.html)
    #[arg(value_name = "WHAT", required_unless_present = "page_only")]
    pub(crate) what: Option<PathBuf>,

    /// Show the page (default, except for a trace)
    #[arg(long, conflicts_with = "perfetto")]
    pub(crate) page: bool,

    /// Show the trace in Perfetto's viewer
    #[arg(long)]
    pub(crate) perfetto: bool,

    /// Use the copy of Perfetto's viewer in this directory: the one with index.html
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    pub(crate) offline: Option<PathBuf>,

    /// Port of 127.0.0.1. The viewer at ui.perfetto.dev takes traces from 9001 only (default: 9001 for a trace, any other for
    /// the page)
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// Only print the address
    #[arg(long = "no_browser", alias = "no-browser")]
    pub(crate) no_browser: bool,

    /// Write the analyzer in one HTML file, which analyzes dumps in any browser, and open nothing; programs of a release have it
    #[arg(long, requires = "output", conflicts_with_all = ["what", "page", "perfetto", "offline", "port", "no_browser"])]
    pub(crate) page_only: bool,

    /// File for --page-only, or a directory for bigtpuprofile.html
    #[arg(short, long, value_name = "FILE", requires = "page_only")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// What is asked for.
    pub(crate) fn request(&self) -> ShowRequest {
        ShowRequest {
            what: self.what.clone().unwrap_or_default(),
            page: self.page,
            trace: self.perfetto,
            offline: self.offline.clone(),
            port: self.port,
        }
    }
}
