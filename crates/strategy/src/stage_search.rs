//! A chain of layers on several devices: the best stages, degrees of tensor parallelism and number of microbatches,
//! found exactly.
//!
//! The time of a batch is the sum of the stages' times of a microbatch plus (microbatches - 1) times the slowest one.
//! For each number of microbatches, dynamic programming keeps for every (layers done, devices used) all pairs of
//! (sum, slowest) that no other pair is better than in both; the best whole is among them.

use std::ops::Range;

use serde::Serialize;

/// A layer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainPart {
    /// Its name.
    pub name: String,
    /// Time of the whole batch on one device, in ns.
    pub ns: f64,
    /// Bytes of its weights.
    pub weight_bytes: u64,
    /// Bytes that it hands on, for the whole batch.
    pub activation_bytes: u64,
}

/// The devices of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainMachine {
    /// Number of devices.
    pub devices: u32,
    /// Bytes a ns between two devices.
    pub bytes_per_ns: f64,
    /// Memory of a device in bytes, if that is limited.
    pub memory_bytes: Option<u64>,
    /// Most microbatches that a batch can be cut into; powers of two up to it are tried.
    pub most_microbatches: u32,
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
    /// Microbatches of a batch.
    pub microbatches: u32,
    /// The stages, in order.
    pub stages: Vec<ChainStage>,
    /// Time of the batch in ns.
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

/// The plan with the least time; of equal ones the first with the fewest microbatches. `None` if the memory is too
/// small for every plan, or there is no layer or device.
#[must_use]
pub fn best_chain(parts: &[ChainPart], machine: ChainMachine) -> Option<ChainPlan> {
    if parts.is_empty() || machine.devices == 0 {
        return None;
    }
    let mut best: Option<ChainPlan> = None;
    let mut microbatches = 1_u32;
    while microbatches <= machine.most_microbatches.max(1) {
        if let Some(plan) = best_for(parts, machine, microbatches)
            && best.as_ref().is_none_or(|best| plan.ns < best.ns)
        {
            best = Some(plan);
        }
        let Some(next) = microbatches.checked_mul(2) else { break };
        microbatches = next;
    }
    best
}

fn best_for(parts: &[ChainPart], machine: ChainMachine, microbatches: u32) -> Option<ChainPlan> {
    let count = parts.len();
    let devices = machine.devices;
    let at = |layers: usize, used: u32| layers * (devices as usize + 1) + used as usize;
    let mut choices: Vec<Vec<Choice>> = vec![Vec::new(); at(count, devices) + 1];
    let begin = Choice { sum: 0, slowest: 0, before: (0, 0, 0), tensor_parallel: 0 };
    choices[at(0, 0)].push(begin);
    for end in 1..=count {
        for start in 0..end {
            for degree in degrees(devices) {
                let Some((ns, _)) = stage(parts, start..end, degree, machine, microbatches) else {
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
        let (ns, bytes) = stage(parts, start..end, choice.tensor_parallel, machine, microbatches)?;
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
    microbatches: u32,
) -> Option<(u64, u64)> {
    let is_last = range.end == parts.len();
    let parts = parts.get(range)?;
    let (share, pieces) = (f64::from(degree), f64::from(microbatches));
    let compute: f64 = parts.iter().map(|part| part.ns).sum::<f64>() / share / pieces;
    let activations: f64 =
        parts.iter().map(|part| part.activation_bytes as f64).sum::<f64>() / pieces;
    // Each layer's result is brought together on all devices of the stage (ring all-reduce).
    let reduce = 2.0 * (share - 1.0) / share * activations / machine.bytes_per_ns;
    let handed = parts.last().map_or(0.0, |part| part.activation_bytes as f64) / pieces;
    let transfer = if is_last { 0.0 } else { handed / machine.bytes_per_ns };
    let weights: u64 = parts.iter().map(|part| part.weight_bytes / u64::from(degree)).sum();
    let most = parts.iter().map(|part| part.activation_bytes).max().unwrap_or(0);
    let bytes = weights.saturating_add(most / u64::from(microbatches));
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
                let Some((ns, _)) = stage(parts, start..end, degree, machine, microbatches) else {
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
                for devices in [1, 3, 4] {
                    let machine = ChainMachine {
                        devices,
                        bytes_per_ns: 1.5,
                        memory_bytes,
                        most_microbatches: 8,
                    };
                    let parts = parts(times, 1000);
                    let found = best_chain(&parts, machine).map(|plan| plan.ns);
                    let tried = [1, 2, 4, 8].into_iter();
                    let tried = tried
                        .filter_map(|m| by_brute_force(&parts, machine, m, 0, devices, (0, 0)));
                    assert_eq!(found, tried.min(), "{times:?} on {devices}");
                }
            }
        }
    }
}
