//! Models as operator graphs: ways to split each operator, with estimated costs.

use bigtpu_model_graph::{Graph as Model, Node, Operator};

use crate::error::StrategyError;
use crate::graph::{Graph, Input, Op, Shape, Split, Weights};
use crate::graph_json::check_shape;
use crate::machine::MOST_DEVICES;

/// What the devices of a machine can do, for estimating what was not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Operations a second.
    pub flops: f64,
    /// Bytes a second of a device's memory.
    pub memory: f64,
    /// Time to start an operator, in ns.
    pub launch_ns: f64,
    /// Bytes of an element.
    pub element_bytes: u64,
}

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

/// Makes the operator graph of a model. Inputs, outputs and selections cost nothing: who reads them reads what they
/// represent.
///
/// # Errors
/// A tensor of an absurd size, or a model without operators.
pub fn build_graph(
    model: &Model,
    devices: u32,
    rates: Rates,
    splits: Splits,
) -> Result<Graph, StrategyError> {
    let mut ops: Vec<Op> = Vec::new();
    // The operator that represents each node, if any.
    let mut represents: Vec<Option<usize>> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        for shape in &node.outputs {
            check_shape(&node.name, shape)?;
        }
        let of_node = |at: usize| represents.get(at).copied().flatten();
        if matches!(node.operator, Operator::Input | Operator::Output | Operator::Select) {
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
        ops.push(op(node, ops.len(), inputs, devices, rates, splits));
    }
    if ops.is_empty() {
        return Err(StrategyError::whole(
            "the model has no operator; give one that computes something",
        ));
    }
    Ok(Graph { ops, element_bytes: rates.element_bytes })
}

fn op(
    node: &Node,
    number: usize,
    inputs: Vec<Input>,
    devices: u32,
    rates: Rates,
    splits: Splits,
) -> Op {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let work = Work::of(node, &inputs, rates.element_bytes);
    let options = dims(&node.operator, node.outputs.first(), devices, splits)
        .into_iter()
        .map(|dims| {
            let ps = work.part_ps(&dims, rates);
            Split { dims, ps, estimated: true }
        })
        .collect();
    Op {
        id: number,
        name: node.name.clone(),
        kind: kind(&node.operator).to_owned(),
        weights: (work.weight_bytes > 0).then_some(Weights {
            group: number,
            bytes: work.weight_bytes,
            by_channel: work.by_channel,
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

/// Operations and bytes of a whole operator.
struct Work {
    flops: f64,
    activation_bytes: f64,
    weight_bytes: u64,
    /// A split of channels (the second dimension of the split) splits the weights.
    by_channel: bool,
    /// All weights are read, and not only the rows that are looked up.
    reads_weights: bool,
}

impl Work {
    fn of(node: &Node, inputs: &[Input], element_bytes: u64) -> Self {
        let size = |shape: &Shape| shape.iter().map(|&n| n as f64).product::<f64>();
        let made: f64 = node.outputs.iter().map(size).sum();
        let read: f64 = inputs.iter().map(|input| size(&input.shape)).sum();
        let last = inputs.first().and_then(|input| input.shape.last()).map_or(1.0, |&n| n as f64);
        let weights: f64 = node.weights.iter().map(size).sum();
        // Elements that one element of the output is made of.
        let window = node
            .weights
            .first()
            .map_or(1.0, |shape| shape.iter().skip(1).map(|&n| n as f64).product());
        let is_view = matches!(node.operator, Operator::Reshape | Operator::Identity);
        let (flops, reads) = match &node.operator {
            Operator::Linear { .. } | Operator::MatMul => (2.0 * made * last, read),
            Operator::Conv2d { .. } => (2.0 * made * window, read),
            Operator::Pool2d { window, .. } => {
                (made * (window.kernel[0] as f64) * (window.kernel[1] as f64), read)
            }
            Operator::Softmax | Operator::Norm(_) | Operator::Activation(_) => (5.0 * made, read),
            Operator::Elementwise(_) | Operator::Other(_) => (made, read),
            Operator::Reduce => (read, read),
            Operator::Embedding => (0.0, made),
            _ => (0.0, read),
        };
        let moved = if is_view { 0.0 } else { reads + made };
        Self {
            flops,
            activation_bytes: moved * element_bytes as f64,
            weight_bytes: (weights * element_bytes as f64).min(1e18) as u64,
            reads_weights: !matches!(node.operator, Operator::Embedding),
            by_channel: matches!(node.operator, Operator::Linear { .. } | Operator::Embedding),
        }
    }

    /// The longer of computing and moving data, and the start.
    fn part_ps(&self, dims: &[u32], rates: Rates) -> u64 {
        let parts = dims.iter().map(|&n| f64::from(n)).product::<f64>();
        let slices = if self.by_channel { dims.get(1).copied().unwrap_or(1) } else { 1 };
        let weights =
            if self.reads_weights { self.weight_bytes as f64 / f64::from(slices) } else { 0.0 };
        let bytes = self.activation_bytes / parts + weights;
        if bytes == 0.0 {
            return 0;
        }
        let seconds = (self.flops / parts / rates.flops).max(bytes / rates.memory);
        (seconds * 1e12 + rates.launch_ns * 1e3).min(1e18).round() as u64
    }
}

/// The splits of an operator: divisors of the batch, and more where that is allowed.
fn dims(
    operator: &Operator,
    output: Option<&Shape>,
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
