//! A chain of layers on several devices: the best stages and degrees of tensor parallelism, found exactly.
//!
//! A microbatch is one measured pass, so that nothing is assumed about smaller ones. The time of all microbatches is the
//! sum of the stages' times plus (microbatches - 1) times the slowest one. Dynamic programming keeps for every (layers
//! done, devices used) all pairs of (sum, slowest) that no other pair is better than in both; the best whole is among
//! them.

use std::ops::Range;

use serde::Serialize;

use crate::links::Links;

/// A layer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainPart {
    /// Its name.
    pub name: String,
    /// Time on one device, in ns.
    pub ns: f64,
    /// Part of `ns` that no further device makes shorter: launch gaps, waits.
    pub fixed_ns: f64,
    /// Bytes of its weights.
    pub weight_bytes: u64,
    /// Bytes that it hands on.
    pub activation_bytes: u64,
}

/// The devices of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainMachine {
    /// Number of devices.
    pub devices: u32,
    /// Bytes a ns between two devices.
    pub bytes_per_ns: f64,
    /// ns before the first byte of a message.
    pub latency_ns: f64,
    /// Memory of a device in bytes, if that is limited.
    pub memory_bytes: Option<u64>,
    /// Microbatches that follow each other.
    pub microbatches: u32,
    /// Whether a layer may run on several devices at once.
    pub divides_layers: bool,
}

/// A stage of the best plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainStage {
    /// First and last layer.
    pub layers: [usize; 2],
    /// Devices that share each layer.
    pub tensor_parallel: u32,
    /// Time of a microbatch in ns, with its transfers.
    pub ns: u64,
    /// Bytes on each of its devices.
    pub bytes: u64,
}

/// The best plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainPlan {
    /// Microbatches.
    pub microbatches: u32,
    /// The stages, in order.
    pub stages: Vec<ChainStage>,
    /// Time of all microbatches in ns.
    pub ns: u64,
}

/// A pair that no other one is better than, and how it came about.
#[derive(Debug, Clone, Copy)]
struct Choice {
    sum: u64,
    slowest: u64,
    /// The layers before this stage, the devices used before it, and its pair there.
    before: (usize, u32, usize),
    tensor_parallel: u32,
}

/// The plan with the least time. `None` if the memory is too small for every plan, or there is no layer or device.
#[must_use]
pub fn best_chain(parts: &[ChainPart], machine: ChainMachine) -> Option<ChainPlan> {
    if parts.is_empty() || machine.devices == 0 {
        return None;
    }
    let microbatches = machine.microbatches.max(1);
    let count = parts.len();
    let devices = machine.devices;
    let at = |layers: usize, used: u32| layers * (devices as usize + 1) + used as usize;
    let mut choices: Vec<Vec<Choice>> = vec![Vec::new(); at(count, devices) + 1];
    let begin = Choice { sum: 0, slowest: 0, before: (0, 0, 0), tensor_parallel: 0 };
    choices[at(0, 0)].push(begin);
    for end in 1..=count {
        for start in 0..end {
            for degree in degrees(if machine.divides_layers { devices } else { 1 }) {
                let Some((ns, _)) = stage(parts, start..end, degree, machine) else {
                    continue;
                };
                for used in 0..=devices - degree {
                    for number in 0..choices[at(start, used)].len() {
                        let before = choices[at(start, used)][number];
                        let choice = Choice {
                            sum: before.sum.saturating_add(ns),
                            slowest: before.slowest.max(ns),
                            before: (start, used, number),
                            tensor_parallel: degree,
                        };
                        keep(&mut choices[at(end, used + degree)], choice);
                    }
                }
            }
        }
    }
    let total = |choice: &Choice| {
        choice.sum.saturating_add(choice.slowest.saturating_mul(u64::from(microbatches - 1)))
    };
    let ends = (1..=devices)
        .flat_map(|used| choices[at(count, used)].iter().map(move |choice| (used, choice)));
    let (_, last) = ends.min_by_key(|(_, choice)| total(choice))?;
    let ns = total(last);
    let mut stages = Vec::new();
    let (mut choice, mut end) = (*last, count);
    while end > 0 {
        let (start, used, number) = choice.before;
        let (ns, bytes) = stage(parts, start..end, choice.tensor_parallel, machine)?;
        stages.push(ChainStage {
            layers: [start, end - 1],
            tensor_parallel: choice.tensor_parallel,
            ns,
            bytes,
        });
        end = start;
        choice = choices[at(start, used)][number];
    }
    stages.reverse();
    Some(ChainPlan { microbatches, stages, ns })
}

/// Powers of two: tensor parallelism halves matrices.
fn degrees(devices: u32) -> impl Iterator<Item = u32> {
    (0..32).map(|power| 1_u32 << power).take_while(move |&degree| degree <= devices)
}

/// Adds a pair unless one is at least as good in both; pairs that are worse in both go. Numbers of pairs must stay, so
/// the list is only changed before anything refers to it: all stages that end here are tried before any that begins here.
fn keep(choices: &mut Vec<Choice>, new: Choice) {
    if choices.iter().any(|old| old.sum <= new.sum && old.slowest <= new.slowest) {
        return;
    }
    choices.retain(|old| old.sum < new.sum || old.slowest < new.slowest);
    choices.push(new);
}

/// Time of a microbatch and bytes on each device of a stage; `None` if the memory is too small.
fn stage(
    parts: &[ChainPart],
    range: Range<usize>,
    degree: u32,
    machine: ChainMachine,
) -> Option<(u64, u64)> {
    let is_last = range.end == parts.len();
    let parts = parts.get(range)?;
    let share = f64::from(degree);
    let compute: f64 =
        parts.iter().map(|part| part.fixed_ns + (part.ns - part.fixed_ns).max(0.0) / share).sum();
    let links = Links { bytes_per_ns: machine.bytes_per_ns, latency_ns: machine.latency_ns };
    // Each layer's result is brought together on all devices of the stage.
    let reduce: f64 =
        parts.iter().map(|part| links.all_reduce(part.activation_bytes as f64, degree)).sum();
    let handed = parts.last().map_or(0.0, |part| part.activation_bytes as f64);
    let transfer = if is_last { 0.0 } else { links.message(handed) };
    let weights: u64 = parts.iter().map(|part| part.weight_bytes / u64::from(degree)).sum();
    let most = parts.iter().map(|part| part.activation_bytes).max().unwrap_or(0);
    let bytes = weights.saturating_add(most);
    if machine.memory_bytes.is_some_and(|limit| bytes > limit) {
        return None;
    }
    // Whole ns, never less than the time: no plan may look faster than its devices can be.
    Some(((compute + reduce + transfer).ceil().min(1e18) as u64, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(times: &[f64], weights: u64) -> Vec<ChainPart> {
        let part = |(at, &ns): (usize, &f64)| ChainPart {
            name: format!("layer{at}"),
            ns,
            fixed_ns: ns * 0.25,
            weight_bytes: weights,
            activation_bytes: 1000 * (at as u64 + 1),
        };
        times.iter().enumerate().map(part).collect()
    }

    /// The least time of all plans, each tried.
    fn by_brute_force(
        parts: &[ChainPart],
        machine: ChainMachine,
        microbatches: u32,
        start: usize,
        left: u32,
        so_far: (u64, u64),
    ) -> Option<u64> {
        if start == parts.len() {
            return Some(so_far.0 + so_far.1 * u64::from(microbatches - 1));
        }
        let mut best = None;
        for end in start + 1..=parts.len() {
            for degree in degrees(left) {
                let Some((ns, _)) = stage(parts, start..end, degree, machine) else {
                    continue;
                };
                let next = (so_far.0 + ns, so_far.1.max(ns));
                let found = by_brute_force(parts, machine, microbatches, end, left - degree, next);
                best = best.into_iter().chain(found).min();
            }
        }
        best
    }

    #[test]
    fn no_plan_is_better() {
        let chains: [&[f64]; 3] = [&[5e4, 1e4, 2e4, 9e4, 3e4], &[1e3; 6], &[9e5, 10.0, 10.0, 8e5]];
        for times in chains {
            for memory_bytes in [None, Some(2500)] {
                for (devices, microbatches) in [(1, 1), (3, 8), (4, 1), (4, 64)] {
                    let machine = ChainMachine {
                        devices,
                        bytes_per_ns: 1.5,
                        latency_ns: 100.0,
                        memory_bytes,
                        microbatches,
                        divides_layers: true,
                    };
                    let parts = parts(times, 1000);
                    let found = best_chain(&parts, machine).map(|plan| plan.ns);
                    let tried = by_brute_force(&parts, machine, microbatches, 0, devices, (0, 0));
                    assert_eq!(found, tried, "{times:?} on {devices}");
                }
            }
        }
    }

    /// Gaps between launches stay, and messages cost their latency: many devices are not as many times as fast.
    #[test]
    fn sixty_four_devices_are_not_sixty_four_times_as_fast() {
        let parts = parts(&[5e4, 1e4, 2e4, 9e4, 3e4], 1000);
        let machine = |devices| ChainMachine {
            devices,
            bytes_per_ns: 50.0,
            latency_ns: 1500.0,
            memory_bytes: None,
            microbatches: 64,
            divides_layers: true,
        };
        let of = |devices| best_chain(&parts, machine(devices)).unwrap().ns as f64;
        assert_eq!(of(1), 64.0 * 2e5);
        let speedup = of(1) / of(64);
        assert!(speedup > 2.0 && speedup < 20.0, "{speedup}");
    }
}
