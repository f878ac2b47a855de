//! Operators on tensors that are known when the model is read, as a runtime folds constants: shapes, axes and bounds come
//! from them, whatever operators an exporter computes them with.

mod elementwise;
mod moves;
mod reductions;

pub(super) use moves::gathered;

use std::collections::HashMap;
use std::rc::Rc;

use super::proto::NodeProto;
use super::tensor::{Numbers, Tensor, bounded};
use crate::graph::node::Shape;

/// What is known, by name.
pub(super) type Known<'a> = HashMap<&'a str, Rc<Tensor>>;

/// A node with those of its operands that are known.
pub(super) struct Operands<'a> {
    pub(super) node: &'a NodeProto,
    shapes: &'a [Option<&'a Shape>],
    known: &'a Known<'a>,
}

impl<'a> Operands<'a> {
    /// A known operand.
    pub(super) fn tensor(&self, index: usize) -> Option<&'a Tensor> {
        let name = self.node.input.get(index).filter(|name| !name.is_empty())?;
        self.known.get(name.as_str()).map(Rc::as_ref)
    }

    /// Whether an operand is given, known or not.
    pub(super) fn has(&self, index: usize) -> bool {
        self.node.input.get(index).is_some_and(|name| !name.is_empty())
    }

    /// The shape of an operand, which may be known where its elements are not.
    pub(super) fn shape(&self, index: usize) -> Option<&'a Shape> {
        self.shapes.get(index).copied().flatten()
    }

    /// Whole numbers of an operand, or of the attribute that earlier versions had in its place. `None` where it is given and
    /// not known; an empty answer is `Some(None)`.
    pub(super) fn setting(&self, index: usize, attribute: &str) -> Option<Option<Vec<i64>>> {
        if self.has(index) {
            return Some(Some(self.tensor(index)?.numbers.whole()));
        }
        Some(self.node.ints(attribute).map(<[i64]>::to_vec))
    }

    /// A whole number of an operand; where it is not given, of the attribute.
    pub(super) fn number(&self, index: usize, attribute: &str, otherwise: i64) -> Option<i64> {
        if self.has(index) {
            return self.tensor(index)?.numbers.whole().first().copied();
        }
        Some(self.node.int(attribute).unwrap_or(otherwise))
    }

    /// All operands.
    pub(super) fn all(&self) -> Option<Vec<&'a Tensor>> {
        (0..self.node.input.len()).map(|index| self.tensor(index)).collect()
    }
}

/// The outputs of a node, if it depends on shapes and known tensors alone and they are few enough.
pub(super) fn evaluate(
    node: &NodeProto,
    shapes: &[Option<&Shape>],
    known: &Known<'_>,
) -> Option<Vec<Tensor>> {
    let operands = Operands { node, shapes, known };
    let one = |tensor: Option<Tensor>| tensor.map(|tensor| vec![tensor]);
    if let Some(found) = one(source(&operands)) {
        return Some(found);
    }
    // All others read their first operand.
    operands.tensor(0)?;
    one(elementwise::evaluate(&operands))
        .or_else(|| one(moves::evaluate(&operands)))
        .or_else(|| moves::several(&operands))
        .or_else(|| reductions::evaluate(&operands))
}

/// Operators whose result is known where the elements of no operand are.
fn source(operands: &Operands<'_>) -> Option<Tensor> {
    let node = operands.node;
    match node.op_type.as_str() {
        "Constant" => {
            if let Some(tensor) = node.tensor("value") {
                return tensor.known();
            }
            if let Some(numbers) = node.ints("value_ints") {
                return Some(Tensor::row(numbers.to_vec()));
            }
            if let Some(numbers) = node.floats("value_floats") {
                return Tensor::real(vec![numbers.len() as u64], numbers.to_vec());
            }
            if let Some(number) = node.float("value_float") {
                return Tensor::real(Vec::new(), vec![number]);
            }
            Some(Tensor::scalar(node.int("value_int")?))
        }
        "Shape" => {
            let sizes = operands.shape(0)?.iter().map(|&size| i64::try_from(size).ok());
            let sizes: Vec<i64> = sizes.collect::<Option<_>>()?;
            let from = bounded(node.int("start").unwrap_or(0), sizes.len());
            let to = bounded(node.int("end").unwrap_or(i64::MAX), sizes.len());
            Some(Tensor::row(sizes.get(from..to).unwrap_or(&[]).to_vec()))
        }
        "Size" => {
            let sizes = operands.shape(0)?.iter();
            let count = sizes.map(|&size| i64::try_from(size).ok());
            let count =
                count.into_iter().try_fold(1_i64, |product, size| product.checked_mul(size?))?;
            Some(Tensor::scalar(count))
        }
        "EyeLike" => {
            let &[rows, columns] = operands.shape(0)?.as_slice() else { return None };
            let offset = node.int("k").unwrap_or(0);
            let count = super::tensor::size(&[rows, columns])?;
            let is_one = |at: usize| {
                let (row, column) = (at as u64 / columns.max(1), at as u64 % columns.max(1));
                i64::try_from(column)
                    .ok()
                    .zip(i64::try_from(row).ok())
                    .is_some_and(|(c, r)| c - r == offset)
            };
            Tensor::whole(vec![rows, columns], (0..count).map(|at| i64::from(is_one(at))).collect())
        }
        _ => None,
    }
}

/// The shape of a constant whose elements are not kept.
pub(super) fn constant_shape(node: &NodeProto, known: &Known<'_>) -> Option<Shape> {
    match node.op_type.as_str() {
        "Constant" => {
            if let Some(tensor) = node.tensor("value") {
                return Some(tensor.shape());
            }
            node.has("value_string").then(Vec::new)
        }
        "ConstantOfShape" => {
            let sizes = known.get(node.input.first()?.as_str())?.numbers.whole();
            sizes.into_iter().map(|size| u64::try_from(size).ok()).collect()
        }
        _ => None,
    }
}

/// Element types of ONNX that are whole numbers or truth values.
pub(super) fn is_whole_type(data_type: i64) -> bool {
    matches!(data_type, 2..=7 | 9 | 12 | 13 | 21 | 22)
}

/// A tensor of the type that `to` has.
pub(super) fn cast(tensor: &Tensor, data_type: i64) -> Tensor {
    let numbers = match (&tensor.numbers, data_type) {
        (numbers, 9) => {
            let real = numbers.real();
            Numbers::Whole(real.iter().map(|&number| i64::from(number != 0.0)).collect())
        }
        (numbers, to) if is_whole_type(to) => Numbers::Whole(numbers.whole()),
        (numbers, _) => Numbers::Real(numbers.real()),
    };
    Tensor { shape: tensor.shape.clone(), numbers }
}

#[cfg(test)]
mod tests;
