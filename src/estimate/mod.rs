//! `bigtpuprofile estimate`.

mod listing;
mod llm;
mod measured;
mod model;
mod targets;

use anyhow::Result;
use bigtpu_emit_predict::estimate::{
    Comparison, headline, json, operator_table, page, target_table,
};
use bigtpu_machine::DataType;
use bigtpu_model::{Model, Semantics};
use bigtpu_output::{ByLibrary, Markup, Text, Untrusted, Written, put};
use bigtpu_predict::estimate::{Estimate, EstimateError, Job, Workload};
use bigtpu_session::output_directory;
use rayon::prelude::*;

use crate::args::estimate::{Args, Compat};
use crate::console::{ignore_broken_pipe, render};
use crate::standard;
use crate::written::written_lines;
use model::Input;
use targets::Target;

/// Rows of the table of operators on the console.
const OPERATORS: usize = 10;

/// Reads model and machines, estimates, shows, writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(file) = &args.llm.hf {
        return llm::run(file, args);
    }
    let semantics =
        if args.compat == Some(Compat::Upmem) { Semantics::Upmem } else { Semantics::Own };
    let Some(path) = args.model.as_deref().filter(|_| !args.list) else {
        return ignore_broken_pipe(listing::print(semantics));
    };
    if path.is_dir() {
        return measured::dump(path, args);
    }
    let mut model = match model::read(path, args)? {
        Input::Model(model) => *model,
        Input::Costs(text) => return measured::costs(path, &text, args),
    };
    settle(&mut model, semantics, args);
    let targets = targets::targets(&model, args)?;
    let workload = Workload::new(&model.operators, &model.settings)?;
    let estimates: Vec<Result<Estimate, EstimateError>> =
        targets.par_iter().map(|target| estimate(&workload, target)).collect();
    let estimates = estimates.into_iter().collect::<Result<Vec<Estimate>, EstimateError>>()?;
    let name = path.display().to_string();
    let setting = setting(&model);
    let comparison = Comparison {
        model: Untrusted::from(&name),
        setting: Untrusted::from(&setting),
        operators: &model.operators,
        estimates: &estimates,
    };
    finish(args, &comparison, &model)
}

/// Shows and writes.
fn finish(args: &Args, comparison: &Comparison<'_>, model: &Model) -> Result<()> {
    let show = |written: &[Written]| show(comparison, model, written);
    deliver(args, "estimate", || page(comparison), &(json(comparison)? + "\n"), show)
}

/// Writes page and JSON where `-o` says, and prints JSON, or what `show` prints.
fn deliver(
    args: &Args,
    name: &str,
    page: impl FnOnce() -> Text<Markup>,
    json: &str,
    show: impl FnOnce(&[Written]) -> Result<()>,
) -> Result<()> {
    let written = match &args.out {
        Some(dir) => {
            let out = output_directory(dir)?;
            let written = vec![
                out.write(&format!("{name}.html"), &page())?,
                out.write(&format!("{name}.json"), &ByLibrary(json.as_bytes()))?,
            ];
            out.publish()?;
            written
        }
        None => Vec::new(),
    };
    ignore_broken_pipe(if args.json {
        standard::json(json).map_err(anyhow::Error::from)
    } else {
        show(&written)
    })
}

/// What the command line says wins over the file.
fn settle(model: &mut Model, semantics: Semantics, args: &Args) {
    let settings = &mut model.settings;
    settings.semantics = semantics;
    settings.data_type = args.dtype.or(settings.data_type);
    settings.batch = args.batch.unwrap_or(settings.batch);
    settings.attention.kv_heads = args.kv_heads.or(settings.attention.kv_heads);
    settings.attention.window = args.sliding_window.or(settings.attention.window);
    if let Some(layer) = &args.last_layer {
        settings.last_layer.clone_from(layer);
    }
}

fn estimate(workload: &Workload<'_>, target: &Target) -> Result<Estimate, EstimateError> {
    Job { workload, machines: &target.machines, mapping: &target.mapping }.run(&target.name)
}

/// UPMEM's formulas have a rule for every class.
fn unknown_classes(model: &Model) -> Option<String> {
    let classes = &model.unknown_classes;
    let is_own = model.settings.semantics == Semantics::Own;
    (is_own && !classes.is_empty()).then(|| {
        format!(
            "unknown operators, counted as one operation per element, or as a linear layer with a matrix of weights: {}",
            classes.join(", ")
        )
    })
}

fn setting(model: &Model) -> String {
    let settings = &model.settings;
    let recorded = model.operators.iter().any(|operator| operator.data_type.is_some());
    let data_type = match settings.data_type {
        Some(data_type) => data_type.to_string(),
        None if recorded => "data types as recorded".to_owned(),
        None => DataType::Bf16.to_string(),
    };
    let formulas = if settings.semantics == Semantics::Upmem { ", formulas of UPMEM" } else { "" };
    format!("{data_type}, batch {}{formulas}", settings.batch)
}

fn show(comparison: &Comparison<'_>, model: &Model, written: &[Written]) -> Result<()> {
    let mut out = standard::out();
    put!(out, "{}\n", headline(comparison))?;
    put!(out, "{}\n", render(&target_table(comparison)))?;
    put!(out, "{}\n", render(&operator_table(comparison, OPERATORS)))?;
    let mut printed = std::collections::BTreeSet::new();
    let all = comparison.estimates.iter().flat_map(|estimate| &estimate.notes);
    let unknown = unknown_classes(model);
    for note in model.notes.iter().chain(&unknown).chain(all) {
        if printed.insert(note) {
            put!(out, "note: {}\n", note)?;
        }
    }
    if !written.is_empty() {
        put!(out, "Written:\n")?;
    }
    for line in written_lines(written, true) {
        put!(out, "  {}\n", line)?;
    }
    Ok(())
}
