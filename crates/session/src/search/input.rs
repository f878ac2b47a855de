//! What is searched: a graph on a machine, or a chain of measured layers.

use std::path::Path;

use bigtpu_format::{MOST_MODEL, read_given, read_given_text};
use bigtpu_machine::{
    DataType, Interconnect, MOST_DEVICES, Machine, PresetSet, read_machine_file, resolve_one,
};
use bigtpu_messages::{Message, error_message};
use bigtpu_model::costs::{MeasuredRun, PartChoice};
use bigtpu_model::graph::{Graph as Model, read_ff, read_onnx};
use bigtpu_predict::Links;
use bigtpu_predict::search::{SearchGraph, Splits, build_graph, read_graph_json};
use serde_json::Value;

use super::SearchRequest;
use super::error::{FileProblem, SearchFailure};
use super::links::{ChargedLinks, Known, LinkSource, Planned};
use super::options::{Kind, check, check_links, nodes_and_devices};
use crate::Unreadable;

/// Each device, and the type of elements, where nothing is said.
const USUAL_DEVICE: &str = "aks";
const USUAL_TYPE: &str = "float16";

/// What the file holds.
pub(super) enum Read {
    /// An operator graph, its machine, and what the reader assumed.
    Graph(Box<SearchGraph>, Planned, Vec<Message>),
    /// A measured run, and the machine's devices.
    Chain(MeasuredRun, Planned),
}

/// Reads the graph and the machine.
pub(super) fn read(request: &SearchRequest) -> Result<Read, SearchFailure> {
    let path = request.graph.as_path();
    let at = SearchFailure::file::<FileProblem>(path);
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let read = match extension.as_str() {
        "ff" => {
            check(request, Kind::Ff)?;
            read_ff(&text(path)?, &request.sizes.shapes()?)
        }
        "onnx" => {
            check(request, Kind::Onnx)?;
            let advice = error_message!("problem-give-onnx");
            let bytes = read_given(path, MOST_MODEL).map_err(Unreadable::from_io(path, advice))?;
            read_onnx(bytes, &request.sizes.dimensions(request.batch)?)
        }
        _ => return json(request),
    };
    let read = read.map_err(|error| at(error.into()))?;
    if request.flexflow_2018 {
        return Err(SearchFailure::NoCosts(path.to_owned()));
    }
    let device = device(request)?;
    let own = device.chip_to_chip;
    let (gbps, latency_ns) = (own.gbps, own.latency_ns);
    let links = Known { gbps, latency_ns, of: &device.name, source: LinkSource::Published };
    check_links(request, Kind::Ff)?;
    let mut planned = needed(request, &links)?;
    let machine = &mut planned.machine;
    let known = request.memory.or(machine.memory_bytes).or(device.memory_bytes);
    machine.memory_bytes = known.filter(|_| !request.ignore_memory);
    if machine.devices() > 1 && known.is_none() && !request.ignore_memory {
        return Err(SearchFailure::NoMemory(device.name));
    }
    let graph = model(request, &read, machine, &device).map_err(at)?;
    Ok(Read::Graph(Box::new(graph), planned, read.notes))
}

fn json(request: &SearchRequest) -> Result<Read, SearchFailure> {
    let path = request.graph.as_path();
    let at = SearchFailure::file::<FileProblem>(path);
    let text = text(path)?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| at(FileProblem::NoJson(error)))?;
    if MeasuredRun::is_one(&value) {
        check(request, Kind::Chain)?;
        check_links(request, Kind::Chain)?;
        let choice = PartChoice { kind: request.parts.as_deref(), phase: request.phase.as_deref() };
        let run = MeasuredRun::read(&value, choice).map_err(|error| at(error.into()))?;
        let chip = run.chip.clone().unwrap_or_else(|| "the measured chip".to_owned());
        let (gbps, source) = (run.link_gbps(), LinkSource::Measured);
        let links = Known { gbps, latency_ns: 0.0, of: &chip, source };
        let planned = needed(request, &links)?;
        return Ok(Read::Chain(run, planned));
    }
    check(request, Kind::Costed)?;
    check_links(request, Kind::Costed)?;
    let simulator_2018 = request.flexflow_2018;
    let (mut graph, own) =
        read_graph_json(&text, simulator_2018).map_err(|error| at(error.into()))?;
    let mut planned = match (machine(request, None)?, own) {
        (Some(planned), _) if !simulator_2018 => planned,
        (_, Some(own)) => {
            let machine = own.machine(simulator_2018).map_err(|error| at(error.into()))?;
            Planned { machine, links: None }
        }
        _ => return Err(SearchFailure::NoMachineOfGraph(path.to_owned())),
    };
    if request.only_data_parallel {
        for op in &mut graph.ops {
            let all = op.options.clone();
            op.options.retain(|split| split.dims.iter().skip(1).all(|&parts| parts == 1));
            if op.options.is_empty() {
                op.options = all;
            }
        }
    }
    let known = request.memory.or(planned.machine.memory_bytes);
    planned.machine.memory_bytes = known.filter(|_| !request.ignore_memory);
    Ok(Read::Graph(Box::new(graph), planned, Vec::new()))
}

fn model(
    request: &SearchRequest,
    read: &Model,
    machine: &Interconnect,
    device: &Machine,
) -> Result<SearchGraph, FileProblem> {
    let splits = Splits {
        parameters: request.parameter_parallel,
        attributes: request.attribute_parallel,
        only_data_parallel: request.only_data_parallel,
    };
    let text = request.data_type.as_deref().unwrap_or(USUAL_TYPE);
    let data_type: DataType =
        text.parse().map_err(|source| FileProblem::DataType { text: text.to_owned(), source })?;
    Ok(build_graph(read, machine.devices(), device, data_type, splits)?)
}

/// What one of the devices is.
fn device(request: &SearchRequest) -> Result<Machine, SearchFailure> {
    let name = request.on.as_deref().unwrap_or(USUAL_DEVICE);
    let device = resolve_one(name, PresetSet::All).map_err(SearchFailure::Device)?;
    if device.tflops <= 0.0 || device.memory.gbps.is_none() {
        return Err(SearchFailure::NoRoofs(name.to_owned()));
    }
    Ok(device)
}

fn needed(request: &SearchRequest, known: &Known<'_>) -> Result<Planned, SearchFailure> {
    machine(request, Some(known))?.ok_or(SearchFailure::NoMachine)
}

/// The machine, if it is given. Where nothing is known of links, those of FlexFlow's simple model are used where none are
/// given: its graphs have costs for such machines.
fn machine(
    request: &SearchRequest,
    known: Option<&Known<'_>>,
) -> Result<Option<Planned>, SearchFailure> {
    let of_device = known.map_or((None, 0.0), |known| (known.gbps, known.latency_ns));
    let links = Links::from_options(request.link_gbps, request.link_latency, of_device)?;
    let Some(text) = &request.machine else { return Ok(None) };
    let Some((nodes, devices)) = nodes_and_devices(text) else {
        let content = self::text(Path::new(text))?;
        let mut machine = read_machine_file(&content)
            .map_err(|source| SearchFailure::Machine { text: text.clone(), source })?;
        machine.memory_bytes = request.memory;
        let links = ChargedLinks::of_file(&machine);
        return Ok(Some(Planned { machine, links }));
    };
    let all = nodes.checked_mul(devices).unwrap_or(0);
    if all == 0 || all > MOST_DEVICES {
        return Err(SearchFailure::Devices { text: text.clone(), most: MOST_DEVICES });
    }
    let (mut machine, links) = match (links, known) {
        (Some(Links { bytes_per_ns, latency_ns }), _) => {
            let source = known.map_or(LinkSource::Assumed, |known| known.source);
            let links = ChargedLinks::new(request, source, bytes_per_ns, latency_ns);
            (Interconnect::uniform(nodes, devices, bytes_per_ns, latency_ns), Some(links))
        }
        (None, Some(known)) if all > 1 => {
            let (machine, of) = (text.clone(), known.of.to_owned());
            return Err(SearchFailure::UnknownLinks { machine, of });
        }
        (None, _) => (Interconnect::simple(nodes, devices), None),
    };
    machine.memory_bytes = request.memory;
    Ok(Some(Planned { machine, links: links.filter(|_| all > 1) }))
}

/// A file's text.
pub(super) fn text(path: &Path) -> Result<String, SearchFailure> {
    Ok(read_given_text(path, MOST_MODEL)
        .map_err(Unreadable::from_io(path, error_message!("problem-check-path")))?)
}
