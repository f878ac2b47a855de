//! The time to bring the copies of weights together after a step.

use crate::search::graph::{Graph, Split, Strategy};
use bigtpu_machine::Interconnect;

/// A weight is looked at in this many slices along the output's channels: the bits of a byte.
const SLICES: usize = 8;

/// The operators of each group of weights, and what synchronising them costs.
#[derive(Debug, Clone)]
pub(crate) struct Sync {
    /// Operators of each group.
    groups: Vec<Vec<usize>>,
    /// Group of each operator.
    group_of: Vec<Option<usize>>,
    /// Slices of its weights that each part holds, as bits: by operator, option and part.
    slices: Vec<Vec<Vec<u8>>>,
    devices_per_node: u32,
    intra: f64,
    cross: f64,
    favours_reuse: bool,
}

/// Real numbers of a precision: the 2018 simulator computes with 32 bits.
pub(crate) trait Real: Copy + std::ops::Add<Output = Self> + PartialOrd {
    fn of(value: f64) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
}

impl Real for f64 {
    fn of(value: f64) -> Self {
        value
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn over(self, other: Self) -> Self {
        self / other
    }
}

impl Real for f32 {
    fn of(value: f64) -> Self {
        value as Self
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn over(self, other: Self) -> Self {
        self / other
    }
}

impl Sync {
    /// `favours_reuse`: as the 2018 simulator, a small bonus for copies on one device.
    pub(crate) fn new(graph: &Graph, machine: &Interconnect, favours_reuse: bool) -> Self {
        let mut names: Vec<i64> = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = vec![None; graph.ops.len()];
        for (at, op) in graph.ops.iter().enumerate() {
            let Some(weights) = op.weights else { continue };
            let number =
                names.iter().position(|&name| name == weights.group).unwrap_or_else(|| {
                    names.push(weights.group);
                    groups.push(Vec::new());
                    names.len() - 1
                });
            groups[number].push(at);
            group_of[at] = Some(number);
        }
        let (intra, cross) = machine.sync_bytes_per_ms();
        let devices_per_node = machine.devices_per_node;
        let slices = graph.ops.iter().map(|op| {
            let by_channel = op.weights.is_some_and(|weights| weights.by_channel);
            op.options.iter().map(|split| slices_of(split, by_channel)).collect()
        });
        Self {
            slices: slices.collect(),
            groups,
            group_of,
            devices_per_node,
            intra,
            cross,
            favours_reuse,
        }
    }

    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The group of an operator's weights.
    pub(crate) fn group_of(&self, op: usize) -> Option<usize> {
        self.group_of[op]
    }

    /// The operators of a group.
    pub(crate) fn ops(&self, group: usize) -> &[usize] {
        &self.groups[group]
    }

    /// Time of a group in ms.
    pub(crate) fn time<R: Real>(&self, graph: &Graph, strategy: &Strategy, group: usize) -> R {
        let ops = &self.groups[group];
        let Some(weights) = ops.first().and_then(|&op| graph.ops[op].weights) else {
            return R::of(0.0);
        };
        let slices = if weights.by_channel { SLICES } else { 1 };
        let bytes = R::of(weights.bytes as f64 / slices as f64);
        let mut total = R::of(0.0);
        let mut uses: Vec<(u32, u32)> = Vec::new();
        let mut slice = 0;
        while slice < slices {
            // Slices that the same parts hold take the same time.
            let mut equal = u8::MAX >> slice;
            uses.clear();
            for &op in ops {
                let config = &strategy[op];
                let Some(parts) = self.slices[op].get(config.option) else { continue };
                for (&held, &device) in parts.iter().zip(&config.devices) {
                    let held = held >> slice;
                    if held & 1 == 0 {
                        equal &= !held;
                        continue;
                    }
                    equal &= held;
                    match uses.iter_mut().find(|(used, _)| *used == device) {
                        Some((_, count)) => *count += 1,
                        None => uses.push((device, 1)),
                    }
                }
            }
            let time = self.slice(bytes, weights.favours_reuse, &uses);
            let count = (equal.trailing_ones() as usize).clamp(1, slices - slice);
            for _ in 0..count {
                total = total + time;
            }
            slice += count;
        }
        total
    }

    /// Time of one slice of weights that these devices hold, each so many times.
    fn slice<R: Real>(&self, bytes: R, favours_reuse: bool, uses: &[(u32, u32)]) -> R {
        let mut nodes: Vec<(u32, u32)> = Vec::with_capacity(4);
        for (device, _) in uses {
            let node = device / self.devices_per_node;
            match nodes.iter_mut().find(|(known, _)| *known == node) {
                Some((_, count)) => *count += 1,
                None => nodes.push((node, 1)),
            }
        }
        let most = nodes.iter().map(|&(_, count)| count).max().unwrap_or(1);
        let count = |n: u32| R::of(f64::from(n.saturating_sub(1)));
        let within = bytes.times(count(most)).over(R::of(self.intra));
        let between = bytes
            .times(count(u32::try_from(nodes.len()).unwrap_or(u32::MAX)))
            .over(R::of(self.cross));
        let mut time = within + between;
        if self.favours_reuse && favours_reuse {
            let squares: f64 = uses.iter().map(|&(_, n)| f64::from(n) * f64::from(n)).sum();
            time = time + R::of(-1e-4 * squares);
        }
        time
    }
}

/// The end of the last synchronisation, in ms: groups take turns in the order in which their gradients are there.
/// `ready_ms` is that time for each group, `time_ms` what its synchronisation takes.
pub(crate) fn overlapped(ready_ms: &[f64], time_ms: &[f64]) -> f64 {
    let mut order: Vec<(f64, f64)> =
        ready_ms.iter().copied().zip(time_ms.iter().copied()).collect();
    // Equal times keep the order of the groups.
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order.into_iter().fold(0.0, |free: f64, (ready, time)| free.max(ready) + time)
}

/// The slices of the weights that each part of a split holds, as bits.
fn slices_of(split: &Split, by_channel: bool) -> Vec<u8> {
    let channels = split.dims.get(1).copied().unwrap_or(1) as usize;
    let slices = |part| {
        if !by_channel || channels <= 1 {
            return u8::MAX;
        }
        let at = split.index(part).get(1).copied().unwrap_or(0) as usize;
        let (first, end) = (at * SLICES / channels, (at + 1) * SLICES / channels);
        // Of more channels parts than slices, several share a slice.
        (first..end.max(first + 1)).fold(0, |held, slice| held | 1 << slice)
    };
    (0..split.parts()).map(slices).collect()
}
