//! `bigtpuprofile whatif`: a measured run, predicted with changes.

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_output::{Written, put};

use crate::args::whatif::Args;
use crate::console::note;
use crate::console::{ignore_broken_pipe, render, render_bare};
use crate::written::show_written;
use bigtpu_session::whatif::{Answer, whatif};

/// Predicts, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let (answer, written) = whatif(&args.request(), &note)?;
    ignore_broken_pipe(show(args, &answer, &written))
}

fn show(args: &Args, answer: &Answer, written: &[Written]) -> Result<()> {
    if args.json {
        return Ok(standard::json(&answer.json()?)?);
    }
    let language = args.lang.language();
    let mut out = standard::stdout();
    for line in answer.headline() {
        put!(out, "{}\n", line.text(language))?;
    }
    // Of a prediction its kernels, of the measured run what it waited for.
    let table = if answer.changes.is_empty() {
        answer.path_table(language)
    } else {
        answer.kernels_table(language)
    };
    if !table.is_empty() {
        put!(out, "{}\n{}\n", table.title(), render_bare(&table))?;
    }
    let sensitivity = answer.sensitivity_table(language);
    if !sensitivity.is_empty() {
        put!(out, "{}\n{}\n", sensitivity.title(), render(&sensitivity))?;
    }
    for line in answer.bounds_line().into_iter().chain(answer.confidence_lines()) {
        put!(out, "{}\n", line.text(language))?;
    }
    Ok(show_written(&mut out, written, language)?)
}
