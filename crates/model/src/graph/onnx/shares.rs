//! What share of a tensor's elements is not zero, where its makers say so without its data: the choice of experts, above all.
//!
//! A one-hot row of `depth` elements has one that is not zero; so has the comparison of a number with `depth` different ones.
//! `NonZero` of such a mask finds that share of its elements. The experts of a model thus get their mean number of tokens,
//! whatever the router would have chosen.

use super::proto::NodeProto;
use super::tensor::Tensor;

/// Operators that move elements of their first operand and leave their share as it is.
const MOVES: [&str; 14] = [
    "Transpose",
    "Gather",
    "Slice",
    "Unsqueeze",
    "Squeeze",
    "Reshape",
    "Cast",
    "Identity",
    "Flatten",
    "Expand",
    "Tile",
    "Split",
    "GatherElements",
    "CastLike",
];

/// The share of a node's outputs. `first` is that of its first operand, `known` gives operands with known elements, and
/// `depth` the last size of the output.
pub(super) fn share<'t>(
    node: &NodeProto,
    first: Option<f64>,
    known: impl Fn(usize) -> Option<&'t Tensor>,
) -> Option<f64> {
    match node.op_type.as_str() {
        "OneHot" => {
            let depth = *known(1)?.numbers.whole().first()?;
            (depth > 0).then(|| 1.0 / depth as f64)
        }
        "Equal" => {
            let other = known(0).or_else(|| known(1))?;
            let mut numbers = other.numbers.whole();
            let count = numbers.len();
            numbers.sort_unstable();
            numbers.dedup();
            (numbers.len() == count && count > 1).then(|| 1.0 / count as f64)
        }
        "Not" => Some(1.0 - first?),
        name if MOVES.contains(&name) => first,
        _ => None,
    }
}
