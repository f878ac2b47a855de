//! `bigtpuprofile estimate`.

mod llm;

use anyhow::Result;
use bigtpu_emit_predict::estimate::{headline, operator_table, target_table};
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Language, Message};
use bigtpu_output::amount::Micro;
use bigtpu_output::put;
use bigtpu_session::estimate::{Estimated, estimate, known_machines};
use bigtpu_session::remark;

use crate::args::estimate::Args;
use crate::console::note;
use crate::console::{ignore_broken_pipe, in_cells, render};
use crate::written::list_written;

/// Rows of the table of operators on the console.
const OPERATORS: usize = 10;

/// Reads model and machines, estimates, shows, writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(file) = &args.llm.hf {
        return llm::run(file, args);
    }
    let Some(path) = args.model.as_deref().filter(|_| !args.list) else {
        let table = known_machines(args.semantics(), args.lang.language());
        return ignore_broken_pipe(
            put!(standard::stdout(), "{}\n", render(&table)).map_err(anyhow::Error::from),
        );
    };
    let found = estimate(&args.request(path), &note)?;
    shown(args, &found.json, || show(&found, args.lang.language()))
}

/// Prints JSON, or what `show` prints.
fn shown(args: &Args, json: &str, show: impl FnOnce() -> Result<()>) -> Result<()> {
    ignore_broken_pipe(if args.json {
        standard::json(json).map_err(anyhow::Error::from)
    } else {
        show()
    })
}

fn show(found: &Estimated, language: Language) -> Result<()> {
    let comparison = &found.comparison();
    let mut out = standard::stdout();
    put!(out, "{}\n", headline(comparison).text(language))?;
    put!(
        out,
        "{}\n",
        render(&in_cells(language, |words| target_table(comparison, words, Micro::Letter)))
    )?;
    put!(
        out,
        "{}\n",
        render(&in_cells(language, |words| operator_table(
            comparison,
            OPERATORS,
            (words, Micro::Letter)
        )))
    )?;
    let mut shown: Vec<&Message> = Vec::new();
    let all = comparison.estimates.iter().flat_map(|estimate| &estimate.notes);
    for note in found.notes.iter().chain(all) {
        if !shown.contains(&note) {
            shown.push(note);
            put!(out, "{}\n", remark(note.clone()).text(language))?;
        }
    }
    Ok(list_written(&mut out, &found.written, true, language)?)
}
