//! The time to bring the copies of weights together after a step of training.
//!
//! The devices that hold a copy sum up their gradients by a ring: the one model of collectives of all planning
//! ([`Links::all_reduce`]). Groups of weights take turns; parts of one group that no two devices share, such as the halves
//! of a matrix, are summed up at once. The 2018 simulator has its own rule, and updates weights without training as well.

use std::collections::BTreeMap;

use bigtpu_machine::Interconnect;

use crate::links::Links;
use crate::search::evaluate::gradients_end;
use crate::search::graph::{OperatorSplit, SearchGraph, Strategy, Weights};
use crate::search::layout::Layout;

/// The 2018 simulator looks at a weight in this many slices along the output's channels: the bits of a byte.
const SLICES: usize = 8;
/// Pieces of the weights of operators that share them and are split differently.
const MOST_PIECES: u64 = 4096;

/// What brings copies of weights together.
#[derive(Debug, Clone)]
enum Rule {
    /// Nothing: weights stay as they are.
    Inference,
    /// Rings of the devices that hold a copy.
    Rings(Rings),
    /// The rule of the 2018 simulator.
    Simulator2018 { intra: f64, cross: f64 },
}

/// The links of rings.
#[derive(Debug, Clone)]
struct Rings {
    devices: u32,
    /// From each device to each other one.
    links: Vec<Links>,
    /// Parts along the channels, and where each part lies there: by operator and option.
    channels: Vec<Vec<(u64, Vec<u64>)>>,
}

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
    rule: Rule,
}

/// Real numbers of a precision: the 2018 simulator computes with 32 bits.
pub(crate) trait Real: Copy + std::ops::Add<Output = Self> + PartialOrd {
    fn from_f64(value: f64) -> Self;
    fn times(self, other: Self) -> Self;
    fn divided_by(self, other: Self) -> Self;
}

impl Real for f64 {
    fn from_f64(value: f64) -> Self {
        value
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn divided_by(self, other: Self) -> Self {
        self / other
    }
}

impl Real for f32 {
    fn from_f64(value: f64) -> Self {
        value as Self
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn divided_by(self, other: Self) -> Self {
        self / other
    }
}

impl Sync {
    /// The machine of the 2018 simulator has its rule; others update weights in training alone.
    pub(crate) fn new(graph: &SearchGraph, machine: &Interconnect, training: bool) -> Self {
        let rule = if machine.links_parts() {
            let (intra, cross) = machine.sync_bytes_per_ms();
            Rule::Simulator2018 { intra, cross }
        } else if training {
            Rule::Rings(Rings::new(graph, machine))
        } else {
            Rule::Inference
        };
        let mut names: Vec<i64> = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = vec![None; graph.ops.len()];
        for (at, op) in graph.ops.iter().enumerate() {
            let Some(weights) = op.weights.filter(|_| !matches!(rule, Rule::Inference)) else {
                continue;
            };
            let number =
                names.iter().position(|&name| name == weights.group).unwrap_or_else(|| {
                    names.push(weights.group);
                    groups.push(Vec::new());
                    names.len() - 1
                });
            groups[number].push(at);
            group_of[at] = Some(number);
        }
        let devices_per_node = machine.devices_per_node;
        let slices = graph.ops.iter().map(|op| {
            let by_channel = op.weights.is_some_and(|weights| weights.by_channel);
            op.options.iter().map(|split| slices_of(split, by_channel)).collect()
        });
        Self { slices: slices.collect(), groups, group_of, devices_per_node, rule }
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
    pub(crate) fn time<R: Real>(
        &self,
        graph: &SearchGraph,
        strategy: &Strategy,
        group: usize,
    ) -> R {
        let ops = &self.groups[group];
        let Some(weights) = ops.first().and_then(|&op| graph.ops[op].weights) else {
            return R::from_f64(0.0);
        };
        let (intra, cross) = match &self.rule {
            Rule::Inference => return R::from_f64(0.0),
            Rule::Rings(rings) => return R::from_f64(rings.ms(ops, weights, strategy)),
            Rule::Simulator2018 { intra, cross } => (*intra, *cross),
        };
        let slices = if weights.by_channel { SLICES } else { 1 };
        let bytes = R::from_f64(weights.bytes as f64 / slices as f64);
        let mut total = R::from_f64(0.0);
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
            let time = self.slice(bytes, (intra, cross), weights.favours_reuse, &uses);
            let count = (equal.trailing_ones() as usize).clamp(1, slices - slice);
            for _ in 0..count {
                total = total + time;
            }
            slice += count;
        }
        total
    }

    /// What all updates take longer than the tasks, in ms. `end`: when a task ends, in ps.
    pub(crate) fn update_ms(
        &self,
        layout: &Layout<'_>,
        strategy: &Strategy,
        overlap: bool,
        makespan: u64,
        end: impl Fn(u32) -> u64,
    ) -> f64 {
        let times = (0..self.len()).map(|group| self.time::<f64>(layout.graph, strategy, group));
        let times: Vec<f64> = times.collect();
        if !overlap {
            return times.iter().fold(0.0, |sum, time| sum + time);
        }
        let ready = (0..self.len())
            .map(|group| gradients_end(layout, strategy, self.ops(group), &end) as f64 * 1e-9);
        let ready: Vec<f64> = ready.collect();
        (overlapped(&ready, &times) - makespan as f64 * 1e-9).max(0.0)
    }

    /// Time of one slice of weights that these devices hold, each so many times.
    fn slice<R: Real>(
        &self,
        bytes: R,
        (intra, cross): (f64, f64),
        favours_reuse: bool,
        uses: &[(u32, u32)],
    ) -> R {
        let mut nodes: Vec<(u32, u32)> = Vec::with_capacity(4);
        for (device, _) in uses {
            let node = device / self.devices_per_node;
            match nodes.iter_mut().find(|(known, _)| *known == node) {
                Some((_, count)) => *count += 1,
                None => nodes.push((node, 1)),
            }
        }
        let most = nodes.iter().map(|&(_, count)| count).max().unwrap_or(1);
        let count = |n: u32| R::from_f64(f64::from(n.saturating_sub(1)));
        let within = bytes.times(count(most)).divided_by(R::from_f64(intra));
        let between = bytes
            .times(count(u32::try_from(nodes.len()).unwrap_or(u32::MAX)))
            .divided_by(R::from_f64(cross));
        let mut time = within + between;
        if favours_reuse {
            let squares: f64 = uses.iter().map(|&(_, n)| f64::from(n) * f64::from(n)).sum();
            time = time + R::from_f64(-1e-4 * squares);
        }
        time
    }
}

impl Rings {
    fn new(graph: &SearchGraph, machine: &Interconnect) -> Self {
        let devices = machine.devices();
        let mut links = Vec::with_capacity((devices * devices) as usize);
        for from in 0..devices {
            for to in 0..devices {
                let (bytes_per_ns, latency_ns) =
                    machine.message(from, to).unwrap_or((f64::INFINITY, 0.0));
                links.push(Links { bytes_per_ns, latency_ns });
            }
        }
        let place =
            |split: &OperatorSplit, part| u64::from(split.index(part).get(1).copied().unwrap_or(0));
        let of_split = |split: &OperatorSplit| {
            let count = u64::from(split.dims.get(1).copied().unwrap_or(1).max(1));
            (count, (0..split.parts()).map(|part| place(split, part)).collect())
        };
        let channels = graph.ops.iter().map(|op| op.options.iter().map(of_split).collect());
        Self { devices, links, channels: channels.collect() }
    }

    /// Time of the rings of a group's weights, in ms: those without a common device run at once.
    fn ms(&self, ops: &[usize], weights: Weights, strategy: &Strategy) -> f64 {
        let configs = || {
            ops.iter().filter_map(|&op| {
                let config = &strategy[op];
                let (count, places) = self.channels[op].get(config.option)?;
                Some((if weights.by_channel { *count } else { 1 }, places, &config.devices))
            })
        };
        // Pieces that no operator of the group cuts further.
        let pieces = configs().map(|(count, ..)| count).fold(1, least_common_multiple);
        let pieces = pieces.min(MOST_PIECES);
        let mut holders: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for piece in 0..pieces {
            let mut held: Vec<u32> = configs()
                .flat_map(|(count, places, devices)| {
                    let own = piece * count / pieces;
                    let parts = places.iter().zip(devices);
                    parts
                        .filter(move |(place, _)| count == 1 || **place == own)
                        .map(|(_, device)| *device)
                })
                .collect();
            held.sort_unstable();
            held.dedup();
            *holders.entry(held).or_default() += 1;
        }
        let mut busy: BTreeMap<u32, f64> = BTreeMap::new();
        for (held, count) in &holders {
            let bytes = weights.bytes as f64 * *count as f64 / pieces as f64;
            let ns = self.ring_ns(held, bytes);
            held.iter().for_each(|device| *busy.entry(*device).or_default() += ns);
        }
        busy.values().copied().fold(0.0, f64::max) * 1e-6
    }

    /// Time of a ring of these devices, in ns: each step takes as long as its slowest message.
    fn ring_ns(&self, held: &[u32], bytes: f64) -> f64 {
        let count = u32::try_from(held.len()).unwrap_or(u32::MAX);
        let next = held.iter().cycle().skip(1);
        let neighbours = held.iter().zip(next).filter(|(from, to)| from != to);
        let times = neighbours.map(|(from, to)| {
            let links = self.links.get((from * self.devices + to) as usize);
            links.map_or(0.0, |links| links.all_reduce(bytes, count))
        });
        times.fold(0.0, f64::max)
    }
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut divisor, mut rest) = (a.max(1), b.max(1));
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a.max(1) / divisor * b.max(1)
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
fn slices_of(split: &OperatorSplit, by_channel: bool) -> Vec<u8> {
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
