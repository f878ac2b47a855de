//! `bigtpuprofile costs`.

use anyhow::Result;
use bigtpu_chip::Chip;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Arg, message};
use bigtpu_output::put;
use bigtpu_session::costs::{MeasuredCosts, measure_dumps};

use crate::args::costs::Args;
use crate::console::note;
use crate::console::{ignore_broken_pipe, render};
use crate::written::show_written;

/// Parts of each kind that the console shows.
const SHOWN: usize = 30;

/// Measures, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let measured = measure_dumps(&args.request(), &note)?;
    ignore_broken_pipe(show(args, &measured))
}

fn show(args: &Args, measured: &MeasuredCosts) -> Result<()> {
    let MeasuredCosts { costs, json, written } = measured;
    if args.json {
        return Ok(standard::json(json)?);
    }
    let language = args.lang.language();
    let mut out = standard::stdout();
    for source in &costs.sources {
        let line = message!(
            "costs-source",
            dump = &source.dump,
            chip = Chip::title_of(&source.chip),
            cores = source.cores,
            time = Arg::TimeNs(source.wall_ns)
        );
        put!(out, "{}\n", line.text(language))?;
    }
    let table = measured.table(SHOWN, language);
    put!(out, "{}\n{}\n", table.title(), render(&table))?;
    if costs.parts.len() > SHOWN {
        let more = message!("costs-more", count = costs.parts.len() - SHOWN);
        put!(out, "{}\n", more.text(language))?;
    }
    Ok(show_written(&mut out, written.as_slice(), language)?)
}
