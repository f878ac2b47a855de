//! `bigtpuprofile info`.

use std::io::Write;

use anyhow::Result;
use bigtpu_emit_text::console::{Plain, Screen, standard};
use bigtpu_output::put;
use bigtpu_session::info::{Info, find, info};

use crate::args::info::Args;
use crate::console::{ignore_broken_pipe, note, render};

/// Shows each dump that is asked for.
pub(crate) fn run(args: &Args) -> Result<()> {
    let request = args.request();
    let found = find(&request);
    found.remarks().into_iter().for_each(note);
    for named in &found.dumps {
        let info = info(&request, named)?;
        ignore_broken_pipe(show(&info, &mut standard::stdout()))?;
    }
    Ok(())
}

fn show(info: &Info, out: &mut Plain<impl Write>) -> Result<()> {
    for line in &info.heading {
        put!(out, "{}\n", line)?;
    }
    put!(out, "{}\n", render(&info.files))?;
    for line in &info.findings {
        put!(out, "{}\n", Screen::stdout().text(line))?;
    }
    Ok(())
}
