//! Operators that take pieces of a tensor.

use bigtpu_messages::error_message;

use super::operator::{error, unknown_numbers};
use super::proto::NodeProto;
use super::tensor::bounded;
use crate::graph::error::{GraphError, shown};
use crate::graph::node::{Operator, Shape};
use crate::graph::shapes;

pub(super) fn split(
    node: &NodeProto,
    from: &[u64],
    sizes: Option<Vec<i64>>,
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let axis = shapes::axis(node.int("axis").unwrap_or(0), from.len())
        .map_err(|what| error(node, what))?;
    let total = from.get(axis).copied().unwrap_or(0);
    let count = node.output.len().max(1) as u64;
    let equal = || {
        let size = total.div_ceil(count).max(1);
        (0..count).map(|index| size.min(total.saturating_sub(index * size))).collect::<Vec<u64>>()
    };
    let sizes = sizes.map_or_else(equal, |sizes| {
        sizes.iter().map(|&size| u64::try_from(size).unwrap_or(0)).collect()
    });
    if sizes.len() as u64 != count || sizes.iter().sum::<u64>() != total {
        return Err(error(
            node,
            error_message!("graph-split-sizes", sizes = shown(&sizes), total, count),
        ));
    }
    let outputs = sizes.into_iter().map(|size| {
        let mut shape = from.to_vec();
        shape.iter_mut().skip(axis).take(1).for_each(|part| *part = size);
        shape
    });
    Ok((Operator::Split { axis }, outputs.collect()))
}

pub(super) fn slice(
    node: &NodeProto,
    from: &[u64],
    bounds: [Option<Vec<i64>>; 4],
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let [Some(starts), Some(ends), axes, steps] = bounds else {
        return Err(error(node, unknown_numbers()));
    };
    let axes = axes.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let mut shape = from.to_vec();
    for (index, (axis, (start, end))) in axes.iter().zip(starts.iter().zip(&ends)).enumerate() {
        let axis = shapes::axis(*axis, from.len()).map_err(|what| error(node, what))?;
        let step = steps
            .as_ref()
            .and_then(|steps| steps.get(index))
            .map_or(1, |step| step.unsigned_abs().max(1));
        let backwards =
            steps.as_ref().and_then(|steps| steps.get(index)).is_some_and(|step| *step < 0);
        if let Some(size) = shape.get_mut(axis) {
            let length = usize::try_from(*size).unwrap_or(usize::MAX);
            let (low, high) = if backwards { (end, start) } else { (start, end) };
            let covered = if backwards {
                // From the start down to the element behind the end, the first one included.
                let low = if *low < -(*size as i64) { 0 } else { bounded(*low, length) + 1 };
                (bounded(*high, length.saturating_sub(1)) + 1).saturating_sub(low)
            } else {
                bounded(*high, length).saturating_sub(bounded(*low, length))
            };
            *size = (covered as u64).div_ceil(step);
        }
    }
    Ok((Operator::Select, vec![shape]))
}
