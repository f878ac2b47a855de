//! `bigtpuprofile estimate`.

mod llm;

use anyhow::Result;
use bigtpu_emit_predict::estimate::{headline, operator_table, target_table};
use bigtpu_emit_text::console::standard;
use bigtpu_output::put;
use bigtpu_session::estimate::{Estimated, estimate, known_machines};

use crate::args::estimate::Args;
use crate::console::{ignore_broken_pipe, render};
use crate::written::written_lines;

/// Rows of the table of operators on the console.
const OPERATORS: usize = 10;

/// Reads model and machines, estimates, shows, writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(file) = &args.llm.hf {
        return llm::run(file, args);
    }
    let Some(path) = args.model.as_deref().filter(|_| !args.list) else {
        let table = known_machines(args.semantics());
        return ignore_broken_pipe(
            put!(standard::out(), "{}\n", render(&table)).map_err(anyhow::Error::from),
        );
    };
    let found = estimate(&args.request(path), &standard::note)?;
    shown(args, &found.json, || show(&found))
}

/// Prints JSON, or what `show` prints.
fn shown(args: &Args, json: &str, show: impl FnOnce() -> Result<()>) -> Result<()> {
    ignore_broken_pipe(if args.json {
        standard::json(json).map_err(anyhow::Error::from)
    } else {
        show()
    })
}

fn show(found: &Estimated) -> Result<()> {
    let comparison = &found.comparison();
    let mut out = standard::out();
    put!(out, "{}\n", headline(comparison))?;
    put!(out, "{}\n", render(&target_table(comparison)))?;
    put!(out, "{}\n", render(&operator_table(comparison, OPERATORS)))?;
    let mut printed = std::collections::BTreeSet::new();
    let all = comparison.estimates.iter().flat_map(|estimate| &estimate.notes);
    for note in found.notes.iter().chain(all) {
        if printed.insert(note) {
            put!(out, "note: {}\n", note)?;
        }
    }
    if !found.written.is_empty() {
        put!(out, "Written:\n")?;
    }
    for line in written_lines(&found.written, true) {
        put!(out, "  {}\n", line)?;
    }
    Ok(())
}
