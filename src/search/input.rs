//! What is searched: a graph on a machine, or a chain of measured layers.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use bigtpu_hardware::{DataType, PresetSet, nearest_preset, preset};
use bigtpu_model_graph::{Graph as Model, read_ff, read_onnx};
use bigtpu_pipeline::{MeasuredPart, PartChoice, measured_parts};
use bigtpu_strategy::{
    Graph, MOST_DEVICES, Machine, Rates, Splits, build_graph, read_graph_json, read_machine_file,
};
use serde_json::Value;

use crate::args::search::{Args, CompatName};
use crate::estimate::{dimensions, shape};

/// What the file holds.
pub(super) enum Read {
    /// An operator graph and its machine.
    Graph(Box<Graph>, Machine),
    /// Measured parts, and the machine's devices.
    Chain(Vec<MeasuredPart>, Machine),
}

/// Reads the graph and the machine.
pub(super) fn read(args: &Args) -> Result<Read> {
    let path = &args.graph;
    let name = path.display();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let read = match extension.as_str() {
        "ff" => {
            let shapes =
                args.input_shape.iter().map(|text| shape(text)).collect::<Result<Vec<_>>>()?;
            read_ff(&text(path)?, &shapes)
        }
        "onnx" => {
            let bytes = std::fs::read(path)
                .map_err(|error| anyhow!("{name}: cannot be read ({error}); give an ONNX model"))?;
            read_onnx(bytes, &dimensions(args.batch, &args.dim, &args.input_shape)?)
        }
        _ => return json(args),
    };
    let read = read.map_err(|error| anyhow!("{name}: {error}"))?;
    if args.compat.is_some() {
        bail!("--compat flexflow2018 needs an operator graph with costs (JSON); {name} has none");
    }
    let machine = needed(args)?;
    let graph = model(args, &read, &machine).map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(Read::Graph(Box::new(graph), machine))
}

fn json(args: &Args) -> Result<Read> {
    let name = args.graph.display();
    let text = text(&args.graph)?;
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| anyhow!("{name}: is neither .ff nor .onnx nor JSON ({error})"))?;
    if value.get("parts").is_some() && value.get("ops").is_none() {
        let choice = PartChoice { kind: args.parts.as_deref(), phase: args.phase.as_deref() };
        let parts = measured_parts(&value, choice).map_err(|error| anyhow!("{name}: {error}"))?;
        return Ok(Read::Chain(parts, needed(args)?));
    }
    let (mut graph, own) = read_graph_json(&text).map_err(|error| anyhow!("{name}: {error}"))?;
    let simulator_2018 = args.compat == Some(CompatName::Flexflow2018);
    let mut machine = match (machine(args)?, own) {
        (Some(machine), _) if !simulator_2018 => machine,
        (_, Some(own)) => {
            own.machine(simulator_2018).map_err(|error| anyhow!("{name}: {error}"))?
        }
        _ => bail!("{name} names no machine; give one with --machine, such as 2x4"),
    };
    if args.only_data_parallel {
        for op in &mut graph.ops {
            let all = op.options.clone();
            op.options.retain(|split| split.dims.iter().skip(1).all(|&parts| parts == 1));
            if op.options.is_empty() {
                op.options = all;
            }
        }
    }
    machine.memory_bytes = args.memory.or(machine.memory_bytes);
    Ok(Read::Graph(Box::new(graph), machine))
}

fn model(args: &Args, read: &Model, machine: &Machine) -> Result<Graph> {
    let splits = Splits {
        parameters: args.enable_parameter_parallel,
        attributes: args.enable_attribute_parallel,
        only_data_parallel: args.only_data_parallel,
    };
    Ok(build_graph(read, machine.devices(), rates(args)?, splits)?)
}

fn rates(args: &Args) -> Result<Rates> {
    let hardware = preset(&args.on, PresetSet::All).ok_or_else(|| {
        let near = nearest_preset(&args.on, PresetSet::All);
        anyhow!("--on {}: unknown machine; the nearest name is {near}", args.on)
    })?;
    let data_type: DataType =
        args.dtype.parse().map_err(|error| anyhow!("--dtype {}: {error}", args.dtype))?;
    let (tflops, _) = hardware.peak(data_type);
    let memory = hardware.memory.gbps.unwrap_or(0.0);
    if tflops <= 0.0 || memory <= 0.0 {
        bail!(
            "--on {}: its peak or its memory's bandwidth is not known; name another machine",
            args.on
        );
    }
    Ok(Rates {
        flops: tflops * 1e12,
        memory: memory * 1e9,
        launch_ns: hardware.launch_ns,
        element_bytes: (data_type.bytes().ceil() as u64).max(1),
    })
}

fn needed(args: &Args) -> Result<Machine> {
    machine(args)?.ok_or_else(|| anyhow!("the machine is missing; give nodes x devices with --machine, such as 1x4, or a machine file"))
}

/// The machine of `--machine`, if it is given.
fn machine(args: &Args) -> Result<Option<Machine>> {
    let Some(text) = &args.machine else { return Ok(None) };
    let sizes = text.split_once('x').and_then(|(nodes, devices)| {
        Some((nodes.parse::<u32>().ok()?, devices.parse::<u32>().ok()?))
    });
    let mut machine = match sizes {
        Some((nodes, devices)) => {
            let all = nodes.checked_mul(devices).unwrap_or(0);
            if all == 0 || all > MOST_DEVICES {
                bail!("--machine {text}: must have 1 to {MOST_DEVICES} devices");
            }
            Machine::simple(nodes, devices)
        }
        None => {
            let content = self::text(Path::new(text))?;
            read_machine_file(&content).map_err(|error| anyhow!("{text}: {error}"))?
        }
    };
    machine.memory_bytes = args.memory;
    Ok(Some(machine))
}

/// A file's text.
pub(super) fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| anyhow!("{}: cannot be read ({error}); check the path", path.display()))
}
