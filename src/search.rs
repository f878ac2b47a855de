//! `bigtpuprofile search`.

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_output::put;
use bigtpu_session::search::{Outcome, evaluation_table, find};

use crate::args::search::Args;
use crate::console::{ignore_broken_pipe, render};
use crate::written::written_lines;

/// Operators that the console shows.
const FEW_OPS: usize = 40;

/// Searches or evaluates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let request = args.request();
    let outcome = find(&request)?;
    ignore_broken_pipe(if args.json {
        standard::json(&(outcome.json(&request)? + "\n")).map_err(anyhow::Error::from)
    } else {
        show(args, &outcome)
    })
}

fn show(args: &Args, outcome: &Outcome) -> Result<()> {
    let mut out = standard::out();
    match outcome {
        Outcome::Found(found) => {
            put!(out, "{}\n", render(&found.times_table()))?;
            put!(out, "{}\n", render(&found.strategy_table(FEW_OPS)))?;
            if let Some(more) = found.configs.len().checked_sub(FEW_OPS).filter(|more| *more > 0) {
                put!(out, "({} more operators: see --json or --export)\n", more)?;
            }
            for sentence in found.sentences(&args.request()) {
                put!(out, "{}\n", sentence)?;
            }
        }
        Outcome::Evaluated(found) => {
            put!(out, "{}\n{} tasks\n", render(&evaluation_table(found)), found.tasks)?;
        }
        Outcome::Chain(found) => {
            put!(out, "{}\n", render(&found.stages_table()))?;
            for sentence in found.sentences(&args.request()) {
                put!(out, "{}\n", sentence)?;
            }
            for line in written_lines(&found.written, true) {
                put!(out, "written: {}\n", line)?;
            }
        }
    }
    Ok(())
}
