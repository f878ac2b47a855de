//! Tensors of whole numbers that are known when the model is read, row by row: shapes, axes and padding come from them.

use super::constants::place;
use crate::graph::node::Shape;
use crate::graph::shapes;

/// A tensor of whole numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) shape: Shape,
    /// As many as the shape has elements.
    pub(super) numbers: Vec<i64>,
}

/// What a slice takes of one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) axis: i64,
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) step: i64,
}

impl Whole {
    /// `None` where there are not as many numbers as the shape has elements.
    pub(super) fn new(shape: Shape, numbers: Vec<i64>) -> Option<Self> {
        let count = shapes::count(&shape).ok().and_then(|count| usize::try_from(count).ok())?;
        (count == numbers.len()).then_some(Self { shape, numbers })
    }

    /// Numbers in one dimension.
    pub(super) fn row(numbers: Vec<i64>) -> Self {
        Self { shape: vec![numbers.len() as u64], numbers }
    }

    /// A number without dimensions.
    pub(super) fn scalar(number: i64) -> Self {
        Self { shape: Vec::new(), numbers: vec![number] }
    }

    /// The dimensions in another order.
    pub(super) fn transposed(&self, order: &[i64]) -> Option<Self> {
        let shape = shapes::permute(&self.shape, order).ok()?;
        let own = strides(&self.shape)?;
        let axes = order.iter().map(|&number| shapes::axis(number, own.len()).ok());
        let strides: Option<Vec<i64>> = axes.map(|axis| own.get(axis?).copied()).collect();
        self.taken(shape, &strides?, 0)
    }

    /// Pieces of some axes.
    pub(super) fn sliced(&self, pieces: &[Bounds]) -> Option<Self> {
        let mut shape = self.shape.clone();
        let mut strides = strides(&self.shape)?;
        let mut first = 0_i64;
        for piece in pieces {
            let axis = shapes::axis(piece.axis, shape.len()).ok()?;
            let (size, stride) = (shape.get_mut(axis)?, strides.get_mut(axis)?);
            let length = usize::try_from(*size).ok()?;
            let last = i64::try_from(length).ok()?;
            let start = i64::try_from(place(piece.start, length)).ok()?;
            let covered = if piece.step > 0 {
                i64::try_from(place(piece.end, length)).ok()? - start
            } else if piece.step < 0 {
                let start = start.min(last - 1);
                // An end before the first element is none.
                let end = match piece.end.checked_add(last) {
                    _ if piece.end >= 0 => piece.end.min(last),
                    Some(end) => end.max(-1),
                    None => -1,
                };
                first += start.max(0) * *stride;
                start - end
            } else {
                return None;
            };
            if piece.step > 0 {
                first += start * *stride;
            }
            *size = covered.max(0).unsigned_abs().div_ceil(piece.step.unsigned_abs());
            *stride = stride.checked_mul(piece.step)?;
        }
        self.taken(shape, &strides, first)
    }

    /// Tensors one behind the other along an axis.
    pub(super) fn joined(parts: &[&Self], along: i64) -> Option<Self> {
        let all: Vec<Shape> = parts.iter().map(|part| part.shape.clone()).collect();
        let (shape, axis) = shapes::concat(&all, along).ok()?;
        let count = |sizes: &[u64]| usize::try_from(shapes::count(sizes).ok()?).ok();
        let rows = count(shape.get(..axis)?)?;
        let mut numbers = Vec::new();
        for row in 0..rows {
            for part in parts {
                let width = count(part.shape.get(axis..)?)?;
                numbers.extend(part.numbers.get(row * width..(row + 1) * width)?);
            }
        }
        Self::new(shape, numbers)
    }

    /// Two tensors, element by element, one of them stretched where it has one element.
    pub(super) fn combined(
        &self,
        other: &Self,
        of: impl Fn(i64, i64) -> Option<i64>,
    ) -> Option<Self> {
        let is_single = |tensor: &Self| tensor.numbers.len() == 1;
        if !is_single(self) && !is_single(other) && self.shape != other.shape {
            return None;
        }
        let shape = shapes::broadcast(&self.shape, &other.shape).ok()?;
        let pick = |tensor: &Self, at: usize| {
            tensor.numbers.get(if is_single(tensor) { 0 } else { at }).copied()
        };
        let longest = self.numbers.len().max(other.numbers.len());
        let count = if self.numbers.is_empty() || other.numbers.is_empty() { 0 } else { longest };
        let numbers = (0..count).map(|at| of(pick(self, at)?, pick(other, at)?));
        Self::new(shape, numbers.collect::<Option<_>>()?)
    }

    /// A tensor of that shape, whose elements lie `strides` apart, from the place `first` on.
    fn taken(&self, shape: Shape, strides: &[i64], first: i64) -> Option<Self> {
        let count = shapes::count(&shape).ok()?;
        let mut numbers = Vec::with_capacity(usize::try_from(count).ok()?.min(self.numbers.len()));
        for index in 0..count {
            let mut rest = index;
            let mut from = first;
            for (&size, &stride) in shape.iter().zip(strides).rev() {
                from += i64::try_from(rest % size).ok()? * stride;
                rest /= size;
            }
            numbers.push(*self.numbers.get(usize::try_from(from).ok()?)?);
        }
        Some(Self { shape, numbers })
    }
}

/// Places between neighbours along each axis.
fn strides(shape: &[u64]) -> Option<Vec<i64>> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1_i64;
    for &size in shape.iter().rev() {
        strides.push(stride);
        stride = stride.checked_mul(i64::try_from(size).ok()?)?;
    }
    strides.reverse();
    Some(strides)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_by_three() -> Whole {
        Whole::new(vec![2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap()
    }

    fn slice(axis: i64, start: i64, end: i64, step: i64) -> Whole {
        two_by_three().sliced(&[Bounds { axis, start, end, step }]).unwrap()
    }

    #[test]
    fn a_transposed_tensor_has_its_columns_as_rows() {
        let turned = two_by_three().transposed(&[1, 0]).unwrap();
        assert_eq!((turned.shape, turned.numbers), (vec![3, 2], vec![1, 4, 2, 5, 3, 6]));
    }

    /// As numpy's `a[start:end:step]` of the axis.
    #[test]
    fn slices_are_those_of_numpy() {
        assert_eq!(slice(1, 1, i64::MAX, 1).numbers, [2, 3, 5, 6]);
        assert_eq!(slice(0, -1, -i64::MAX, -1).numbers, [4, 5, 6, 1, 2, 3]);
        assert_eq!(slice(1, 0, 3, 2).numbers, [1, 3, 4, 6]);
        assert_eq!(slice(1, 2, 0, -1).numbers, [3, 2, 6, 5]);
        assert_eq!(slice(1, 5, 9, 1), Whole { shape: vec![2, 0], numbers: vec![] });
        assert_eq!(slice(-1, -2, -1, 1).shape, [2, 1]);
    }

    #[test]
    fn parts_are_joined_along_an_axis() {
        let part = two_by_three();
        let joined = Whole::joined(&[&part, &part], 1).unwrap();
        assert_eq!(joined.numbers, [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]);
        assert_eq!(
            Whole::joined(&[&Whole::row(vec![1]), &Whole::row(vec![2])], 0).unwrap().numbers,
            [1, 2]
        );
    }

    #[test]
    fn one_number_is_stretched_and_other_shapes_are_not() {
        let sum = |a: &Whole, b: &Whole| a.combined(b, i64::checked_add);
        let part = two_by_three();
        assert_eq!(sum(&part, &Whole::scalar(1)).unwrap().numbers, [2, 3, 4, 5, 6, 7]);
        assert_eq!(sum(&part, &Whole::row(vec![1, 2, 3])), None);
        assert_eq!(sum(&Whole::row(vec![i64::MAX]), &Whole::scalar(1)), None);
    }
}
