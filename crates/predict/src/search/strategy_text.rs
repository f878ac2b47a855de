//! FlexFlow's strategy text: a count, then for each operator its name, kind of device (0 GPU, 1 CPU), number of
//! dimensions, dims (innermost first), number of devices, devices; all separated by white space.

use bigtpu_messages::{Message, error_message};
use bigtpu_output::{Lines, Text, put, text};

use crate::search::error::StrategyError;
use crate::search::graph::{SearchGraph, Strategy};
use crate::search::strategies::{NamedConfig, OpName};
use bigtpu_machine::MOST_DEVICES;

/// Dimensions that a tensor may have.
const MOST_DIMS: usize = 16;

/// Reads the text; dims stay as they are, innermost first.
pub(crate) fn parse(text: &str) -> Result<Vec<NamedConfig>, StrategyError> {
    let mut words = text
        .lines()
        .zip(1..)
        .flat_map(|(line, number)| line.split_whitespace().map(move |word| (number, word)));
    let mut next = |what: &'static str| {
        words.next().ok_or_else(|| {
            StrategyError::whole(error_message!("problem-strategy-ends", what = Message::new(what)))
        })
    };
    let number = |(line, word): (usize, &str), what: &'static str, most: usize| {
        let number = word.parse::<usize>().ok().filter(|&number| number <= most);
        number.ok_or_else(|| {
            StrategyError::line(
                line,
                error_message!("problem-strategy-word", word, what = Message::new(what), most),
            )
        })
    };
    let count = number(next("problem-strategy-operators")?, "problem-strategy-operators", 1 << 20)?;
    let mut configs = Vec::new();
    for _ in 0..count {
        let (_, name) = next("problem-strategy-name")?;
        let name = name.to_owned();
        number(next("problem-strategy-kind")?, "problem-strategy-kind", 1)?;
        let mut list = |what: &'static str, most: usize, each: usize| {
            let length = number(next(what)?, what, most)?;
            let mut list = Vec::with_capacity(length);
            for _ in 0..length {
                list.push(number(next(what)?, what, each)? as u32);
            }
            Ok::<_, StrategyError>(list)
        };
        let dims = list("problem-strategy-parts", MOST_DIMS, MOST_DEVICES as usize)?;
        let devices =
            list("problem-strategy-device", MOST_DEVICES as usize, MOST_DEVICES as usize)?;
        configs.push(NamedConfig { op: OpName::Name(name), name: None, dims, devices });
    }
    Ok(configs)
}

/// Writes a strategy as text.
#[must_use]
pub fn strategy_text(graph: &SearchGraph, strategy: &Strategy) -> Text<Lines> {
    let mut out = text!("{}\n", graph.ops.len());
    for (op, config) in graph.ops.iter().zip(strategy) {
        let split = &op.options[config.option];
        let rank = op.outputs.first().map_or(split.dims.len(), Vec::len).max(split.dims.len());
        // Names with spaces could not be read back.
        let name: String = op.name.split_whitespace().collect::<Vec<_>>().join("_");
        put!(out, "{} 0 {}", name, rank);
        for dim in (0..rank).rev() {
            put!(out, " {}", split.dims.get(dim).copied().unwrap_or(1));
        }
        put!(out, " {}", config.devices.len());
        for device in &config.devices {
            put!(out, " {}", device);
        }
        out.own("\n");
    }
    out
}
