//! The time of a given strategy.

use serde::Serialize;

use crate::search::full::{Simulated, Single, simulate};
use crate::search::graph::{SearchGraph, Strategy};
use crate::search::layout::{Layout, SearchModel};
use crate::search::sync::Sync;
use bigtpu_machine::Interconnect;

/// Time that each MiB above a device's memory costs, in ms.
const MS_EACH_MIB: f64 = 1.0;

/// Times of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Evaluation {
    /// All together.
    pub total_ms: f64,
    /// Until the last task ends.
    pub compute_and_comm_ms: f64,
    /// Synchronisation of weights, as far as it lasts longer than the tasks.
    pub update_ms: f64,
    /// Penalty for memory that devices do not have.
    #[serde(skip_serializing_if = "is_zero")]
    pub memory_penalty_ms: f64,
    /// Tasks of the strategy.
    pub tasks: usize,
    /// Share of the computing time that was estimated, 0 to 1.
    pub estimated_share: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference.
fn is_zero(ms: &f64) -> bool {
    *ms == 0.0
}

/// Simulates a strategy in whole.
#[must_use]
pub fn evaluate(
    graph: &SearchGraph,
    machine: &Interconnect,
    model: SearchModel,
    strategy: &Strategy,
) -> Evaluation {
    let layout = Layout::new(graph, machine, model);
    let simulated = simulate::<u64>(&layout, strategy);
    let sync = Sync::new(graph, machine, model.training);
    let penalty = memory_penalty_ms(graph, machine, strategy);
    let makespan = simulated.listed.makespan as f64 * 1e-9;
    let end = |number: u32| simulated.listed.tasks[number as usize].map_or(0, |ran| ran.end);
    let update_ms =
        sync.update_ms(&layout, strategy, model.overlap, simulated.listed.makespan, end);
    Evaluation {
        total_ms: makespan + update_ms + penalty,
        compute_and_comm_ms: makespan,
        update_ms,
        memory_penalty_ms: penalty,
        tasks: simulated.listed.count,
        estimated_share: estimated_share(graph, strategy),
    }
}

/// When the last steps of these operators have ended, in ps.
pub(crate) fn gradients_end(
    layout: &Layout<'_>,
    strategy: &Strategy,
    ops: &[usize],
    end: impl Fn(u32) -> u64,
) -> u64 {
    let of_op = |&op: &usize| {
        let last = layout.steps_of[op].iter().copied().max()?;
        let parts = 0..strategy[op].devices.len() as u32;
        parts.map(|part| end(layout.computation(last, part))).max()
    };
    ops.iter().filter_map(of_op).max().unwrap_or(0)
}

/// Simulates a strategy in the arithmetic of the 2018 simulator (32 bits), for comparing with its figures.
#[must_use]
pub fn evaluate_2018(
    graph: &SearchGraph,
    machine: &Interconnect,
    strategy: &Strategy,
) -> Evaluation {
    let layout = Layout::new(graph, machine, SearchModel::default());
    let simulated: Simulated<Single> = simulate(&layout, strategy);
    let sync = Sync::new(graph, machine, false);
    let update =
        (0..sync.len()).fold(0.0_f32, |sum, group| sum + sync.time::<f32>(graph, strategy, group));
    let makespan = simulated.listed.makespan.ms();
    Evaluation {
        total_ms: f64::from(makespan + update),
        compute_and_comm_ms: f64::from(makespan),
        update_ms: f64::from(update),
        memory_penalty_ms: 0.0,
        tasks: simulated.listed.count,
        estimated_share: estimated_share(graph, strategy),
    }
}

/// Bytes of weights and outputs on each device.
pub(crate) fn device_bytes(
    graph: &SearchGraph,
    strategy: &Strategy,
    op: usize,
    mut each: impl FnMut(u32, u64),
) {
    let op_of = &graph.ops[op];
    let split = &op_of.options[strategy[op].option];
    let parts = u64::from(split.parts().max(1));
    let elements: u64 = op_of.outputs.iter().map(|shape| shape.iter().product::<u64>()).sum();
    let outputs = elements.saturating_mul(graph.element_bits).div_ceil(8) / parts;
    let weights = op_of.weights.map_or(0, |weights| {
        let slices = if weights.by_channel {
            u64::from(split.dims.get(1).copied().unwrap_or(1).max(1))
        } else {
            1
        };
        weights.bytes / slices
    });
    for &device in &strategy[op].devices {
        each(device, outputs + weights);
    }
}

/// 1 ms for each MiB above a device's memory.
pub(crate) fn memory_penalty_ms(
    graph: &SearchGraph,
    machine: &Interconnect,
    strategy: &Strategy,
) -> f64 {
    let Some(most) = machine.memory_bytes else { return 0.0 };
    let mut held = vec![0_u64; machine.devices() as usize];
    for op in 0..graph.ops.len() {
        device_bytes(graph, strategy, op, |device, bytes| {
            held[device as usize] = held[device as usize].saturating_add(bytes);
        });
    }
    penalty_of(&held, most)
}

pub(crate) fn penalty_of(held: &[u64], most: u64) -> f64 {
    let above: u64 = held.iter().map(|held| held.saturating_sub(most)).sum();
    above as f64 / 1_048_576.0 * MS_EACH_MIB
}

fn estimated_share(graph: &SearchGraph, strategy: &Strategy) -> f64 {
    let (mut all, mut estimated) = (0.0, 0.0);
    for (op, config) in graph.ops.iter().zip(strategy) {
        let split = &op.options[config.option];
        let time = split.ps as f64 * f64::from(split.parts());
        all += time;
        if split.estimated {
            estimated += time;
        }
    }
    if all > 0.0 { estimated / all } else { 0.0 }
}
