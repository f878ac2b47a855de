//! The configurations of an operator that a systematic search tries.

use crate::search::graph::Config;
use crate::search::layout::Layout;

/// Devices that single parts are tried on; larger machines try those that neighbours use.
const MOST_SINGLE: u32 = 64;

/// Each way to split an operator, on devices one after the other, on those of the operator's neighbours in the graph, and
/// with all parts on one of these. No configuration is there twice.
pub(crate) fn candidates(layout: &Layout<'_>, strategy: &[Config], op: usize) -> Vec<Config> {
    let devices = layout.machine.devices();
    let near = neighbours(layout, op);
    let mut used: Vec<u32> = near.iter().flat_map(|&op| &strategy[op].devices).copied().collect();
    used.extend(&strategy[op].devices);
    used.sort_unstable();
    used.dedup();
    let mut found: Vec<Config> = Vec::new();
    let mut add = |option: usize, devices: Vec<u32>| {
        let config = Config { option, devices };
        if !found.contains(&config) {
            found.push(config);
        }
    };
    for (option, split) in layout.graph.ops[op].options.iter().enumerate() {
        let parts = split.parts();
        if parts == 1 {
            let single =
                (0..devices).filter(|device| devices <= MOST_SINGLE || used.contains(device));
            single.for_each(|device| add(option, vec![device]));
            continue;
        }
        let step = if devices.is_multiple_of(parts) { parts } else { 1 };
        for first in (0..devices).step_by(step as usize) {
            add(option, (0..parts).map(|part| (first + part) % devices).collect());
        }
        if parts < devices {
            add(option, (0..parts).map(|part| part * (devices / parts) % devices).collect());
        }
        for &other in &near {
            if strategy[other].devices.len() == parts as usize {
                add(option, strategy[other].devices.clone());
            }
        }
        for &device in &used {
            add(option, vec![device; parts as usize]);
        }
    }
    found
}

/// Operators that share an edge with one.
fn neighbours(layout: &Layout<'_>, op: usize) -> Vec<usize> {
    let mut near: Vec<usize> = Vec::new();
    for &step in &layout.steps_of[op] {
        let step = &layout.steps[step];
        for &wire in step.inputs.iter().chain(&step.outputs) {
            let wire = &layout.wires[wire];
            for other in [layout.steps[wire.from].op, layout.steps[wire.to].op] {
                if other != op && !near.contains(&other) {
                    near.push(other);
                }
            }
        }
    }
    near
}
