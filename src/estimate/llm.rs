//! `estimate --hf`: language models.

use std::path::Path;

use anyhow::{Result, bail};
use bigtpu_emit_predict::estimate::llm::{LlmComparison, headline, memory_table, time_table};
use bigtpu_emit_predict::estimate::operator_table;
use bigtpu_emit_text::console::standard;
use bigtpu_output::{Written, put};
use bigtpu_session::estimate::estimate_llm;

use super::{OPERATORS, shown};
use crate::args::estimate::Args;
use crate::console::render;
use crate::written::written_lines;

/// Reads the model, estimates it on all targets in all settings, shows, writes.
pub(super) fn run(file: &Path, args: &Args) -> Result<()> {
    if let Some(other) = &args.model {
        bail!("{}: --hf names the model; leave this file out", other.display());
    }
    let found = estimate_llm(&args.llm_request(file), &standard::note)?;
    shown(args, &found.json, || show(&found.comparison(), &found.written))
}

fn show(comparison: &LlmComparison<'_>, written: &[Written]) -> Result<()> {
    let mut out = standard::out();
    put!(out, "{}\n", headline(comparison))?;
    put!(out, "{}\n", render(&time_table(comparison)))?;
    put!(out, "{}\n", render(&memory_table(comparison)))?;
    if let Some(table) = comparison.with_operators(|own| operator_table(own, OPERATORS)) {
        put!(out, "{}\n", render(&table))?;
    }
    for note in comparison.assumptions() {
        put!(out, "note: {}\n", note)?;
    }
    if !written.is_empty() {
        put!(out, "Written:\n")?;
    }
    for line in written_lines(written, true) {
        put!(out, "  {}\n", line)?;
    }
    Ok(())
}
