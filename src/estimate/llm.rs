//! `estimate --hf`: language models.

use bigtpu_output::amount::Micro;
use std::path::Path;

use anyhow::Result;
use bigtpu_emit_predict::estimate::llm::{LlmComparison, headline, memory_table, time_table};
use bigtpu_emit_predict::estimate::operator_table;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Language, message};
use bigtpu_output::{Written, put};
use bigtpu_session::estimate::estimate_llm;
use bigtpu_session::remark;

use super::{OPERATORS, shown};
use crate::args::estimate::Args;
use crate::console::note;
use crate::console::{in_cells, render};
use crate::exit::failed;
use crate::written::list_written;

/// Reads the model, estimates it on all targets in all settings, shows, writes.
pub(super) fn run(file: &Path, args: &Args) -> Result<()> {
    if let Some(other) = &args.model {
        return Err(failed(message!("error-hf-and-model", path = other.display().to_string())));
    }
    let found = estimate_llm(&args.llm_request(file), &note)?;
    let language = args.lang.language();
    shown(args, &found.json, || show(&found.comparison(), &found.written, language))
}

fn show(comparison: &LlmComparison<'_>, written: &[Written], language: Language) -> Result<()> {
    let mut out = standard::stdout();
    put!(out, "{}\n", headline(comparison).text(language))?;
    put!(
        out,
        "{}\n",
        render(&in_cells(language, |words| time_table(comparison, words, Micro::Letter)))
    )?;
    put!(out, "{}\n", render(&in_cells(language, |words| memory_table(comparison, words))))?;
    if let Some(table) = comparison.with_operators(|own| {
        in_cells(language, |words| operator_table(own, OPERATORS, (words, Micro::Letter)))
    }) {
        put!(out, "{}\n", render(&table))?;
    }
    for note in comparison.assumptions() {
        put!(out, "{}\n", remark(note).text(language))?;
    }
    Ok(list_written(&mut out, written, true, language)?)
}
