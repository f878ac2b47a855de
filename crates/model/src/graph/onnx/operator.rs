//! Operators of ONNX: what they are, and the shapes of their outputs.

use bigtpu_messages::{Message, error_message};

use super::evaluate::{Known, gathered};
use super::pieces::{slice, split};
use super::proto::NodeProto;
use super::tensor::bounded;
use super::window::{convolution, pool};
use super::{images, products};
use crate::graph::error::GraphError;
use crate::graph::node::{Activation, Norm, Operator, Shape};
use crate::graph::shapes;

pub(crate) fn error(node: &NodeProto, what: Message) -> GraphError {
    GraphError::Node { node: node.label(), operator: node.op_type.clone(), what }
}

/// Whether a stored operand is a setting (a shape, axes, bounds) or a bias, and no weight matrix.
pub(crate) fn is_setting(node: &NodeProto, rank: usize) -> bool {
    match node.op_type.as_str() {
        "Conv" | "Gemm" | "MatMul" | "ConvTranspose" | "Einsum" | "FusedMatMul"
        | "MatMulInteger" | "LSTM" | "GRU" | "RNN" | "ConvInteger" => rank < 2,
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
        "Sigmoid" => Operator::Activation(Activation::Sigmoid),
        "HardSigmoid" => Operator::Activation(Activation::HardSigmoid),
        "Tanh" => Operator::Activation(Activation::Tanh),
        "Elu" | "Selu" | "Celu" => Operator::Activation(Activation::Elu),
        "Gelu" | "FastGelu" | "BiasGelu" => Operator::Activation(Activation::Gelu),
        "Swish" => Operator::Activation(Activation::Silu),
        "HardSwish" => Operator::Activation(Activation::HardSwish),
        "Mish" => Operator::Activation(Activation::Mish),
        "Softmax" | "LogSoftmax" => Operator::Softmax,
        "BatchNormalization" => Operator::Norm(Norm::Batch),
        "InstanceNormalization" | "GroupNormalization" => Operator::Norm(Norm::Group),
        "LayerNormalization" | "SkipLayerNormalization" => Operator::Norm(Norm::Layer),
        "RMSNormalization"
        | "SimplifiedLayerNormalization"
        | "SkipSimplifiedLayerNormalization" => Operator::Norm(Norm::Rms),
        "Identity" | "Dropout" | "Cast" | "CastLike" | "QuantizeLinear" | "DequantizeLinear" => {
            Operator::Identity
        }
        "Sqrt" | "Exp" | "Log" | "Neg" | "Abs" | "Reciprocal" | "Erf" | "Sin" | "Cos" | "Floor"
        | "Ceil" | "Round" | "Sign" | "Not" | "Softplus" | "Softsign" | "CumSum" | "Trilu"
        | "LRN" | "IsNaN" | "IsInf" | "Hardmax" | "Tan" | "Atan" | "ScatterND"
        | "ScatterElements" => Operator::Elementwise(op_type.to_lowercase()),
        _ => return None,
    })
}

/// Operators of two or more tensors that are stretched to a common shape.
fn is_broadcast(op_type: &str) -> bool {
    const NAMES: [&str; 20] = [
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
        "Or",
        "Xor",
        "BitShift",
    ];
    NAMES.contains(&op_type)
}

pub(crate) fn infer(
    node: &NodeProto,
    shapes: &[Option<&Shape>],
    weights: &[bool],
    known: &Known<'_>,
) -> Result<(Operator, Vec<Shape>), GraphError> {
    let failed = |what: Message| error(node, what);
    let shape = |index: usize| {
        let found = shapes.get(index).copied().flatten();
        found.ok_or_else(|| error(node, error_message!("graph-missing-input", index)))
    };
    let numbers = |index: usize, attribute: &str| -> Option<Vec<i64>> {
        let operand = node.input.get(index).and_then(|name| known.get(name.as_str()));
        let numbers = operand.map(|tensor| tensor.numbers.whole());
        numbers.or_else(|| node.ints(attribute).map(<[i64]>::to_vec))
    };
    let made = |operator: Operator, shape: Result<Shape, Message>| {
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
        "ConvInteger" => convolution(node, shape(0)?, shape(1)?, false),
        "ConvTranspose" => images::transposed(node, shape(0)?, shape(1)?),
        "MatMulInteger" | "FusedMatMul" => products::product(node, shape(0)?, shape(1)?),
        "QLinearMatMul" => products::product(node, shape(0)?, shape(3)?),
        "QLinearConv" => convolution(node, shape(0)?, shape(3)?, shapes.len() > 8),
        "Einsum" => products::einsum(node, &shapes.iter().copied().flatten().collect::<Vec<_>>()),
        "LSTM" | "GRU" | "RNN" => products::recurrent(node, shape(0)?, shape(1)?, shape(2)?),
        "Pad" => {
            let pads = numbers(1, "pads").or_else(|| node.ints("paddings").map(<[i64]>::to_vec));
            let pads = pads.ok_or_else(|| failed(unknown_numbers()))?;
            images::pad(node, shape(0)?, &pads, numbers(3, "axes"))
        }
        "Resize" | "Upsample" => {
            let float = |index: usize| {
                let name = node.input.get(index)?;
                known.get(name.as_str()).map(|tensor| tensor.numbers.real())
            };
            let scales = if node.op_type == "Resize" && node.input.len() > 2 { 2 } else { 1 };
            let scales = float(scales).filter(|scales| !scales.is_empty());
            let scales = scales.or_else(|| node.floats("scales").map(<[f32]>::to_vec));
            images::resize(node, shape(0)?, numbers(3, "sizes").filter(|s| !s.is_empty()), scales)
        }
        "Tile" => {
            let times = numbers(1, "repeats").ok_or_else(|| failed(unknown_numbers()))?;
            let from = shape(0)?;
            let sizes = from
                .iter()
                .zip(&times)
                .map(|(&size, &n)| size.saturating_mul(n.max(0).unsigned_abs()));
            made(Operator::Expand, Ok(sizes.collect()))
        }
        "GatherElements" => made(Operator::Select, Ok(shape(1)?.clone())),
        "GatherND" => {
            let batch = node.int("batch_dims").and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
            let found = gathered(shape(0)?, shape(1)?, batch);
            let unfit = || failed(error_message!("graph-gather-places"));
            made(Operator::Select, Ok(found.ok_or_else(unfit)?))
        }
        // Values, their scale, their zero point.
        "DynamicQuantizeLinear" => {
            let name = Operator::Elementwise("dynamicquantizelinear".to_owned());
            Ok((name, vec![shape(0)?.clone(), Vec::new(), Vec::new()]))
        }
        "OneHot" => {
            let depth = numbers(1, "depth").and_then(|depth| depth.first().copied());
            let depth = depth.and_then(|depth| u64::try_from(depth).ok());
            let depth = depth.ok_or_else(|| failed(unknown_numbers()))?;
            let mut shape = shape(0)?.clone();
            let axis = shapes::axis(node.int("axis").unwrap_or(-1), shape.len() + 1);
            shape.insert(axis.map_err(failed)?, depth);
            made(Operator::Expand, Ok(shape))
        }
        "DepthToSpace" | "SpaceToDepth" => {
            let block =
                node.int("blocksize").and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
            let [batch, channels, height, width] = shape(0)?.as_slice() else {
                return Err(failed(error_message!("graph-four-dimensions")));
            };
            let block = block.ok_or_else(|| failed(error_message!("graph-blocksize")))?;
            let shape = if node.op_type == "DepthToSpace" {
                vec![*batch, channels / (block * block), height * block, width * block]
            } else {
                vec![*batch, channels * block * block, height / block, width / block]
            };
            made(Operator::Permute, Ok(shape))
        }
        "TopK" => {
            let from = shape(0)?;
            let count = numbers(1, "k").and_then(|k| k.first().copied());
            let count = count.ok_or_else(|| failed(unknown_numbers()))?;
            let axis = shapes::axis(node.int("axis").unwrap_or(-1), from.len()).map_err(failed)?;
            let mut shape = from.clone();
            shape
                .iter_mut()
                .skip(axis)
                .take(1)
                .for_each(|size| *size = count.max(0).unsigned_abs());
            Ok((Operator::Elementwise("topk".to_owned()), vec![shape; node.output.len().max(1)]))
        }
        "MaxPool" | "AveragePool" => pool(node, shape(0)?),
        "GlobalAveragePool" | "GlobalMaxPool" => {
            let mut result = shape(0)?.clone();
            result.iter_mut().skip(2).for_each(|size| *size = 1);
            Ok((Operator::Reduce, vec![result]))
        }
        "Reshape" => {
            let wanted = numbers(1, "shape").ok_or_else(|| failed(unknown_numbers()))?;
            made(
                Operator::Reshape,
                shapes::reshape(shape(0)?, &wanted, node.int("allowzero") != Some(1)),
            )
        }
        "Flatten" => {
            let from = shape(0)?;
            let axis = bounded(node.int("axis").unwrap_or(1), from.len());
            let (rows, columns) = from.split_at_checked(axis).unwrap_or((from, &[]));
            let sizes =
                shapes::count(rows).and_then(|rows| Ok(vec![rows, shapes::count(columns)?]));
            made(Operator::Reshape, sizes)
        }
        "Squeeze" | "Unsqueeze" => {
            made(Operator::Reshape, squeezed(node, shape(0)?, numbers(1, "axes")))
        }
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
            let wanted = numbers(1, "shape").ok_or_else(|| failed(unknown_numbers()))?;
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
            advice: error_message!("graph-onnx-advice"),
        }),
    }
}

/// Operators whose work is moving or looking at elements: where only the file shows their shapes, these are enough.
pub(crate) fn only_moves(op_type: &str) -> bool {
    const NAMES: [&str; 24] = [
        "NonZero",
        "Slice",
        "Reshape",
        "Expand",
        "Gather",
        "GatherND",
        "GatherElements",
        "TopK",
        "Range",
        "Tile",
        "NonMaxSuppression",
        "OneHot",
        "ScatterND",
        "Unique",
        "Compress",
        "Resize",
        "Upsample",
        "Pad",
        "Squeeze",
        "Unsqueeze",
        "RoiAlign",
        "ReverseSequence",
        "EyeLike",
        "ConstantOfShape",
    ];
    NAMES.contains(&op_type)
}

pub(super) fn unknown_numbers() -> Message {
    error_message!("graph-unknown-numbers")
}

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

/// Shape of a tensor without dimensions of one element, or with more of them.
pub(super) fn squeezed(
    node: &NodeProto,
    from: &[u64],
    axes: Option<Vec<i64>>,
) -> Result<Shape, Message> {
    let places = |axes: &[i64], rank: usize| -> Result<Vec<usize>, Message> {
        axes.iter().map(|&axis| shapes::axis(axis, rank)).collect()
    };
    if node.op_type == "Unsqueeze" {
        let axes = axes.ok_or_else(unknown_numbers)?;
        let mut places = places(&axes, from.len() + axes.len())?;
        places.sort_unstable();
        let mut shape = from.to_vec();
        places.into_iter().for_each(|place| shape.insert(place.min(shape.len()), 1));
        return Ok(shape);
    }
    let gone = match axes {
        Some(axes) => places(&axes, from.len())?,
        None => from.iter().enumerate().filter(|(_, size)| **size == 1).map(|(i, _)| i).collect(),
    };
    let kept = from.iter().enumerate().filter(|(index, _)| !gone.contains(index));
    Ok(kept.map(|(_, size)| *size).collect())
}
