//! Dynamic programming over the operators in their order: for each way to configure the operators whose results are still
//! needed, the fastest prefix is kept.
//!
//! For a chain of operators these are all configurations of the last operator, as in Unity and Alpa; where branches run side
//! by side, only the most promising combinations are kept. A prefix knows when each device is free and each part ends;
//! links carry any number of messages at once here, so that a result is a start of a walk, and the simulator says its time.

use std::rc::Rc;

use bigtpu_machine::Hop;

use crate::search::graph::{Config, OperatorSplit, Strategy};
use crate::search::layout::{Layout, Wire};
use crate::search::sync::Sync;

/// Prefixes that are kept at most, of graphs of few operators, and the least for large ones.
const MOST_PREFIXES: usize = 96;
const FEWEST_PREFIXES: usize = 8;
/// Prefixes times operators.
const ALL_PREFIXES: usize = 12_000;
/// Strategies that are given back.
const RESULTS: usize = 4;

/// The choices of a prefix, the last one first.
#[derive(Debug)]
struct Choice {
    config: Config,
    before: Option<Rc<Self>>,
}

/// The operators so far.
#[derive(Debug, Clone)]
struct Prefix {
    /// When each device is free, in ps.
    free: Vec<u64>,
    /// Configuration and ends of the parts of operators whose results are still needed.
    live: Vec<(usize, Config, Rc<Vec<u64>>)>,
    /// The last end.
    makespan: u64,
    /// What updates of weights take, in ps.
    update: u64,
    chosen: Option<Rc<Choice>>,
}

impl Prefix {
    fn score(&self) -> (u64, u64) {
        // Of equal ends, the one that leaves devices free earlier.
        (
            self.makespan.saturating_add(self.update),
            self.free.iter().fold(0, |sum, &at| sum.saturating_add(at)),
        )
    }
}

/// The best strategies of the programme, the most promising first.
pub(crate) fn strategies(layout: &Layout<'_>, sync: &Sync) -> Vec<Strategy> {
    let ops = layout.graph.ops.len();
    let most = (ALL_PREFIXES / ops.max(1)).clamp(FEWEST_PREFIXES, MOST_PREFIXES);
    let last_use = last_uses(layout);
    let devices = layout.machine.devices() as usize;
    let first =
        Prefix { free: vec![0; devices], live: Vec::new(), makespan: 0, update: 0, chosen: None };
    let mut prefixes = vec![first];
    // Of an operator whose weights are shared, the group's time is not known before all have a place.
    let alone = |op: usize| sync.group_of(op).filter(|&group| sync.ops(group).len() == 1);
    let mut scratch: Strategy = vec![Config { option: 0, devices: vec![0] }; ops];
    let training = layout.trains();
    for op in 0..ops {
        let mut next: Vec<Prefix> = Vec::new();
        for prefix in &prefixes {
            for config in configs(layout, prefix, op) {
                let mut extended = extend(layout, prefix, op, config, training);
                if let (Some(group), Some((_, config, _))) = (alone(op), extended.live.last()) {
                    scratch[op].clone_from(config);
                    let ms: f64 = sync.time(layout.graph, &scratch, group);
                    extended.update = extended.update.saturating_add((ms * 1e9) as u64);
                }
                extended.live.retain(|(of, ..)| last_use[*of] > op);
                next.push(extended);
            }
        }
        next.sort_by_cached_key(Prefix::score);
        let mut seen: std::collections::HashSet<Vec<(usize, Config)>> =
            std::collections::HashSet::new();
        next.retain(|prefix| {
            let key = prefix.live.iter().map(|(op, config, _)| (*op, config.clone())).collect();
            seen.len() < most && seen.insert(key)
        });
        prefixes = next;
    }
    let strategy = |prefix: &Prefix| {
        let mut strategy = Vec::with_capacity(ops);
        let mut at = prefix.chosen.as_ref();
        while let Some(choice) = at {
            strategy.push(choice.config.clone());
            at = choice.before.as_ref();
        }
        strategy.reverse();
        strategy
    };
    prefixes.iter().take(RESULTS).map(strategy).collect()
}

/// The last operator that reads each one's result; the operator itself where none does.
fn last_uses(layout: &Layout<'_>) -> Vec<usize> {
    let mut last: Vec<usize> = (0..layout.graph.ops.len()).collect();
    for edge in &layout.edges {
        last[edge.from] = last[edge.from].max(edge.to);
    }
    last
}

/// Configurations of the next operator: each split on blocks of devices, and on the devices of what it may read.
fn configs(layout: &Layout<'_>, prefix: &Prefix, op: usize) -> Vec<Config> {
    let devices = layout.machine.devices();
    let mut found: Vec<Config> = Vec::new();
    let mut add = |option: usize, devices: Vec<u32>| {
        let config = Config { option, devices };
        if !found.contains(&config) {
            found.push(config);
        }
    };
    // Devices without any work are alike where all links are; one of them is enough.
    let idle = prefix.free.iter().position(|&at| at == 0);
    for (option, split) in layout.graph.ops[op].options.iter().enumerate() {
        let parts = split.parts();
        if parts > devices {
            continue;
        }
        for first in (0..devices).step_by(parts as usize) {
            let is_fresh = parts == 1 && prefix.free.get(first as usize) == Some(&0);
            if is_fresh && layout.machine.is_uniform() && idle != Some(first as usize) {
                continue;
            }
            add(option, (0..parts).map(|part| (first + part) % devices).collect());
        }
        for (_, config, _) in &prefix.live {
            if config.devices.len() == parts as usize {
                add(option, config.devices.clone());
            }
        }
    }
    if found.is_empty() {
        let parts = layout.graph.ops[op].options.first().map_or(1, OperatorSplit::parts);
        found.push(Config { option: 0, devices: (0..parts).map(|part| part % devices).collect() });
    }
    found
}

fn extend(
    layout: &Layout<'_>,
    prefix: &Prefix,
    op: usize,
    config: Config,
    training: bool,
) -> Prefix {
    let mut next = prefix.clone();
    let split = &layout.graph.ops[op].options[config.option];
    let mut ready = vec![0_u64; config.devices.len()];
    let mut route: Vec<Hop> = Vec::new();
    for &wire in &layout.steps[op].inputs {
        let wire: &Wire = &layout.wires[wire];
        let Some((_, from_config, ends)) =
            prefix.live.iter().find(|(live, ..)| *live == layout.steps[wire.from].op)
        else {
            continue;
        };
        for share in layout.shares(wire, from_config.option, config.option) {
            let (a, b) =
                (from_config.devices[share.from as usize], config.devices[share.to as usize]);
            let mut arrival = ends[share.from as usize];
            if a != b {
                route.clear();
                layout.machine.route((a, share.from), (b, share.to), &mut route);
                let way: u64 = route.iter().map(|hop| hop.time(share.bytes)).sum();
                // The gradient comes back the same way.
                arrival =
                    arrival.saturating_add(if training { way.saturating_mul(2) } else { way });
            }
            let slot = &mut ready[share.to as usize];
            *slot = (*slot).max(arrival);
        }
    }
    // A backward pass takes twice its forward pass.
    let duration = if training { split.ps.saturating_mul(3) } else { split.ps };
    let mut ends = Vec::with_capacity(ready.len());
    for (ready, &device) in ready.iter().zip(&config.devices) {
        let free = &mut next.free[device as usize];
        let end = (*ready).max(*free).saturating_add(duration);
        *free = end;
        next.makespan = next.makespan.max(end);
        ends.push(end);
    }
    next.chosen = Some(Rc::new(Choice { config: config.clone(), before: prefix.chosen.clone() }));
    next.live.push((op, config, Rc::new(ends)));
    next
}
