//! Strategies to start from, and strategies as data.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use serde::{Deserialize, Serialize};

use crate::search::error::StrategyError;
use crate::search::graph::{Config, SearchGraph, Strategy};
use crate::search::layout::SearchModel;
use crate::search::rng::Rng;
use crate::search::run::best_by_dynamic_programming;
use crate::search::strategy_proto;
use bigtpu_machine::Interconnect;

/// A strategy to start a search from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Every operator split along the batch over all devices.
    DataParallel,
    /// Every operator whole, or split along its channels; consecutive operators on the same device.
    ModelParallel,
    /// Every operator whole on the first device.
    OneDevice,
    /// What dynamic programming over the operators finds.
    DynamicProgramming,
    /// Any split on any devices.
    Random,
}

impl Start {
    /// The name in options and outputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DataParallel => "data-parallel",
            Self::ModelParallel => "model-parallel",
            Self::OneDevice => "one-device",
            Self::DynamicProgramming => "dynamic-programming",
            Self::Random => "random",
        }
    }
}

/// The strategy of a start. `seed` counts for random ones. Dynamic programming is that of forward passes;
/// [`best_by_dynamic_programming`] has others.
#[must_use]
pub fn start(graph: &SearchGraph, machine: &Interconnect, start: Start, seed: u64) -> Strategy {
    match start {
        Start::DataParallel => data_parallel(graph, machine),
        Start::ModelParallel => model_parallel(graph, machine),
        Start::OneDevice => one_device(graph),
        Start::DynamicProgramming => {
            best_by_dynamic_programming(graph, machine, SearchModel::default())
                .unwrap_or_else(|| data_parallel(graph, machine))
        }
        Start::Random => {
            let mut rng = Rng::new(seed, u64::MAX);
            (0..graph.ops.len()).map(|op| random_config(graph, machine, op, &mut rng)).collect()
        }
    }
}

/// As many parts along the batch as there are devices, or as near to it as the options come.
#[must_use]
pub(crate) fn data_parallel(graph: &SearchGraph, machine: &Interconnect) -> Strategy {
    let devices = machine.devices();
    let config = |op: &crate::search::graph::SearchOperator| {
        let rank = |option: &usize| {
            let split = &op.options[*option];
            let batch = split.dims.first().copied().unwrap_or(1);
            let others = split.parts() / batch.max(1);
            (others == 1, if batch <= devices { batch } else { 0 })
        };
        let option = (0..op.options.len()).max_by_key(rank).unwrap_or(0);
        let parts = op.options[option].parts();
        Config { option, devices: (0..parts).map(|part| part % devices).collect() }
    };
    graph.ops.iter().map(config).collect()
}

fn model_parallel(graph: &SearchGraph, machine: &Interconnect) -> Strategy {
    let devices = machine.devices();
    let count = graph.ops.len().max(1);
    let config = |(at, op): (usize, &crate::search::graph::SearchOperator)| {
        let rank = |option: &usize| {
            let split = &op.options[*option];
            let batch = split.dims.first().copied().unwrap_or(1);
            (std::cmp::Reverse(batch), split.parts().min(devices))
        };
        let option = (0..op.options.len()).max_by_key(rank).unwrap_or(0);
        let parts = op.options[option].parts();
        let home = (at * devices as usize / count) as u32;
        let devices =
            (0..parts).map(|part| if parts == 1 { home } else { part % devices }).collect();
        Config { option, devices }
    };
    graph.ops.iter().enumerate().map(config).collect()
}

/// Every operator whole, or in as few parts as it has at least, on the first device.
fn one_device(graph: &SearchGraph) -> Strategy {
    let config = |op: &crate::search::graph::SearchOperator| {
        let parts = |option: &usize| op.options[*option].parts();
        let option = (0..op.options.len()).min_by_key(parts).unwrap_or(0);
        Config { option, devices: vec![0; op.options[option].parts() as usize] }
    };
    graph.ops.iter().map(config).collect()
}

/// A random split on random devices.
pub(crate) fn random_config(
    graph: &SearchGraph,
    machine: &Interconnect,
    op: usize,
    rng: &mut Rng,
) -> Config {
    let options = &graph.ops[op].options;
    let option = rng.next_below(options.len() as u64) as usize;
    let parts = options[option].parts();
    let devices = u64::from(machine.devices());
    Config { option, devices: (0..parts).map(|_| rng.next_below(devices) as u32).collect() }
}

/// A configuration as it is written: `dims` by dimension of the output with the batch first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedConfig {
    /// Number or name of the operator.
    pub op: OpName,
    /// Name of the operator, next to its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Parts along each dimension.
    pub dims: Vec<u32>,
    /// The device of each part.
    pub devices: Vec<u32>,
}

/// Number or name of an operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OpName {
    /// Its number.
    Id(i64),
    /// Its name.
    Name(String),
}

/// A strategy as it is written.
#[must_use]
pub fn named(graph: &SearchGraph, strategy: &Strategy) -> Vec<NamedConfig> {
    let all = graph.ops.iter().zip(strategy);
    all.map(|(op, config)| NamedConfig {
        op: OpName::Id(op.id),
        name: Some(op.name.clone()),
        dims: op.options[config.option].dims.clone(),
        devices: config.devices.clone(),
    })
    .collect()
}

/// Reads a strategy: FlexFlow's text, or JSON (a list, or an object with the list `best`, `config` or `ops`). `dims` of
/// JSON have the batch first, or last with `"dims_order": "innermost_first"`; without that key the order that fits.
/// Operators that it does not name keep what `base` has.
///
/// # Errors
/// An operator that the graph does not have, a split that it can't have, a device that the machine does not have.
pub fn read_strategy(
    text: &str,
    graph: &SearchGraph,
    machine: &Interconnect,
    base: Strategy,
) -> Result<Strategy, StrategyError> {
    let is_json = text.trim_start().starts_with(['[', '{']);
    let (configs, order) = if is_json {
        from_json(text)?
    } else {
        (crate::search::strategy_text::parse(text)?, Some(DimsOrder::InnermostFirst))
    };
    let read = |order| with_order(&configs, order, graph, machine, base.clone());
    match order {
        Some(order) => read(order),
        // One order holds for the whole file, as a split in two dimensions can be meant either way.
        None => read(DimsOrder::BatchFirst)
            .or_else(|error| read(DimsOrder::InnermostFirst).map_err(|_| error)),
    }
}

/// Reads a strategy in any form: protocol buffers of FlexFlow, or what [`read_strategy`] reads.
///
/// # Errors
/// As [`read_strategy`].
pub fn read_strategy_file(
    bytes: &[u8],
    graph: &SearchGraph,
    machine: &Interconnect,
    base: Strategy,
) -> Result<Strategy, StrategyError> {
    if strategy_proto::is_binary(bytes) {
        let configs = strategy_proto::parse(bytes)?;
        return with_order(&configs, DimsOrder::InnermostFirst, graph, machine, base);
    }
    read_strategy(&String::from_utf8_lossy(bytes), graph, machine, base)
}

/// In which order a strategy lists the parts along the dimensions of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DimsOrder {
    /// As shapes are written.
    BatchFirst,
    /// As FlexFlow writes them.
    InnermostFirst,
}

fn with_order(
    configs: &[NamedConfig],
    order: DimsOrder,
    graph: &SearchGraph,
    machine: &Interconnect,
    base: Strategy,
) -> Result<Strategy, StrategyError> {
    let mut strategy = base;
    for named in configs {
        let (id, name) = match &named.op {
            OpName::Id(id) => (Some(*id), id.to_string()),
            OpName::Name(name) => (None, name.clone()),
        };
        let op = graph.find(id, Some(&name)).ok_or_else(|| {
            StrategyError::node(&name, error_message!("problem-strategy-unknown"))
        })?;
        strategy[op] = config(graph, machine, op, named, order)?;
    }
    Ok(strategy)
}

fn config(
    graph: &SearchGraph,
    machine: &Interconnect,
    op: usize,
    named: &NamedConfig,
    order: DimsOrder,
) -> Result<Config, StrategyError> {
    let op = &graph.ops[op];
    let wrong = |problem: Message| StrategyError::node(&op.name, problem);
    let trimmed = |dims: &[u32]| {
        let used = dims.iter().rposition(|&count| count != 1).map_or(1, |last| last + 1);
        dims.iter().copied().take(used).collect::<Vec<_>>()
    };
    let mut dims = named.dims.clone();
    if order == DimsOrder::InnermostFirst {
        dims.reverse();
    }
    let found = op.options.iter().position(|split| trimmed(&split.dims) == trimmed(&dims));
    let option = found.ok_or_else(|| {
        let known: Vec<&Vec<u32>> = op.options.iter().map(|split| &split.dims).collect();
        wrong(error_message!(
            "problem-strategy-split",
            dims = format_args!("{:?}", named.dims),
            known = format_args!("{known:?}")
        ))
    })?;
    let parts = op.options[option].parts();
    if named.devices.len() != parts as usize {
        return Err(wrong(error_message!(
            "problem-strategy-devices",
            parts,
            devices = named.devices.len()
        )));
    }
    if let Some(device) = named.devices.iter().find(|&&device| device >= machine.devices()) {
        return Err(wrong(error_message!(
            "problem-strategy-no-device",
            device,
            devices = machine.devices()
        )));
    }
    Ok(Config { option, devices: named.devices.clone() })
}

fn from_json(text: &str) -> Result<(Vec<NamedConfig>, Option<DimsOrder>), StrategyError> {
    let wrong = |error: serde_json::Error| {
        StrategyError::whole(error_message!("problem-strategy-json", reason = error.reason()))
    };
    let value: serde_json::Value = serde_json::from_str(text).map_err(wrong)?;
    let list = ["best", "config", "ops"].iter().find_map(|key| value.get(key)).unwrap_or(&value);
    let order = value.get("dims_order").cloned();
    let order = order.map(serde_json::from_value).transpose().map_err(wrong)?;
    Ok((serde_json::from_value(list.clone()).map_err(wrong)?, order))
}
