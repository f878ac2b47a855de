//! Small tensors whose elements are known when the model is read, row by row.

use crate::graph::node::Shape;
use crate::graph::shapes;

/// Longest tensor that is computed: shapes, axes, positions, masks of short sequences.
pub(super) const LONGEST: usize = 16_384;

/// Elements of a tensor. Truth values are the numbers 0 and 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Numbers {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Real numbers of single precision.
    Real(Vec<f32>),
}

/// A tensor with its elements.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tensor {
    pub(super) shape: Shape,
    /// As many as the shape has elements.
    pub(super) numbers: Numbers,
}

impl Numbers {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Whole(numbers) => numbers.len(),
            Self::Real(numbers) => numbers.len(),
        }
    }

    /// Whole numbers; of real ones the part before the point.
    pub(super) fn whole(&self) -> Vec<i64> {
        match self {
            Self::Whole(numbers) => numbers.clone(),
            Self::Real(numbers) => numbers.iter().map(|&number| number as i64).collect(),
        }
    }

    pub(super) fn real(&self) -> Vec<f32> {
        match self {
            Self::Whole(numbers) => numbers.iter().map(|&number| number as f32).collect(),
            Self::Real(numbers) => numbers.clone(),
        }
    }

    /// The elements of some places, in their order.
    fn picked(&self, places: impl Iterator<Item = Option<usize>>) -> Option<Self> {
        Some(match self {
            Self::Whole(numbers) => {
                Self::Whole(places.map(|at| numbers.get(at?).copied()).collect::<Option<_>>()?)
            }
            Self::Real(numbers) => {
                Self::Real(places.map(|at| numbers.get(at?).copied()).collect::<Option<_>>()?)
            }
        })
    }
}

impl Tensor {
    /// `None` where there are not as many numbers as the shape has elements, or too many.
    pub(super) fn new(shape: Shape, numbers: Numbers) -> Option<Self> {
        let count = size(&shape)?;
        (count == numbers.len()).then_some(Self { shape, numbers })
    }

    pub(super) fn whole(shape: Shape, numbers: Vec<i64>) -> Option<Self> {
        Self::new(shape, Numbers::Whole(numbers))
    }

    pub(super) fn real(shape: Shape, numbers: Vec<f32>) -> Option<Self> {
        Self::new(shape, Numbers::Real(numbers))
    }

    /// Whole numbers in one dimension.
    pub(super) fn row(numbers: Vec<i64>) -> Self {
        Self { shape: vec![numbers.len() as u64], numbers: Numbers::Whole(numbers) }
    }

    /// A whole number without dimensions.
    pub(super) fn scalar(number: i64) -> Self {
        Self { shape: Vec::new(), numbers: Numbers::Whole(vec![number]) }
    }

    pub(super) fn is_real(&self) -> bool {
        matches!(self.numbers, Numbers::Real(_))
    }

    /// Returns the tensor's elements in another shape; `None` where the shape has another number of elements.
    pub(super) fn reshaped(self, shape: Shape) -> Option<Self> {
        Self::new(shape, self.numbers)
    }

    /// A tensor of a shape, of which `place` says for each index which element of this one it is.
    pub(super) fn picked(
        &self,
        shape: Shape,
        mut place: impl FnMut(&[usize]) -> Option<usize>,
    ) -> Option<Self> {
        let count = size(&shape)?;
        let mut index = vec![0_usize; shape.len()];
        let places = (0..count).map(|number| {
            if number > 0 {
                step(&mut index, &shape);
            }
            place(&index)
        });
        let numbers = self.numbers.picked(places)?;
        Some(Self { shape, numbers })
    }

    /// The place of an element; `None` outside of the tensor.
    pub(super) fn place(&self, index: &[usize]) -> Option<usize> {
        let mut at = 0_usize;
        for (&index, &size) in index.iter().zip(&self.shape) {
            let size = usize::try_from(size).ok()?;
            if index >= size {
                return None;
            }
            at = at.checked_mul(size)?.checked_add(index)?;
        }
        Some(at)
    }

    /// Stretched to a shape, as operators of two tensors do it.
    pub(super) fn stretched(&self, shape: &[u64]) -> Option<Self> {
        if self.shape == shape {
            return Some(self.clone());
        }
        let new = shape.len().checked_sub(self.shape.len())?;
        self.picked(shape.to_vec(), |index| {
            let own = index.get(new..)?.iter().zip(&self.shape);
            let own: Vec<usize> = own.map(|(&at, &size)| if size == 1 { 0 } else { at }).collect();
            self.place(&own)
        })
    }
}

/// Number of elements, if they are few enough.
pub(super) fn size(shape: &[u64]) -> Option<usize> {
    let count = shapes::count(shape).ok().and_then(|count| usize::try_from(count).ok())?;
    (count <= LONGEST).then_some(count)
}

/// The next index of a shape; the last dimension runs fastest.
pub(super) fn step(index: &mut [usize], shape: &[u64]) {
    for (at, &size) in index.iter_mut().zip(shape).rev() {
        *at += 1;
        if (*at as u64) < size {
            return;
        }
        *at = 0;
    }
}

/// A place that may count from the end, at most the length.
pub(super) fn bounded(number: i64, length: usize) -> usize {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let from_start = if number < 0 { number.saturating_add(length) } else { number };
    usize::try_from(from_start.clamp(0, length)).unwrap_or(0)
}

/// An index that may count from the end; `None` outside.
pub(super) fn indexed(number: i64, length: u64) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    let from_start = if number < 0 { number.checked_add(length)? } else { number };
    (0..length).contains(&from_start).then(|| usize::try_from(from_start).ok())?
}
