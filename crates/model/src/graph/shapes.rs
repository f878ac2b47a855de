//! Shapes of results, from shapes of operands. Errors are sentences without the node's name.

use bigtpu_messages::{Message, error_message};

use crate::graph::error::shown;
use crate::graph::node::{Shape, Window};

/// More elements than any memory has: such a shape is a mistake.
const MOST_ELEMENTS: u64 = 1_000_000_000_000_000;

/// More dimensions than any framework's tensors have: each node that reads such a tensor would copy all of them.
pub(crate) const MOST_DIMENSIONS: usize = 64;

/// Number of elements.
pub(crate) fn count(shape: &[u64]) -> Result<u64, Message> {
    if shape.len() > MOST_DIMENSIONS {
        return Err(error_message!(
            "graph-many-dimensions",
            count = shape.len(),
            most = MOST_DIMENSIONS
        ));
    }
    let product = shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
    let product = product.filter(|&count| count <= MOST_ELEMENTS);
    product.ok_or_else(|| error_message!("graph-elements", shape = shown(shape)))
}

/// A dimension's index from a number that may count from the end.
pub(crate) fn axis(number: i64, rank: usize) -> Result<usize, Message> {
    let from_end = if number < 0 { number.saturating_add(rank as i64) } else { number };
    let found = usize::try_from(from_end).ok().filter(|&index| index < rank);
    found.ok_or_else(|| error_message!("graph-no-dimension", number, rank))
}

/// Both stretched to a common shape.
pub(crate) fn broadcast(one: &[u64], other: &[u64]) -> Result<Shape, Message> {
    let rank = one.len().max(other.len());
    let from_end = |shape: &[u64], back: usize| shape.iter().rev().nth(back).copied().unwrap_or(1);
    let mut result = Vec::with_capacity(rank);
    for back in (0..rank).rev() {
        result.push(match (from_end(one, back), from_end(other, back)) {
            (a, b) if a == b => a,
            (1, b) => b,
            (a, 1) => a,
            _ => {
                return Err(error_message!(
                    "graph-broadcast",
                    one = shown(one),
                    other = shown(other)
                ));
            }
        });
    }
    Ok(result)
}

/// Product over the last two dimensions.
pub(crate) fn matmul(one: &[u64], other: &[u64]) -> Result<Shape, Message> {
    let unfit = || error_message!("graph-matmul", one = shown(one), other = shown(other));
    let (batch, rows, inner) = match one {
        [batch @ .., rows, inner] => (batch, Some(*rows), *inner),
        [inner] => (&[][..], None, *inner),
        [] => return Err(unfit()),
    };
    let (other_batch, other_inner, columns) = match other {
        [batch @ .., inner, columns] => (batch, *inner, Some(*columns)),
        [inner] => (&[][..], *inner, None),
        [] => return Err(unfit()),
    };
    if inner != other_inner {
        return Err(unfit());
    }
    let mut result = broadcast(batch, other_batch).map_err(|_| unfit())?;
    result.extend(rows);
    result.extend(columns);
    Ok(result)
}

/// Height and width that a window leaves.
pub(crate) fn slide(size: [u64; 2], window: &Window, round_up: bool) -> Result<[u64; 2], Message> {
    let mut result = [0; 2];
    let parts = size.iter().zip(window.kernel).zip(window.stride).zip(window.padding);
    for (out, ((((&size, kernel), stride), padding), dilation)) in
        result.iter_mut().zip(parts.zip(window.dilation))
    {
        let covered = kernel.saturating_sub(1).saturating_mul(dilation).saturating_add(1);
        let room = size.saturating_add(padding).checked_sub(covered);
        let room = room
            .filter(|_| kernel > 0 && stride > 0)
            .ok_or_else(|| error_message!("graph-window", covered, stride, size, padding))?;
        *out = if round_up { room.div_ceil(stride) } else { room / stride } + 1;
    }
    Ok(result)
}

/// A shape with the same elements; -1 represents what is left, and 0 for the input's own size if
/// `zero_copies`.
pub(crate) fn reshape(from: &[u64], wanted: &[i64], zero_copies: bool) -> Result<Shape, Message> {
    let unfit = || error_message!("graph-reshape", from = shown(from), wanted = shown(wanted));
    let total = count(from)?;
    let mut shape = Vec::with_capacity(wanted.len());
    for (index, &size) in wanted.iter().enumerate() {
        shape.push(match size {
            -1 => None,
            0 if zero_copies => Some(*from.get(index).ok_or_else(unfit)?),
            _ => Some(u64::try_from(size).map_err(|_| unfit())?),
        });
    }
    let known: Vec<u64> = shape.iter().copied().flatten().collect();
    let known = count(&known)?;
    let left = total.checked_div(known).unwrap_or(0);
    if shape.iter().filter(|size| size.is_none()).count() > 1 {
        return Err(unfit());
    }
    let shape: Shape = shape.into_iter().map(|size| size.unwrap_or(left)).collect();
    if count(&shape)? == total { Ok(shape) } else { Err(unfit()) }
}

/// Dimensions in another order.
pub(crate) fn permute(from: &[u64], order: &[i64]) -> Result<Shape, Message> {
    let axes: Vec<usize> =
        order.iter().map(|&number| axis(number, from.len())).collect::<Result<_, _>>()?;
    let mut sorted = axes.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..from.len()) {
        return Err(error_message!("graph-order", order = shown(order), from = shown(from)));
    }
    Ok(axes.iter().filter_map(|&index| from.get(index).copied()).collect())
}

/// One after the other along a dimension.
pub(crate) fn concat(parts: &[Shape], along: i64) -> Result<(Shape, usize), Message> {
    let mut parts = parts.iter();
    let mut result = parts.next().ok_or_else(|| error_message!("graph-no-inputs"))?.clone();
    let along = axis(along, result.len())?;
    for part in parts {
        let fits = part.len() == result.len()
            && part.iter().zip(&result).enumerate().all(|(i, (a, b))| i == along || a == b);
        match (result.get_mut(along), part.get(along)) {
            (Some(size), Some(more)) if fits => *size = size.saturating_add(*more),
            _ => {
                return Err(error_message!(
                    "graph-concat",
                    part = shown(part),
                    before = shown(&result),
                    along
                ));
            }
        }
    }
    Ok((result, along))
}

/// Without some dimensions, or with size 1 in their place.
pub(crate) fn reduce(from: &[u64], dims: &[i64], keep: bool) -> Result<Shape, Message> {
    let gone: Vec<usize> =
        dims.iter().map(|&number| axis(number, from.len())).collect::<Result<_, _>>()?;
    let sizes =
        from.iter().enumerate().filter_map(|(index, &size)| match (gone.contains(&index), keep) {
            (true, true) => Some(1),
            (true, false) => None,
            (false, _) => Some(size),
        });
    Ok(sizes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        assert_eq!(broadcast(&[2, 1, 4], &[3, 1]), Ok(vec![2, 3, 4]));
        assert!(broadcast(&[2], &[3]).is_err());
        assert_eq!(matmul(&[5, 2, 3], &[3, 4]), Ok(vec![5, 2, 4]));
        assert_eq!(matmul(&[3], &[5, 3, 4]), Ok(vec![5, 4]));
        assert!(matmul(&[2, 3], &[4, 3]).is_err());
        assert_eq!(reshape(&[2, 8, 64], &[2, 8, 4, -1], false), Ok(vec![2, 8, 4, 16]));
        assert_eq!(reshape(&[2, 8], &[0, -1], true), Ok(vec![2, 8]));
        assert!(reshape(&[2, 8], &[3, -1], false).is_err());
        assert_eq!(permute(&[1, 2, 3], &[0, 2, 1]), Ok(vec![1, 3, 2]));
        assert!(permute(&[1, 2, 3], &[0, 2, 2]).is_err());
        assert_eq!(concat(&[vec![1, 8, 4], vec![1, 2, 4]], 1), Ok((vec![1, 10, 4], 1)));
        assert!(concat(&[vec![1, 8, 4], vec![1, 2, 5]], -2).is_err());
        assert_eq!(reduce(&[2, 3, 4], &[-1], true), Ok(vec![2, 3, 1]));
        assert_eq!(reduce(&[2, 3, 4], &[1], false), Ok(vec![2, 4]));
        assert!(count(&[u64::MAX, 2]).is_err());
    }

    #[test]
    fn windows() {
        let window = |kernel, stride, padding| Window {
            kernel: [kernel; 2],
            stride: [stride; 2],
            padding: [padding; 2],
            dilation: [1, 1],
        };
        assert_eq!(slide([224, 224], &window(11, 4, 4), false), Ok([55, 55]));
        assert_eq!(slide([6, 6], &window(3, 2, 0), true), Ok([3, 3]));
        assert!(slide([2, 2], &window(3, 1, 0), false).is_err());
        assert!(slide([2, 2], &window(1, 0, 0), false).is_err());
    }
}
