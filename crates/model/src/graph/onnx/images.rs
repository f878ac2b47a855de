//! Operators that change the size of an image: padding, resizing, transposed convolutions.

use bigtpu_messages::{Message, error_message};

use super::operator::{error, unknown_numbers};
use super::proto::NodeProto;
use super::window::window;
use crate::graph::error::{GraphError, shown};
use crate::graph::node::{Operator, Shape};
use crate::graph::shapes;

type Found = Result<(Operator, Vec<Shape>), GraphError>;

/// `pads` are those before all dimensions (or `axes`), then those behind them.
pub(super) fn pad(node: &NodeProto, from: &[u64], pads: &[i64], axes: Option<Vec<i64>>) -> Found {
    let failed = |what: Message| error(node, what);
    let axes = axes.unwrap_or_else(|| (0..from.len() as i64).collect());
    let (before, behind) = pads.split_at_checked(axes.len()).unwrap_or((pads, &[]));
    if behind.len() != axes.len() {
        return Err(failed(error_message!(
            "graph-pads",
            count = pads.len(),
            dimensions = axes.len()
        )));
    }
    let mut shape = from.to_vec();
    for (axis, (one, other)) in axes.iter().zip(before.iter().zip(behind)) {
        let axis = shapes::axis(*axis, from.len()).map_err(failed)?;
        for size in shape.iter_mut().skip(axis).take(1) {
            let padded =
                i64::try_from(*size).ok().and_then(|s| s.checked_add(one.checked_add(*other)?));
            *size = padded.and_then(|size| u64::try_from(size).ok()).ok_or_else(|| {
                failed(error_message!("graph-pads-take", pads = shown(pads), from = shown(from)))
            })?;
        }
    }
    Ok((Operator::Expand, vec![shape]))
}

/// To given sizes, or by given scales.
pub(super) fn resize(
    node: &NodeProto,
    from: &[u64],
    sizes: Option<Vec<i64>>,
    scales: Option<Vec<f32>>,
) -> Found {
    let of_sizes = |sizes: Vec<i64>| sizes.iter().map(|&size| u64::try_from(size).ok()).collect();
    let of_scales = |scales: Vec<f32>| {
        let size = |(&size, scale): (&u64, &f32)| (size as f64 * f64::from(*scale)).floor() as u64;
        from.iter().zip(&scales).map(size).collect::<Shape>()
    };
    let shape: Option<Shape> = match (sizes, scales) {
        (Some(sizes), _) if sizes.len() == from.len() => of_sizes(sizes),
        (_, Some(scales)) if scales.len() == from.len() => Some(of_scales(scales)),
        _ => None,
    };
    let shape =
        shape.filter(|_| !node.has("axes")).ok_or_else(|| error(node, unknown_numbers()))?;
    Ok((Operator::Elementwise("resize".to_owned()), vec![shape]))
}

/// Weights are `[in, out / groups, height, width]`.
pub(super) fn transposed(node: &NodeProto, input: &[u64], weights: &[u64]) -> Found {
    let ([batch, channels, height, width], [inner, out, kernel @ ..]) = (input, weights) else {
        return Err(error(
            node,
            error_message!("graph-transposed", input = shown(input), weights = shown(weights)),
        ));
    };
    let groups = node.int("group").and_then(|groups| u64::try_from(groups).ok()).unwrap_or(1);
    if channels != inner {
        return Err(error(
            node,
            error_message!("graph-weights", input = shown(input), weights = shown(weights)),
        ));
    }
    let kernel: Vec<i64> = kernel.iter().map(|&size| i64::try_from(size).unwrap_or(0)).collect();
    let window = window(node, &kernel, [*height, *width])?;
    let more = node.ints("output_padding").unwrap_or(&[]);
    let same = node.text("auto_pad").is_some_and(|mode| mode.starts_with("SAME"));
    let grown = |axis: usize, size: u64| {
        let at = |pair: [u64; 2]| pair.get(axis).copied().unwrap_or(1);
        if same {
            return size.saturating_mul(at(window.stride));
        }
        let covered = at(window.kernel).saturating_sub(1).saturating_mul(at(window.dilation)) + 1;
        let more = more.get(axis).and_then(|&more| u64::try_from(more).ok()).unwrap_or(0);
        let whole = size.saturating_sub(1).saturating_mul(at(window.stride));
        whole.saturating_add(covered).saturating_add(more).saturating_sub(at(window.padding))
    };
    let shape = vec![*batch, out.saturating_mul(groups), grown(0, *height), grown(1, *width)];
    Ok((Operator::ConvTranspose2d { window, groups }, vec![shape]))
}
