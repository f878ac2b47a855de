//! Schedules without a fixed order: whenever a stage is free, the most urgent event that is ready runs.
//!
//! Backwards go first, then forwards as far as the bound on activations allows, then weight gradients, which nothing
//! waits for. An activation counts from the start of its forward to the end of its weight gradient.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cost::CostTable;
use crate::event::{Event, Phase};
use crate::layout::Layout;
use crate::link::{Links, Transfers};
use crate::timeline::{Placed, Timeline};

/// Which of several forwards or backwards runs first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preference {
    /// The one that is nearest to the end of its way.
    Deepest,
    /// The one of the oldest microbatch.
    Oldest,
}

/// A candidate: its urgency (less is more urgent), and the event.
type Candidate = Reverse<((u32, u32), Event)>;

/// What one stage does and may do.
#[derive(Debug, Default)]
struct Stage {
    running: Option<Event>,
    held: u32,
    /// Ready events by phase.
    ready: [BinaryHeap<Candidate>; 3],
    /// Forwards of a chunk that the bound keeps back, until an activation is released.
    kept_back: Vec<Candidate>,
}

/// Simulates with at most `bound` activations (in chunks) on each stage; `bound` is at least the number of chunks.
///
/// No order of this kind waits for itself: a forward of chunk c leaves room for one activation of each later chunk,
/// forwards of a chunk run in the order of microbatches, so the oldest microbatch can always continue.
pub(crate) fn simulate(
    layout: Layout,
    costs: &CostTable,
    transfers: Transfers,
    bound: u32,
    preference: Preference,
) -> Timeline {
    let mut run = Run {
        layout,
        costs,
        bound,
        preference,
        links: Links::new(layout, transfers),
        stages: (0..layout.stages).map(|_| Stage::default()).collect(),
        happenings: BinaryHeap::new(),
        backward_inputs: vec![0; layout.indices() / 3],
        placed: Vec::with_capacity(layout.indices()),
    };
    for microbatch in 0..layout.microbatches {
        run.offer(Event::new(Phase::Forward, 0, microbatch, 0));
    }
    run.dispatch(0, 0);
    run.finish();
    Timeline::new(layout, run.placed)
}

/// What happens at a time: an event ends (0), or its input arrives from another stage (1).
type Happening = Reverse<(u64, u8, Event)>;

const ENDS: u8 = 0;
const ARRIVES: u8 = 1;

struct Run<'a> {
    layout: Layout,
    costs: &'a CostTable,
    bound: u32,
    preference: Preference,
    links: Links,
    stages: Vec<Stage>,
    happenings: BinaryHeap<Happening>,
    /// Inputs of each backward that are there: its own forward and the backward behind it.
    backward_inputs: Vec<u8>,
    placed: Vec<Placed>,
}

impl Run<'_> {
    fn finish(&mut self) {
        let mut touched = Vec::new();
        while let Some(&Reverse((now, _, _))) = self.happenings.peek() {
            while let Some(&Reverse((at, kind, event))) = self.happenings.peek()
                && at == now
            {
                self.happenings.pop();
                if kind == ENDS {
                    self.ends(event);
                } else {
                    self.input(event);
                }
                touched.push(event.stage);
            }
            touched.sort_unstable();
            touched.dedup();
            for stage in touched.drain(..) {
                self.dispatch(stage, now);
            }
        }
    }

    fn ends(&mut self, event: Event) {
        let stage = &mut self.stages[event.stage as usize];
        stage.running = None;
        match event.phase {
            Phase::Forward => self.input(Event { phase: Phase::Backward, ..event }),
            Phase::Backward => self.offer(Event { phase: Phase::Weight, ..event }),
            Phase::Weight => {
                stage.held -= 1;
                let back = std::mem::take(&mut stage.kept_back);
                stage.ready[Phase::Forward.rank()].extend(back);
            }
        }
    }

    /// One of the inputs of an event is there.
    fn input(&mut self, event: Event) {
        if event.phase == Phase::Backward {
            let position = self.layout.position(event.stage, event.chunk);
            let wanted = if position + 1 < self.layout.parts() { 2 } else { 1 };
            let at = position as usize * self.layout.microbatches as usize;
            let inputs = &mut self.backward_inputs[at + event.microbatch as usize];
            *inputs += 1;
            if *inputs < wanted {
                return;
            }
        }
        self.offer(event);
    }

    /// The event is ready.
    fn offer(&mut self, event: Event) {
        let depth = match event.phase {
            Phase::Forward => self.layout.chunks - 1 - event.chunk,
            Phase::Backward | Phase::Weight => event.chunk,
        };
        let urgency = match self.preference {
            Preference::Deepest => (depth, event.microbatch),
            Preference::Oldest => (event.microbatch, depth),
        };
        let stage = &mut self.stages[event.stage as usize];
        stage.ready[event.phase.rank()].push(Reverse((urgency, event)));
    }

    /// Starts the most urgent event of an idle stage.
    fn dispatch(&mut self, stage: u32, now: u64) {
        let state = &mut self.stages[stage as usize];
        if state.running.is_some() {
            return;
        }
        let Some(event) = next(state, self.bound, self.layout.chunks) else { return };
        let end = now + self.costs.get(stage, event.chunk).of(event.phase);
        state.running = Some(event);
        self.placed.push(Placed { event, start: now, end });
        self.happenings.push(Reverse((end, ENDS, event)));
        if let Some((receiver, at)) = self.links.send(event, end) {
            self.happenings.push(Reverse((at, ARRIVES, receiver)));
        }
    }
}

/// Takes the event that a free stage runs next.
fn next(stage: &mut Stage, bound: u32, chunks: u32) -> Option<Event> {
    if let Some(Reverse((_, event))) = stage.ready[Phase::Backward.rank()].pop() {
        return Some(event);
    }
    while let Some(candidate) = stage.ready[Phase::Forward.rank()].pop() {
        let Reverse((_, event)) = candidate;
        let kept_free = chunks - 1 - event.chunk;
        if stage.held + kept_free < bound {
            stage.held += 1;
            return Some(event);
        }
        stage.kept_back.push(candidate);
    }
    stage.ready[Phase::Weight.rank()].pop().map(|Reverse((_, event))| event)
}
