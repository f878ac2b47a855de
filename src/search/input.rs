//! What is searched: a graph on a machine, or a chain of measured layers.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use bigtpu_machine::{
    DataType, Interconnect, MOST_DEVICES, Machine, PresetSet, read_machine_file, resolve_one,
};
use bigtpu_model::costs::{MeasuredRun, PartChoice};
use bigtpu_model::graph::{Graph as Model, read_ff, read_onnx};
use bigtpu_predict::search::{Graph, Splits, build_graph, read_graph_json};
use serde_json::Value;

use crate::args::search::{Args, CompatName};

/// What the file holds.
pub(super) enum Read {
    /// An operator graph and its machine.
    Graph(Box<Graph>, Interconnect),
    /// A measured run, and the machine's devices.
    Chain(MeasuredRun, Interconnect),
}

/// Reads the graph and the machine.
pub(super) fn read(args: &Args) -> Result<Read> {
    let path = &args.graph;
    let name = path.display();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let read = match extension.as_str() {
        "ff" => read_ff(&text(path)?, &bigtpu_session::Sizes::from(&args.sizes).shapes()?),
        "onnx" => {
            let bytes = std::fs::read(path)
                .map_err(|error| anyhow!("{name}: cannot be read ({error}); give an ONNX model"))?;
            read_onnx(bytes, &bigtpu_session::Sizes::from(&args.sizes).dimensions(args.batch)?)
        }
        _ => return json(args),
    };
    let read = read.map_err(|error| anyhow!("{name}: {error}"))?;
    if args.compat.is_some() {
        bail!("--compat flexflow2018 needs an operator graph with costs (JSON); {name} has none");
    }
    let device = device(args)?;
    let links = Links { measured: None, published: device.chip_to_chip.gbps, of: &device.name };
    let mut machine = needed(args, &links)?;
    let known = args.memory.or(machine.memory_bytes).or(device.memory_bytes);
    machine.memory_bytes = known.filter(|_| !args.ignore_memory);
    if machine.devices() > 1 && known.is_none() && !args.ignore_memory {
        bail!(
            "the memory of {} is not known; give it with --memory, or leave memory out with --ignore-memory",
            device.name
        );
    }
    let graph =
        model(args, &read, &machine, &device).map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(Read::Graph(Box::new(graph), machine))
}

fn json(args: &Args) -> Result<Read> {
    let name = args.graph.display();
    let text = text(&args.graph)?;
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| anyhow!("{name}: is neither .ff nor .onnx nor JSON ({error})"))?;
    if MeasuredRun::is_one(&value) {
        let choice = PartChoice { kind: args.parts.as_deref(), phase: args.phase.as_deref() };
        let run = MeasuredRun::read(&value, choice).map_err(|error| anyhow!("{name}: {error}"))?;
        let chip = run.chip.clone().unwrap_or_else(|| "the measured chip".to_owned());
        let links = Links { measured: run.link_gbps(), published: None, of: &chip };
        let machine = needed(args, &links)?;
        return Ok(Read::Chain(run, machine));
    }
    let simulator_2018 = args.compat == Some(CompatName::Flexflow2018);
    let (mut graph, own) =
        read_graph_json(&text, simulator_2018).map_err(|error| anyhow!("{name}: {error}"))?;
    let mut machine = match (machine(args, None)?, own) {
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

fn model(args: &Args, read: &Model, machine: &Interconnect, device: &Machine) -> Result<Graph> {
    let splits = Splits {
        parameters: args.enable_parameter_parallel,
        attributes: args.enable_attribute_parallel,
        only_data_parallel: args.only_data_parallel,
    };
    let data_type: DataType =
        args.dtype.parse().map_err(|error| anyhow!("--dtype {}: {error}", args.dtype))?;
    Ok(build_graph(read, machine.devices(), device, data_type, splits)?)
}

/// What one of the devices is.
fn device(args: &Args) -> Result<Machine> {
    let device = resolve_one(&args.on, PresetSet::All).map_err(|error| anyhow!("--on: {error}"))?;
    if device.tflops <= 0.0 || device.memory.gbps.is_none() {
        bail!(
            "--on {}: its peak or its memory's bandwidth is not known; name another machine",
            args.on
        );
    }
    Ok(device)
}

/// What is known of the links between devices without `--link-gbps`.
struct Links<'a> {
    /// By a dump, in GB/s.
    measured: Option<f64>,
    /// By the description of the device, in GB/s.
    published: Option<f64>,
    /// Whose links they are.
    of: &'a str,
}

fn needed(args: &Args, links: &Links<'_>) -> Result<Interconnect> {
    machine(args, Some(links))?.ok_or_else(|| anyhow!("the machine is missing; give nodes x devices with --machine, such as 1x4, or a machine file"))
}

/// The machine of `--machine`, if it is given. Without `links`, those of FlexFlow's simple model are used where none are
/// given: its graphs have costs for such machines.
fn machine(args: &Args, links: Option<&Links<'_>>) -> Result<Option<Interconnect>> {
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
            let known = links.and_then(|links| links.measured.or(links.published));
            let latency = args.link_latency.unwrap_or(0.0);
            match (args.link_gbps.or(known), links) {
                (Some(gbps), _) if gbps.is_finite() && gbps > 0.0 && latency >= 0.0 => {
                    Interconnect::uniform(nodes, devices, gbps, latency)
                }
                (Some(_), _) => bail!("--link-gbps must be above 0, and --link-latency 0 or more"),
                (None, Some(links)) if all > 1 => bail!(
                    "--machine {text}: the links between devices of {} are not known; give their bandwidth with --link-gbps (and --link-latency), or a machine file",
                    links.of
                ),
                (None, _) => Interconnect::simple(nodes, devices),
            }
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
