//! Which inputs of a model are weights: a role follows from use, not from storage.
//!
//! An exporter may leave the weights out of the file (`export_params=False`); then they are inputs like all others. Who uses
//! an input as the matrix of a product, the window of a convolution, the scale of a normalization or a table of rows, and as
//! nothing else, uses it as a weight.

use std::collections::{HashMap, HashSet};

use super::proto::{GraphProto, NodeProto};

/// Operators that hand a weight on in another form.
const FORMS: [&str; 7] =
    ["Transpose", "Identity", "Cast", "Reshape", "Unsqueeze", "QuantizeLinear", "DequantizeLinear"];

struct Uses<'a> {
    /// Nodes that read each tensor, and as which operand.
    readers: HashMap<&'a str, Vec<(&'a NodeProto, usize)>>,
    ranks: HashMap<&'a str, usize>,
}

/// The inputs that are weights. At least one input stays: a model of weights alone computes nothing for anybody.
pub(super) fn weights(proto: &GraphProto) -> HashSet<&str> {
    let mut readers: HashMap<&str, Vec<(&NodeProto, usize)>> = HashMap::new();
    for node in &proto.node {
        for (index, name) in node.input.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            readers.entry(name).or_default().push((node, index));
        }
    }
    let rank = |input: &super::ValueInfo| {
        let tensor = input.r#type.as_ref().and_then(|t| t.tensor_type.as_ref())?;
        Some(tensor.shape.as_ref()?.dim.len())
    };
    let ranks = proto.input.iter().filter_map(|input| Some((input.name.as_str(), rank(input)?)));
    let uses = Uses { readers, ranks: ranks.collect() };
    // What an inner graph reads may be anything.
    let inner: HashSet<&str> = proto.node.iter().flat_map(read_inside).collect();
    let results: HashSet<&str> = proto.output.iter().map(|output| output.name.as_str()).collect();
    let names = proto.input.iter().map(|input| input.name.as_str());
    let found: HashSet<&str> = names
        .clone()
        .filter(|name| !inner.contains(name) && !results.contains(name) && uses.is_weight(name, 0))
        .collect();
    if names.clone().all(|name| found.contains(name)) { HashSet::new() } else { found }
}

/// Names that the inner graphs of a node read.
fn read_inside(node: &NodeProto) -> Vec<&str> {
    let graphs = ["body", "then_branch", "else_branch"].into_iter().filter_map(|n| node.graph(n));
    let nodes = graphs.flat_map(|graph| &graph.node);
    nodes
        .flat_map(|inner| {
            let own = inner.input.iter().map(String::as_str);
            own.chain(read_inside(inner)).collect::<Vec<_>>()
        })
        .collect()
}

impl Uses<'_> {
    /// Whether all who read a tensor use it as a weight.
    fn is_weight(&self, name: &str, depth: usize) -> bool {
        let Some(readers) = self.readers.get(name) else { return false };
        readers.iter().all(|(node, index)| {
            let handed_on = || {
                let is_form = FORMS.contains(&node.op_type.as_str()) && *index == 0 && depth < 8;
                is_form && node.output.first().is_some_and(|made| self.is_weight(made, depth + 1))
            };
            is_parameter(node, *index, self.ranks.get(name).copied()) || handed_on()
        })
    }
}

/// Whether an operand is a weight, whoever makes it. `rank` is known of inputs.
fn is_parameter(node: &NodeProto, index: usize, rank: Option<usize>) -> bool {
    match node.op_type.as_str() {
        "Conv" | "ConvTranspose" | "Gemm" => matches!(index, 1 | 2),
        "MatMul" => index == 1 && rank.is_none_or(|rank| rank == 2),
        "BatchNormalization" => (1..=4).contains(&index),
        "LayerNormalization" | "InstanceNormalization" | "GroupNormalization" => {
            matches!(index, 1 | 2)
        }
        "RMSNormalization" | "SimplifiedLayerNormalization" | "PRelu" => index == 1,
        "SkipLayerNormalization" | "SkipSimplifiedLayerNormalization" => (2..=4).contains(&index),
        "LSTM" | "GRU" | "RNN" => (1..=3).contains(&index),
        "Gather" => index == 0 && rank.is_some_and(|rank| rank == 2),
        // Biases, and scales of normalizations that are written out.
        "Add" | "Mul" | "Sub" => rank.is_some_and(|rank| rank <= 1),
        _ => false,
    }
}
