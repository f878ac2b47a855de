//! Numbers that are known when the model is read: shapes are computed from them.

use std::collections::HashMap;

use super::proto::NodeProto;
use crate::graph::node::Shape;

/// Longest constant that is folded: each node that reads it would copy it.
pub(crate) const LONGEST: usize = 4096;

/// Shape of a node's only output, if it depends on shapes and constants alone; its numbers, if they are whole and few.
pub(crate) fn fold(
    node: &NodeProto,
    shapes: &[Option<&Shape>],
    known: &HashMap<&str, Vec<i64>>,
) -> Option<(Shape, Option<Vec<i64>>)> {
    if let Some((shape, numbers)) = numbers(node, shapes, known) {
        return Some((shape, Some(numbers)));
    }
    match node.op_type.as_str() {
        "Constant" => {
            if let Some(tensor) = node.tensor("value") {
                return Some((tensor.shape(), None));
            }
            if let Some(floats) = node.floats("value_floats") {
                return Some((vec![floats.len() as u64], None));
            }
            (node.has("value_float") || node.has("value_string")).then_some((vec![], None))
        }
        "ConstantOfShape" => {
            let sizes = known.get(node.input.first()?.as_str())?.iter();
            let sizes = sizes.map(|&size| u64::try_from(size).ok());
            Some((sizes.collect::<Option<_>>()?, None))
        }
        _ => None,
    }
}

/// Shape and whole numbers of a node's only output.
fn numbers(
    node: &NodeProto,
    shapes: &[Option<&Shape>],
    known: &HashMap<&str, Vec<i64>>,
) -> Option<(Shape, Vec<i64>)> {
    let operand = |index: usize| known.get(node.input.get(index)?.as_str());
    let shape = |index: usize| shapes.get(index).copied().flatten();
    let one_dimensional = |numbers: Vec<i64>| (vec![numbers.len() as u64], numbers);
    match node.op_type.as_str() {
        "Constant" => {
            if let Some(tensor) = node.tensor("value") {
                return Some((tensor.shape(), tensor.numbers()?));
            }
            if let Some(numbers) = node.ints("value_ints") {
                return Some(one_dimensional(numbers.to_vec()));
            }
            Some((vec![], vec![node.int("value_int")?]))
        }
        "Shape" => {
            let sizes = shape(0)?.iter().map(|&size| i64::try_from(size).ok());
            let sizes: Vec<i64> = sizes.collect::<Option<_>>()?;
            let from = place(node.int("start").unwrap_or(0), sizes.len());
            let to = place(node.int("end").unwrap_or(i64::MAX), sizes.len());
            Some(one_dimensional(sizes.get(from..to)?.to_vec()))
        }
        "Size" => {
            let count = shape(0)?
                .iter()
                .try_fold(1_i64, |product, &size| product.checked_mul(i64::try_from(size).ok()?))?;
            Some((vec![], vec![count]))
        }
        "Cast" | "Identity" | "Floor" | "Ceil" => Some((shape(0)?.clone(), operand(0)?.clone())),
        "Unsqueeze" | "Squeeze" | "Reshape" => {
            let numbers = operand(0)?.clone();
            let is_scalar = node.op_type == "Squeeze" && numbers.len() == 1;
            Some((if is_scalar { vec![] } else { vec![numbers.len() as u64] }, numbers))
        }
        "Concat" => {
            let parts: Option<Vec<&Vec<i64>>> = (0..node.input.len()).map(operand).collect();
            let numbers: Vec<i64> = parts?.into_iter().flatten().copied().collect();
            (numbers.len() <= LONGEST).then(|| one_dimensional(numbers))
        }
        "Gather" => {
            let from = operand(0)?;
            let picked =
                operand(1)?.iter().map(|&index| from.get(place(index, from.len())).copied());
            Some((shape(1)?.clone(), picked.collect::<Option<_>>()?))
        }
        "Slice" => {
            let from = operand(0)?;
            let bound = |index: usize| operand(index).and_then(|numbers| numbers.first()).copied();
            let step = if node.input.len() > 4 { bound(4)? } else { 1 };
            let (start, end) = (place(bound(1)?, from.len()), place(bound(2)?, from.len()));
            (step == 1).then_some(())?;
            Some(one_dimensional(from.get(start..end.max(start))?.to_vec()))
        }
        "Not" => {
            let numbers = operand(0)?.iter().map(|&number| i64::from(number == 0));
            Some((shape(0)?.clone(), numbers.collect()))
        }
        "Add" | "Sub" | "Mul" | "Div" | "Equal" | "Less" | "Greater" | "And" | "Or" => {
            let (one, other) = (operand(0)?, operand(1)?);
            let longest = one.len().max(other.len());
            let pick = |numbers: &[i64], index: usize| {
                numbers.get(if numbers.len() == 1 { 0 } else { index }).copied()
            };
            let numbers = (0..longest).map(|index| {
                let (a, b) = (pick(one, index)?, pick(other, index)?);
                match node.op_type.as_str() {
                    "Add" => a.checked_add(b),
                    "Sub" => a.checked_sub(b),
                    "Mul" => a.checked_mul(b),
                    "Equal" => Some(i64::from(a == b)),
                    "Less" => Some(i64::from(a < b)),
                    "Greater" => Some(i64::from(a > b)),
                    "And" => Some(i64::from(a != 0 && b != 0)),
                    "Or" => Some(i64::from(a != 0 || b != 0)),
                    _ => a.checked_div(b),
                }
            });
            let longer = if one.len() >= other.len() { 0 } else { 1 };
            Some((shape(longer)?.clone(), numbers.collect::<Option<_>>()?))
        }
        "ConstantOfShape" => {
            let sizes = operand(0)?.iter().map(|&size| u64::try_from(size).ok());
            let sizes: Shape = sizes.collect::<Option<_>>()?;
            let count = sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size))?;
            let value = node
                .tensor("value")
                .map_or(Some(0), |tensor| tensor.numbers()?.first().copied())?;
            let count = usize::try_from(count).ok().filter(|&count| count <= LONGEST)?;
            Some((sizes, vec![value; count]))
        }
        _ => None,
    }
}

/// An index that may count from the end, at most the length.
pub(crate) fn place(number: i64, length: usize) -> usize {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let from_start = if number < 0 { number.saturating_add(length) } else { number };
    usize::try_from(from_start.clamp(0, length)).unwrap_or(0)
}
