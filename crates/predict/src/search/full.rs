//! Full simulation: list scheduling of all tasks of a strategy.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::search::graph::Strategy;
use crate::search::layout::Layout;
use bigtpu_machine::Hop;

/// Time of a simulation: whole picoseconds, or milliseconds of 32 bits as in the 2018 simulator.
pub(crate) trait Time: Copy + Ord + Default {
    fn plus(self, other: Self) -> Self;
    fn of_ps(ps: u64) -> Self;
    fn of_hop(hop: &Hop, bytes: u64) -> Self;
}

impl Time for u64 {
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    fn of_ps(ps: u64) -> Self {
        ps
    }
    fn of_hop(hop: &Hop, bytes: u64) -> Self {
        hop.time(bytes)
    }
}

/// Milliseconds of 32 bits; never negative, so that their bits order as they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Single(u32);

impl Single {
    pub(crate) fn ms(self) -> f32 {
        f32::from_bits(self.0)
    }
}

impl Time for Single {
    fn plus(self, other: Self) -> Self {
        Self((self.ms() + other.ms()).to_bits())
    }
    fn of_ps(ps: u64) -> Self {
        Self(((ps as f64 * 1e-9) as f32).to_bits())
    }
    fn of_hop(hop: &Hop, bytes: u64) -> Self {
        Self((bytes as f32 / hop.bytes_per_ms as f32).to_bits())
    }
}

/// A task that was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ran<T> {
    pub(crate) resource: u32,
    pub(crate) start: T,
    pub(crate) end: T,
}

/// All tasks of a strategy.
#[derive(Debug)]
pub(crate) struct Simulated<T> {
    /// By number; tasks that the strategy does not have are `None`.
    pub(crate) tasks: Vec<Option<Ran<T>>>,
    /// The last end.
    pub(crate) makespan: T,
    /// Number of tasks.
    pub(crate) count: usize,
    /// What each task waits for: pairs of numbers.
    pub(crate) dependences: Vec<(u32, u32)>,
}

/// Runs each ready task on its device or link, in the order of readiness and number.
pub(crate) fn simulate<T: Time>(layout: &Layout<'_>, strategy: &Strategy) -> Simulated<T> {
    let size = layout.tasks as usize;
    let mut tasks: Vec<Option<(u32, T)>> = vec![None; size];
    let mut dependences = Vec::new();
    for (number, step) in layout.steps.iter().enumerate() {
        let duration = T::of_ps(layout.duration(number, strategy));
        for (part, &device) in (0..).zip(&strategy[step.op].devices) {
            tasks[layout.computation(number, part) as usize] = Some((device, duration));
        }
    }
    let devices = layout.machine.devices();
    let mut route = Vec::new();
    for wire in &layout.wires {
        layout.for_pairs(wire, strategy, |from, to, bytes| {
            layout.route(wire, strategy, from, to, &mut route);
            let mut before = layout.computation(wire.from, from);
            for (message, hop) in (layout.message(wire, from, to)..).zip(&route) {
                tasks[message as usize] = Some((devices + hop.link, T::of_hop(hop, bytes)));
                dependences.push((before, message));
                before = message;
            }
            dependences.push((before, layout.computation(wire.to, to)));
        });
    }
    run(tasks, dependences, layout.resources())
}

fn run<T: Time>(
    tasks: Vec<Option<(u32, T)>>,
    dependences: Vec<(u32, u32)>,
    resources: usize,
) -> Simulated<T> {
    let size = tasks.len();
    let mut first = vec![0_u32; size + 1];
    let mut needs = vec![0_u32; size];
    for &(from, to) in &dependences {
        first[from as usize + 1] += 1;
        needs[to as usize] += 1;
    }
    for at in 0..size {
        first[at + 1] += first[at];
    }
    let mut fill = first.clone();
    let mut successors = vec![0_u32; dependences.len()];
    for &(from, to) in &dependences {
        let slot = &mut fill[from as usize];
        successors[*slot as usize] = to;
        *slot += 1;
    }
    let mut ready = vec![T::default(); size];
    let mut free = vec![T::default(); resources];
    let mut queue: BinaryHeap<Reverse<(T, u32)>> = BinaryHeap::new();
    for (at, task) in (0_u32..).zip(&tasks) {
        if task.is_some() && needs[at as usize] == 0 {
            queue.push(Reverse((T::default(), at)));
        }
    }
    let mut ran: Vec<Option<Ran<T>>> = vec![None; size];
    let (mut makespan, mut count) = (T::default(), 0);
    while let Some(Reverse((at, task))) = queue.pop() {
        let task = task as usize;
        let Some((resource, duration)) = tasks[task] else { continue };
        let free = &mut free[resource as usize];
        let start = at.max(*free);
        let end = start.plus(duration);
        *free = end;
        makespan = makespan.max(end);
        count += 1;
        ran[task] = Some(Ran { resource, start, end });
        for &next in &successors[first[task] as usize..first[task + 1] as usize] {
            let to = next as usize;
            ready[to] = ready[to].max(end);
            needs[to] -= 1;
            if needs[to] == 0 {
                queue.push(Reverse((ready[to], next)));
            }
        }
    }
    Simulated { tasks: ran, makespan, count, dependences }
}
