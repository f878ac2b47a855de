//! Operators of a `.ff` line: parameters, weights, shapes of the outputs.

use bigtpu_messages::{Message, error_message};

use super::{Line, Operands};
use crate::graph::error::{GraphError, shown};
use crate::graph::node::{Activation, Norm, Operator, Shape, Window};
use crate::graph::shapes;

/// Operator, weights and outputs of a line.
pub(crate) type Inferred = (Operator, Vec<Shape>, Vec<Shape>);

/// Code of mean pooling; 30 is maximum pooling.
const POOL_AVERAGE: i64 = 31;

pub(crate) fn infer(
    line: &Line<'_>,
    operands: &Operands,
    pieces: usize,
) -> Result<Inferred, GraphError> {
    let first =
        || operands.shapes.first().ok_or_else(|| line.error(error_message!("graph-no-inputs")));
    let error = |what: Message| line.error(what);
    let same = |operator: Operator| Ok((operator, vec![], vec![first()?.clone()]));
    let made = |operator: Operator, shape: Result<Shape, Message>| {
        Ok((operator, vec![], vec![shape.map_err(error)?]))
    };
    match line.operator {
        "OUTPUT" => same(Operator::Output),
        "LINEAR" => linear(line, first()?),
        "CONV2D" => conv2d(line, first()?),
        "POOL2D" => pool2d(line, first()?),
        "EMBEDDING" => {
            let (entries, columns) = (line.size(0)?, line.size(1)?);
            let output = [first()?.as_slice(), &[columns]].concat();
            Ok((Operator::Embedding, vec![vec![entries, columns]], vec![output]))
        }
        "RELU" => same(Operator::Activation(Activation::Relu)),
        "SIGMOID" => same(Operator::Activation(Activation::Sigmoid)),
        "TANH" => same(Operator::Activation(Activation::Tanh)),
        "ELU" => same(Operator::Activation(Activation::Elu)),
        "GELU" => same(Operator::Activation(Activation::Gelu)),
        "SOFTMAX" => same(Operator::Softmax),
        "BATCH_NORM" => same(Operator::Norm(Norm::Batch)),
        "LAYER_NORM" => same(Operator::Norm(Norm::Layer)),
        "IDENTITY" | "DROPOUT" | "CONTIGUOUS" | "FLOAT" | "TYPE_AS" | "TO" | "GETATTR" => {
            same(Operator::Identity)
        }
        "SCALAR_ADD" | "SCALAR_SUB" | "SCALAR_MULTIPLY" | "SCALAR_TRUEDIV" | "SCALAR_FLOORDIV"
        | "RSQRT" | "POW" => same(Operator::Elementwise(line.operator.to_lowercase())),
        "ADD" | "SUBTRACT" | "MULTIPLY" | "DIVIDE" | "MAX" | "MIN" => {
            let [one, other] = two(line, operands)?;
            made(Operator::Elementwise(line.operator.to_lowercase()), shapes::broadcast(one, other))
        }
        "BATCH_MATMUL" => {
            let [one, other] = two(line, operands)?;
            made(Operator::MatMul, shapes::matmul(one, other))
        }
        "CONCAT" => {
            let (shape, axis) = shapes::concat(&operands.shapes, line.number(0)?).map_err(error)?;
            Ok((Operator::Concat { axis }, vec![], vec![shape]))
        }
        "SPLIT" => split(line, first()?, pieces),
        "GETITEM" if operands.is_tuple => same(Operator::Select),
        "GETITEM" => made(Operator::Select, item(first()?, &line.parameters)),
        "VIEW" | "RESHAPE" => {
            made(Operator::Reshape, shapes::reshape(first()?, &line.numbers()?, false))
        }
        "FLAT" => {
            let rows = first()?.first().copied().unwrap_or(1);
            let rows = i64::try_from(rows).unwrap_or(i64::MAX);
            made(Operator::Reshape, shapes::reshape(first()?, &[rows, -1], false))
        }
        "UNSQUEEZE" => made(Operator::Reshape, unsqueeze(first()?, line.number(0)?)),
        "PERMUTE" => made(Operator::Permute, shapes::permute(first()?, &line.numbers()?)),
        "TRANSPOSE" => {
            let mut shape = first()?.clone();
            let one = shapes::axis(line.number(0)?, shape.len()).map_err(error)?;
            let other = shapes::axis(line.number(1)?, shape.len()).map_err(error)?;
            shape.swap(one, other);
            made(Operator::Permute, Ok(shape))
        }
        "EXPAND" => made(Operator::Expand, expand(first()?, &line.numbers()?)),
        "MEAN" => made(Operator::Reduce, mean(first()?, &line.parameters)),
        _ => Err(GraphError::UnknownOperator {
            node: line.name.to_owned(),
            operator: line.operator.to_owned(),
            advice: error_message!("graph-ff-advice"),
        }),
    }
}

fn two<'a>(line: &Line<'_>, operands: &'a Operands) -> Result<[&'a Shape; 2], GraphError> {
    match operands.shapes.as_slice() {
        [one, other] => Ok([one, other]),
        // A tensor with itself is there once.
        [one] => Ok([one, one]),
        shapes => Err(line.error(error_message!("graph-ff-two", count = shapes.len()))),
    }
}

fn activation(line: &Line<'_>, index: usize) -> Result<Option<Activation>, GraphError> {
    Ok(match line.number(index)? {
        11 => Some(Activation::Relu),
        12 => Some(Activation::Sigmoid),
        13 => Some(Activation::Tanh),
        14 => Some(Activation::Gelu),
        10 => None,
        code => return Err(line.error(error_message!("graph-ff-activation", code))),
    })
}

fn linear(line: &Line<'_>, input: &Shape) -> Result<Inferred, GraphError> {
    let out = line.size(0)?;
    let operator =
        Operator::Linear { out, activation: activation(line, 1)?, bias: line.number(2)? != 0 };
    let mut output = input.clone();
    let inner = output.pop().ok_or_else(|| line.error(error_message!("graph-ff-flat")))?;
    output.push(out);
    Ok((operator, vec![vec![inner, out]], vec![output]))
}

/// Batch, channels, height and width.
fn image(line: &Line<'_>, input: &Shape) -> Result<[u64; 4], GraphError> {
    let four = <[u64; 4]>::try_from(input.as_slice());
    four.map_err(|_| line.error(error_message!("graph-ff-image", input = shown(input))))
}

fn conv2d(line: &Line<'_>, input: &Shape) -> Result<Inferred, GraphError> {
    let [batch, channels, height, width] = image(line, input)?;
    let out = line.size(0)?;
    let window = Window {
        kernel: [line.size(1)?, line.size(2)?],
        stride: [line.size(3)?, line.size(4)?],
        padding: [line.size(5)?, line.size(6)?].map(|size| size.saturating_mul(2)),
        dilation: [1, 1],
    };
    let groups = line.size(8)?;
    if groups == 0 || channels % groups != 0 || out % groups != 0 {
        return Err(line.error(error_message!("graph-ff-groups", channels, out, groups)));
    }
    let [down, across] =
        shapes::slide([height, width], &window, false).map_err(|e| line.error(e))?;
    let [kernel_height, kernel_width] = window.kernel;
    let weights = vec![out, channels / groups, kernel_height, kernel_width];
    let activation = activation(line, 7)?;
    let operator = Operator::Conv2d { window, groups, activation, bias: line.number(9)? != 0 };
    Ok((operator, vec![weights], vec![vec![batch, out, down, across]]))
}

/// Whether a line is what the exporter writes for an adaptive pooling, whose output size its layers fix: a mean of 3 x 3 with
/// stride 1. Returns the size of the output that this line has then instead, if it has more than one element.
pub(crate) fn stands_for_adaptive(line: &Line<'_>, outputs: &[Shape]) -> Option<[u64; 2]> {
    let numbers = [0, 1, 2, 3].map(|index| line.number(index).ok());
    let is_written_so =
        line.operator == "POOL2D" && numbers == [Some(3), Some(1), Some(0), Some(POOL_AVERAGE)];
    let [.., height, width] = outputs.first()?.as_slice() else { return None };
    (is_written_so && (*height, *width) != (1, 1)).then_some([*height, *width])
}

fn pool2d(line: &Line<'_>, input: &Shape) -> Result<Inferred, GraphError> {
    let [batch, channels, height, width] = image(line, input)?;
    let [kernel, stride, padding] = [line.size(0)?, line.size(1)?, line.size(2)?];
    let window = Window {
        kernel: [kernel; 2],
        stride: [stride; 2],
        padding: [padding.saturating_mul(2); 2],
        dilation: [1, 1],
    };
    let average = line.number(3)? == POOL_AVERAGE;
    let [down, across] =
        shapes::slide([height, width], &window, false).map_err(|e| line.error(e))?;
    Ok((Operator::Pool2d { window, average }, vec![], vec![vec![batch, channels, down, across]]))
}

/// More pieces than any model splits a tensor into.
const MOST_PIECES: u64 = 4096;

/// The number is the dimension, and there is a piece for each consumer. A number that is no dimension is the size of the
/// pieces: the exporter writes the second argument of `torch.split` there, too.
fn split(line: &Line<'_>, input: &Shape, pieces: usize) -> Result<Inferred, GraphError> {
    let number = line.number(0)?;
    let pieces = (pieces as u64).max(1);
    if pieces > MOST_PIECES {
        let what = error_message!("graph-ff-pieces", input = shown(input), most = MOST_PIECES);
        return Err(line.error(what));
    }
    let (axis, size) = match shapes::axis(number, input.len()) {
        Ok(axis) => {
            let total = input.get(axis).copied().unwrap_or(0);
            if !total.is_multiple_of(pieces) {
                let what = error_message!("graph-ff-divide", axis, input = shown(input), pieces);
                return Err(line.error(what));
            }
            (axis, total / pieces)
        }
        Err(no_axis) => {
            let size = u64::try_from(number).ok().filter(|&size| size > 0);
            let fits = |size: u64, axis: usize| {
                input.get(axis).is_some_and(|total| total.div_ceil(size) == pieces)
            };
            // Channels before batch.
            let order = (1..input.len()).chain([0]);
            let axis =
                size.and_then(|size| Some((order.clone().find(|&axis| fits(size, axis))?, size)));
            axis.ok_or_else(|| line.error(no_axis))?
        }
    };
    let total = input.get(axis).copied().unwrap_or(0);
    let outputs = (0..pieces).map(|index| {
        let mut shape = input.clone();
        if let Some(part) = shape.get_mut(axis) {
            *part = size.min(total.saturating_sub(index * size));
        }
        shape
    });
    Ok((Operator::Split { axis }, vec![], outputs.collect()))
}

/// An index drops a dimension, a slice keeps it.
fn item(input: &Shape, parameters: &[&str]) -> Result<Shape, Message> {
    let mut left = input.iter();
    let mut shape = Vec::new();
    for text in parameters {
        let size =
            *left.next().ok_or_else(|| error_message!("graph-ff-few", input = shown(input)))?;
        if text.parse::<i64>().is_ok() {
            continue;
        }
        let inner = text.trim_start_matches("slice(").trim_end_matches(')');
        let mut bounds = inner.split([',', ':']).map(|bound| bound.trim().parse::<i64>().ok());
        let place = |bound: Option<i64>, otherwise: u64| match bound {
            None => otherwise,
            Some(number) if number < 0 => size.saturating_sub(number.unsigned_abs()),
            Some(number) => number.unsigned_abs().min(size),
        };
        let start = place(bounds.next().flatten(), 0);
        let stop = place(bounds.next().flatten(), size);
        let step = bounds.next().flatten().map_or(1, |step| step.unsigned_abs().max(1));
        shape.push(stop.saturating_sub(start).div_ceil(step));
    }
    shape.extend(left);
    Ok(shape)
}

fn unsqueeze(input: &Shape, number: i64) -> Result<Shape, Message> {
    let place = shapes::axis(number, input.len() + 1)?;
    let mut shape = input.clone();
    shape.insert(place, 1);
    Ok(shape)
}

fn expand(input: &Shape, wanted: &[i64]) -> Result<Shape, Message> {
    let new = wanted.len().checked_sub(input.len());
    let new = new.ok_or_else(|| {
        error_message!("graph-ff-many", input = shown(input), wanted = shown(wanted))
    })?;
    let sizes = wanted.iter().enumerate().map(|(index, &size)| {
        let own = index.checked_sub(new).and_then(|index| input.get(index)).copied().unwrap_or(1);
        match u64::try_from(size) {
            Err(_) => Ok(own),
            Ok(size) if own == size || own == 1 => Ok(size),
            Ok(size) => Err(error_message!("graph-ff-repeat", own, size)),
        }
    });
    sizes.collect()
}

/// Dimensions, and whether they stay with size 1, which is written as a word.
fn mean(input: &Shape, parameters: &[&str]) -> Result<Shape, Message> {
    let keep = parameters.iter().any(|text| text.eq_ignore_ascii_case("true"));
    let dims: Vec<i64> = parameters.iter().filter_map(|text| text.parse().ok()).collect();
    shapes::reduce(input, &dims, keep)
}
