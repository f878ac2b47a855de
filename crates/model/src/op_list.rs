//! Op lists: operators with shapes as JSON, with mapping, machines and options next to them.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_machine::{DataType, Machine};
use bigtpu_messages::{ForeignReason as _, Message, message};
use serde::Deserialize;
use serde_json::Value;

use crate::error::ModelError;
use crate::flow::OperatorPlace;
use crate::mapping::{Mapping, Target};
use crate::operator::{Kind, LlmPhase, Operator, Scores, Shape, elements};
use crate::settings::GraphSettings;

/// A model with all that its file says about the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// Operators in execution order.
    pub operators: Vec<Operator>,
    /// Which operator runs where.
    pub mapping: Mapping,
    /// Machines that the file describes.
    pub machines: Vec<Machine>,
    /// Settings.
    pub settings: GraphSettings,
    /// What the reader assumed or left out.
    pub notes: Vec<Message>,
    /// Classes of an op list that are no known operators, each once: one with a matrix of weights counts as a linear
    /// layer, another as one operation per element.
    pub unknown_classes: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    ops: Vec<Value>,
    #[serde(default)]
    mapping: BTreeMap<String, String>,
    #[serde(default)]
    architectures: Option<Value>,
    #[serde(default)]
    options: Options,
    #[serde(default)]
    start: Start,
}

#[derive(Deserialize, Default)]
struct Options {
    sim_data_type: Option<String>,
    sim_num_key_value_heads: Option<i64>,
    sim_sliding_window: Option<i64>,
}

#[derive(Deserialize, Default)]
struct Start {
    last_layer: Option<String>,
    batch_size: Option<u32>,
    moe_end: Option<String>,
    experts_per_token: Option<u32>,
}

#[derive(Deserialize)]
struct Op {
    #[serde(default)]
    id: u64,
    name: String,
    #[serde(default)]
    context: String,
    phase: Option<String>,
    input: Shape,
    #[serde(default)]
    weights: Shape,
    output: Shape,
    stride: Option<[u64; 2]>,
    padding: Option<[u64; 2]>,
    groups: Option<u64>,
    data_type: Option<String>,
}

/// Reads an op list.
///
/// # Errors
///
/// The text is no JSON, has no `ops`, or one of them is no operator.
pub fn read(text: &str) -> Result<Model, ModelError> {
    let no_list = |error: serde_json::Error| {
        ModelError::NoOpList(message!("problem-no-op-list", reason = error.reason()))
    };
    let file: File = serde_json::from_str(text).map_err(no_list)?;
    if file.ops.is_empty() {
        return Err(ModelError::NoOpList(message!("problem-ops-empty")));
    }
    let mut operators: Vec<Operator> = Vec::with_capacity(file.ops.len());
    for (index, value) in file.ops.iter().enumerate() {
        let name =
            || value.get("context").or(value.get("name")).and_then(Value::as_str).unwrap_or("?");
        let operator = Op::deserialize(value).map_err(|error| error.reason()).and_then(operator);
        operators.push(operator.map_err(|what| ModelError::Operator {
            index,
            name: name().to_owned(),
            what,
        })?);
    }
    let machines = match &file.architectures {
        Some(value) if value.as_object().is_some_and(|map| !map.is_empty()) => {
            Machine::from_value(value, "architectures")
                .map_err(|error| wrong_value("architectures", &error))?
        }
        _ => Vec::new(),
    };
    let targets = file.mapping.iter().map(|(key, text)| (key.clone(), Target::parse(text)));
    let mapping = Mapping { targets: targets.collect(), rest: None };
    let settings = settings(&file)?;
    let names = operators.iter().map(|operator| operator.name.as_str());
    let unknown: BTreeSet<&str> = names.filter(|name| Kind::of_name(name).is_none()).collect();
    let unknown_classes = unknown.into_iter().map(str::to_owned).collect();
    let notes = unused_contexts(&file.start, &operators);
    Ok(Model { operators, mapping, machines, settings, notes, unknown_classes })
}

/// Keys of `start` whose context no operator has.
fn unused_contexts(start: &Start, operators: &[Operator]) -> Vec<Message> {
    let keys = [("last_layer", &start.last_layer), ("moe_end", &start.moe_end)];
    let unused = keys.into_iter().filter_map(|(key, context)| {
        let context = context.as_ref()?;
        let is_used = operators.iter().any(|operator| operator.context == *context);
        (!is_used).then(|| message!("model-no-context", key = key, context = context.as_str()))
    });
    unused.collect()
}

/// What is wrong with the value of a key.
fn wrong_value(key: &str, error: &dyn std::fmt::Display) -> ModelError {
    let source = Message::displayed(error);
    ModelError::NoOpList(message!("error-in-file", path = key, source = source))
}

fn settings(file: &File) -> Result<GraphSettings, ModelError> {
    let Start { last_layer, batch_size, moe_end, experts_per_token } = &file.start;
    let mut settings = GraphSettings::default();
    if let Some(layer) = last_layer {
        settings.last_layer.clone_from(layer);
    }
    settings.batch = batch_size.unwrap_or(1);
    settings.experts.end.clone_from(moe_end);
    settings.experts.per_token = experts_per_token.unwrap_or(1);
    if let Some(name) = &file.options.sim_data_type {
        let data_type: DataType =
            name.parse().map_err(|error| wrong_value("options: sim_data_type", &error))?;
        settings.data_type = Some(data_type);
    }
    // -1 represents "as recorded".
    let positive =
        |value: Option<i64>| value.filter(|&v| v > 0).and_then(|v| u32::try_from(v).ok());
    settings.attention.kv_heads = positive(file.options.sim_num_key_value_heads);
    settings.attention.window = positive(file.options.sim_sliding_window);
    Ok(settings)
}

fn operator(op: Op) -> Result<Operator, Message> {
    let phase = match op.phase.as_deref() {
        None => None,
        Some("sum") => Some(LlmPhase::Summarization),
        Some("gen") => Some(LlmPhase::Generation),
        Some(other) => return Err(message!("problem-op-phase", phase = other)),
    };
    let data_type =
        op.data_type.map(|name| name.parse::<DataType>().map_err(|e| Message::displayed(&e)));
    // A layer of unknown class with a matrix of weights multiplies by it.
    let unknown = if op.weights.len() == 2 && elements(&op.weights) > 1.0 {
        Kind::Linear
    } else {
        Kind::Elementwise
    };
    if let Some([0, _] | [_, 0]) = op.stride {
        return Err(message!("problem-op-stride"));
    }
    Ok(Operator {
        id: op.id,
        kind: Kind::of_name(&op.name).unwrap_or(unknown),
        name: op.name,
        context: op.context,
        phase,
        input: op.input,
        weights: op.weights,
        output: op.output,
        stride: op.stride.unwrap_or([1, 1]),
        padding: op.padding.unwrap_or([0, 0]),
        groups: op.groups.unwrap_or(1),
        data_type: data_type.transpose()?,
        weight_type: None,
        scores: Scores::default(),
        flow: OperatorPlace::default(),
    })
}
