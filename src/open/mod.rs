//! `bigtpuprofile open`: the page or the trace in the browser, served from this machine to this machine.

mod browser;
mod content;
mod request;
mod response;
mod server;
mod token;
mod viewer;

use anyhow::{Context as _, Result};

use crate::args::open::Args;
use crate::console::ignore_broken_pipe;
use content::{Content, Shown};
use server::{Server, Site};

/// Port from which the viewer at ui.perfetto.dev takes traces.
const VIEWER_PORT: u16 = 9001;

/// Serves what the arguments name until the browser has it.
pub(crate) fn run(args: &Args) -> Result<()> {
    let content = Content::of(args)?;
    let offline = args.offline.as_deref().map(viewer::directory).transpose()?;
    let is_trace = content.shown == Shown::Trace;
    let port = args.port.unwrap_or(if is_trace { VIEWER_PORT } else { 0 });
    let site = Site { token: token::new(), content, offline };
    let server = Server::bind(port, site).with_context(|| {
        format!("127.0.0.1:{port} can't be used: end the program that listens there, or choose another --port")
    })?;
    let address = server.address();
    let what = if is_trace { "trace" } else { "page" };
    ignore_broken_pipe(say(&format!("The {what} is at {address}")))?;
    if !args.no_browser && !browser::open(&address) {
        ignore_broken_pipe(say("No browser can be started here: open the address by hand."))?;
    }
    ignore_broken_pipe(say("Ends when the browser has it, or with Ctrl-C."))?;
    server.serve();
    Ok(())
}

fn say(line: &str) -> Result<()> {
    let mut out = crate::standard::out();
    bigtpu_output::put!(out, "{}\n", line)?;
    Ok(out.flush()?)
}
