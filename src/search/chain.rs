//! A chain of measured layers: the best stages, found exactly and shown as a pipeline.

use anyhow::{Result, anyhow};
use bigtpu_emit_predict::pipeline::{Labels, Titled};
use bigtpu_machine::Interconnect;
use bigtpu_model::costs::{MeasuredPart, MeasuredRun};
use bigtpu_output::{Lines, Text, Untrusted, put, text};
use bigtpu_predict::pipeline::{Cost, CostPer, Plan, Report, Schedule, StageCosts, Work};
use bigtpu_predict::search::{ChainMachine, ChainPart, ChainPlan, best_chain};
use bigtpu_session::output_directory;

use super::output::{print, print_json, table};
use crate::args::search::Args;
use crate::console::render;
use crate::written::written_lines;

/// Layers of a chain.
const MOST_PARTS: usize = 2000;

/// Searches, shows and writes.
pub(super) fn run(args: &Args, measured: &MeasuredRun, machine: Interconnect) -> Result<()> {
    let name = args.graph.display();
    let parts = &measured.parts;
    if parts.len() > MOST_PARTS {
        return Err(anyhow!(
            "{name}: has {} parts; at most {MOST_PARTS} are supported",
            parts.len()
        ));
    }
    let devices = machine.devices();
    let unknown = |of: fn(&MeasuredPart) -> Option<u64>| parts.iter().any(|p| of(p).is_none());
    if devices > 1 && args.handed_bytes.is_none() && unknown(|part| part.activation_bytes) {
        return Err(anyhow!(
            "{name}: does not say how many bytes its parts hand on, so no communication can be charged; give them with --handed-bytes, or measure layers"
        ));
    }
    let needs_are_known = parts.iter().any(|part| part.weight_bytes.is_some());
    if devices > 1 && !args.ignore_memory {
        match (args.memory, needs_are_known) {
            (_, false) => {
                return Err(anyhow!(
                    "{name}: does not say how much memory its parts need, so no plan can be checked; measure layers, or leave memory out with --ignore-memory"
                ));
            }
            (None, true) => {
                return Err(anyhow!(
                    "{name}: the memory of a device is not known; give it with --memory, or leave memory out with --ignore-memory"
                ));
            }
            (Some(_), true) => {}
        }
    }
    let divides_layers = parts.iter().all(|part| part.engines_known);
    let part = |part: &MeasuredPart| ChainPart {
        name: part.name.clone(),
        ns: part.pass_ns(),
        fixed_ns: part.idle_ns() * part.times,
        weight_bytes: part.weight_bytes.unwrap_or(0),
        activation_bytes: part.activation_bytes.or(args.handed_bytes).unwrap_or(0),
    };
    let parts: Vec<ChainPart> = parts.iter().map(part).collect();
    let (intra, cross) = machine.sync_bytes_per_ms();
    let slowest = if machine.nodes > 1 { intra.min(cross) } else { intra };
    let devices = ChainMachine {
        devices,
        bytes_per_ns: slowest / 1e6,
        latency_ns: args.link_latency.unwrap_or(0.0),
        memory_bytes: args.memory,
        microbatches: args.microbatches,
        divides_layers,
    };
    let plan = best_chain(&parts, devices).ok_or_else(|| {
        anyhow!(
            "{name}: no plan fits the memory of {} devices; give more devices or memory",
            devices.devices
        )
    })?;
    let report = pipeline(&plan)?;
    let one_device = parts.iter().map(|part| part.ns).sum::<f64>() * f64::from(plan.microbatches);
    if args.json {
        let value = serde_json::json!({
            "schema_version": 1,
            "devices": devices.devices,
            "one_device_ms": one_device / 1e6,
            "best_ms": plan.ns as f64 / 1e6,
            "microbatches": plan.microbatches,
            "stages": plan.stages,
            "link_gbps": devices.bytes_per_ns,
            "link_latency_ns": devices.latency_ns,
            "bubble_ratio": report.bubble_ratio,
            "memory_is_known": parts.iter().any(|part| part.weight_bytes > 0),
        });
        return print_json(&serde_json::to_string(&value)?);
    }
    let mut text = shown(&parts, &plan, one_device, report.bubble_ratio);
    if devices.devices > 1 {
        put!(
            text,
            "links: {} GB/s, {} ns of latency; a microbatch is one measured pass\n",
            devices.bytes_per_ns,
            devices.latency_ns
        );
    }
    if !divides_layers && devices.devices > 1 {
        text.own("note: the file does not say how long the engines worked, so no layer is divided over devices\n");
    }
    if devices.devices > 1 && args.memory.is_none() {
        text.own("note: memory is not checked\n");
    }
    if let Some(dir) = &args.out {
        let out = output_directory(dir)?;
        let stages = plan.stages.iter().map(|stage| names(&parts, stage.layers).into()).collect();
        let rows = plan.stages.iter().enumerate().map(|(at, stage)| match stage.tensor_parallel {
            1 => format!("Stage {at}"),
            devices => format!("Stage {at} (x {devices})"),
        });
        let labels =
            Labels { unit: "ns".into(), stages, rows: rows.map(Untrusted::from).collect() };
        let titled = Titled { title: "best chain".into(), report };
        let written = bigtpu_emit_predict::pipeline::write(&[titled], &labels, &out)?;
        out.publish()?;
        for line in written_lines(&written, true) {
            put!(text, "written: {}\n", line);
        }
    }
    print(text)
}

/// The plan as a pipeline of forward passes.
fn pipeline(plan: &ChainPlan) -> Result<Report> {
    let costs = plan.stages.iter().map(|stage| Cost::new(stage.ns, 0, 0)).collect();
    let plan = Plan {
        costs: StageCosts::Stages(costs, CostPer::Stage),
        work: Work::Inference,
        ..Plan::uniform(Schedule::OneForwardOneBackward, 0, plan.microbatches, Cost::default())
    };
    Ok(Report::of(&plan, None)?)
}

fn names(parts: &[ChainPart], layers: [usize; 2]) -> String {
    let [first, last] =
        layers.map(|at| parts.get(at).map(|part| part.name.as_str()).unwrap_or_default());
    if first == last { first.to_owned() } else { format!("{first} to {last}") }
}

fn shown(parts: &[ChainPart], plan: &ChainPlan, one_device: f64, bubble: f64) -> Text<Lines> {
    let rows = plan.stages.iter().enumerate().map(|(number, stage)| {
        vec![
            number.to_string(),
            names(parts, stage.layers),
            stage.tensor_parallel.to_string(),
            format!("{:.3}", stage.ns as f64 / 1e3),
            format!("{:.1}", stage.bytes as f64 / 1_048_576.0),
        ]
    });
    let header =
        ["Stage", "Layers", "Devices", "Time of a microbatch (us)", "Memory of a device (MiB)"];
    let table = table("Best stages", &header, rows.collect());
    let best = plan.ns as f64;
    text!(
        "{}\n{} {}: {:.6} ms, {:.6} ms on one device (speedup {:.2}); bubble {:.1} %\n",
        render(&table),
        plan.microbatches,
        if plan.microbatches == 1 { "microbatch" } else { "microbatches" },
        best / 1e6,
        one_device / 1e6,
        if best > 0.0 { one_device / best } else { 1.0 },
        bubble * 100.0
    )
}
