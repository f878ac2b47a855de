//! `bigtpuprofile search`.

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::message;
use bigtpu_output::put;
use bigtpu_session::search::{Outcome, evaluation_table, find};

use crate::args::search::Args;
use crate::console::{ignore_broken_pipe, in_cells, render};
use crate::written::show_written;

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
    let language = args.lang.language();
    let mut out = standard::stdout();
    match outcome {
        Outcome::Found(found) => {
            put!(out, "{}\n", render(&in_cells(language, |words| found.times_table(words))))?;
            put!(
                out,
                "{}\n",
                render(&in_cells(language, |words| found.strategy_table(FEW_OPS, words)))
            )?;
            if let Some(more) = found.configs.len().checked_sub(FEW_OPS).filter(|more| *more > 0) {
                let more = message!("search-more-operators", count = more);
                put!(out, "{}\n", more.text(language))?;
            }
            for sentence in found.sentences(&args.request()) {
                put!(out, "{}\n", sentence.text(language))?;
            }
        }
        Outcome::Evaluated(found) => {
            let tasks = message!("search-tasks", count = found.tasks).text(language);
            put!(
                out,
                "{}\n{}\n",
                render(&in_cells(language, |words| evaluation_table(found, words))),
                tasks
            )?;
        }
        Outcome::Chain(found) => {
            put!(out, "{}\n", render(&in_cells(language, |words| found.stages_table(words))))?;
            for sentence in found.sentences(&args.request()) {
                put!(out, "{}\n", sentence.text(language))?;
            }
            show_written(&mut out, &found.written, language)?;
        }
    }
    Ok(())
}
