//! Schedules without a fixed order: whenever a stage is free, the most urgent event that is ready runs.
//!
//! Backwards go first, then forwards as far as the bound on activations allows, then weight gradients, which nothing
//! waits for. An activation counts from the start of its forward to the end of its weight gradient.

mod ready;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::pipeline::cost::CostTable;
use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;
use crate::pipeline::link::{Links, Transfers};
use crate::pipeline::timeline::{Placed, Timeline};
use ready::{Ranking, Ready};

/// Which of several forwards or backwards runs first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preference {
    /// The one that is nearest to the end of its way.
    Deepest,
    /// The one of the oldest microbatch.
    Oldest,
}

/// What one stage does and may do.
#[derive(Debug)]
struct Stage {
    is_busy: bool,
    /// Activations, in chunks.
    held: u32,
    /// Ready events by phase.
    ready: [Ready; 3],
    /// Of each chunk, how many backwards have their forward done, and how many have their gradient.
    backward_inputs: Vec<(u32, u32)>,
}

impl Stage {
    fn new(layout: Layout, stage: u32) -> Self {
        let inputs = |chunk| {
            // The last part computes its gradients itself.
            let is_last = layout.position(stage, chunk) + 1 == layout.parts();
            (0, if is_last { layout.microbatches } else { 0 })
        };
        Self {
            is_busy: false,
            held: 0,
            ready: Phase::ALL.map(|_| Ready::new(layout.chunks)),
            backward_inputs: (0..layout.chunks).map(inputs).collect(),
        }
    }
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
        ranking: Ranking { preference, chunks: layout.chunks },
        links: Links::new(layout, transfers),
        stages: (0..layout.stages).map(|stage| Stage::new(layout, stage)).collect(),
        happenings: BinaryHeap::new(),
        placed: Vec::with_capacity(layout.indices()),
    };
    run.offer(Phase::Forward, 0, 0, layout.microbatches);
    run.dispatch(0, 0);
    run.finish();
    Timeline::new(layout, run.placed)
}

/// What happens on a chunk of a stage: an event of a phase ends, or the input of the next one arrives from another
/// stage. Events of one phase and chunk run in the order of microbatches, so their number is not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Happening {
    stage: u32,
    chunk: u32,
    phase: Phase,
    arrives: bool,
}

impl Happening {
    /// A number that orders happenings by time, then stage; one comparison of it is most of what an event costs.
    fn key(self, time: u64, chunks: u32) -> u128 {
        let part = u64::from(self.stage) * u64::from(chunks) + u64::from(self.chunk);
        let code = (part * 3 + self.phase.rank() as u64) * 2 + u64::from(self.arrives);
        u128::from(time) << 64 | u128::from(code)
    }

    /// Time and happening of a key.
    fn of_key(key: u128, chunks: u32) -> (u64, Self) {
        let code = key as u64;
        let part = code / 6;
        let happening = Self {
            stage: (part / u64::from(chunks)) as u32,
            chunk: (part % u64::from(chunks)) as u32,
            phase: Phase::ALL[(code / 2 % 3) as usize],
            arrives: code % 2 == 1,
        };
        ((key >> 64) as u64, happening)
    }
}

struct Run<'a> {
    layout: Layout,
    costs: &'a CostTable,
    bound: u32,
    ranking: Ranking,
    links: Links,
    stages: Vec<Stage>,
    /// Keys of what is going to happen.
    happenings: BinaryHeap<Reverse<u128>>,
    placed: Vec<Placed>,
}

impl Run<'_> {
    /// Handles all that happens at one time before a stage chooses what it runs next.
    fn finish(&mut self) {
        let mut touched = Vec::new();
        let chunks = self.layout.chunks;
        while let Some(&Reverse(first)) = self.happenings.peek() {
            let now = (first >> 64) as u64;
            while let Some(&Reverse(key)) = self.happenings.peek()
                && let (time, happening) = Happening::of_key(key, chunks)
                && time == now
            {
                self.happenings.pop();
                let Happening { stage, chunk, phase, arrives } = happening;
                if arrives {
                    self.input(phase, stage, chunk);
                } else {
                    self.ends(phase, stage, chunk);
                }
                // Happenings of one time come by stage.
                if touched.last() != Some(&stage) {
                    touched.push(stage);
                }
            }
            for stage in touched.drain(..) {
                self.dispatch(stage, now);
            }
        }
    }

    fn ends(&mut self, phase: Phase, stage: u32, chunk: u32) {
        let chunks = self.layout.chunks;
        let state = &mut self.stages[stage as usize];
        state.is_busy = false;
        match phase {
            Phase::Forward => {
                state.backward_inputs[chunk as usize].0 += 1;
                self.offer_backwards(stage, chunk);
            }
            Phase::Backward => {
                let ready = state.ready[Phase::Weight.rank()].count(chunk) + 1;
                self.offer(Phase::Weight, stage, chunk, ready);
            }
            Phase::Weight => {
                state.held -= 1;
                // Room for one more activation: one more chunk may start forwards.
                if let Some(chunk) = (state.held + chunks).checked_sub(self.bound) {
                    state.ready[Phase::Forward.rank()].release(Phase::Forward, chunk, self.ranking);
                }
            }
        }
    }

    /// The input of the next event of a chunk has arrived.
    fn input(&mut self, phase: Phase, stage: u32, chunk: u32) {
        let state = &mut self.stages[stage as usize];
        if phase == Phase::Backward {
            state.backward_inputs[chunk as usize].1 += 1;
            self.offer_backwards(stage, chunk);
        } else {
            let ready = state.ready[phase.rank()].count(chunk) + 1;
            self.offer(phase, stage, chunk, ready);
        }
    }

    fn offer_backwards(&mut self, stage: u32, chunk: u32) {
        let (forwards, gradients) = self.stages[stage as usize].backward_inputs[chunk as usize];
        self.offer(Phase::Backward, stage, chunk, forwards.min(gradients));
    }

    /// The first `count` events of a phase and chunk are ready or were.
    fn offer(&mut self, phase: Phase, stage: u32, chunk: u32, count: u32) {
        let ready = &mut self.stages[stage as usize].ready[phase.rank()];
        ready.offer(phase, chunk, count, self.ranking);
    }

    /// Starts the most urgent event of an idle stage.
    fn dispatch(&mut self, stage: u32, now: u64) {
        let state = &mut self.stages[stage as usize];
        if state.is_busy {
            return;
        }
        let chunks = self.layout.chunks;
        let room = self.bound.saturating_sub(state.held);
        let order = [Phase::Backward, Phase::Forward, Phase::Weight];
        let found = order.into_iter().find_map(|phase| {
            // A forward leaves room for one activation of each later chunk.
            let may_start = |chunk| phase != Phase::Forward || chunks - 1 - chunk < room;
            let (microbatch, chunk) =
                state.ready[phase.rank()].take(phase, self.ranking, may_start)?;
            Some(Event::new(phase, stage, microbatch, chunk))
        });
        let Some(event) = found else { return };
        let end = now + self.costs.get(stage, event.chunk).of(event.phase);
        state.is_busy = true;
        state.held += u32::from(event.phase == Phase::Forward);
        self.placed.push(Placed { event, start: now, end });
        self.happens(event, end, false);
        if let Some((receiver, at)) = self.links.send(event, end) {
            self.happens(receiver, at, true);
        }
    }

    fn happens(&mut self, event: Event, time: u64, arrives: bool) {
        let Event { phase, stage, chunk, .. } = event;
        let happening = Happening { stage, chunk, phase, arrives };
        self.happenings.push(Reverse(happening.key(time, self.layout.chunks)));
    }
}
