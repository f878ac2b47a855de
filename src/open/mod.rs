//! `bigtpuprofile open`: the page or the trace in the browser.

mod browser;

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_session::open::serve;

use crate::args::open::Args;
use crate::console::ignore_broken_pipe;

/// Serves what the arguments name until the browser has it.
pub(crate) fn run(args: &Args) -> Result<()> {
    let server = serve(&args.request())?;
    let address = server.address();
    let what = if server.has_trace() { "trace" } else { "page" };
    ignore_broken_pipe(say(&format!("The {what} is at {address}")))?;
    if !args.no_browser && !browser::open(&address) {
        ignore_broken_pipe(say("No browser can be started here: open the address by hand."))?;
    }
    ignore_broken_pipe(say("Ends when the browser has it, or with Ctrl-C."))?;
    server.serve();
    Ok(())
}

fn say(line: &str) -> Result<()> {
    let mut out = standard::out();
    bigtpu_output::put!(out, "{}\n", line)?;
    Ok(out.flush()?)
}
