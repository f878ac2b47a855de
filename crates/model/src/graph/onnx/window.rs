//! Operators that slide a window over an image: convolutions and pools.

use super::operator::error;
use super::proto::NodeProto;
use crate::graph::error::GraphError;
use crate::graph::node::{Operator, Shape, Window};
use crate::graph::shapes;

/// Height and width of an input; one-dimensional data has height 1.
fn plane(node: &NodeProto, input: &[u64]) -> Result<[u64; 2], GraphError> {
    match input {
        [_, _, width] => Ok([1, *width]),
        [_, _, height, width] => Ok([*height, *width]),
        _ => Err(error(
            node,
            format!("its input {input:?} has neither one nor two dimensions after the channels"),
        )),
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
            *padding = u64::try_from(both)
                .map_err(|_| error(node, format!("padding {both} is negative")))?;
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
        return Err(error(
            node,
            format!("its weights {weights:?} are not [out, in, height, width]"),
        ));
    };
    let groups = node.int("group").and_then(|groups| u64::try_from(groups).ok()).unwrap_or(1);
    if input.get(1).copied() != inner.checked_mul(groups) {
        return Err(error(
            node,
            format!("input {input:?} does not fit weights {weights:?} in {groups} groups"),
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
    let number = |name: &str, at: usize, otherwise: u64| {
        let given = node.ints(name).and_then(|numbers| numbers.get(at)).copied();
        given.and_then(|number| u64::try_from(number).ok()).unwrap_or(otherwise)
    };
    let mut shape = vec![batch, out];
    for (at, (&size, &kernel)) in sizes.iter().zip(kernel).enumerate() {
        let padding = number("pads", at, 0).saturating_add(number("pads", at + 3, 0));
        let line = Window {
            kernel: [1, kernel],
            stride: [1, number("strides", at, 1)],
            padding: [0, padding],
            dilation: [1, number("dilations", at, 1)],
        };
        let [_, slid] = shapes::slide([1, size], &line, false).map_err(|what| error(node, what))?;
        shape.push(slid);
    }
    let at = |at: usize| kernel.get(at).copied().unwrap_or(1);
    let window = Window {
        kernel: [at(1), at(2)],
        stride: [number("strides", 1, 1), number("strides", 2, 1)],
        padding: [
            number("pads", 1, 0) + number("pads", 4, 0),
            number("pads", 2, 0) + number("pads", 5, 0),
        ],
        dilation: [number("dilations", 1, 1), number("dilations", 2, 1)],
    };
    Ok((Operator::Conv2d { window, groups, activation: None, bias }, vec![shape]))
}

pub(super) fn pool(node: &NodeProto, input: &[u64]) -> Result<(Operator, Vec<Shape>), GraphError> {
    let kernel = node.ints("kernel_shape").unwrap_or(&[]);
    let window = window(node, kernel, plane(node, input)?)?;
    let channels = input.get(1).copied().unwrap_or(1);
    let up = node.int("ceil_mode") == Some(1);
    let output = slid(node, input, channels, &window, up)?;
    let average = node.op_type == "AveragePool";
    Ok((Operator::Pool2d { window, average }, vec![output; node.output.len().max(1)]))
}
