//! Numbers that are known when the model is read: shapes are computed from them.

use std::collections::HashMap;

use super::operator::squeezed;
use super::proto::NodeProto;
use super::whole::{Bounds, Whole};
use crate::graph::node::Shape;
use crate::graph::shapes;

/// Longest constant that is folded: each node that reads it would copy it.
pub(crate) const LONGEST: usize = 4096;

/// Shape of a node's only output, if it depends on shapes and constants alone; its numbers, if they are whole and few.
pub(crate) fn fold(
    node: &NodeProto,
    shapes: &[Option<&Shape>],
    known: &HashMap<&str, Vec<i64>>,
) -> Option<(Shape, Option<Vec<i64>>)> {
    if let Some(Whole { shape, numbers }) = numbers(node, shapes, known) {
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

/// Whole numbers of a node's only output.
fn numbers(
    node: &NodeProto,
    shapes: &[Option<&Shape>],
    known: &HashMap<&str, Vec<i64>>,
) -> Option<Whole> {
    let shape = |index: usize| shapes.get(index).copied().flatten();
    let list = |index: usize| known.get(node.input.get(index)?.as_str());
    let operand = |index: usize| Whole::new(shape(index)?.clone(), list(index)?.clone());
    // A list that later versions have as an operand and earlier ones as an attribute.
    let setting = |index: usize, name: &str| {
        list(index).cloned().or_else(|| node.ints(name).map(<[i64]>::to_vec))
    };
    match node.op_type.as_str() {
        "Constant" => {
            if let Some(tensor) = node.tensor("value") {
                return Whole::new(tensor.shape(), tensor.numbers()?);
            }
            if let Some(numbers) = node.ints("value_ints") {
                return Some(Whole::row(numbers.to_vec()));
            }
            Some(Whole::scalar(node.int("value_int")?))
        }
        "Shape" => {
            let sizes = shape(0)?.iter().map(|&size| i64::try_from(size).ok());
            let sizes: Vec<i64> = sizes.collect::<Option<_>>()?;
            let from = place(node.int("start").unwrap_or(0), sizes.len());
            let to = place(node.int("end").unwrap_or(i64::MAX), sizes.len());
            Some(Whole::row(sizes.get(from..to)?.to_vec()))
        }
        "Size" => {
            let count = shape(0)?
                .iter()
                .try_fold(1_i64, |product, &size| product.checked_mul(i64::try_from(size).ok()?))?;
            Some(Whole::scalar(count))
        }
        "Cast" | "Identity" | "Floor" | "Ceil" => operand(0),
        "Reshape" => {
            let (from, wanted) = (operand(0)?, setting(1, "shape")?);
            let zero_copies = node.int("allowzero") != Some(1);
            Whole::new(shapes::reshape(&from.shape, &wanted, zero_copies).ok()?, from.numbers)
        }
        "Unsqueeze" | "Squeeze" => {
            let from = operand(0)?;
            Whole::new(squeezed(node, &from.shape, setting(1, "axes")).ok()?, from.numbers)
        }
        "Transpose" => {
            let from = operand(0)?;
            let reversed = (0..from.shape.len() as i64).rev().collect();
            from.transposed(&node.ints("perm").map_or(reversed, <[i64]>::to_vec))
        }
        "Concat" => {
            let parts: Vec<Whole> = (0..node.input.len()).map(operand).collect::<Option<_>>()?;
            let count: usize = parts.iter().map(|part| part.numbers.len()).sum();
            let parts: Vec<&Whole> = parts.iter().collect();
            (count <= LONGEST).then(|| Whole::joined(&parts, node.int("axis").unwrap_or(0)))?
        }
        "Gather" => {
            let from = operand(0)?;
            (from.shape.len() == 1).then_some(())?;
            let places = list(1)?.iter();
            let picked =
                places.map(|&index| from.numbers.get(place(index, from.numbers.len())).copied());
            Whole::new(shape(1)?.clone(), picked.collect::<Option<_>>()?)
        }
        "Slice" => {
            let (starts, ends) = (setting(1, "starts")?, setting(2, "ends")?);
            let axes = setting(3, "axes").unwrap_or_else(|| (0..starts.len() as i64).collect());
            let steps = match node.input.get(4) {
                Some(name) if !name.is_empty() => list(4)?.clone(),
                _ => vec![1; starts.len()],
            };
            let pieces = axes.iter().zip(&starts).zip(ends.iter().zip(&steps));
            let pieces: Vec<Bounds> = pieces
                .map(|((&axis, &start), (&end, &step))| Bounds { axis, start, end, step })
                .collect();
            operand(0)?.sliced(&pieces)
        }
        "Not" => {
            let from = operand(0)?;
            let numbers = from.numbers.iter().map(|&number| i64::from(number == 0)).collect();
            Whole::new(from.shape, numbers)
        }
        "Add" => operand(0)?.combined(&operand(1)?, i64::checked_add),
        "Sub" => operand(0)?.combined(&operand(1)?, i64::checked_sub),
        "Mul" => operand(0)?.combined(&operand(1)?, i64::checked_mul),
        "Div" => operand(0)?.combined(&operand(1)?, i64::checked_div),
        "Mod" => operand(0)?.combined(&operand(1)?, modulo(node.int("fmod") == Some(1))),
        "Min" => operand(0)?.combined(&operand(1)?, |a, b| Some(a.min(b))),
        "Max" => operand(0)?.combined(&operand(1)?, |a, b| Some(a.max(b))),
        "Where" => {
            let (condition, other) = (operand(0)?, operand(2)?);
            // Each number with its condition first: one of both is taken.
            let taken =
                condition.combined(&operand(1)?, |take, a| Some(if take != 0 { a } else { 0 }))?;
            let left = condition.combined(&other, |take, b| Some(if take != 0 { 0 } else { b }))?;
            taken.combined(&left, i64::checked_add)
        }
        "Equal" => operand(0)?.combined(&operand(1)?, |a, b| Some(i64::from(a == b))),
        "Less" => operand(0)?.combined(&operand(1)?, |a, b| Some(i64::from(a < b))),
        "Greater" => operand(0)?.combined(&operand(1)?, |a, b| Some(i64::from(a > b))),
        "And" => operand(0)?.combined(&operand(1)?, |a, b| Some(i64::from(a != 0 && b != 0))),
        "Or" => operand(0)?.combined(&operand(1)?, |a, b| Some(i64::from(a != 0 || b != 0))),
        "ConstantOfShape" => {
            let sizes = list(0)?.iter().map(|&size| u64::try_from(size).ok());
            let sizes: Shape = sizes.collect::<Option<_>>()?;
            let count = sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size))?;
            let value = node
                .tensor("value")
                .map_or(Some(0), |tensor| tensor.numbers()?.first().copied())?;
            let count = usize::try_from(count).ok().filter(|&count| count <= LONGEST)?;
            Whole::new(sizes, vec![value; count])
        }
        _ => None,
    }
}

/// The rest of a division: with the sign of the dividend (`fmod`), or of the divisor.
fn modulo(by_dividend: bool) -> impl Fn(i64, i64) -> Option<i64> {
    move |a, b| {
        let rest = a.checked_rem(b)?;
        let other_sign = rest != 0 && (rest < 0) != (b < 0);
        Some(if by_dividend || !other_sign { rest } else { rest + b })
    }
}

/// An index that may count from the end, at most the length.
pub(crate) fn place(number: i64, length: usize) -> usize {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let from_start = if number < 0 { number.saturating_add(length) } else { number };
    usize::try_from(from_start.clamp(0, length)).unwrap_or(0)
}
