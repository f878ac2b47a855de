//! Operators of ONNX: what they are, and the shapes of their outputs.

use std::collections::HashMap;

use super::constants::place;
use super::proto::NodeProto;
use super::window::{convolution, pool};
use crate::error::GraphError;
use crate::graph::{Activation, Norm, Operator, Shape};
use crate::shapes;

pub(crate) fn error(node: &NodeProto, what: String) -> GraphError {
    GraphError::Node { node: node.label(), operator: node.op_type.clone(), what }
}

/// Whether a stored operand is a setting (a shape, axes, bounds) or a bias, and no weight matrix.
pub(crate) fn is_setting(node: &NodeProto, rank: usize) -> bool {
    match node.op_type.as_str() {
        "Conv" | "Gemm" | "MatMul" | "ConvTranspose" => rank < 2,
        "Gather" => rank < 1,
        _ => true,
    }
}

/// Operators whose output has the shape of their first input.
pub(crate) fn simple(op_type: &str) -> Option<Operator> {
    Some(match op_type {
        "Relu" | "LeakyRelu" | "PRelu" | "Clip" | "ThresholdedRelu" => {
            Operator::Activation(Activation::Relu)
        }
        "Sigmoid" | "HardSigmoid" => Operator::Activation(Activation::Sigmoid),
        "Tanh" => Operator::Activation(Activation::Tanh),
        "Elu" | "Selu" | "Celu" => Operator::Activation(Activation::Elu),
        "Gelu" | "FastGelu" | "BiasGelu" => Operator::Activation(Activation::Gelu),
        "Swish" | "HardSwish" | "Mish" => Operator::Activation(Activation::Silu),
        "Softmax" | "LogSoftmax" => Operator::Softmax,
        "BatchNormalization" => Operator::Norm(Norm::Batch),
        "InstanceNormalization" | "GroupNormalization" => Operator::Norm(Norm::Group),
        "LayerNormalization" | "SkipLayerNormalization" => Operator::Norm(Norm::Layer),
        "RMSNormalization"
        | "SimplifiedLayerNormalization"
        | "SkipSimplifiedLayerNormalization" => Operator::Norm(Norm::Rms),
        "Identity" | "Dropout" | "Cast" | "QuantizeLinear" | "DequantizeLinear" => {
            Operator::Identity
        }
        "Sqrt" | "Exp" | "Log" | "Neg" | "Abs" | "Reciprocal" | "Erf" | "Sin" | "Cos" | "Floor"
        | "Ceil" | "Round" | "Sign" | "Not" | "Softplus" | "Softsign" | "CumSum" | "Trilu"
        | "LRN" => Operator::Elementwise(op_type.to_lowercase()),
        _ => return None,
    })
}

/// Operators of two or more tensors that are stretched to a common shape.
fn is_broadcast(op_type: &str) -> bool {
    const NAMES: [&str; 17] = [
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Pow",
        "Mod",
        "Min",
        "Max",
        "Sum",
        "Mean",
        "Where",
        "Equal",
        "Less",
        "LessOrEqual",
        "Greater",
        "GreaterOrEqual",
        "And",
    ];
    NAMES.contains(&op_type)
}

pub(crate) fn infer(
    node: &NodeProto,
    shapes: &[Option<&Shape>],
    weights: &[bool],
    constants: &HashMap<&str, Vec<i64>>,
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let failed = |what: String| error(node, what);
    let shape = |index: usize| {
        let found = shapes.get(index).copied().flatten();
        found.ok_or_else(|| error(node, format!("input {index} is missing")))
    };
    let numbers = |index: usize, attribute: &str| -> Option<Vec<i64>> {
        let operand = node.input.get(index).and_then(|name| constants.get(name.as_str())).cloned();
        operand.or_else(|| node.ints(attribute).map(<[i64]>::to_vec))
    };
    let made = |operator: Operator, shape: Result<Shape, String>| {
        Ok((operator, vec![shape.map_err(failed)?]))
    };
    if let Some(operator) = simple(&node.op_type) {
        return Ok((operator, vec![shape(0)?.clone(); node.output.len()]));
    }
    if is_broadcast(&node.op_type) {
        let mut all = shapes.iter().copied().flatten();
        let first = all.next().cloned().unwrap_or_default();
        let common = all.try_fold(first, |common, other| shapes::broadcast(&common, other));
        return made(Operator::Elementwise(node.op_type.to_lowercase()), common);
    }
    match node.op_type.as_str() {
        "Gemm" => gemm(node, shape(0)?, shape(1)?, shapes.get(2).copied().flatten().is_some()),
        "MatMul" => {
            let (one, other) = (shape(0)?, shape(1)?);
            let result = shapes::matmul(one, other).map_err(failed)?;
            let operator = match (weights.get(1), other.as_slice()) {
                (Some(true), [_, out]) => {
                    Operator::Linear { out: *out, activation: None, bias: false }
                }
                _ => Operator::MatMul,
            };
            Ok((operator, vec![result]))
        }
        "Conv" => convolution(node, shape(0)?, shape(1)?, shapes.len() > 2),
        "MaxPool" | "AveragePool" => pool(node, shape(0)?),
        "GlobalAveragePool" | "GlobalMaxPool" => {
            let mut result = shape(0)?.clone();
            result.iter_mut().skip(2).for_each(|size| *size = 1);
            Ok((Operator::Reduce, vec![result]))
        }
        "Reshape" => {
            let wanted = numbers(1, "shape").ok_or_else(|| failed(UNKNOWN_NUMBERS.to_owned()))?;
            made(
                Operator::Reshape,
                shapes::reshape(shape(0)?, &wanted, node.int("allowzero") != Some(1)),
            )
        }
        "Flatten" => {
            let from = shape(0)?;
            let axis = place(node.int("axis").unwrap_or(1), from.len());
            let (rows, columns) = from.split_at_checked(axis).unwrap_or((from, &[]));
            let sizes =
                shapes::count(rows).and_then(|rows| Ok(vec![rows, shapes::count(columns)?]));
            made(Operator::Reshape, sizes)
        }
        "Squeeze" | "Unsqueeze" => squeeze(node, shape(0)?, numbers(1, "axes")),
        "Transpose" => {
            let from = shape(0)?;
            let reversed = (0..from.len() as i64).rev().collect();
            let order = node.ints("perm").map_or(reversed, <[i64]>::to_vec);
            made(Operator::Permute, shapes::permute(from, &order))
        }
        "Concat" => {
            let parts: Vec<Shape> = shapes.iter().copied().flatten().cloned().collect();
            let (shape, axis) =
                shapes::concat(&parts, node.int("axis").unwrap_or(0)).map_err(failed)?;
            Ok((Operator::Concat { axis }, vec![shape]))
        }
        "Split" => split(node, shape(0)?, numbers(1, "split")),
        "Slice" => slice(
            node,
            shape(0)?,
            [numbers(1, "starts"), numbers(2, "ends"), numbers(3, "axes"), numbers(4, "steps")],
        ),
        "Gather" => {
            let (from, picked) = (shape(0)?, shape(1)?);
            let axis = shapes::axis(node.int("axis").unwrap_or(0), from.len()).map_err(failed)?;
            let (before, after) = from.split_at_checked(axis).unwrap_or((from, &[]));
            let result = [before, picked, after.get(1..).unwrap_or(&[])].concat();
            let is_table = weights.first() == Some(&true) && from.len() == 2 && axis == 0;
            Ok((if is_table { Operator::Embedding } else { Operator::Select }, vec![result]))
        }
        "Expand" => {
            let wanted = numbers(1, "shape").ok_or_else(|| failed(UNKNOWN_NUMBERS.to_owned()))?;
            let wanted: Shape =
                wanted.iter().map(|&size| u64::try_from(size).unwrap_or(1)).collect();
            made(Operator::Expand, shapes::broadcast(shape(0)?, &wanted))
        }
        "ReduceMean" | "ReduceSum" | "ReduceMax" | "ReduceMin" | "ReduceProd" | "ReduceL2" => {
            let from = shape(0)?;
            let all = || (0..from.len() as i64).collect();
            let dims = numbers(1, "axes").filter(|dims| !dims.is_empty()).unwrap_or_else(all);
            made(Operator::Reduce, shapes::reduce(from, &dims, node.int("keepdims") != Some(0)))
        }
        "ArgMax" | "ArgMin" => {
            let axis = node.int("axis").unwrap_or(0);
            made(
                Operator::Reduce,
                shapes::reduce(shape(0)?, &[axis], node.int("keepdims") != Some(0)),
            )
        }
        _ => Err(GraphError::UnknownOperator {
            node: node.label(),
            operator: node.op_type.clone(),
            advice: "run `onnx.shape_inference` on the model, so that the file contains its shapes",
        }),
    }
}

const UNKNOWN_NUMBERS: &str = "the new shape depends on data; run `onnx.shape_inference` on the model, so that the file contains it";

fn gemm(
    node: &NodeProto,
    one: &[u64],
    other: &[u64],
    bias: bool,
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let turned = |shape: &[u64], name: &str| {
        let mut shape = shape.to_vec();
        if node.int(name) == Some(1) {
            shape.reverse();
        }
        shape
    };
    let (one, other) = (turned(one, "transA"), turned(other, "transB"));
    let result = shapes::matmul(&one, &other).map_err(|what| error(node, what))?;
    let out = result.last().copied().unwrap_or(0);
    Ok((Operator::Linear { out, activation: None, bias }, vec![result]))
}

fn squeeze(
    node: &NodeProto,
    from: &[u64],
    axes: Option<Vec<i64>>,
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let failed = |what: String| error(node, what);
    let mut shape = from.to_vec();
    if node.op_type == "Unsqueeze" {
        let axes = axes.ok_or_else(|| failed(UNKNOWN_NUMBERS.to_owned()))?;
        let rank = from.len() + axes.len();
        let mut places: Vec<usize> = axes
            .iter()
            .map(|&axis| shapes::axis(axis, rank))
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        places.sort_unstable();
        places.into_iter().for_each(|place| shape.insert(place.min(shape.len()), 1));
    } else {
        let places: Vec<usize> = match axes {
            Some(axes) => axes
                .iter()
                .map(|&axis| shapes::axis(axis, from.len()))
                .collect::<Result<_, _>>()
                .map_err(failed)?,
            None => {
                from.iter().enumerate().filter(|(_, size)| **size == 1).map(|(i, _)| i).collect()
            }
        };
        let kept = from.iter().enumerate().filter(|(index, _)| !places.contains(index));
        shape = kept.map(|(_, size)| *size).collect();
    }
    Ok((Operator::Reshape, vec![shape]))
}

fn split(
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
            format!("sizes {sizes:?} do not add up to {total} in {count} outputs"),
        ));
    }
    let outputs = sizes.into_iter().map(|size| {
        let mut shape = from.to_vec();
        shape.iter_mut().skip(axis).take(1).for_each(|part| *part = size);
        shape
    });
    Ok((Operator::Split { axis }, outputs.collect()))
}

fn slice(
    node: &NodeProto,
    from: &[u64],
    bounds: [Option<Vec<i64>>; 4],
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let [Some(starts), Some(ends), axes, steps] = bounds else {
        return Err(error(node, UNKNOWN_NUMBERS.to_owned()));
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
                let low = if *low < -(*size as i64) { 0 } else { place(*low, length) + 1 };
                (place(*high, length.saturating_sub(1)) + 1).saturating_sub(low)
            } else {
                place(*high, length).saturating_sub(place(*low, length))
            };
            *size = (covered as u64).div_ceil(step);
        }
    }
    Ok((Operator::Select, vec![shape]))
}
