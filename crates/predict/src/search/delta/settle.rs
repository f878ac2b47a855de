//! Placing tasks: those whose inputs changed, in the order of their new times.

use std::cmp::Reverse;

use super::{Delta, NONE};
use crate::search::layout::Carries;

impl Delta<'_> {
    /// Visits tasks until nothing changes any more; false as soon as the limit can't be kept.
    pub(super) fn settle(&mut self, limit: u64, tail: impl Fn(u32) -> u64) -> bool {
        let computations = self.layout.computation(self.layout.steps.len(), 0);
        while let Some(Reverse((time, number))) = self.visits.pop() {
            if self.visit[number as usize] != time {
                continue;
            }
            self.visit[number as usize] = NONE;
            let task = self.tasks[number as usize];
            if !task.active {
                continue;
            }
            let ready = self.ready(number);
            if task.placed && ready != Some(task.ready) {
                self.unplace(number);
                // What waits for it has no time either, until it is placed again.
                self.visit_successors(number, NONE);
            }
            // Without all inputs it is visited again when the last of them has its time.
            let Some(ready) = ready else { continue };
            if ready > time {
                self.visit_at(number, ready);
                continue;
            }
            let end = self.place(number, ready);
            let after = if number < computations { tail(number) } else { 0 };
            if end.saturating_add(after) > limit {
                self.give_up();
                return false;
            }
        }
        true
    }

    pub(super) fn give_up(&mut self) {
        while let Some(Reverse((_, number))) = self.visits.pop() {
            self.visit[number as usize] = NONE;
        }
    }

    /// Gives a task its place and times; shows what depends on them.
    fn place(&mut self, number: u32, ready: u64) -> u64 {
        self.note(number);
        let task = self.tasks[number as usize];
        let queue = &mut self.queues[task.resource as usize];
        let at = queue.partition_point(|&entry| entry < (ready, number));
        if !task.placed {
            queue.insert(at, (ready, number));
        }
        let before = at.checked_sub(1).map_or(0, |at| self.tasks[queue[at].1 as usize].end);
        let end = ready.max(before).saturating_add(task.duration);
        if task.placed && task.end == end {
            return end;
        }
        if let Some(&(ready, next)) = queue.get(at + 1) {
            self.visit_at(next, ready);
        }
        let task = &mut self.tasks[number as usize];
        (task.ready, task.end, task.placed) = (ready, end, true);
        self.visit_successors(number, end);
        end
    }

    /// When all that a task needs has ended; `None` while something of it has no time.
    pub(super) fn ready(&self, number: u32) -> Option<u64> {
        let layout = self.layout;
        let computations = layout.computation(layout.steps.len(), 0);
        let end = |number: u32| {
            let task = &self.tasks[number as usize];
            task.placed.then_some(task.end)
        };
        if number >= computations {
            let block = layout.parts * layout.parts * layout.hops;
            let within = (number - computations) % block;
            if !within.is_multiple_of(layout.hops) {
                return end(number - 1);
            }
            let wire =
                &layout.wires[self.message_wires[((number - computations) / block) as usize]];
            let from = within / layout.hops % layout.parts;
            return end(layout.computation(wire.from, from));
        }
        let (step, part) = ((number / layout.parts) as usize, number % layout.parts);
        let mut ready = 0;
        for &wire in &layout.steps[step].inputs {
            let wire = &layout.wires[wire];
            for from in layout.sources(wire, &self.strategy, part) {
                let last = self.last_hop(wire.carries != Carries::SamePart, || {
                    layout.message(wire, from, part)
                });
                let source = last.unwrap_or_else(|| layout.computation(wire.from, from));
                ready = ready.max(end(source)?);
            }
        }
        Some(ready)
    }

    /// The last active hop of a message, if it has any.
    fn last_hop(&self, may: bool, first: impl Fn() -> u32) -> Option<u32> {
        if !may {
            return None;
        }
        let first = first();
        let active = |at: &u32| self.tasks[*at as usize].active;
        (first..first + self.layout.hops).take_while(active).last()
    }

    /// Has everything visited that needs this task, at `end` or when it was ready so far.
    fn visit_successors(&mut self, number: u32, end: u64) {
        let layout = self.layout;
        let computations = layout.computation(layout.steps.len(), 0);
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        if number >= computations {
            let block = layout.parts * layout.parts * layout.hops;
            let within = (number - computations) % block;
            let hop = within % layout.hops;
            if hop + 1 < layout.hops && self.tasks[number as usize + 1].active {
                found.push(number + 1);
            } else {
                let wire =
                    &layout.wires[self.message_wires[((number - computations) / block) as usize]];
                found.push(layout.computation(wire.to, within / layout.hops / layout.parts));
            }
        } else {
            let (step, part) = ((number / layout.parts) as usize, number % layout.parts);
            for &wire in &layout.steps[step].outputs {
                let wire = &layout.wires[wire];
                for to in layout.targets(wire, &self.strategy, part) {
                    let message =
                        (wire.carries != Carries::SamePart).then(|| layout.message(wire, part, to));
                    let message = message.filter(|&message| self.tasks[message as usize].active);
                    found.push(message.unwrap_or_else(|| layout.computation(wire.to, to)));
                }
            }
        }
        for &next in &found {
            let task = self.tasks[next as usize];
            if task.placed {
                self.visit_at(next, task.ready.min(end));
            } else if end != NONE && task.active {
                self.visit_at(next, end);
            }
        }
        self.scratch = found;
    }
}
