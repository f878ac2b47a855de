//! Delta simulation: after one operator has changed, only what changes in time is computed again. The result is that of
//! the full simulation, see [`bigtpu_sim::Incremental`].

mod wiring;

use bigtpu_machine::Hop;
use bigtpu_sim::Incremental;

use crate::search::graph::{Config, Strategy};
use crate::search::layout::{Carries, Layout};
use wiring::Wiring;

/// A simulated strategy that can be changed, and changed back.
#[derive(Debug)]
pub(crate) struct Delta<'a> {
    layout: &'a Layout<'a>,
    strategy: Strategy,
    tasks: Incremental,
    /// Wires of messages, by their block of numbers.
    message_wires: Vec<usize>,
    changed: Option<(usize, Config)>,
    route: Vec<Hop>,
}

/// How a move ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The makespan in ps.
    Done(u64),
    /// Some task ends so late that the limit can't be kept.
    TooSlow,
}

impl<'a> Delta<'a> {
    /// Simulates a strategy.
    pub(crate) fn new(layout: &'a Layout<'a>, strategy: Strategy) -> Self {
        let message_wires = layout.wires.iter().enumerate();
        let message_wires = message_wires.filter(|(_, wire)| wire.carries != Carries::SamePart);
        let mut delta = Self {
            layout,
            strategy,
            tasks: Incremental::new(layout.tasks as usize, layout.resources()),
            message_wires: message_wires.map(|(number, _)| number).collect(),
            changed: None,
            route: Vec::new(),
        };
        for op in 0..layout.graph.ops.len() {
            delta.activate_computations(op);
        }
        for wire in 0..layout.wires.len() {
            delta.activate_messages(wire);
        }
        for op in 0..layout.graph.ops.len() {
            delta.visit_computations(op);
        }
        delta.settle(u64::MAX, |_| 0);
        delta.tasks.keep();
        delta
    }

    pub(crate) fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The last end on a device, in ps.
    pub(crate) fn makespan(&self) -> u64 {
        let devices = 0..self.layout.machine.devices();
        devices.map(|device| self.tasks.last_end(device)).max().unwrap_or(0)
    }

    /// Number of tasks of the strategy.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.tasks.count()
    }

    /// Ends of all tasks by number; `None` for those that the strategy does not have.
    #[cfg(test)]
    pub(crate) fn ends(&self) -> Vec<Option<u64>> {
        let all = 0..self.layout.tasks;
        all.map(|task| self.tasks.end(task).filter(|_| self.tasks.is_active(task))).collect()
    }

    /// Gives an operator a new configuration. The move has to be kept or taken back before the next one.
    /// `tail(task)`: time that passes at least after a computation has ended; with it a move is given up as soon as
    /// it can't end within `limit`.
    pub(crate) fn change(
        &mut self,
        op: usize,
        config: Config,
        limit: u64,
        tail: impl Fn(u32) -> u64,
    ) -> Outcome {
        self.tasks.begin();
        for &step in &self.layout.steps_of[op] {
            let wires =
                self.layout.steps[step].inputs.iter().chain(&self.layout.steps[step].outputs);
            for &wire in wires {
                self.deactivate_messages(wire);
            }
            for part in 0..self.strategy[op].devices.len() as u32 {
                self.tasks.deactivate(self.layout.computation(step, part));
            }
        }
        let old = std::mem::replace(&mut self.strategy[op], config);
        self.changed = Some((op, old));
        self.activate_computations(op);
        for &step in &self.layout.steps_of[op] {
            let wires =
                self.layout.steps[step].inputs.iter().chain(&self.layout.steps[step].outputs);
            for &wire in wires {
                self.activate_messages(wire);
            }
        }
        self.visit_computations(op);
        if self.settle(limit, tail) { Outcome::Done(self.makespan()) } else { Outcome::TooSlow }
    }

    /// When a task ends, in ps.
    pub(crate) fn end(&self, number: u32) -> u64 {
        self.tasks.end(number).unwrap_or(0)
    }

    /// Exchanges a configuration without simulating it: for looking at it. It has to be exchanged back.
    pub(crate) fn exchange(&mut self, op: usize, config: Config) -> Config {
        std::mem::replace(&mut self.strategy[op], config)
    }

    /// Keeps the last move.
    pub(crate) fn keep(&mut self) {
        self.tasks.keep();
        self.changed = None;
    }

    /// Takes the last move back.
    pub(crate) fn take_back(&mut self) {
        self.tasks.take_back();
        if let Some((op, config)) = self.changed.take() {
            self.strategy[op] = config;
        }
    }

    fn settle(&mut self, limit: u64, tail: impl Fn(u32) -> u64) -> bool {
        let Self { layout, strategy, message_wires, tasks, .. } = self;
        let wiring = Wiring { layout, strategy, message_wires };
        let computations = wiring.computations();
        // A message is followed by the computation that it is for.
        let tail = |number: u32| if number < computations { tail(number) } else { 0 };
        tasks.settle(&wiring, limit, tail)
    }

    fn activate_computations(&mut self, op: usize) {
        for &step in &self.layout.steps_of[op] {
            let duration = self.layout.duration(step, &self.strategy);
            for (part, &device) in (0..).zip(&self.strategy[op].devices) {
                self.tasks.activate(self.layout.computation(step, part), device, duration);
            }
        }
    }

    /// Has those computations of an operator visited whose inputs all have a time.
    fn visit_computations(&mut self, op: usize) {
        let Self { layout, strategy, message_wires, tasks, .. } = self;
        let wiring = Wiring { layout, strategy, message_wires };
        for &step in &layout.steps_of[op] {
            for part in 0..strategy[op].devices.len() as u32 {
                let number = layout.computation(step, part);
                if let Some(ready) = bigtpu_sim::Structure::ready(&wiring, number, tasks) {
                    tasks.visit_at(number, ready);
                }
            }
        }
    }

    fn activate_messages(&mut self, wire: usize) {
        let Self { layout, strategy, tasks, route, .. } = self;
        let wire = &layout.wires[wire];
        let devices = layout.machine.devices();
        layout.for_pairs(wire, strategy, |from, to, bytes| {
            layout.route(wire, strategy, from, to, route);
            for (message, hop) in (layout.message(wire, from, to)..).zip(&*route) {
                tasks.activate(message, devices + hop.link, hop.time(bytes));
            }
            if let Some(end) = tasks.end(layout.computation(wire.from, from))
                && !route.is_empty()
            {
                tasks.visit_at(layout.message(wire, from, to), end);
            }
            // What the consumer waits for has changed.
            tasks.visit_again(layout.computation(wire.to, to));
        });
    }

    fn deactivate_messages(&mut self, wire: usize) {
        let Self { layout, strategy, tasks, .. } = self;
        let wire = &layout.wires[wire];
        layout.for_pairs(wire, strategy, |from, to, _| {
            if wire.carries != Carries::SamePart {
                let first = layout.message(wire, from, to);
                for message in first..first + layout.hops {
                    if tasks.is_active(message) {
                        tasks.deactivate(message);
                    }
                }
            }
            tasks.visit_again(layout.computation(wire.to, to));
        });
    }
}

#[cfg(test)]
mod tests;
