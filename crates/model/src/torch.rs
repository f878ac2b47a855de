//! Operators of a torch profiler trace that was recorded with shapes.
//!
//! Operators call one another (`aten::linear` calls `aten::addmm`): the outermost one whose cost is
//! known counts, and what runs inside it does not count again. A trace holds no shapes of outputs:
//! they follow from the inputs.

use std::borrow::Cow;
use std::collections::HashMap;

use bigtpu_machine::DataType;
use bigtpu_messages::{ForeignReason as _, Message, message};
use serde::Deserialize;
use serde_json::Value;

use crate::error::ModelError;
use crate::op_list::Model;
use crate::operator::{Kind, Operator, Shape};

#[derive(Deserialize)]
struct Trace<'a> {
    #[serde(borrow, rename = "traceEvents")]
    events: Vec<Event<'a>>,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    cat: Cow<'a, str>,
    #[serde(default)]
    tid: Value,
    #[serde(default)]
    pid: Value,
    #[serde(default)]
    ts: Value,
    #[serde(default)]
    dur: f64,
    args: Option<Args>,
}

#[derive(Deserialize)]
struct Args {
    #[serde(rename = "Input Dims")]
    dims: Option<Value>,
    #[serde(rename = "Input type", alias = "Input Types")]
    types: Option<Vec<String>>,
    #[serde(rename = "Concrete Inputs")]
    concrete: Option<Vec<Value>>,
    #[serde(rename = "Module Hierarchy")]
    module: Option<String>,
}

/// Reads a trace.
///
/// # Errors
///
/// The text is no trace, no operator has shapes, or a shape can't be.
pub fn read(text: &str) -> Result<Model, ModelError> {
    let no_trace = |error: serde_json::Error| {
        ModelError::NoOpList(message!("problem-no-torch-trace", reason = error.reason()))
    };
    let trace: Trace<'_> = serde_json::from_str(text).map_err(no_trace)?;
    let operators: Vec<&Event<'_>> =
        trace.events.iter().filter(|event| event.cat == "cpu_op").collect();
    if operators.is_empty() {
        return Err(ModelError::NoOpList(message!("problem-torch-no-operators")));
    }
    if operators.iter().all(|event| event.shapes().is_none()) {
        let count = operators.len();
        return Err(ModelError::NoOpList(message!("problem-torch-no-shapes", count = count)));
    }
    let mut model = Model::default();
    let mut unknown: HashMap<&str, usize> = HashMap::new();
    for event in outermost(operators, &mut unknown) {
        let index = model.operators.len();
        let made = operator(event).map_err(|what| ModelError::Operator {
            index,
            name: event.name.clone().into_owned(),
            what,
        })?;
        let id = index as u64;
        model.operators.push(Operator { id, ..made });
    }
    if model.operators.is_empty() {
        return Err(ModelError::NoOpList(message!("problem-torch-no-costs")));
    }
    if !unknown.is_empty() {
        let mut names: Vec<(&str, usize)> = unknown.into_iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        let few: Vec<String> =
            names.iter().take(4).map(|(name, count)| format!("{name} ({count})")).collect();
        let total: usize = names.iter().map(|(_, count)| count).sum();
        model.notes.push(message!(
            "model-not-counted",
            count = total,
            names = names.len(),
            few = few.join(", ")
        ));
    }
    Ok(model)
}

/// Operators whose cost is known, without those that run inside another one.
fn outermost<'e, 'a>(
    mut events: Vec<&'e Event<'a>>,
    unknown: &mut HashMap<&'e str, usize>,
) -> Vec<&'e Event<'a>> {
    // Longer operators of one start enclose the shorter ones.
    events.sort_by(|one, other| {
        one.start().total_cmp(&other.start()).then(other.dur.total_cmp(&one.dur))
    });
    let mut busy_until: HashMap<String, f64> = HashMap::new();
    let mut taken = Vec::new();
    for event in events {
        let thread = format!("{}/{}", event.pid, event.tid);
        let until = busy_until.entry(thread).or_insert(f64::NEG_INFINITY);
        if event.start() < *until {
            continue;
        }
        if event.shapes().is_some() && kind(&event.name).is_some() {
            *until = event.start() + event.dur;
            taken.push(event);
        } else {
            *unknown.entry(&event.name).or_insert(0) += 1;
        }
    }
    taken
}

/// Kind of an operator that works; views and allocations do not.
fn kind(name: &str) -> Option<Kind> {
    let short = name.strip_prefix("aten::")?.trim_end_matches('_');
    Some(match short {
        "linear" | "addmm" | "mm" => Kind::Linear,
        "bmm" | "baddbmm" | "matmul" => Kind::MatMul,
        "scaled_dot_product_attention"
        | "_scaled_dot_product_flash_attention"
        | "_scaled_dot_product_efficient_attention"
        | "_scaled_dot_product_cudnn_attention"
        | "_scaled_dot_product_flash_attention_for_cpu" => Kind::Attention,
        "conv2d" | "convolution" | "conv1d" => Kind::Conv2d,
        "embedding" => Kind::Embedding,
        "softmax" | "_softmax" | "log_softmax" | "_log_softmax" => Kind::Softmax,
        "layer_norm" | "native_layer_norm" | "batch_norm" | "group_norm" => Kind::LayerNorm,
        "rms_norm" => Kind::RmsNorm,
        "silu" => Kind::Silu,
        "gelu" => Kind::Gelu,
        "add"
        | "sub"
        | "mul"
        | "div"
        | "relu"
        | "sigmoid"
        | "tanh"
        | "pow"
        | "exp"
        | "rsqrt"
        | "sqrt"
        | "neg"
        | "where"
        | "masked_fill"
        | "clamp"
        | "mean"
        | "sum"
        | "cos"
        | "sin"
        | "max_pool2d"
        | "avg_pool2d"
        | "adaptive_avg_pool2d" => Kind::Elementwise,
        "cat" | "copy" | "contiguous" | "clone" | "index_select" | "gather" => Kind::Move,
        _ => return None,
    })
}

fn operator(event: &Event<'_>) -> Result<Operator, Message> {
    let kind = kind(&event.name).ok_or_else(|| message!("problem-torch-no-cost"))?;
    let dims = event.shapes().unwrap_or_default();
    let at = |index: usize| -> Result<Shape, Message> {
        dims.get(index)
            .cloned()
            .ok_or_else(|| message!("problem-torch-input", count = dims.len(), number = index + 1))
    };
    let replaced = |shape: &Shape, last: u64| {
        let mut shape = shape.clone();
        shape.pop();
        shape.push(last);
        shape
    };
    let shapes: [Shape; 3] = match (kind, event.name.trim_start_matches("aten::")) {
        (Kind::Linear, "linear") => {
            let (input, mut weights) = (at(0)?, at(1)?);
            weights.reverse();
            let out = weights.last().copied().unwrap_or(1);
            let output = replaced(&input, out);
            [input, weights, output]
        }
        (Kind::Linear, name) => {
            let first = usize::from(name == "addmm");
            let (input, weights) = (at(first)?, at(first + 1)?);
            let output = replaced(&input, weights.last().copied().unwrap_or(1));
            [input, weights, output]
        }
        (Kind::MatMul, name) => {
            let first = usize::from(name == "baddbmm");
            let (input, other) = (at(first)?, at(first + 1)?);
            let output = replaced(&input, other.last().copied().unwrap_or(1));
            [input, other, output]
        }
        // The key is as input, the query has the shape of the output.
        (Kind::Attention, _) => [at(1)?, at(2)?, at(0)?],
        (Kind::Conv2d, _) => return convolution(event, at(0)?, at(1)?),
        (Kind::Embedding, _) => {
            let (table, indices) = (at(0)?, at(1)?);
            let mut output = indices.clone();
            output.push(table.last().copied().unwrap_or(1));
            [indices, table, output]
        }
        (Kind::Elementwise, _) => {
            let (input, other) = (at(0)?, at(1).unwrap_or_default());
            let larger = if crate::operator::elements(&other) > crate::operator::elements(&input)
                && !other.is_empty()
            {
                other.clone()
            } else {
                input.clone()
            };
            [input, other, larger]
        }
        _ => {
            let input = dims.iter().find(|shape| !shape.is_empty()).cloned().unwrap_or_default();
            [input.clone(), Shape::new(), input]
        }
    };
    Ok(event.made(kind, shapes))
}

/// `convolution(input, weight, bias, stride, padding, dilation, …, groups)`.
fn convolution(event: &Event<'_>, input: Shape, weights: Shape) -> Result<Operator, Message> {
    let widened = |mut shape: Shape| {
        if shape.len() == 3 {
            shape.insert(2, 1);
        }
        shape
    };
    let (input, weights) = (widened(input), widened(weights));
    let ([batch, channels, height, width], [out, inner, kernel_height, kernel_width]) =
        (input.as_slice(), weights.as_slice())
    else {
        let [input, weights] = [&input, &weights].map(|shape| format!("{shape:?}"));
        return Err(message!("problem-torch-convolution", input = input, weights = weights));
    };
    let pair = |index: usize, otherwise: u64, lone: u64| match event.numbers(index).as_slice() {
        [one] => [lone, *one],
        [one, other, ..] => [*one, *other],
        [] => [otherwise; 2],
    };
    let one_dimensional = *kernel_height == 1 && *height == 1;
    let square = |index: usize, otherwise: u64| {
        let numbers = event.numbers(index);
        match (numbers.first(), one_dimensional) {
            (Some(one), false) if numbers.len() == 1 => [*one; 2],
            _ => pair(index, otherwise, otherwise),
        }
    };
    let (stride, padding, dilation) = (square(3, 1), square(4, 0), square(5, 1));
    let slid = |size: u64, kernel: u64, axis: usize| {
        let at = |pair: [u64; 2]| pair.get(axis).copied().unwrap_or(1);
        let covered = kernel.saturating_sub(1).saturating_mul(at(dilation)) + 1;
        let room = size.saturating_add(at(padding).saturating_mul(2)).checked_sub(covered);
        room.map(|room| room / at(stride).max(1) + 1)
            .ok_or_else(|| message!("problem-op-window", covered = covered, size = size))
    };
    let output =
        vec![*batch, *out, slid(*height, *kernel_height, 0)?, slid(*width, *kernel_width, 1)?];
    let groups = if *inner > 0 { (channels / inner).max(1) } else { 1 };
    let mut made = event.made(Kind::Conv2d, [input.clone(), weights.clone(), output]);
    (made.stride, made.padding, made.groups) = (stride.map(|step| step.max(1)), padding, groups);
    Ok(made)
}

impl Event<'_> {
    /// Microseconds; some writers quote them.
    fn start(&self) -> f64 {
        let number = self.ts.as_f64();
        number.or_else(|| self.ts.as_str()?.parse().ok()).unwrap_or(0.0)
    }

    /// Shapes of the inputs; an operand that is no tensor has none, a list of tensors its first.
    fn shapes(&self) -> Option<Vec<Shape>> {
        let dims = self.args.as_ref()?.dims.as_ref()?.as_array()?;
        fn shape(value: &Value) -> Shape {
            let Some(sizes) = value.as_array() else { return Shape::new() };
            if let Some(first) = sizes.first().filter(|first| first.is_array()) {
                return shape(first);
            }
            sizes.iter().filter_map(Value::as_u64).collect()
        }
        Some(dims.iter().map(shape).collect())
    }

    /// Whole numbers of an input that is no tensor: `[1, 2]`.
    fn numbers(&self, index: usize) -> Vec<u64> {
        let concrete = self.args.as_ref().and_then(|args| args.concrete.as_ref()?.get(index));
        match concrete {
            Some(Value::String(text)) => {
                let inner = text.trim_matches(['[', ']', '(', ')']);
                inner.split(',').filter_map(|number| number.trim().parse().ok()).collect()
            }
            Some(Value::Array(numbers)) => numbers.iter().filter_map(Value::as_u64).collect(),
            Some(Value::Number(number)) => number.as_u64().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn made(&self, kind: Kind, shapes: [Shape; 3]) -> Operator {
        let args = self.args.as_ref();
        let types = args.and_then(|args| args.types.as_deref()).unwrap_or(&[]);
        let mut known = types.iter().filter_map(|name| name.parse::<DataType>().ok());
        // Indices are whole numbers of 64 bits, and never what an operator computes with.
        let data_type = known.find(|data_type| *data_type != DataType::Bits64);
        let context = args.and_then(|args| args.module.as_deref()).unwrap_or(&self.name);
        Operator { data_type, ..Operator::new(&self.name, context, kind, shapes) }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Language;

    use super::*;

    const TRACE: &str = r#"{"traceEvents": [
      {"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 1, "tid": 1, "ts": 0, "dur": 10, "args": {
        "Input Dims": [[2, 3, 224, 224], [64, 3, 11, 11], [64], [], [], [], []],
        "Input type": ["float", "float", "float", "", "", "", "Scalar"],
        "Concrete Inputs": ["", "", "", "[4, 4]", "[2, 2]", "[1, 1]", "1"]}},
      {"ph": "X", "cat": "cpu_op", "name": "aten::convolution", "pid": 1, "tid": 1, "ts": 1, "dur": 8, "args": {
        "Input Dims": [[2, 3, 224, 224], [64, 3, 11, 11]]}},
      {"ph": "X", "cat": "cpu_op", "name": "aten::view", "pid": 1, "tid": 1, "ts": 11, "dur": 1, "args": {"Input Dims": [[2, 3]]}},
      {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 20, "dur": 5, "args": {
        "Input Dims": [[2, 8, 256], [1024, 256], [1024]], "Input type": ["c10::Half", "c10::Half", "c10::Half"]}},
      {"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 1, "tid": 1, "ts": 21, "dur": 3, "args": {
        "Input Dims": [[1024], [16, 256], [256, 1024], [], []]}},
      {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": "22", "dur": 3, "args": {
        "Input Dims": [[16, 256], [256, 10]], "Input type": ["float", "float"]}}
    ]}"#;

    #[test]
    fn the_outermost_operators_count() {
        let model = read(TRACE).unwrap();
        let [conv, linear, mm] = model.operators.as_slice() else { panic!("three operators") };
        assert_eq!((conv.output.as_slice(), conv.stride), (&[2, 64, 55, 55][..], [4, 4]));
        assert_eq!(conv.data_type, Some(DataType::Fp32));
        assert_eq!(linear.weights, [256, 1024]);
        assert_eq!(linear.output, [2, 8, 1024]);
        assert_eq!(linear.data_type, Some(DataType::Fp16));
        assert_eq!(mm.output, [16, 10]);
        let note = model.notes[0].text(Language::English);
        assert!(note.contains("aten::view (1)"), "{note}");
    }

    #[test]
    fn a_trace_without_shapes_names_the_option_to_record_them() {
        let text = r#"{"traceEvents": [{"cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 1}]}"#;
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains("record_shapes=True"), "{error}");
        assert!(read("{}").is_err());
    }
}
