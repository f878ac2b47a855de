//! Arguments of `bigtpuprofile open`.

use std::path::PathBuf;

use bigtpu_session::open::ShowRequest;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile open cdm_profile_data_dev0-0
      analyzes the dump and shows its page in the browser
  bigtpuprofile open out --perfetto
      shows the trace in out in https://ui.perfetto.dev, with cores unfolded and the critical path pinned
  bigtpuprofile open out/perfetto.pftrace --offline perfetto_ui
      the same with a copy of the viewer in the directory perfetto_ui, without a network

The files are served on 127.0.0.1 only, under an address that no one else knows. The command ends when the browser has them.";

/// Show a dump, its results or a trace in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Dump directory, directory of results, trace (*.pftrace) or page (*.html)
    #[arg(value_name = "WHAT")]
    pub(crate) what: PathBuf,

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
}

impl Args {
    /// What is asked for.
    pub(crate) fn request(&self) -> ShowRequest {
        ShowRequest {
            what: self.what.clone(),
            page: self.page,
            trace: self.perfetto,
            offline: self.offline.clone(),
            port: self.port,
        }
    }
}
