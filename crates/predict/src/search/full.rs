//! Full simulation: list scheduling of all tasks of a strategy.

use crate::search::graph::Strategy;
use crate::search::layout::Layout;
use bigtpu_machine::Hop;
use bigtpu_sim::{Listed, Moment, list_schedule};

/// Time of a simulation: whole picoseconds, or milliseconds of 32 bits as in the 2018 simulator.
pub(crate) trait Time: Moment {
    fn of_ps(ps: u64) -> Self;
    fn of_hop(hop: &Hop, bytes: u64) -> Self;
}

impl Time for u64 {
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

impl Moment for Single {
    fn plus(self, other: Self) -> Self {
        Self((self.ms() + other.ms()).to_bits())
    }
}

impl Time for Single {
    fn of_ps(ps: u64) -> Self {
        Self(((ps as f64 * 1e-9) as f32).to_bits())
    }
    fn of_hop(hop: &Hop, bytes: u64) -> Self {
        Self((bytes as f32 / hop.bytes_per_ms as f32).to_bits())
    }
}

/// All tasks of a strategy.
#[derive(Debug)]
pub(crate) struct Simulated<T> {
    /// When each task ran; tasks that the strategy does not have are `None`.
    pub(crate) listed: Listed<T>,
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
    let listed = list_schedule(&tasks, &dependences, layout.resources());
    Simulated { listed, dependences }
}
