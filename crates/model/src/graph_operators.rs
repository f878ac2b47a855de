//! Operators of an operator graph (ONNX, `.ff`).

use crate::flow::OperatorPlace;
use crate::graph::{Activation, Graph, Node, Norm, Operator as Computed, Source, lowered};

use crate::operator::{Kind, Operator, Shape};

/// Operators of a graph, in its order. Inputs, outputs and views cost nothing and are left out.
#[must_use]
pub fn operators(graph: &Graph) -> Vec<Operator> {
    let flows = flows(graph);
    let numbered = graph.nodes.iter().zip(flows).enumerate();
    let made = |(id, (node, flow))| Some(Operator { flow, ..operator(graph, node, id as u64)? });
    numbered.filter_map(made).collect()
}

/// How each node lies in the graph.
#[must_use]
pub fn flows(graph: &Graph) -> Vec<OperatorPlace> {
    let mut flows: Vec<OperatorPlace> = lowered(graph)
        .into_iter()
        .map(|lowered| OperatorPlace { lowered, ..OperatorPlace::default() })
        .collect();
    let mut is_read = vec![false; graph.nodes.len()];
    // Views hand on what they read.
    let mut origins: Vec<usize> = Vec::with_capacity(graph.nodes.len());
    for (at, node) in graph.nodes.iter().enumerate() {
        let origin = |source: &Source| origins.get(source.node).copied().unwrap_or(source.node);
        let is_view = matches!(node.operator, Computed::Reshape | Computed::Identity);
        let first = node.inputs.first().map(origin);
        for source in node.inputs.iter().filter(|_| !is_view) {
            let from = origin(source);
            let made = graph.nodes.get(from).filter(|made| made.operator == Computed::Input);
            let (Some(made), Some(seen)) = (made, is_read.get_mut(from)) else { continue };
            if !std::mem::replace(seen, true)
                && let Some(flow) = flows.get_mut(at)
            {
                flow.from_outside = flow.from_outside.saturating_add(count(made));
            }
        }
        if node.operator == Computed::Output
            && let Some(flow) = first.and_then(|from| flows.get_mut(from))
        {
            flow.to_outside = flow.to_outside.saturating_add(count(node));
        }
        origins.push(if is_view { first.unwrap_or(at) } else { at });
    }
    flows
}

/// Elements of a node's first output.
fn count(node: &Node) -> u64 {
    node.outputs
        .first()
        .map_or(0, |shape| shape.iter().fold(1, |all, &size| all.saturating_mul(size)))
}

/// The operator of a node; `None` for inputs, outputs and views, which cost nothing.
#[must_use]
pub fn operator(graph: &Graph, node: &Node, id: u64) -> Option<Operator> {
    let inputs = graph.input_shapes(node);
    let input = inputs.first().cloned().unwrap_or_default();
    let second = || inputs.get(1).cloned().unwrap_or_default();
    // Weights may be computed, or inputs of the model.
    let weights = || node.weights.first().cloned().unwrap_or_else(second);
    let (name, kind, weights): (&str, Kind, Shape) = match &node.operator {
        Computed::Input
        | Computed::Output
        | Computed::Reshape
        | Computed::Identity
        | Computed::Split { .. } => return None,
        Computed::Linear { out, .. } => ("Linear", Kind::Linear, in_by_out(weights(), *out)),
        Computed::Conv2d { .. } => ("Conv2d", Kind::Conv2d, weights()),
        Computed::ConvTranspose2d { .. } => ("ConvTranspose2d", Kind::Conv2d, weights()),
        Computed::Contraction { .. } => ("Contraction", Kind::MatMul, Shape::new()),
        Computed::Attention { .. } => ("Attention", Kind::Attention, Shape::new()),
        Computed::Pool2d { window, .. } => ("Pool2d", Kind::Pool, window.kernel.to_vec()),
        Computed::Embedding => ("Embedding", Kind::Embedding, weights()),
        Computed::MatMul => ("MatMul", Kind::MatMul, second()),
        Computed::Softmax => ("Softmax", Kind::Softmax, Shape::new()),
        Computed::Norm(Norm::Rms) => ("RMSNorm", Kind::RmsNorm, Shape::new()),
        Computed::Norm(Norm::Batch) => ("BatchNorm", Kind::LayerNorm, Shape::new()),
        Computed::Norm(Norm::Layer) => ("LayerNorm", Kind::LayerNorm, Shape::new()),
        Computed::Norm(Norm::Group) => ("GroupNorm", Kind::LayerNorm, Shape::new()),
        Computed::Activation(Activation::Gelu) => ("GELU", Kind::Gelu, Shape::new()),
        Computed::Activation(Activation::Silu | Activation::HardSwish | Activation::Mish) => {
            ("SiLU", Kind::Silu, Shape::new())
        }
        Computed::Activation(Activation::Relu) => ("ReLU", Kind::Elementwise, Shape::new()),
        Computed::Activation(_) => ("Activation", Kind::Elementwise, Shape::new()),
        Computed::Elementwise(name) => (name.as_str(), Kind::Elementwise, second()),
        Computed::Concat { .. } => ("Concat", Kind::Move, Shape::new()),
        Computed::Permute => ("Permute", Kind::Move, Shape::new()),
        Computed::Expand => ("Expand", Kind::Move, Shape::new()),
        Computed::Select => ("Select", Kind::Move, Shape::new()),
        Computed::Reduce => ("Reduce", Kind::Elementwise, Shape::new()),
        Computed::Other(name) => {
            (name.as_str(), Kind::of_name(name).unwrap_or(Kind::Elementwise), second())
        }
    };
    let output = node.outputs.first().cloned().unwrap_or_default();
    // A part that is picked is read alone; an embedding reads indices.
    let input = match kind {
        Kind::Move => output.clone(),
        // The row table is a weight, the indices are the only other operand.
        _ => input,
    };
    let mut made = Operator::new(name, &node.name, kind, [input, weights, output]);
    made.id = id;
    if let Computed::ConvTranspose2d { window, groups } = &node.operator {
        // Every element of the input is multiplied by the window: the work of the convolution that it reverses.
        std::mem::swap(&mut made.input, &mut made.output);
        made.stride = window.stride;
        made.groups = *groups;
    }
    if let Computed::Contraction { batch, rows, inner, columns } = node.operator {
        made.input = vec![batch, rows, inner];
        made.weights = vec![batch, inner, columns];
        made.output = vec![batch, rows, columns];
    }
    if let Computed::Attention { query, key, causal } = node.operator {
        made.input = key.to_vec();
        made.output = query.to_vec();
        made.scores.causal = causal;
    }
    if let Computed::Conv2d { window, groups, .. } = &node.operator {
        made.stride = window.stride;
        made.padding = window.padding.map(|both| both / 2);
        made.groups = *groups;
    }
    if let Computed::Pool2d { window, .. } = &node.operator {
        made.stride = window.stride;
    }
    one_dimensional(&mut made);
    Some(made)
}

/// The weights of a linear operator as [in, out]; those that are computed may be transposed.
fn in_by_out(mut weights: Shape, out: u64) -> Shape {
    if let [first, last] = weights[..]
        && last != out
        && first == out
    {
        weights.reverse();
    }
    weights
}

/// Convolutions along one dimension have height 1, those along three have depth and height as one.
fn one_dimensional(operator: &mut Operator) {
    if operator.kind == Kind::Conv2d {
        for shape in [&mut operator.input, &mut operator.weights, &mut operator.output] {
            if shape.len() == 3 {
                shape.insert(2, 1);
            }
            // Depth and height together: a window over both has as many elements.
            if shape.len() == 5 {
                let depth = shape.remove(2);
                shape
                    .iter_mut()
                    .skip(2)
                    .take(1)
                    .for_each(|size| *size = size.saturating_mul(depth));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::read_ff;

    use super::*;

    #[test]
    fn a_text_of_flexflow() {
        let text = "x; ; c,; INPUT\nc; x,; f,; CONV2D; 8; 3; 3; 2; 2; 1; 1; 11; 1; 1\n\
                    f; c,; l,; FLAT\nl; f,; o,; LINEAR; 10; 10; 1\no; l,; ; OUTPUT\n";
        let graph = read_ff(text, &[vec![1, 4, 8, 8]]).unwrap();
        let all = operators(&graph);
        let [conv, linear] = all.as_slice() else { panic!("two operators cost something") };
        assert_eq!(
            (conv.stride, conv.padding, &conv.weights[..]),
            ([2, 2], [1, 1], &[8, 4, 3, 3][..])
        );
        assert_eq!((&linear.weights[..], &linear.output[..]), (&[128, 10][..], &[1, 10][..]));
    }
}
