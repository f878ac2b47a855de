//! `bigtpuprofile diff`.

mod history;
mod show;

use anyhow::{Result, bail};
use bigtpu_answers::Verdict;
use bigtpu_emit_text::console::standard;
use bigtpu_emit_text::diff::{json, verdict_lines};
use bigtpu_output::put;
use bigtpu_session::diff::difference;
use bigtpu_session::{Session, Settings};

use crate::args::diff::Args;
use crate::console::ignore_broken_pipe;

/// Compares, shows, writes, and checks the limits.
pub(crate) fn run(args: &Args) -> Result<Verdict> {
    let session = Session::from(Settings { hardware: args.roofs.read()?, ..Settings::default() });
    if let Some(dir) = &args.history {
        return history::run(args, dir, &session);
    }
    let Some(request) = args.request() else { bail!("give the run or runs after the change, too") };
    let found = difference(&request, &session)?;
    let (comparison, gate) = (&found.comparison, &found.gate);
    let (ok, reported): (Vec<String>, Vec<String>) =
        verdict_lines(gate).into_iter().partition(|line| line.starts_with("ok: "));
    if args.json {
        ignore_broken_pipe(standard::json(&json(comparison, gate)).map_err(Into::into))?;
    } else if !args.quiet {
        ignore_broken_pipe(show::show(comparison, args.full, &ok, &found.written))?;
    }
    // What ends a build has to be seen wherever its output goes; a reader that went away is no reason to stop.
    let mut err = standard::err();
    for line in &reported {
        let _ = put!(err, "{}\n", line);
    }
    Ok(gate.verdict)
}
