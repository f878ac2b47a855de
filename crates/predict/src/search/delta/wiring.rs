//! What the tasks of a strategy need, and what needs them.

use bigtpu_sim::{Incremental, Structure};

use crate::search::graph::Strategy;
use crate::search::layout::{Carries, Layout, Wire};

/// The dependences of a strategy's tasks.
pub(super) struct Wiring<'a> {
    pub(super) layout: &'a Layout<'a>,
    pub(super) strategy: &'a Strategy,
    /// Wires of messages, by their block of numbers.
    pub(super) message_wires: &'a [usize],
}

/// A hop of a message.
struct Message<'a> {
    wire: &'a Wire,
    from: u32,
    to: u32,
    hop: u32,
}

impl Wiring<'_> {
    /// Number of the first message: computations are before it.
    pub(super) fn computations(&self) -> u32 {
        self.layout.computation(self.layout.steps.len(), 0)
    }

    /// The message of a number; `None` for a computation.
    fn message(&self, number: u32) -> Option<Message<'_>> {
        let layout = self.layout;
        let number = number.checked_sub(self.computations())?;
        let block = layout.parts * layout.parts * layout.hops;
        let (block, within) = (number / block, number % block);
        let pair = within / layout.hops;
        Some(Message {
            wire: &layout.wires[self.message_wires[block as usize]],
            from: pair % layout.parts,
            to: pair / layout.parts,
            hop: within % layout.hops,
        })
    }

    /// The last active hop of a message, if it has any.
    fn last_hop(&self, first: u32, now: &Incremental) -> Option<u32> {
        (first..first + self.layout.hops).take_while(|&hop| now.is_active(hop)).last()
    }
}

impl Structure for Wiring<'_> {
    fn ready(&self, task: u32, now: &Incremental) -> Option<u64> {
        let layout = self.layout;
        if let Some(Message { wire, from, hop, .. }) = self.message(task) {
            return match hop {
                0 => now.end(layout.computation(wire.from, from)),
                _ => now.end(task - 1),
            };
        }
        let (step, part) = ((task / layout.parts) as usize, task % layout.parts);
        let mut ready = 0;
        for &wire in &layout.steps[step].inputs {
            let wire = &layout.wires[wire];
            for from in layout.sources(wire, self.strategy, part) {
                let last = match wire.carries {
                    Carries::SamePart => None,
                    Carries::Tensor { .. } => self.last_hop(layout.message(wire, from, part), now),
                };
                let source = last.unwrap_or_else(|| layout.computation(wire.from, from));
                ready = ready.max(now.end(source)?);
            }
        }
        Some(ready)
    }

    fn successors(&self, task: u32, now: &Incremental, found: &mut Vec<u32>) {
        let layout = self.layout;
        if let Some(Message { wire, to, hop, .. }) = self.message(task) {
            let goes_on = hop + 1 < layout.hops && now.is_active(task + 1);
            found.push(if goes_on { task + 1 } else { layout.computation(wire.to, to) });
            return;
        }
        let (step, part) = ((task / layout.parts) as usize, task % layout.parts);
        for &wire in &layout.steps[step].outputs {
            let wire = &layout.wires[wire];
            for to in layout.targets(wire, self.strategy, part) {
                let message = match wire.carries {
                    Carries::SamePart => None,
                    Carries::Tensor { .. } => Some(layout.message(wire, part, to)),
                };
                let message = message.filter(|&message| now.is_active(message));
                found.push(message.unwrap_or_else(|| layout.computation(wire.to, to)));
            }
        }
    }
}
