//! Operator graphs as JSON, with the measured or given cost of each way to split an operator.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use serde::Deserialize;

use crate::search::error::StrategyError;
use crate::search::graph::{Input, OperatorSplit, SearchGraph, SearchOperator, Weights};
use bigtpu_machine::{Interconnect, MOST_DEVICES};

/// Operators that a graph may have, and ways to split one.
const MOST_OPS: usize = 100_000;
const MOST_OPTIONS: usize = 256;
/// Parts of an operator.
const MOST_PARTS: u32 = MOST_DEVICES;
const MOST_ELEMENTS: u64 = 1 << 48;

#[derive(Deserialize)]
struct File {
    machine: Option<FileMachine>,
    ops: Vec<FileOp>,
}

/// The machine that a graph's file names.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FileMachine {
    /// Nodes.
    pub nodes: u32,
    /// Devices of each node.
    pub workers_per_node: u32,
    /// Bandwidth within a node.
    pub intra_bytes_per_ms: f64,
    /// Bandwidth between nodes.
    pub cross_bytes_per_ms: f64,
    /// Bytes of an element; the 2018 simulator multiplies them by the steps of a sequence.
    #[serde(default = "four", alias = "element_bytes")]
    pub element_bytes_times_seq: u64,
}

fn four() -> u64 {
    4
}

impl FileMachine {
    /// The machine; `simulator_2018` with the links of the 2018 simulator.
    ///
    /// # Errors
    /// Sizes or bandwidths that are nothing or absurd.
    pub fn machine(&self, simulator_2018: bool) -> Result<Interconnect, StrategyError> {
        let devices = self.nodes.saturating_mul(self.workers_per_node);
        if devices == 0 || devices > MOST_DEVICES {
            return Err(StrategyError::whole(error_message!(
                "problem-devices",
                devices,
                most = MOST_DEVICES
            )));
        }
        for speed in [self.intra_bytes_per_ms, self.cross_bytes_per_ms] {
            if !speed.is_finite() || speed <= 0.0 {
                return Err(StrategyError::whole(error_message!(
                    "problem-search-bandwidth",
                    speed
                )));
            }
        }
        let make = if simulator_2018 {
            Interconnect::simulator_2018
        } else {
            Interconnect::with_bandwidths
        };
        Ok(make(
            self.nodes,
            self.workers_per_node,
            self.intra_bytes_per_ms,
            self.cross_bytes_per_ms,
        ))
    }
}

#[derive(Deserialize)]
struct FileOp {
    id: i64,
    name: String,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    inputs: Vec<FileInput>,
    outputs: Vec<Vec<u64>>,
    #[serde(default = "none")]
    param_group: i64,
    #[serde(default)]
    weight_bytes: u64,
    options: Vec<FileOption>,
}

fn none() -> i64 {
    -1
}

#[derive(Deserialize)]
struct FileInput {
    from: i64,
    #[serde(default)]
    output: usize,
    shape: Vec<u64>,
}

#[derive(Deserialize)]
struct FileOption {
    dims: Vec<u32>,
    ms: f64,
    #[serde(default)]
    estimated: bool,
}

/// Reads a graph, and the machine that its file names. `simulator_2018`: a consumer's own shape counts, as in the 2018
/// simulator, whose concatenations keep the owner of their first input.
///
/// # Errors
/// No such JSON, or a node that can't be: an input from nowhere or from a later node (a cycle), a shape that does not
/// fit, a negative cost, an absurd size.
pub fn read_graph_json(
    text: &str,
    simulator_2018: bool,
) -> Result<(SearchGraph, Option<FileMachine>), StrategyError> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        StrategyError::whole(error_message!("problem-search-graph", reason = error.reason()))
    })?;
    if file.ops.is_empty() || file.ops.len() > MOST_OPS {
        return Err(StrategyError::whole(error_message!(
            "problem-search-operators",
            count = file.ops.len(),
            most = MOST_OPS
        )));
    }
    let position: std::collections::HashMap<i64, usize> =
        file.ops.iter().enumerate().map(|(at, op)| (op.id, at)).collect();
    let mut ops: Vec<SearchOperator> = Vec::with_capacity(file.ops.len());
    for (at, op) in file.ops.iter().enumerate() {
        if position.get(&op.id) != Some(&at) {
            return Err(StrategyError::node(
                &op.name,
                error_message!("problem-search-id", id = op.id),
            ));
        }
        let inputs =
            op.inputs.iter().map(|input| self::input(op, input, &position, &ops, simulator_2018));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        for shape in &op.outputs {
            check_shape(&op.name, shape)?;
        }
        let options = options(op)?;
        let weights = (op.param_group >= 0).then(|| Weights {
            group: op.param_group,
            bytes: op.weight_bytes,
            by_channel: op.kind == "linear",
            favours_reuse: matches!(op.kind.as_str(), "lstm" | "embed" | "linear"),
        });
        ops.push(SearchOperator {
            id: op.id,
            name: op.name.clone(),
            kind: op.kind.clone(),
            inputs,
            outputs: op.outputs.clone(),
            weights,
            options,
        });
    }
    let element_bytes = file.machine.as_ref().map_or(4, |machine| machine.element_bytes_times_seq);
    Ok((SearchGraph { ops, element_bits: element_bytes.saturating_mul(8) }, file.machine))
}

fn input(
    op: &FileOp,
    input: &FileInput,
    position: &std::collections::HashMap<i64, usize>,
    before: &[SearchOperator],
    simulator_2018: bool,
) -> Result<Input, StrategyError> {
    check_shape(&op.name, &input.shape)?;
    let wrong = |problem: Message| StrategyError::node(&op.name, problem);
    let from = if input.from < 0 {
        None
    } else {
        let at = position.get(&input.from).copied();
        let at =
            at.ok_or_else(|| wrong(error_message!("problem-search-no-node", node = input.from)))?;
        let producer = before
            .get(at)
            .ok_or_else(|| wrong(error_message!("problem-search-order", node = input.from)))?;
        let made = producer.outputs.get(input.output).ok_or_else(|| {
            wrong(error_message!(
                "problem-search-output",
                output = input.output,
                node = producer.name,
                count = producer.outputs.len()
            ))
        })?;
        if made != &input.shape && !simulator_2018 {
            return Err(wrong(error_message!(
                "problem-search-shapes",
                shape = format_args!("{:?}", input.shape),
                node = producer.name,
                made = format_args!("{made:?}")
            )));
        }
        Some((at, input.output))
    };
    Ok(Input { from, shape: input.shape.clone(), elementwise: false })
}

pub(crate) fn check_shape(node: &str, shape: &[u64]) -> Result<(), StrategyError> {
    let elements = shape.iter().try_fold(1_u64, |product, &length| product.checked_mul(length));
    match elements {
        Some(elements) if elements > 0 && elements <= MOST_ELEMENTS && !shape.is_empty() => Ok(()),
        _ => Err(StrategyError::node(
            node,
            error_message!("problem-search-shape", shape = format_args!("{shape:?}")),
        )),
    }
}

fn options(op: &FileOp) -> Result<Vec<OperatorSplit>, StrategyError> {
    let wrong = |problem: Message| Err(StrategyError::node(&op.name, problem));
    if op.options.is_empty() || op.options.len() > MOST_OPTIONS {
        return wrong(error_message!(
            "problem-search-options",
            count = op.options.len(),
            most = MOST_OPTIONS
        ));
    }
    let mut options = Vec::with_capacity(op.options.len());
    for option in &op.options {
        let parts =
            option.dims.iter().try_fold(1_u32, |product, &count| product.checked_mul(count));
        if parts.is_none_or(|parts| parts == 0 || parts > MOST_PARTS) || option.dims.is_empty() {
            return wrong(error_message!(
                "problem-search-parts",
                dims = format_args!("{:?}", option.dims),
                most = MOST_PARTS
            ));
        }
        if !option.ms.is_finite() || option.ms < 0.0 || option.ms > 1e9 {
            return wrong(error_message!(
                "problem-search-cost",
                ms = option.ms,
                dims = format_args!("{:?}", option.dims)
            ));
        }
        let ps = (option.ms * 1e9).round() as u64;
        options.push(OperatorSplit { dims: option.dims.clone(), ps, estimated: option.estimated });
    }
    Ok(options)
}
