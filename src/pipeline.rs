//! `bigtpuprofile pipeline`.

use anyhow::Result;
use bigtpu_emit_predict::pipeline::comparison;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::message;
use bigtpu_output::put;
use bigtpu_session::pipeline::{PipelineFailure, Simulated, simulate};

use crate::args::pipeline::Args;
use crate::console::note;
use crate::console::{ignore_broken_pipe, in_cells, render};
use crate::exit::Sentences;
use crate::written::show_written;

/// Simulates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let simulated = simulate(&args.request(), &note).map_err(|error| match error {
        PipelineFailure::Refused(sentences) => Sentences(sentences).into(),
        error => anyhow::Error::from(error),
    })?;
    ignore_broken_pipe(show(args, &simulated))
}

fn show(args: &Args, simulated: &Simulated) -> Result<()> {
    let Simulated { shown, labels, written, .. } = simulated;
    if args.json {
        return Ok(standard::json(&simulated.json()?)?);
    }
    let language = args.lang.language();
    let mut out = standard::stdout();
    put!(out, "{}\n", render(&in_cells(language, |words| comparison(shown, labels, words))))?;
    for titled in shown.iter().filter(|titled| titled.report.violations > 0) {
        let (title, count) = (&titled.title, titled.report.violations);
        let violations = message!("pipeline-violations", title = title.clone(), count = count);
        put!(out, "{}\n", violations.text(language))?;
    }
    Ok(show_written(&mut out, written, language)?)
}
