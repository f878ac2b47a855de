//! Random changes of one operator.

use crate::search::graph::Config;
use crate::search::layout::Layout;
use crate::search::rng::Rng;
use crate::search::strategies::random_config;

/// Which changes are proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moves {
    /// Also copy the devices of a neighbour in the graph.
    pub propagation: bool,
}

/// Another configuration of some operator; `None` for a graph where nothing can change.
pub(crate) fn propose(
    layout: &Layout<'_>,
    strategy: &[Config],
    moves: Moves,
    rng: &mut Rng,
) -> Option<(usize, Config)> {
    let ops = layout.graph.ops.len() as u64;
    for _ in 0..64 {
        let op = rng.next_below(ops) as usize;
        let config = match rng.next_below(8) {
            0..2 => random_config(layout.graph, layout.machine, op, rng),
            2 => consecutive(layout, op, rng),
            3 => moved_part(layout, &strategy[op], rng),
            4 => swapped_parts(&strategy[op], rng),
            5 => gathered(layout, op, rng),
            6 if moves.propagation => neighbour(layout, strategy, op, rng),
            _ => sharer(layout, strategy, op, rng),
        };
        if config != strategy[op] {
            return Some((op, config));
        }
    }
    None
}

/// A random split on devices one after the other.
fn consecutive(layout: &Layout<'_>, op: usize, rng: &mut Rng) -> Config {
    let options = &layout.graph.ops[op].options;
    let option = rng.next_below(options.len() as u64) as usize;
    let devices = layout.machine.devices();
    let first = rng.next_below(u64::from(devices)) as u32;
    let parts = options[option].parts();
    Config { option, devices: (0..parts).map(|part| (first + part) % devices).collect() }
}

/// A random split with all parts on one device, so that nothing has to be synchronised.
fn gathered(layout: &Layout<'_>, op: usize, rng: &mut Rng) -> Config {
    let options = &layout.graph.ops[op].options;
    let option = rng.next_below(options.len() as u64) as usize;
    let device = rng.next_below(u64::from(layout.machine.devices())) as u32;
    Config { option, devices: vec![device; options[option].parts() as usize] }
}

/// The configuration of an operator with the same weights, of which one copy is enough where both run.
fn sharer(layout: &Layout<'_>, strategy: &[Config], op: usize, rng: &mut Rng) -> Config {
    let ops = &layout.graph.ops;
    let group = |op: usize| ops[op].weights.map(|weights| weights.group);
    let shares = |&other: &usize| other != op && group(other) == group(op) && group(op).is_some();
    let others: Vec<usize> = (0..ops.len()).filter(shares).collect();
    if others.is_empty() {
        return neighbour(layout, strategy, op, rng);
    }
    let other = others[rng.next_below(others.len() as u64) as usize];
    if ops[other].options == ops[op].options {
        strategy[other].clone()
    } else {
        neighbour(layout, strategy, op, rng)
    }
}

/// One part on another device.
fn moved_part(layout: &Layout<'_>, config: &Config, rng: &mut Rng) -> Config {
    let mut config = config.clone();
    let part = rng.next_below(config.devices.len() as u64) as usize;
    config.devices[part] = rng.next_below(u64::from(layout.machine.devices())) as u32;
    config
}

/// Two parts with their devices exchanged.
fn swapped_parts(config: &Config, rng: &mut Rng) -> Config {
    let mut config = config.clone();
    let parts = config.devices.len() as u64;
    let (a, b) = (rng.next_below(parts) as usize, rng.next_below(parts) as usize);
    config.devices.swap(a, b);
    config
}

/// The split and devices of a neighbour, where the operator can be split like it.
fn neighbour(layout: &Layout<'_>, strategy: &[Config], op: usize, rng: &mut Rng) -> Config {
    let mut near: Vec<usize> = Vec::new();
    for edge in &layout.edges {
        if edge.from == op {
            near.push(edge.to);
        } else if edge.to == op {
            near.push(edge.from);
        }
    }
    if near.is_empty() {
        return strategy[op].clone();
    }
    let other = near[rng.next_below(near.len() as u64) as usize];
    let model = &strategy[other];
    let dims = &layout.graph.ops[other].options[model.option].dims;
    let options = &layout.graph.ops[op].options;
    let same = options.iter().position(|split| split.dims == *dims);
    let equal = || options.iter().position(|split| split.parts() as usize == model.devices.len());
    match same.or_else(equal) {
        Some(option) => Config { option, devices: model.devices.clone() },
        None => strategy[op].clone(),
    }
}
