//! Delta simulation: after one operator has changed, only what changes in time is computed again.
//!
//! The result is that of the full simulation: each device and link runs its tasks in the order of (ready, number); a
//! task is ready when all that it needs has ended, and starts when the task before it on its resource has ended. Tasks
//! whose inputs changed are visited in the order of the new times, so what has been placed is final, and a move that
//! turns out too slow can be given up at once.

mod settle;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::search::graph::{Config, Strategy};
use crate::search::layout::{Carries, Layout};
use bigtpu_machine::Hop;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Task {
    ready: u64,
    end: u64,
    duration: u64,
    resource: u32,
    /// It is in the queue of its resource, and its times hold.
    placed: bool,
    /// The strategy has it.
    active: bool,
}

/// A simulated strategy that can be changed, and changed back.
#[derive(Debug)]
pub(crate) struct Delta<'a> {
    layout: &'a Layout<'a>,
    strategy: Strategy,
    tasks: Vec<Task>,
    /// Tasks of each device and link by (ready, number).
    queues: Vec<Vec<(u64, u32)>>,
    /// Tasks to visit, by time and number.
    visits: BinaryHeap<Reverse<(u64, u32)>>,
    /// Earliest visit of each task, or `NONE`.
    visit: Vec<u64>,
    journal: Vec<(u32, Task)>,
    journaled: Vec<u64>,
    move_number: u64,
    changed: Option<(usize, Config)>,
    /// Wires of messages, by their block of numbers.
    message_wires: Vec<usize>,
    route: Vec<Hop>,
    scratch: Vec<u32>,
}

const NONE: u64 = u64::MAX;

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
        let size = layout.tasks as usize;
        let message_wires = layout.wires.iter().enumerate();
        let message_wires = message_wires.filter(|(_, wire)| wire.carries != Carries::SamePart);
        let mut delta = Self {
            layout,
            strategy,
            tasks: vec![Task::default(); size],
            queues: vec![Vec::new(); layout.resources()],
            visits: BinaryHeap::new(),
            visit: vec![NONE; size],
            journal: Vec::new(),
            journaled: vec![0; size],
            move_number: 0,
            changed: None,
            message_wires: message_wires.map(|(number, _)| number).collect(),
            route: Vec::new(),
            scratch: Vec::new(),
        };
        delta.move_number = 1;
        for op in 0..layout.graph.ops.len() {
            delta.activate_computations(op);
        }
        for wire in 0..layout.wires.len() {
            delta.activate_messages(wire);
        }
        for op in 0..layout.graph.ops.len() {
            delta.visit_computations(op);
        }
        delta.settle(NONE, |_| 0);
        delta.journal.clear();
        delta
    }

    pub(crate) fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The last end on a device, in ps.
    pub(crate) fn makespan(&self) -> u64 {
        let devices = self.layout.machine.devices() as usize;
        let last = |queue: &Vec<(u64, u32)>| {
            queue.last().map_or(0, |&(_, task)| self.tasks[task as usize].end)
        };
        self.queues[..devices].iter().map(last).max().unwrap_or(0)
    }

    /// Number of tasks of the strategy.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.queues.iter().map(Vec::len).sum()
    }

    /// Ends of all tasks by number; `None` for those that the strategy does not have.
    #[cfg(test)]
    pub(crate) fn ends(&self) -> Vec<Option<u64>> {
        self.tasks.iter().map(|task| task.active.then_some(task.end)).collect()
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
        self.move_number += 1;
        for &step in &self.layout.steps_of[op] {
            let wires =
                self.layout.steps[step].inputs.iter().chain(&self.layout.steps[step].outputs);
            for &wire in wires {
                self.deactivate_messages(wire);
            }
            for part in 0..self.strategy[op].devices.len() as u32 {
                self.deactivate(self.layout.computation(step, part));
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
        self.tasks[number as usize].end
    }

    /// Exchanges a configuration without simulating it: for looking at it. It has to be exchanged back.
    pub(crate) fn exchange(&mut self, op: usize, config: Config) -> Config {
        std::mem::replace(&mut self.strategy[op], config)
    }

    /// Keeps the last move.
    pub(crate) fn keep(&mut self) {
        self.journal.clear();
        self.changed = None;
    }

    /// Takes the last move back.
    pub(crate) fn take_back(&mut self) {
        let journal = std::mem::take(&mut self.journal);
        for &(task, _) in &journal {
            if self.tasks[task as usize].placed {
                self.remove(task);
            }
        }
        for &(number, task) in &journal {
            self.tasks[number as usize] = task;
            if task.placed {
                let queue = &mut self.queues[task.resource as usize];
                let at = queue.partition_point(|&entry| entry < (task.ready, number));
                queue.insert(at, (task.ready, number));
            }
        }
        self.journal = journal;
        self.journal.clear();
        if let Some((op, config)) = self.changed.take() {
            self.strategy[op] = config;
        }
    }

    fn activate_computations(&mut self, op: usize) {
        for &step in &self.layout.steps_of[op] {
            let duration = self.layout.duration(step, &self.strategy);
            for part in 0..self.strategy[op].devices.len() as u32 {
                let resource = self.strategy[op].devices[part as usize];
                self.activate(self.layout.computation(step, part), resource, duration);
            }
        }
    }

    /// Has those computations of an operator visited whose inputs all have a time.
    fn visit_computations(&mut self, op: usize) {
        for &step in &self.layout.steps_of[op] {
            for part in 0..self.strategy[op].devices.len() as u32 {
                let number = self.layout.computation(step, part);
                if let Some(ready) = self.ready(number) {
                    self.visit_at(number, ready);
                }
            }
        }
    }

    fn activate_messages(&mut self, wire: usize) {
        let layout = self.layout;
        let wire = &layout.wires[wire];
        let devices = layout.machine.devices();
        let mut route = std::mem::take(&mut self.route);
        let strategy = std::mem::take(&mut self.strategy);
        layout.for_pairs(wire, &strategy, |from, to, bytes| {
            layout.route(wire, &strategy, from, to, &mut route);
            for (message, hop) in (layout.message(wire, from, to)..).zip(&route) {
                self.activate(message, devices + hop.link, hop.time(bytes));
            }
            let source = self.tasks[layout.computation(wire.from, from) as usize];
            if source.placed && !route.is_empty() {
                self.visit_at(layout.message(wire, from, to), source.end);
            }
            // What the consumer waits for has changed.
            self.visit_again(layout.computation(wire.to, to));
        });
        self.strategy = strategy;
        self.route = route;
    }

    fn deactivate_messages(&mut self, wire: usize) {
        let layout = self.layout;
        let wire = &layout.wires[wire];
        let strategy = std::mem::take(&mut self.strategy);
        layout.for_pairs(wire, &strategy, |from, to, _| {
            if wire.carries != Carries::SamePart {
                let first = layout.message(wire, from, to);
                for message in first..first + layout.hops {
                    if self.tasks[message as usize].active {
                        self.deactivate(message);
                    }
                }
            }
            self.visit_again(layout.computation(wire.to, to));
        });
        self.strategy = strategy;
    }

    /// The strategy has the task now; it is visited when its inputs have a time.
    fn activate(&mut self, number: u32, resource: u32, duration: u64) {
        self.note(number);
        self.tasks[number as usize] = Task { duration, resource, active: true, ..Task::default() };
    }

    fn deactivate(&mut self, number: u32) {
        self.note(number);
        if self.tasks[number as usize].placed {
            self.unplace(number);
        }
        self.tasks[number as usize].active = false;
    }

    /// Remembers a task as it was before this move.
    fn note(&mut self, number: u32) {
        let at = number as usize;
        if self.journaled[at] != self.move_number {
            self.journaled[at] = self.move_number;
            self.journal.push((number, self.tasks[at]));
        }
    }

    fn visit_at(&mut self, number: u32, time: u64) {
        let visit = &mut self.visit[number as usize];
        if time < *visit {
            *visit = time;
            self.visits.push(Reverse((time, number)));
        }
    }

    /// Visits a task that has a time at the time at which it was ready so far. One without is visited when the last of
    /// its inputs gets a time.
    fn visit_again(&mut self, number: u32) {
        let task = self.tasks[number as usize];
        if task.placed {
            self.visit_at(number, task.ready);
        }
    }

    /// Takes a task out of its queue; the one behind it may start earlier.
    fn unplace(&mut self, number: u32) {
        self.note(number);
        let at = self.remove(number);
        let task = &mut self.tasks[number as usize];
        task.placed = false;
        let queue = &self.queues[task.resource as usize];
        if let Some(&(ready, next)) = queue.get(at) {
            self.visit_at(next, ready);
        }
    }

    fn remove(&mut self, number: u32) -> usize {
        let task = self.tasks[number as usize];
        let queue = &mut self.queues[task.resource as usize];
        let at = queue.partition_point(|&entry| entry < (task.ready, number));
        queue.remove(at);
        at
    }
}

#[cfg(test)]
mod tests;
