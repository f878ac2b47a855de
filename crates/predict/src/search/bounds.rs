//! Times that pass at least before and after a computation, whatever waits for a device or link.

use crate::search::graph::Strategy;
use crate::search::layout::Layout;
use bigtpu_machine::Hop;

/// Bounds of the computations of a strategy, by number; in ps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bounds {
    /// Earliest end.
    head: Vec<u64>,
    /// From the end until everything behind it has ended.
    tail: Vec<u64>,
}

impl Bounds {
    /// Computes the bounds of a strategy. All wires lead from a step to a later one.
    pub(crate) fn compute(layout: &Layout<'_>, strategy: &Strategy) -> Self {
        let size = layout.computation(layout.steps.len(), 0) as usize;
        let mut bounds = Self { head: vec![0; size], tail: vec![0; size] };
        let mut route = Vec::new();
        for (number, step) in layout.steps.iter().enumerate() {
            for &wire in &step.inputs {
                let wire = &layout.wires[wire];
                layout.for_pairs(wire, strategy, |from, to, bytes| {
                    layout.route(wire, strategy, from, to, &mut route);
                    let before = bounds.head[layout.computation(wire.from, from) as usize];
                    let head = &mut bounds.head[layout.computation(number, to) as usize];
                    *head = (*head).max(before.saturating_add(time(&route, bytes)));
                });
            }
            let duration = layout.duration(number, strategy);
            for part in 0..strategy[step.op].devices.len() as u32 {
                let head = &mut bounds.head[layout.computation(number, part) as usize];
                *head = head.saturating_add(duration);
            }
        }
        for (number, step) in layout.steps.iter().enumerate().rev() {
            for &wire in &step.outputs {
                let wire = &layout.wires[wire];
                let duration = layout.duration(wire.to, strategy);
                layout.for_pairs(wire, strategy, |from, to, bytes| {
                    layout.route(wire, strategy, from, to, &mut route);
                    let behind = bounds.tail[layout.computation(wire.to, to) as usize];
                    let all = behind.saturating_add(duration).saturating_add(time(&route, bytes));
                    let tail = &mut bounds.tail[layout.computation(number, from) as usize];
                    *tail = (*tail).max(all);
                });
            }
        }
        bounds
    }

    /// The bound behind a computation after a change of `op`: steps up to its last one may lead to it, so nothing is
    /// known of them.
    pub(crate) fn tail(&self, layout: &Layout<'_>, op: usize, computation: u32) -> u64 {
        let last = last_step(layout, op);
        let step = (computation / layout.parts) as usize;
        if step > last { self.tail[computation as usize] } else { 0 }
    }

    /// Whether the longest way through `op`, which has another configuration in `strategy`, takes longer than `limit`.
    pub(crate) fn passes(
        &self,
        layout: &Layout<'_>,
        strategy: &Strategy,
        op: usize,
        limit: u64,
        scratch: &mut Scratch,
    ) -> bool {
        let Scratch { before, route } = scratch;
        let last = last_step(layout, op);
        let Some(&number) = layout.steps_of[op].first() else { return false };
        let step = &layout.steps[number];
        before.clear();
        before.resize(strategy[op].devices.len(), 0);
        for &wire in &step.inputs {
            let wire = &layout.wires[wire];
            layout.for_pairs(wire, strategy, |from, to, bytes| {
                layout.route(wire, strategy, from, to, route);
                let head = self.head[layout.computation(wire.from, from) as usize];
                let slot = &mut before[to as usize];
                *slot = (*slot).max(head.saturating_add(time(route, bytes)));
            });
        }
        let duration = layout.duration(number, strategy);
        for part in before.iter_mut() {
            *part = part.saturating_add(duration);
        }
        if before.iter().any(|&end| end > limit) {
            return true;
        }
        step.outputs.iter().any(|&wire| {
            let wire = &layout.wires[wire];
            let after = layout.duration(wire.to, strategy);
            let mut longest = 0;
            layout.for_pairs(wire, strategy, |from, to, bytes| {
                layout.route(wire, strategy, from, to, route);
                let number = layout.computation(wire.to, to) as usize;
                let tail = if wire.to > last { self.tail[number] } else { 0 };
                let all = before[from as usize].saturating_add(time(route, bytes));
                longest = longest.max(all.saturating_add(after).saturating_add(tail));
            });
            longest > limit
        })
    }
}

/// Space for intermediate results.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    before: Vec<u64>,
    route: Vec<Hop>,
}

fn last_step(layout: &Layout<'_>, op: usize) -> usize {
    layout.steps_of[op].last().copied().unwrap_or(0)
}

fn time(route: &[Hop], bytes: u64) -> u64 {
    route.iter().fold(0, |sum, hop| sum.saturating_add(hop.time(bytes)))
}
