//! `estimate --hf`: language models.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use bigtpu_answers::Bound;
use bigtpu_emit_predict::estimate::llm::{
    LlmComparison, headline, json, memory_table, page, time_table,
};
use bigtpu_emit_predict::estimate::operator_table;
use bigtpu_machine::{DataType, Machine};
use bigtpu_model::llm::{Architecture, Request, Split, Types, parameters};
use bigtpu_output::{Untrusted, Written, put};
use bigtpu_predict::Links;
use bigtpu_predict::estimate::llm::{Efficiencies, LlmEstimate, LlmJob, MeasuredKernel};
use bigtpu_session::Session;
use bigtpu_session::dumps::open_only;

use super::targets::machines;
use super::{OPERATORS, deliver};
use crate::args::estimate::Args;
use crate::console::render;
use crate::standard;
use crate::written::written_lines;

/// Reads the model, estimates it on all targets in all settings, shows, writes.
pub(super) fn run(file: &Path, args: &Args) -> Result<()> {
    if let Some(other) = &args.model {
        bail!("{}: --hf names the model; leave this file out", other.display());
    }
    let (file, model) = read(file)?;
    let name = file.display().to_string();
    let named = |error: &dyn std::fmt::Display| anyhow!("{name}: {error}");
    let types = types(&model, args).map_err(|error| named(&error))?;
    let machines = machines(args)?;
    let splits = splits(&model, args).map_err(|error| named(&error))?;
    let efficiencies = args.llm.calibrate.as_deref().map(efficiencies).transpose()?;
    let mut found = Vec::new();
    for machine in &machines {
        for &split in &splits {
            for &types in &types {
                let job = LlmJob {
                    model: &model,
                    request: request(args),
                    split,
                    types,
                    machine,
                    links: links(args, machine)?,
                    memory_bytes: args.llm.memory,
                    efficiencies: efficiencies.as_ref(),
                };
                let weights = types.weights;
                let target = if args.llm.weight_dtype.len() > 1 {
                    format!("{}, {weights}", machine.name)
                } else {
                    machine.name.clone()
                };
                found.push(job.run(&target)?);
            }
        }
    }
    let whole = types.first().map_or(0.0, |types| parameters(&model, *types));
    let comparison = LlmComparison {
        model: Untrusted::from(&name),
        family: Untrusted::from(&model.model_type),
        parameters: whole,
        notes: &model.notes,
        found: &found,
    };
    let show = |written: &[Written]| show(&comparison, written);
    deliver(args, "llm", || page(&comparison), &(json(&comparison)? + "\n"), show)
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
    let at_peaks = |found: &LlmEstimate| !found.calibrated;
    if comparison.found.iter().any(at_peaks) {
        put!(
            out,
            "note: what was not measured runs at its machine's peaks: such times are lower bounds\n"
        )?;
    }
    if !written.is_empty() {
        put!(out, "Written:\n")?;
    }
    for line in written_lines(written, true) {
        put!(out, "  {}\n", line)?;
    }
    Ok(())
}

/// The file, which may be in the directory that is given.
fn read(path: &Path) -> Result<(PathBuf, Architecture)> {
    let file = if path.is_dir() { path.join("config.json") } else { path.to_owned() };
    let name = file.display();
    let text = std::fs::read_to_string(&file).map_err(|error| {
        anyhow!("{name}: cannot be read ({error}); give a model's config.json to --hf")
    })?;
    let model = Architecture::parse(&text).map_err(|error| anyhow!("{name}: {error}"))?;
    Ok((file, model))
}

fn request(args: &Args) -> Request {
    Request {
        batch: args.batch.unwrap_or(1),
        context: args.llm.context,
        output_tokens: args.llm.output_tokens,
    }
}

/// Types of elements, one for each of `--weight-dtype`.
fn types(model: &Architecture, args: &Args) -> Result<Vec<Types>> {
    let activations = args.dtype.or(model.data_type).ok_or_else(|| {
        anyhow!("the field `torch_dtype` is missing; give the type of elements with --dtype")
    })?;
    let cache = args.llm.kv_dtype.unwrap_or(activations);
    let own: Vec<DataType> = if args.llm.weight_dtype.is_empty() {
        vec![model.weight_type.unwrap_or(activations)]
    } else {
        args.llm.weight_dtype.clone()
    };
    Ok(own.into_iter().map(|weights| Types { activations, weights, cache }).collect())
}

/// All combinations of degrees of parallelism.
fn splits(model: &Architecture, args: &Args) -> Result<Vec<Split>> {
    let mut splits = Vec::new();
    for &tensor in &args.llm.tensor_parallel {
        for &pipeline in &args.llm.pipeline_parallel {
            for &experts in &args.llm.expert_parallel {
                let split = Split { tensor, pipeline, experts };
                split.check(model)?;
                splits.push(split);
            }
        }
    }
    Ok(splits)
}

/// Links that were given; their latency may be that of the machine.
fn links(args: &Args, machine: &Machine) -> Result<Option<Links>> {
    let own = machine.chip_to_chip;
    let latency_ns = args.llm.link_latency.unwrap_or(own.latency_ns);
    let given = args.llm.link_gbps.or(args.llm.link_latency.and(own.gbps));
    let Some(bytes_per_ns) = given else { return Ok(None) };
    let is_possible = |value: f64| value.is_finite() && value >= 0.0;
    if !is_possible(bytes_per_ns) || bytes_per_ns == 0.0 || !is_possible(latency_ns) {
        bail!("--link-gbps must be above 0, and --link-latency 0 or more");
    }
    Ok(Some(Links { bytes_per_ns, latency_ns }))
}

/// What the kernels of a dump, or the layers of a static model, reached of the roofs.
fn efficiencies(path: &Path) -> Result<Efficiencies> {
    let name = path.display();
    let session = Session::default();
    let dump = open_only(path, &session, &standard::note)?;
    let run = session.analyze(&dump);
    let rooflines = &run.analysis.report.roofline;
    let rows = if rooflines.kernels.is_empty() { &rooflines.layers } else { &rooflines.kernels };
    let counted = rows.iter().filter(|row| row.known > 0.0 && row.bound != Bound::Implausible);
    let kernels: Vec<MeasuredKernel> = counted
        .map(|row| MeasuredKernel {
            name: row.kernel.clone(),
            ns: row.ns as f64,
            compute_ns: row.ideal_compute_ns as f64,
            memory_ns: row.ideal_ddr_ns as f64,
        })
        .collect();
    let found = Efficiencies::of(dump.chip.name, &kernels);
    if found.is_empty() {
        bail!(
            "{name}: no kernel or layer with full bits has a name that shows what it computes, so nothing can be calibrated; capture with PMU mode 2"
        );
    }
    Ok(found)
}
