//! Operators that slide a window over an image: convolutions and pools.

use bigtpu_messages::error_message;

use super::operator::error;
use super::proto::NodeProto;
use crate::graph::error::{GraphError, shown};
use crate::graph::node::{Operator, Shape, Window};
use crate::graph::shapes;

/// Height and width of an input; one-dimensional data has height 1.
fn plane(node: &NodeProto, input: &[u64]) -> Result<[u64; 2], GraphError> {
    match input {
        [_, _, width] => Ok([1, *width]),
        [_, _, height, width] => Ok([*height, *width]),
        _ => Err(error(node, error_message!("graph-plane", input = shown(input)))),
    }
}

pub(super) fn window(
    node: &NodeProto,
    kernel: &[i64],
    size: [u64; 2],
) -> Result<Window, GraphError> {
    let pair = |numbers: Option<&[i64]>, otherwise: u64| {
        let number = |number: i64| u64::try_from(number).unwrap_or(otherwise);
        match numbers {
            Some([one]) => [otherwise, number(*one)],
            Some([one, other, ..]) => [number(*one), number(*other)],
            _ => [otherwise; 2],
        }
    };
    let mut window = Window {
        kernel: pair(Some(kernel), 1),
        stride: pair(node.ints("strides"), 1),
        padding: [0; 2],
        dilation: pair(node.ints("dilations"), 1),
    };
    let explicit = node.ints("pads").unwrap_or(&[]);
    let half = explicit.len() / 2;
    for (axis, (begin, end)) in
        explicit.iter().zip(explicit.iter().skip(half)).take(half).enumerate()
    {
        // One-dimensional data pads the width.
        let axis = if half == 1 { 1 } else { axis };
        let both = begin.saturating_add(*end);
        if let Some(padding) = window.padding.get_mut(axis) {
            *padding = u64::try_from(both).map_err(|_| {
                error(node, error_message!("graph-negative-padding", padding = both))
            })?;
        }
    }
    if node.text("auto_pad").is_some_and(|mode| mode.starts_with("SAME")) {
        for (axis, padding) in window.padding.iter_mut().enumerate() {
            let at = |pair: [u64; 2]| pair.get(axis).copied().unwrap_or(1);
            let out = at(size).div_ceil(at(window.stride).max(1));
            let covered =
                (at(window.kernel).saturating_sub(1)).saturating_mul(at(window.dilation)) + 1;
            *padding = (out.saturating_sub(1))
                .saturating_mul(at(window.stride))
                .saturating_add(covered)
                .saturating_sub(at(size));
        }
    }
    Ok(window)
}

fn slid(
    node: &NodeProto,
    input: &[u64],
    channels: u64,
    window: &Window,
    up: bool,
) -> Result<Shape, GraphError> {
    let size = shapes::slide(plane(node, input)?, window, up).map_err(|what| error(node, what))?;
    let batch = input.first().copied().unwrap_or(1);
    let [height, width] = size;
    Ok(if input.len() == 3 {
        vec![batch, channels, width]
    } else {
        vec![batch, channels, height, width]
    })
}

pub(super) fn convolution(
    node: &NodeProto,
    input: &[u64],
    weights: &[u64],
    bias: bool,
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let [out, inner, kernel @ ..] = weights else {
        return Err(error(node, error_message!("graph-conv-weights", weights = shown(weights))));
    };
    let groups = node.int("group").and_then(|groups| u64::try_from(groups).ok()).unwrap_or(1);
    if input.get(1).copied() != inner.checked_mul(groups) {
        return Err(error(
            node,
            error_message!(
                "graph-conv-groups",
                input = shown(input),
                weights = shown(weights),
                groups
            ),
        ));
    }
    if let ([batch, _, sizes @ ..], [_, _, _]) = (input, kernel) {
        return spatial(node, *batch, *out, sizes, kernel, (groups, bias));
    }
    let kernel: Vec<i64> = kernel.iter().map(|&size| i64::try_from(size).unwrap_or(0)).collect();
    let window = window(node, &kernel, plane(node, input)?)?;
    let output = slid(node, input, *out, &window, false)?;
    Ok((Operator::Conv2d { window, groups, activation: None, bias }, vec![output]))
}

/// A convolution over depth, height and width. The window of the operator is that of height and width; weights have all
/// three.
fn spatial(
    node: &NodeProto,
    batch: u64,
    out: u64,
    sizes: &[u64],
    kernel: &[u64],
    (groups, bias): (u64, bool),
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let axes = axes(node, sizes, kernel);
    let shape = slid_along(node, &[batch, out], sizes, &axes, false)?;
    let window = plane_of(&axes);
    Ok((Operator::Conv2d { window, groups, activation: None, bias }, vec![shape]))
}

/// What a window does along one axis.
#[derive(Clone, Copy)]
struct Axis {
    kernel: u64,
    stride: u64,
    padding: u64,
    dilation: u64,
}

/// The window of each axis after the channels.
fn axes(node: &NodeProto, sizes: &[u64], kernel: &[u64]) -> Vec<Axis> {
    let number = |name: &str, at: usize, otherwise: u64| {
        let given = node.ints(name).and_then(|numbers| numbers.get(at)).copied();
        given.and_then(|number| u64::try_from(number).ok()).unwrap_or(otherwise)
    };
    let is_same = node.text("auto_pad").is_some_and(|mode| mode.starts_with("SAME"));
    let axis = |(at, (&size, &kernel)): (usize, (&u64, &u64))| {
        let (stride, dilation) = (number("strides", at, 1), number("dilations", at, 1));
        let padding = if is_same {
            let out = size.div_ceil(stride.max(1));
            let covered = kernel.saturating_sub(1).saturating_mul(dilation) + 1;
            out.saturating_sub(1)
                .saturating_mul(stride)
                .saturating_add(covered)
                .saturating_sub(size)
        } else {
            number("pads", at, 0).saturating_add(number("pads", at + sizes.len(), 0))
        };
        Axis { kernel, stride, padding, dilation }
    };
    sizes.iter().zip(kernel).enumerate().map(axis).collect()
}

/// Sizes of the result along each axis, after those that `front` has.
fn slid_along(
    node: &NodeProto,
    front: &[u64],
    sizes: &[u64],
    axes: &[Axis],
    up: bool,
) -> Result<Shape, GraphError> {
    let mut shape = front.to_vec();
    for (&size, axis) in sizes.iter().zip(axes) {
        let line = Window {
            kernel: [1, axis.kernel],
            stride: [1, axis.stride],
            padding: [0, axis.padding],
            dilation: [1, axis.dilation],
        };
        let [_, slid] = shapes::slide([1, size], &line, up).map_err(|what| error(node, what))?;
        shape.push(slid);
    }
    Ok(shape)
}

/// The window of height and width: of the last two axes.
fn plane_of(axes: &[Axis]) -> Window {
    let at = |from_last: usize, of: fn(&Axis) -> u64, otherwise: u64| {
        axes.iter().rev().nth(from_last).map_or(otherwise, of)
    };
    let pair = |of: fn(&Axis) -> u64, otherwise| [at(1, of, otherwise), at(0, of, otherwise)];
    Window {
        kernel: pair(|axis| axis.kernel, 1),
        stride: pair(|axis| axis.stride, 1),
        padding: pair(|axis| axis.padding, 0),
        dilation: pair(|axis| axis.dilation, 1),
    }
}

/// Pooling over depth, height and width. There are no weights that have the depth of the window, so that its height
/// has both: a window of 2 x 3 x 3 is one of 6 x 3, which looks at as many elements.
fn spatial_pool(
    node: &NodeProto,
    front: &[u64],
    sizes: &[u64],
    average: bool,
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let kernel = node.ints("kernel_shape").unwrap_or(&[]).iter();
    let kernel: Vec<u64> = kernel.map(|&size| u64::try_from(size).unwrap_or(0)).collect();
    let axes = axes(node, sizes, &kernel);
    if axes.len() != sizes.len() {
        let what = error_message!("graph-pool-axes", kernel = shown(&kernel), sizes = shown(sizes));
        return Err(error(node, what));
    }
    let up = node.int("ceil_mode") == Some(1);
    let output = slid_along(node, front, sizes, &axes, up)?;
    let mut window = plane_of(&axes);
    let [height, _] = &mut window.kernel;
    *height = axes.first().map_or(*height, |axis| axis.kernel.saturating_mul(*height));
    Ok((Operator::Pool2d { window, average }, vec![output; node.output.len().max(1)]))
}

pub(super) fn pool(node: &NodeProto, input: &[u64]) -> Result<(Operator, Vec<Shape>), GraphError> {
    let average = node.op_type == "AveragePool";
    if let [batch, channels, depth, height, width] = *input {
        return spatial_pool(node, &[batch, channels], &[depth, height, width], average);
    }
    let kernel = node.ints("kernel_shape").unwrap_or(&[]);
    let window = window(node, kernel, plane(node, input)?)?;
    let channels = input.get(1).copied().unwrap_or(1);
    let up = node.int("ceil_mode") == Some(1);
    let output = slid(node, input, channels, &window, up)?;
    Ok((Operator::Pool2d { window, average }, vec![output; node.output.len().max(1)]))
}
