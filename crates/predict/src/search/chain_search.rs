//! One chain of a Markov chain Monte Carlo search, on top of delta simulation.

use crate::search::bounds::{Bounds, Scratch};
use crate::search::candidates::candidates;
use crate::search::delta::{Delta, Outcome};
use crate::search::evaluate::{device_bytes, gradients_end, penalty_of};
use crate::search::full::simulate;
use crate::search::graph::{Config, Strategy};
use crate::search::layout::Layout;
use crate::search::proposals::{Moves, propose};
use crate::search::rng::Rng;
use crate::search::run::SimulationPolicy;
use crate::search::sync::{Sync, overlapped};

/// What a chain found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) best: Strategy,
    pub(crate) best_ms: f64,
    /// Iteration, current and best time in ms.
    pub(crate) log: Vec<(u64, f64, f64)>,
}

/// What a chain may do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    pub(crate) budget: u64,
    pub(crate) alpha: f64,
    pub(crate) moves: Moves,
    /// Weights are synchronised while others compute.
    pub(crate) overlap: bool,
    pub(crate) simulation: SimulationPolicy,
}

/// Iterations between two entries of the log.
const LOG_EVERY: u64 = 1000;

/// The state of a chain.
struct Chain<'a> {
    layout: &'a Layout<'a>,
    sync: &'a Sync,
    delta: Delta<'a>,
    bounds: Bounds,
    /// Synchronisation of each group of weights in ms.
    sync_ms: Vec<f64>,
    sync_sum: f64,
    /// Weights are synchronised while others compute.
    overlap: bool,
    /// Time that each device computes, in ps.
    busy: Vec<u64>,
    /// Bytes on each device.
    held: Vec<u64>,
    current_ms: f64,
    scratch: Scratch,
}

/// Runs a chain from a strategy.
pub(crate) fn run(
    layout: &Layout<'_>,
    sync: &Sync,
    start: Strategy,
    rules: Rules,
    mut rng: Rng,
) -> Found {
    let mut chain = Chain::new(layout, sync, rules.overlap, start.clone());
    let mut found = Found { best: start, best_ms: chain.current_ms, log: Vec::new() };
    found.log.push((0, chain.current_ms, found.best_ms));
    let reset_every = (rules.budget / 100).clamp(1, 1000);
    let mut best_at = 0;
    if rules.budget == 0 {
        return found;
    }
    for iteration in 1..=rules.budget {
        let Some((op, config)) = propose(layout, chain.delta.strategy(), rules.moves, &mut rng)
        else {
            break;
        };
        let most = most_accepted(chain.current_ms, rules.alpha, &mut rng);
        if chain.change(op, config, most, rules.simulation) && chain.current_ms < found.best_ms {
            found.best_ms = chain.current_ms;
            found.best.clone_from(chain.delta.strategy());
            best_at = iteration;
        }
        if iteration % reset_every == 0
            && iteration - best_at >= reset_every
            && chain.current_ms > found.best_ms
        {
            chain = Chain::new(layout, sync, rules.overlap, found.best.clone());
        }
        if iteration % LOG_EVERY == 0 || iteration == rules.budget {
            found.log.push((iteration, chain.current_ms, found.best_ms));
        }
    }
    if chain.current_ms > found.best_ms {
        chain = Chain::new(layout, sync, rules.overlap, found.best.clone());
    }
    // A change that is made costs as much as many that are refused at once.
    let mut left = rules.budget / 4;
    chain.polish(&mut left, rules.simulation);
    found.keep(&chain);
    // From a strategy that no single change makes better, some random changes lead to others like it.
    while left > 0 && layout.graph.ops.len() <= MOST_KICKED {
        let kicks = 2 + rng.next_below(3);
        left = left.saturating_sub(MADE);
        for _ in 0..kicks {
            let strategy = chain.delta.strategy();
            let Some((op, config)) = propose(layout, strategy, rules.moves, &mut rng) else {
                break;
            };
            chain.change(op, config, f64::INFINITY, rules.simulation);
            left = left.saturating_sub(MADE);
        }
        chain.polish(&mut left, rules.simulation);
        if chain.current_ms < found.best_ms {
            found.keep(&chain);
        } else {
            chain = Chain::new(layout, sync, rules.overlap, found.best.clone());
        }
    }
    found.log.push((2 * rules.budget, found.best_ms, found.best_ms));
    found
}

impl Found {
    /// Keeps the present strategy of a chain, if it is the best.
    fn keep(&mut self, chain: &Chain<'_>) {
        if chain.current_ms < self.best_ms {
            self.best_ms = chain.current_ms;
            self.best.clone_from(chain.delta.strategy());
        }
    }
}

/// Operators of a graph up to which a chain looks for other strategies after it has settled.
const MOST_KICKED: usize = 64;

/// What a change that is made in any case costs, in proposals.
const MADE: u64 = 8;

/// The most that a proposal may cost. Accepting what costs more with the chance exp(-alpha x (more)) (Metropolis) is
/// accepting what costs at most this, and so it is known before the proposal is simulated.
fn most_accepted(current: f64, alpha: f64, rng: &mut Rng) -> f64 {
    current - rng.unit().ln() / alpha
}

impl<'a> Chain<'a> {
    fn new(layout: &'a Layout<'a>, sync: &'a Sync, overlap: bool, start: Strategy) -> Self {
        let sync_ms = (0..sync.len()).map(|group| sync.time(layout.graph, &start, group)).collect();
        let devices = layout.machine.devices() as usize;
        let mut chain = Self {
            layout,
            sync,
            bounds: Bounds::compute(layout, &start),
            delta: Delta::new(layout, start),
            sync_ms,
            sync_sum: 0.0,
            overlap,
            busy: vec![0; devices],
            held: vec![0; devices],
            current_ms: 0.0,
            scratch: Scratch::default(),
        };
        for op in 0..layout.graph.ops.len() {
            chain.book(op);
        }
        chain.sync_sum = chain.sync_ms.iter().sum();
        chain.current_ms = chain.total(chain.delta.makespan(), |number| chain.delta.end(number));
        chain
    }

    /// What an operator's parts add to their devices: time in ps, and bytes.
    fn load(&self, op: usize) -> (u64, Vec<(u32, u64)>) {
        let (layout, strategy) = (self.layout, self.delta.strategy());
        let steps = layout.steps_of[op].iter();
        let time = steps.map(|&step| layout.duration(step, strategy)).sum();
        let mut bytes = Vec::new();
        if layout.machine.memory_bytes.is_some() {
            device_bytes(layout.graph, strategy, op, |device, amount| bytes.push((device, amount)));
        }
        (time, bytes)
    }

    /// Adds an operator's load to its devices.
    fn book(&mut self, op: usize) {
        let (time, bytes) = self.load(op);
        for &device in &self.delta.strategy()[op].devices {
            self.busy[device as usize] += time;
        }
        for (device, bytes) in bytes {
            self.held[device as usize] += bytes;
        }
    }

    /// Takes an operator's load away.
    fn unbook(&mut self, op: usize) {
        let (time, bytes) = self.load(op);
        for &device in &self.delta.strategy()[op].devices {
            self.busy[device as usize] -= time;
        }
        for (device, bytes) in bytes {
            self.held[device as usize] -= bytes;
        }
    }

    /// Makes a move if the time is at most `most` ms; shows whether it was made.
    fn change(
        &mut self,
        op: usize,
        config: Config,
        most: f64,
        simulation: SimulationPolicy,
    ) -> bool {
        let group = self.sync.group_of(op);
        let old_sync = group.map_or(0.0, |group| self.sync_ms[group]);
        // The load moves to the new configuration at once, and back if the move is not made.
        self.unbook(op);
        let old = self.delta.exchange(op, config);
        self.book(op);
        let strategy = self.delta.strategy();
        let new_sync =
            group.map_or(0.0, |group| self.sync.time(self.layout.graph, strategy, group));
        let penalty = self.penalty();
        let sync_sum = self.sync_sum - old_sync + new_sync;
        // With overlap, synchronisation lies next to the tasks, but takes its own time at least.
        let limit_ms = match (self.overlap, sync_sum > most) {
            (true, true) => -1.0,
            (true, false) => most - penalty,
            (false, _) => most - sync_sum - penalty,
        };
        let limit = (limit_ms.max(0.0) * 1e9).ceil() as u64;
        let is_hopeless = limit_ms < 0.0
            || self.busy.iter().any(|&busy| busy > limit)
            || self.bounds.passes(self.layout, strategy, op, limit, &mut self.scratch);
        if simulation == SimulationPolicy::Full {
            return self.change_fully(op, old, (new_sync, old_sync), most);
        }
        let gives_up = simulation == SimulationPolicy::Delta;
        if is_hopeless && gives_up {
            self.unbook(op);
            self.delta.exchange(op, old);
            self.book(op);
            return false;
        }
        let config = self.delta.exchange(op, old);
        let (layout, bounds) = (self.layout, &self.bounds);
        let limit = if gives_up { limit } else { u64::MAX };
        let outcome =
            self.delta.change(op, config, limit, |number| bounds.tail(layout, op, number));
        if let Outcome::Done(makespan) = outcome {
            if let Some(group) = group {
                self.sync_ms[group] = new_sync;
            }
            let next_ms = self.total(makespan, |number| self.delta.end(number));
            if next_ms <= most {
                self.delta.keep();
                self.sync_sum = self.sync_ms.iter().sum();
                self.current_ms = next_ms;
                self.bounds = Bounds::compute(self.layout, self.delta.strategy());
                return true;
            }
        }
        if let Some(group) = group {
            self.sync_ms[group] = old_sync;
        }
        self.unbook(op);
        self.delta.take_back();
        self.book(op);
        false
    }

    /// Gives each operator the best of its [candidates] as long as that makes the strategy faster; then each two neighbours
    /// together. `left`: proposals that may be made.
    fn polish(&mut self, left: &mut u64, simulation: SimulationPolicy) {
        loop {
            let before = self.current_ms;
            for op in 0..self.layout.graph.ops.len() {
                for config in candidates(self.layout, self.delta.strategy(), op) {
                    if *left == 0 {
                        return;
                    }
                    *left -= 1;
                    if config != self.delta.strategy()[op] {
                        self.change(op, config, self.less(), simulation);
                    }
                }
            }
            let is_small = self.layout.graph.ops.len() <= MOST_KICKED;
            if self.current_ms >= before && !(is_small && self.polish_pairs(left, simulation)) {
                return;
            }
        }
    }

    /// The first change of two neighbours that makes the strategy faster; whether there is one.
    fn polish_pairs(&mut self, left: &mut u64, simulation: SimulationPolicy) -> bool {
        for edge in 0..self.layout.edges.len() {
            let (from, to) = (self.layout.edges[edge].from, self.layout.edges[edge].to);
            for (first, second) in [(from, to), (to, from)] {
                for config in candidates(self.layout, self.delta.strategy(), first) {
                    if *left == 0 {
                        return false;
                    }
                    *left = left.saturating_sub(2 * MADE);
                    let old = self.delta.strategy()[first].clone();
                    if config == old {
                        continue;
                    }
                    let least = self.less();
                    let devices = config.devices.clone();
                    // Worse alone, perhaps better with its neighbour.
                    self.change(first, config, f64::INFINITY, simulation);
                    let options = &self.layout.graph.ops[second].options;
                    let alike = (0..options.len())
                        .filter(|&option| options[option].parts() as usize == devices.len());
                    for option in alike {
                        let config = Config { option, devices: devices.clone() };
                        if config == self.delta.strategy()[second] {
                            continue;
                        }
                        *left = left.saturating_sub(1);
                        if self.change(second, config, least, simulation) {
                            return true;
                        }
                    }
                    self.change(first, old, f64::INFINITY, simulation);
                }
            }
        }
        false
    }

    /// What a change may take at most to make the strategy faster: a bit less than now, so that rounding is no progress.
    fn less(&self) -> f64 {
        self.current_ms - self.current_ms.abs() * 1e-9
    }

    /// Keeps or takes back a configuration that the strategy and the loads have already, after a full simulation.
    /// `sync`: what synchronising its group of weights takes with it and without it, in ms.
    fn change_fully(&mut self, op: usize, old: Config, sync: (f64, f64), most: f64) -> bool {
        let simulated = simulate::<u64>(self.layout, self.delta.strategy());
        let group = self.sync.group_of(op);
        if let Some(group) = group {
            self.sync_ms[group] = sync.0;
        }
        let end = |number: u32| simulated.listed.tasks[number as usize].map_or(0, |ran| ran.end);
        let next_ms = self.total(simulated.listed.makespan, end);
        if next_ms <= most {
            self.sync_sum = self.sync_ms.iter().sum();
            self.current_ms = next_ms;
            return true;
        }
        if let Some(group) = group {
            self.sync_ms[group] = sync.1;
        }
        self.unbook(op);
        self.delta.exchange(op, old);
        self.book(op);
        false
    }

    /// Time of the present strategy, of which all is simulated, in ms.
    fn total(&self, makespan: u64, end: impl Fn(u32) -> u64) -> f64 {
        let makespan = makespan as f64 * 1e-9;
        if !self.overlap {
            return makespan + self.sync_ms.iter().fold(0.0, |sum, ms| sum + ms) + self.penalty();
        }
        let ready = (0..self.sync.len()).map(|group| {
            let ops = self.sync.ops(group);
            gradients_end(self.layout, self.delta.strategy(), ops, &end) as f64 * 1e-9
        });
        let ready: Vec<f64> = ready.collect();
        makespan.max(overlapped(&ready, &self.sync_ms)) + self.penalty()
    }

    fn penalty(&self) -> f64 {
        self.layout.machine.memory_bytes.map_or(0.0, |most| penalty_of(&self.held, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FlexFlow's training compiler expects this of its generic search.
    #[test]
    fn a_hundred_proposals_find_the_least_of_a_parabola() {
        let cost = |x: f64| (x - 0.5) * (x - 0.5);
        for seed in 0..50 {
            let mut rng = Rng::new(seed, 0);
            let (mut current, mut best) = (0.1, 0.1);
            for _ in 0..100 {
                let next = current + rng.unit() - 0.5;
                if !(0.0..=1.0).contains(&next) {
                    continue;
                }
                if cost(next) <= most_accepted(cost(current), 1.0, &mut rng) {
                    current = next;
                }
                if cost(current) < cost(best) {
                    best = current;
                }
            }
            assert!((0.47..0.53).contains(&best) && cost(best) < 1e-3, "seed {seed}: {best}");
        }
    }

    #[test]
    fn worse_proposals_are_accepted_as_often_as_metropolis_says() {
        let mut rng = Rng::new(1, 0);
        let tries = 100_000;
        let accepted = (0..tries).filter(|_| most_accepted(1.0, 2.0, &mut rng) >= 1.5).count();
        let share = f64::from(u32::try_from(accepted).unwrap_or(0)) / f64::from(tries);
        assert!((share - (-1.0_f64).exp()).abs() < 0.01, "{share}");
    }
}
