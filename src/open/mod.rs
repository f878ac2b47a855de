//! `bigtpuprofile open`: the page or the trace in the browser.

mod analyzer;
mod browser;

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Language, Message, message};
use bigtpu_session::open::{ShowRequest, serve};

use crate::args::open::Args;
use crate::console::ignore_broken_pipe;
use crate::exit::failed;

/// Serves what the arguments name until the browser has it, or writes the analyzer's page.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(file) = &args.output {
        return analyzer::write(file);
    }
    show(&args.request(), args.no_browser, args.lang.language())
}

/// Serves what is asked for until the browser has it; without one, as the user of `no_browser` opens it by hand.
pub(crate) fn show(request: &ShowRequest, no_browser: bool, language: Language) -> Result<()> {
    let say = |line: Message| say(&line.text(language));
    let server = serve(request)?;
    let address = server.address();
    let what = Message::new(if server.has_trace() { "open-trace" } else { "open-page" });
    ignore_broken_pipe(say(message!("open-address", what = what, address = address)))?;
    // As long as the server runs. Its arguments are seen by all users of the machine: the address is not among them.
    let redirect = if no_browser { None } else { server.redirect().ok() };
    let is_open = redirect.as_ref().is_some_and(|redirect| browser::open(&redirect.address()));
    if !no_browser && !is_open {
        ignore_broken_pipe(say(Message::new("open-no-browser")))?;
    }
    ignore_broken_pipe(say(Message::new("open-ends")))?;
    server.serve().map_err(|_| failed(Message::new("error-no-serving-thread")))
}

fn say(line: &str) -> Result<()> {
    let mut out = standard::stdout();
    bigtpu_output::put!(out, "{}\n", line)?;
    Ok(out.flush()?)
}
