//! Numbers of tasks and devices, fixed for all strategies of a graph on a machine.

use crate::search::graph::{SearchGraph, Strategy};
use crate::search::overlap::{Edge, Share, edges};
use bigtpu_machine::{Hop, Interconnect};

/// What is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchModel {
    /// Backward passes follow the forward ones.
    pub training: bool,
    /// Weights are synchronised as soon as their gradients are there, one group after the other, while others compute;
    /// otherwise all of them when everything has ended.
    pub overlap: bool,
}

/// A step of the model: the forward or the backward pass of an operator.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// The operator that it belongs to.
    pub(crate) op: usize,
    pub(crate) is_backward: bool,
    /// Wires into it.
    pub(crate) inputs: Vec<usize>,
    /// Wires out of it.
    pub(crate) outputs: Vec<usize>,
}

/// What connects two steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carries {
    /// The tensor of an edge, from producer to consumer, or its gradient the other way.
    Tensor { edge: usize, is_gradient: bool },
    /// Nothing that moves: part to the same part.
    SamePart,
}

/// A connection of two steps.
#[derive(Debug, Clone)]
pub(crate) struct Wire {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) carries: Carries,
    /// Number of the first message of the wire.
    pub(crate) first_message: u32,
}

/// A graph on a machine with everything numbered.
///
/// Task numbers: `step * parts + part` for computations, then `wire`'s messages. A successor's number orders behind
/// its predecessor's wherever both become ready at once, except for messages, which take time.
#[derive(Debug)]
pub(crate) struct Layout<'a> {
    pub(crate) graph: &'a SearchGraph,
    pub(crate) machine: &'a Interconnect,
    pub(crate) edges: Vec<Edge>,
    pub(crate) steps: Vec<Step>,
    pub(crate) wires: Vec<Wire>,
    /// Parts of any operator, at most.
    pub(crate) parts: u32,
    /// Hops of any message, at most.
    pub(crate) hops: u32,
    /// Number of tasks.
    pub(crate) tasks: u32,
    /// Steps of each operator.
    pub(crate) steps_of: Vec<Vec<usize>>,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(
        graph: &'a SearchGraph,
        machine: &'a Interconnect,
        model: SearchModel,
    ) -> Self {
        let edges = edges(graph);
        let count = graph.ops.len();
        let step =
            |op, is_backward| Step { op, is_backward, inputs: Vec::new(), outputs: Vec::new() };
        let mut steps: Vec<Step> = (0..count).map(|op| step(op, false)).collect();
        if model.training {
            steps.extend((0..count).rev().map(|op| step(op, true)));
        }
        let backward = |op: usize| 2 * count - 1 - op;
        let parts = graph.most_parts();
        let hops = machine.most_hops();
        let mut wires = Vec::new();
        let mut first_message =
            u32::try_from(steps.len()).unwrap_or(u32::MAX).saturating_mul(parts);
        let mut wire = |steps: &mut Vec<Step>, from: usize, to: usize, carries| {
            steps[from].outputs.push(wires.len());
            steps[to].inputs.push(wires.len());
            wires.push(Wire { from, to, carries, first_message });
            if carries != Carries::SamePart {
                first_message =
                    first_message.saturating_add(parts.saturating_mul(parts).saturating_mul(hops));
            }
        };
        for (number, edge) in edges.iter().enumerate() {
            let carries = Carries::Tensor { edge: number, is_gradient: false };
            wire(&mut steps, edge.from, edge.to, carries);
        }
        if model.training {
            for op in 0..count {
                wire(&mut steps, op, backward(op), Carries::SamePart);
            }
            for (number, edge) in edges.iter().enumerate().rev() {
                let carries = Carries::Tensor { edge: number, is_gradient: true };
                wire(&mut steps, backward(edge.to), backward(edge.from), carries);
            }
        }
        let mut steps_of = vec![Vec::new(); count];
        for (number, step) in steps.iter().enumerate() {
            steps_of[step.op].push(number);
        }
        Self { graph, machine, edges, steps, wires, parts, hops, tasks: first_message, steps_of }
    }

    /// Number of a computation.
    pub(crate) fn computation(&self, step: usize, part: u32) -> u32 {
        step as u32 * self.parts + part
    }

    /// Number of the first hop of the message between two parts.
    pub(crate) fn message(&self, wire: &Wire, from: u32, to: u32) -> u32 {
        wire.first_message + (to * self.parts + from) * self.hops
    }

    /// Devices and links.
    pub(crate) fn resources(&self) -> usize {
        self.machine.devices() as usize + self.machine.links() as usize
    }

    /// Pairs of parts that a wire joins, with bytes: from, to, bytes.
    pub(crate) fn for_pairs(
        &self,
        wire: &Wire,
        strategy: &Strategy,
        mut each: impl FnMut(u32, u32, u64),
    ) {
        match wire.carries {
            Carries::SamePart => {
                let op = self.steps[wire.from].op;
                (0..strategy[op].devices.len() as u32).for_each(|part| each(part, part, 0));
            }
            Carries::Tensor { edge, is_gradient } => {
                let edge = &self.edges[edge];
                let shares = edge.shares(strategy[edge.from].option, strategy[edge.to].option);
                for share in shares.all() {
                    if is_gradient {
                        each(share.to, share.from, share.bytes);
                    } else {
                        each(share.from, share.to, share.bytes);
                    }
                }
            }
        }
    }

    /// What parts share over a wire of a tensor, where producer and consumer have these options; nothing over other wires.
    pub(crate) fn shares(
        &self,
        wire: &Wire,
        producer_option: usize,
        consumer_option: usize,
    ) -> &[Share] {
        match wire.carries {
            Carries::SamePart => &[],
            Carries::Tensor { edge, .. } => {
                self.edges[edge].shares(producer_option, consumer_option).all()
            }
        }
    }

    /// Whether backward passes follow.
    pub(crate) fn trains(&self) -> bool {
        self.steps.len() > self.graph.ops.len()
    }

    /// The parts whose results a part takes over a wire.
    pub(crate) fn sources<'b>(
        &'b self,
        wire: &Wire,
        strategy: &Strategy,
        part: u32,
    ) -> impl Iterator<Item = u32> + use<'b> {
        self.partners(wire, strategy, part, true)
    }

    /// The parts at the other end of a wire that need a part's result.
    pub(crate) fn targets<'b>(
        &'b self,
        wire: &Wire,
        strategy: &Strategy,
        part: u32,
    ) -> impl Iterator<Item = u32> + use<'b> {
        self.partners(wire, strategy, part, false)
    }

    /// The parts at the other end of a wire: those that a part takes from, or those that it sends to. A gradient goes
    /// against the direction of its edge.
    fn partners<'b>(
        &'b self,
        wire: &Wire,
        strategy: &Strategy,
        part: u32,
        takes: bool,
    ) -> impl Iterator<Item = u32> + use<'b> {
        let (shares, same, of_producer): (&[Share], _, _) = match wire.carries {
            Carries::SamePart => (&[], Some(part), false),
            Carries::Tensor { edge, is_gradient } => {
                let edge = &self.edges[edge];
                let shares = edge.shares(strategy[edge.from].option, strategy[edge.to].option);
                let of_producer = is_gradient == takes;
                let own =
                    if of_producer { shares.of_producer(part) } else { shares.of_consumer(part) };
                (own, None, of_producer)
            }
        };
        same.into_iter().chain(shares.iter().map(move |s| if of_producer { s.to } else { s.from }))
    }

    /// The links between the devices of two parts; none when both are on one device.
    pub(crate) fn route(
        &self,
        wire: &Wire,
        strategy: &Strategy,
        from: u32,
        to: u32,
        out: &mut Vec<Hop>,
    ) {
        out.clear();
        let device = |step: usize, part: u32| strategy[self.steps[step].op].devices[part as usize];
        let (a, b) = (device(wire.from, from), device(wire.to, to));
        if a != b && wire.carries != Carries::SamePart {
            self.machine.route((a, from), (b, to), out);
        }
    }

    /// Time of a part of a step in ps; a backward pass takes twice its forward pass.
    pub(crate) fn duration(&self, step: usize, strategy: &Strategy) -> u64 {
        let Step { op, is_backward, .. } = self.steps[step];
        let forward = self.graph.ops[op].options[strategy[op].option].ps;
        if is_backward { forward.saturating_mul(2) } else { forward }
    }
}
