//! All strategies of a small graph, by branch and bound: the best one is found and proven.
//!
//! Operators get their configurations in their order. A prefix is given up when neither the longest way through it nor the
//! work of its devices can end before the best strategy that is known. Devices without work are alike where any two have
//! the same link, so that only the first of them is tried.

use bigtpu_machine::Hop;

use crate::search::evaluate::memory_penalty_ms;
use crate::search::full::simulate;
use crate::search::graph::{Config, Strategy};
use crate::search::layout::Layout;
use crate::search::lower_bound::Least;
use crate::search::sync::Sync;

/// Steps of the proof before it is given up: messages between parts that are looked at, and tasks that are simulated.
const MOST_STEPS: u64 = 1_000_000;
/// What simulating a task takes, in steps.
const STEPS_OF_TASK: u64 = 4;
/// Operators of a graph for which a proof is tried.
const MOST_OPS: usize = 16;

/// What all strategies say.
#[derive(Debug)]
pub(crate) struct Proof {
    /// The best strategy, where it is better than the one that was known.
    pub(crate) better: Option<(Strategy, f64)>,
    /// No strategy is better.
    pub(crate) is_complete: bool,
}

struct Walk<'a> {
    layout: &'a Layout<'a>,
    sync: &'a Sync,
    least: &'a Least,
    overlap: bool,
    best_ms: f64,
    better: Option<(Strategy, f64)>,
    left: u64,
    /// Earliest end of each part, by operator, in ps.
    ends: Vec<Vec<u64>>,
    strategy: Strategy,
    busy: Vec<u64>,
    training: bool,
}

/// Tries all strategies that may be better than one of `best_ms`.
pub(crate) fn prove(
    layout: &Layout<'_>,
    sync: &Sync,
    least: &Least,
    best_ms: f64,
    overlap: bool,
) -> Proof {
    let ops = layout.graph.ops.len();
    // Rounding of whole ps aside, it is as fast as any strategy can be.
    if best_ms <= least.whole_ms() + 1e-9 {
        return Proof { better: None, is_complete: true };
    }
    if ops > MOST_OPS {
        return Proof { better: None, is_complete: false };
    }
    let mut walk = Walk {
        layout,
        sync,
        least,
        overlap,
        best_ms,
        better: None,
        left: MOST_STEPS,
        ends: Vec::with_capacity(ops),
        strategy: Vec::with_capacity(ops),
        busy: vec![0; layout.machine.devices() as usize],
        training: layout.trains(),
    };
    let is_complete = walk.descend();
    Proof { better: walk.better, is_complete }
}

impl Walk<'_> {
    /// Whether all strategies with this prefix were looked at.
    fn descend(&mut self) -> bool {
        let op = self.strategy.len();
        if op == self.layout.graph.ops.len() {
            return self.finish();
        }
        let options = &self.layout.graph.ops[op].options;
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by_key(|&option| options[option].ps);
        for option in order {
            let parts = options[option].parts() as usize;
            if !self.place(op, option, &mut Vec::with_capacity(parts), parts) {
                return false;
            }
        }
        true
    }

    /// Puts the parts of a split on devices, one after the other.
    fn place(&mut self, op: usize, option: usize, devices: &mut Vec<u32>, parts: usize) -> bool {
        if devices.len() == parts {
            return self.enter(op, Config { option, devices: devices.clone() });
        }
        let all = self.layout.machine.devices();
        let mut tried_idle = false;
        for device in 0..all {
            let is_idle = self.busy[device as usize] == 0 && !devices.contains(&device) && {
                // Work of no time keeps a device apart, too.
                !self.strategy.iter().any(|config| config.devices.contains(&device))
            };
            if is_idle && self.layout.machine.is_uniform() {
                if tried_idle {
                    continue;
                }
                tried_idle = true;
            }
            devices.push(device);
            let done = self.place(op, option, devices, parts);
            devices.pop();
            if !done {
                return false;
            }
        }
        true
    }

    fn enter(&mut self, op: usize, config: Config) -> bool {
        let parts = config.devices.len() as u64;
        if !self.spend(1 + parts) {
            return false;
        }
        let split = &self.layout.graph.ops[op].options[config.option];
        let work = if self.training { split.ps.saturating_mul(3) } else { split.ps };
        let limit = (self.best_ms * 1e9).ceil().min(1e18) as u64;
        for &device in &config.devices {
            self.busy[device as usize] += work;
        }
        let ends = self.ends_of(op, &config, split.ps);
        let last = ends.iter().copied().max().unwrap_or(0);
        let path = self.least.whole_path(last, op, self.training);
        let load = config.devices.iter().map(|&device| self.busy[device as usize]).max();
        let all: u64 =
            self.busy.iter().fold(self.least.work_behind(op), |sum, &b| sum.saturating_add(b));
        let even = all / u64::from(self.layout.machine.devices());
        let is_hopeless = path >= limit || load.unwrap_or(0) >= limit || even >= limit;
        let mut done = true;
        if !is_hopeless {
            self.ends.push(ends);
            self.strategy.push(config.clone());
            done = self.descend();
            self.strategy.pop();
            self.ends.pop();
        }
        for &device in &config.devices {
            self.busy[device as usize] -= work;
        }
        done
    }

    /// The earliest ends of the parts of an operator, whatever waits for a device.
    fn ends_of(&mut self, op: usize, config: &Config, duration: u64) -> Vec<u64> {
        let mut ends = vec![0_u64; config.devices.len()];
        let mut route: Vec<Hop> = Vec::new();
        for &wire in &self.layout.steps[op].inputs {
            let wire = &self.layout.wires[wire];
            let from = self.layout.steps[wire.from].op;
            let of_from = &self.strategy[from];
            let shares = self.layout.shares(wire, of_from.option, config.option);
            self.left = self.left.saturating_sub(shares.len() as u64);
            for share in shares {
                let (a, b) =
                    (of_from.devices[share.from as usize], config.devices[share.to as usize]);
                let mut arrival = self.ends[from][share.from as usize];
                if a != b {
                    route.clear();
                    self.layout.machine.route((a, share.from), (b, share.to), &mut route);
                    arrival += route.iter().map(|hop| hop.time(share.bytes)).sum::<u64>();
                }
                let slot = &mut ends[share.to as usize];
                *slot = (*slot).max(arrival);
            }
        }
        ends.iter_mut().for_each(|end| *end = end.saturating_add(duration));
        ends
    }

    /// Whether there are so many steps left.
    fn spend(&mut self, steps: u64) -> bool {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    fn finish(&mut self) -> bool {
        let simulated = simulate::<u64>(self.layout, &self.strategy);
        let end = |number: u32| simulated.listed.tasks[number as usize].map_or(0, |ran| ran.end);
        let makespan = simulated.listed.makespan;
        let update = self.sync.update_ms(self.layout, &self.strategy, self.overlap, makespan, end);
        let penalty = memory_penalty_ms(self.layout.graph, self.layout.machine, &self.strategy);
        let ms = makespan as f64 * 1e-9 + update + penalty;
        if ms < self.best_ms {
            self.best_ms = ms;
            self.better = Some((self.strategy.clone(), ms));
        }
        self.spend(simulated.listed.count as u64 * STEPS_OF_TASK)
    }
}
