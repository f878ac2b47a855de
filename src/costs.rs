//! `bigtpuprofile costs`.

use anyhow::Result;
use bigtpu_answers::counted;
use bigtpu_emit_text::console::standard;
use bigtpu_output::put;
use bigtpu_session::costs::{Measured, measure_dumps};

use crate::args::costs::Args;
use crate::console::{ignore_broken_pipe, render};
use crate::written::written_lines;

/// Parts of each kind that the console shows.
const SHOWN: usize = 30;

/// Measures, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let measured = measure_dumps(&args.request(), &standard::note)?;
    ignore_broken_pipe(show(args, &measured))
}

fn show(args: &Args, measured: &Measured) -> Result<()> {
    let Measured { costs, json, written } = measured;
    if args.json {
        return Ok(standard::json(json)?);
    }
    let mut out = standard::out();
    for source in &costs.sources {
        put!(
            out,
            "{}: {}, {}, {:.3} us\n",
            &source.dump,
            &source.chip,
            counted(source.cores as usize, "core"),
            source.wall_ns as f64 / 1e3
        )?;
    }
    let table = measured.table(SHOWN);
    put!(out, "{}\n{}\n", table.title(), render(&table))?;
    if costs.parts.len() > SHOWN {
        put!(out, "({} more parts: see --json or -o)\n", costs.parts.len() - SHOWN)?;
    }
    for line in written_lines(written.as_slice(), true) {
        put!(out, "written: {}\n", line)?;
    }
    Ok(())
}
