//! When each event of a pipeline runs, and what that means for its stages.

use serde::Serialize;

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;
use crate::pipeline::link::{Sent, Transfers};

/// An event with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// When it starts, in the plan's unit of time.
    pub start: u64,
    /// When it ends.
    pub end: u64,
}

/// All events of a simulated pipeline, ordered by start, stage, type, microbatch and chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// Sizes, and the way of a microbatch.
    pub layout: Layout,
    /// The events.
    pub events: Vec<Placed>,
    /// The results that take time to another stage, as they leave.
    pub sent: Vec<Sent>,
}

impl Timeline {
    /// Orders the events.
    #[must_use]
    pub fn new(layout: Layout, mut events: Vec<Placed>) -> Self {
        let key =
            |p: &Placed| (p.start, p.event.stage, p.event.phase, p.event.microbatch, p.event.chunk);
        // They come as the simulator took them, which is this order, or stage by stage: a stable sort joins such runs.
        events.sort_by_key(key);
        Self { layout, events, sent: Vec::new() }
    }

    /// The last end.
    #[must_use]
    pub fn makespan(&self) -> u64 {
        self.events.iter().map(|placed| placed.end).max().unwrap_or(0)
    }

    /// Time that each stage computes.
    #[must_use]
    pub fn stage_busy(&self) -> Vec<u64> {
        let mut busy = vec![0; self.layout.stages as usize];
        for placed in &self.events {
            if let Some(busy) = busy.get_mut(placed.event.stage as usize) {
                *busy += placed.end - placed.start;
            }
        }
        busy
    }

    /// Share of the stages' time in which they are idle, from 0 to 1.
    #[must_use]
    pub fn bubble_ratio(&self) -> f64 {
        let whole = u128::from(self.makespan()) * u128::from(self.layout.stages);
        let busy: u128 = self.stage_busy().into_iter().map(u128::from).sum();
        if whole == 0 { 0.0 } else { 1.0 - busy as f64 / whole as f64 }
    }

    /// The most activations that each stage holds, in chunks: from the start of a forward to the end of the last
    /// event of its microbatch, which is the weight gradient where that is an event of its own.
    #[must_use]
    pub fn peak_activations(&self) -> Vec<u32> {
        let has = |phase: &Phase| self.events.iter().any(|placed| placed.event.phase == *phase);
        // Without gradients an activation goes with its forward.
        let last = [Phase::Weight, Phase::Backward].into_iter().find(has);
        self.peak_until(last.unwrap_or(Phase::Forward))
    }

    /// The most chunks that are in flight on each stage: from the start of a forward to the end of its backward.
    #[must_use]
    pub fn peak_in_flight(&self) -> Vec<u32> {
        self.peak_until(Phase::Backward)
    }

    fn peak_until(&self, last: Phase) -> Vec<u32> {
        let mut changes: Vec<(u32, u64, i32)> = Vec::new();
        for Placed { event, start, end } in &self.events {
            if event.phase == Phase::Forward {
                changes.push((event.stage, *start, 1));
            }
            if event.phase == last {
                changes.push((event.stage, *end, -1));
            }
        }
        // At one instant, what ends goes before what starts.
        changes.sort_unstable();
        let mut peaks = vec![0; self.layout.stages as usize];
        let mut held: Vec<i32> = vec![0; self.layout.stages as usize];
        for (stage, _, change) in changes {
            let stage = stage as usize;
            if let (Some(held), Some(peak)) = (held.get_mut(stage), peaks.get_mut(stage)) {
                *held += change;
                *peak = (*peak).max(u32::try_from(*held).unwrap_or(0));
            }
        }
        peaks
    }

    /// Events that start before the result of another one that they need is there.
    /// None in a timeline of the default semantics; under the compatible rules there may be some.
    #[must_use]
    pub fn violations(&self, transfers: &Transfers) -> Vec<(Event, Event)> {
        let mut end = vec![None; self.layout.indices()];
        for placed in &self.events {
            if let Some(slot) = end.get_mut(self.layout.index(placed.event)) {
                *slot = Some(placed.end);
            }
        }
        let mut broken = Vec::new();
        for placed in &self.events {
            for need in self.layout.needs(placed.event).into_iter().flatten() {
                let ready = end.get(self.layout.index(need)).copied().flatten();
                let delay = transfers.time(need.stage, placed.event.stage);
                if ready.is_some_and(|end| placed.start < end + delay) {
                    broken.push((need, placed.event));
                }
            }
        }
        broken
    }
}
