//! What a compiler that fuses operators makes of each of them.
//!
//! Convolutions, products and pools are commands. What follows them element by element and needs no second tensor
//! (constants, bias, batch normalization, ReLU, clip) is part of them. A function such as SiLU, GELU or Mish is one
//! command, however many operators the file writes it with: all that reads no other tensor than the function's argument
//! belongs to it. So a layer normalization that is written with means, differences and roots is its sums.

use super::node::{Activation, Graph, Node, Norm, Operator};
use crate::flow::Lowered;

/// What becomes of each node.
#[must_use]
pub(crate) fn lowered(graph: &Graph) -> Vec<Lowered> {
    let mut fusion = Fusion { graph, nodes: Vec::with_capacity(graph.nodes.len()) };
    for node in &graph.nodes {
        let fused = fusion.fused(node);
        fusion.nodes.push(fused);
    }
    fusion.nodes.into_iter().map(|node| node.lowered).collect()
}

/// A node after fusing.
#[derive(Clone, Copy)]
struct Fused {
    lowered: Lowered,
    /// The node whose command makes its elements: itself, or where it was folded to.
    command: usize,
    /// The command whose elements a function is of; `command` of other nodes.
    argument: usize,
}

struct Fusion<'a> {
    graph: &'a Graph,
    nodes: Vec<Fused>,
}

impl Fusion<'_> {
    fn fused(&self, node: &Node) -> Fused {
        let own = self.nodes.len();
        let sources: Vec<Fused> =
            node.inputs.iter().filter_map(|source| self.nodes.get(source.node).copied()).collect();
        let Some(&first) = sources.first() else {
            return Fused { lowered: Lowered::Command, command: own, argument: own };
        };
        let command = Fused { lowered: Lowered::Command, command: own, argument: own };
        let folded = |into: Fused| Fused { lowered: Lowered::Folded, ..into };
        let function = |lowered| Fused { lowered, command: own, argument: first.argument };
        let comes_from_outside =
            self.graph.nodes.get(first.command).is_none_or(|node| node.operator == Operator::Input);
        match &node.operator {
            // Views have no command, but what follows a view follows its source.
            Operator::Reshape | Operator::Identity => Fused { lowered: Lowered::Command, ..first },
            Operator::Norm(Norm::Batch) | Operator::Activation(Activation::Relu)
                if !comes_from_outside =>
            {
                folded(first)
            }
            Operator::Concat { .. } => Fused { lowered: Lowered::Joined, ..command },
            Operator::Norm(Norm::Layer | Norm::Group | Norm::Rms)
            | Operator::Softmax
            | Operator::Reduce => function(Lowered::Statistic),
            Operator::Activation(Activation::HardSwish | Activation::HardSigmoid) => {
                function(Lowered::Clipped)
            }
            Operator::Activation(
                Activation::Sigmoid
                | Activation::Tanh
                | Activation::Elu
                | Activation::Gelu
                | Activation::Silu
                | Activation::Mish,
            ) => function(Lowered::Transcendental),
            Operator::Elementwise(name) if is_transcendental(name) => {
                function(Lowered::Transcendental)
            }
            Operator::Elementwise(name) if !moves(name) => match sources.as_slice() {
                [_] if comes_from_outside => command,
                [one] => folded(*one),
                several => self.of_one_argument(several).map_or(command, folded),
            },
            _ => command,
        }
    }

    /// The function that all of these are part of: they have one argument, and at least one of them is a function.
    fn of_one_argument(&self, sources: &[Fused]) -> Option<Fused> {
        let first = sources.first()?;
        let is_one = sources.iter().all(|source| source.argument == first.argument);
        // The last function of them: what follows belongs to it.
        let function = sources.iter().filter(|source| source.command != source.argument);
        function.max_by_key(|source| source.command).filter(|_| is_one).copied()
    }
}

/// Functions that take many cycles an element, however they are computed.
fn is_transcendental(name: &str) -> bool {
    const NAMES: [&str; 11] = [
        "sqrt",
        "exp",
        "log",
        "reciprocal",
        "erf",
        "sin",
        "cos",
        "softplus",
        "softsign",
        "tan",
        "atan",
    ];
    NAMES.contains(&name)
}

/// Operators whose elements come from other places than where they go.
fn moves(name: &str) -> bool {
    ["resize", "topk", "scatternd", "scatterelements", "cumsum"].contains(&name)
}
