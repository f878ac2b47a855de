//! Models as operator graphs: ways to split each operator, with estimated costs.

use bigtpu_machine::{DataType, Machine};
use bigtpu_messages::error_message;
use bigtpu_model::graph::{Graph as Model, Node, Operator};
use bigtpu_model::{Operator as Computed, OperatorPlace, elements, graph_flows, node_operator};

use crate::estimate::Rates;
use crate::estimate::expected::{Coefficients, Overlap};
use crate::search::error::StrategyError;
use crate::search::graph::{
    Input, OperatorShape, OperatorSplit, SearchGraph, SearchOperator, Weights,
};
use crate::search::graph_json::check_shape;
use bigtpu_machine::MOST_DEVICES;

/// Which splits are tried besides those of the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Splits {
    /// Channels of linear operators and embeddings, with their weights, and of softmax.
    pub parameters: bool,
    /// Heights of images.
    pub attributes: bool,
    /// Only splits of the batch, whatever else is said.
    pub only_data_parallel: bool,
}

/// Makes the operator graph of a model. Inputs and outputs cost nothing: who reads them reads what they represent.
///
/// # Errors
/// A tensor of an absurd size, or a model without operators.
pub fn build_graph(
    model: &Model,
    devices: u32,
    machine: &Machine,
    data_type: DataType,
    splits: Splits,
) -> Result<SearchGraph, StrategyError> {
    let rates = Rates::new(machine, data_type, &Coefficients::fitted());
    // The same operators as estimates have, so that one device takes the estimated time.
    let flows = graph_flows(model);
    let made = |(id, (node, flow)): (usize, (&Node, OperatorPlace))| {
        Some(Computed { flow, ..node_operator(model, node, id as u64)? })
    };
    let operators: Vec<Option<Computed>> =
        model.nodes.iter().zip(flows).enumerate().map(made).collect();
    let pricing = Pricing {
        overlap: rates.overlap(operators.iter().flatten()),
        rates,
        data_type,
        start_ns: rates.start(),
    };
    let first = operators.iter().position(|operator| operator.is_some());
    let mut ops: Vec<SearchOperator> = Vec::new();
    // The operator that represents each node, if any.
    let mut represents: Vec<Option<usize>> = Vec::with_capacity(model.nodes.len());
    for (at, (node, operator)) in model.nodes.iter().zip(&operators).enumerate() {
        for shape in &node.outputs {
            check_shape(&node.name, shape)?;
        }
        let of_node = |at: usize| represents.get(at).copied().flatten();
        if matches!(node.operator, Operator::Input | Operator::Output) {
            represents.push(node.inputs.first().and_then(|source| of_node(source.node)));
            continue;
        }
        let elementwise = matches!(
            node.operator,
            Operator::Activation(_)
                | Operator::Elementwise(_)
                | Operator::Identity
                | Operator::Norm(_)
        );
        let inputs = node.inputs.iter().filter_map(|&source| {
            let shape = model.shape(source)?.clone();
            let elementwise = elementwise && node.outputs.first() == Some(&shape);
            Some(Input {
                from: of_node(source.node).map(|at| (at, source.output)),
                shape,
                elementwise,
            })
        });
        let inputs: Vec<Input> = inputs.collect();
        represents.push(Some(ops.len()));
        let start_ns = if first == Some(at) { pricing.start_ns } else { 0.0 };
        let priced = Priced { operator: operator.as_ref(), start_ns, pricing: &pricing };
        ops.push(op(node, ops.len(), inputs, devices, &priced, splits));
    }
    if ops.is_empty() {
        return Err(StrategyError::whole(error_message!("problem-search-empty")));
    }
    Ok(SearchGraph { ops, element_bits: u64::from(data_type.bits()) })
}

/// What the parts of operators take.
struct Pricing<'a> {
    rates: Rates<'a>,
    /// How all operators together overlap, on a chip whose units are known.
    overlap: Option<Overlap>,
    data_type: DataType,
    /// ns of an execution of the model, whatever it computes.
    start_ns: f64,
}

/// An operator with what its parts take; views and outputs have none.
struct Priced<'a> {
    operator: Option<&'a Computed>,
    /// ns before the first operator.
    start_ns: f64,
    pricing: &'a Pricing<'a>,
}

impl Priced<'_> {
    fn part_ns(&self, parts: f64, slices: f64) -> f64 {
        let Pricing { rates, overlap, .. } = self.pricing;
        let own = self.operator.map(|o| rates.part_ns(o, parts, slices, overlap.as_ref()));
        own.map_or(0.0, |ns| ns + self.start_ns)
    }
}

fn op(
    node: &Node,
    number: usize,
    inputs: Vec<Input>,
    devices: u32,
    priced: &Priced<'_>,
    splits: Splits,
) -> SearchOperator {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let by_channel = matches!(node.operator, Operator::Linear { .. } | Operator::Embedding);
    let weights: f64 = node.weights.iter().map(|shape| elements(shape)).sum();
    let weight_bytes = (weights * priced.pricing.data_type.bytes()).ceil().min(1e18) as u64;
    let options = dims(&node.operator, node.outputs.first(), devices, splits)
        .into_iter()
        .map(|dims| {
            let parts = dims.iter().map(|&n| f64::from(n)).product::<f64>();
            let slices = if by_channel { dims.get(1).copied().unwrap_or(1) } else { 1 };
            let ns = priced.part_ns(parts, slices.into());
            let ps = (ns * 1e3).min(1e18).round() as u64;
            OperatorSplit { dims, ps, estimated: true }
        })
        .collect();
    SearchOperator {
        id: number,
        name: node.name.clone(),
        kind: kind(&node.operator).to_owned(),
        weights: (weight_bytes > 0).then_some(Weights {
            group: number,
            bytes: weight_bytes,
            by_channel,
            favours_reuse: false,
        }),
        inputs,
        outputs: node.outputs.clone(),
        options,
    }
}

/// The name of an operator's kind.
fn kind(operator: &Operator) -> &str {
    match operator {
        Operator::Input => "input",
        Operator::Output => "output",
        Operator::Linear { .. } => "linear",
        Operator::Conv2d { .. } => "conv2d",
        Operator::ConvTranspose2d { .. } => "convtranspose2d",
        Operator::Contraction { .. } => "contraction",
        Operator::Attention { .. } => "attention",
        Operator::Pool2d { .. } => "pool2d",
        Operator::Embedding => "embed",
        Operator::MatMul => "matmul",
        Operator::Softmax => "softmax",
        Operator::Norm(_) => "norm",
        Operator::Activation(_) => "activation",
        Operator::Concat { .. } => "concat",
        Operator::Split { .. } => "split",
        Operator::Select => "select",
        Operator::Reshape => "reshape",
        Operator::Permute => "permute",
        Operator::Expand => "expand",
        Operator::Reduce => "reduce",
        Operator::Identity => "identity",
        Operator::Elementwise(name) | Operator::Other(name) => name,
    }
}

/// The splits of an operator: divisors of the batch, and more where that is allowed.
fn dims(
    operator: &Operator,
    output: Option<&OperatorShape>,
    devices: u32,
    splits: Splits,
) -> Vec<Vec<u32>> {
    let Some(shape) = output else { return vec![vec![1]] };
    let most = devices.min(MOST_DEVICES);
    let divisors =
        |length: u64, most: u32| (1..=most).filter(move |&n| length.is_multiple_of(u64::from(n)));
    let batch = shape.first().copied().unwrap_or(1);
    let mut dims: Vec<Vec<u32>> = divisors(batch, most).map(|n| vec![n]).collect();
    if splits.only_data_parallel {
        return dims;
    }
    let is_weighted = matches!(operator, Operator::Linear { .. } | Operator::Embedding);
    // A softmax behind a linear operator may stay where its channels are.
    let by_channel = is_weighted || matches!(operator, Operator::Softmax);
    if splits.parameters && by_channel && shape.len() == 2 {
        dims = divisors(batch, most)
            .flat_map(|n| divisors(shape[1], most / n).map(move |c| vec![n, c]))
            .collect();
    }
    let is_image = shape.len() == 4
        && matches!(
            operator,
            Operator::Conv2d { .. }
                | Operator::Pool2d { .. }
                | Operator::Activation(_)
                | Operator::Elementwise(_)
        );
    if splits.attributes && is_image {
        let rows: Vec<Vec<u32>> = divisors(batch, most)
            .flat_map(|n| {
                divisors(shape[2], most / n).filter(|&h| h > 1).map(move |h| vec![n, 1, h])
            })
            .collect();
        dims.extend(rows);
    }
    dims
}
