//! Schedules without a fixed order: whenever a stage is free, the most urgent event that is ready runs.
//!
//! Backwards go first, then forwards as far as the bound on activations allows, then weight gradients, which nothing
//! waits for. An activation counts from the start of its forward to the end of its weight gradient.

mod ready;

use std::collections::VecDeque;

use bigtpu_sim::{Policy, ResourceId, TaskId, Time};

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;
use crate::pipeline::tasks::Tasks;
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
    /// Activations, in chunks.
    held: u32,
    /// Ready events by phase.
    ready: [Ready; 3],
}

/// All events of a pipeline, those of a phase and chunk in the order of microbatches, in which they run.
pub(crate) fn events(layout: Layout) -> Vec<Event> {
    let mut events = Vec::with_capacity(layout.indices());
    for phase in Phase::ALL {
        for stage in 0..layout.stages {
            for chunk in 0..layout.chunks {
                let all = 0..layout.microbatches;
                events.extend(all.map(|microbatch| Event::new(phase, stage, microbatch, chunk)));
            }
        }
    }
    events
}

/// Chooses the most urgent event, with at most so many activations (in chunks) on each stage.
///
/// No order of this kind waits for itself, if the bound is at least the number of chunks: a forward of chunk c leaves room
/// for one activation of each later chunk, forwards of a chunk run in the order of microbatches, so the oldest microbatch
/// can always continue.
pub(crate) struct Greedy<'a> {
    tasks: &'a Tasks<'a>,
    chunks: u32,
    bound: u32,
    ranking: Ranking,
    stages: Vec<Stage>,
    /// The transfers that wait for each link, where links carry one result at a time.
    links: Vec<VecDeque<TaskId>>,
}

impl<'a> Greedy<'a> {
    /// Creates the chooser for the tasks of all [`events`]; nothing has run.
    pub(crate) fn new(
        layout: Layout,
        tasks: &'a Tasks<'a>,
        bound: u32,
        preference: Preference,
    ) -> Self {
        let Layout { stages, chunks, .. } = layout;
        let stage = |_| Stage { held: 0, ready: Phase::ALL.map(|_| Ready::new(chunks)) };
        Self {
            tasks,
            chunks,
            bound,
            ranking: Ranking { preference, chunks },
            stages: (0..stages).map(stage).collect(),
            links: vec![VecDeque::new(); stages as usize * 2],
        }
    }
}

impl Policy for Greedy<'_> {
    fn ready(&mut self, task: TaskId, resource: ResourceId, _: Time) {
        match self.tasks.event(task) {
            Some(Event { phase, stage, chunk, .. }) => {
                self.stages[stage as usize].ready[phase.rank()].add(phase, chunk, self.ranking);
            }
            None => self.links[resource as usize - self.stages.len()].push_back(task),
        }
    }

    fn ended(&mut self, task: TaskId) {
        let Some(Event { phase: Phase::Weight, stage, .. }) = self.tasks.event(task) else {
            return;
        };
        let state = &mut self.stages[stage as usize];
        state.held -= 1;
        // Room for one more activation: one more chunk may start forwards.
        if let Some(chunk) = (state.held + self.chunks).checked_sub(self.bound) {
            state.ready[Phase::Forward.rank()].release(Phase::Forward, chunk, self.ranking);
        }
    }

    fn next(&mut self, resource: ResourceId) -> Option<TaskId> {
        let Some(state) = self.stages.get_mut(resource as usize) else {
            return self.links[resource as usize - self.stages.len()].pop_front();
        };
        let room = self.bound.saturating_sub(state.held);
        let order = [Phase::Backward, Phase::Forward, Phase::Weight];
        let (chunks, ranking) = (self.chunks, self.ranking);
        let event = order.into_iter().find_map(|phase| {
            // A forward leaves room for one activation of each later chunk.
            let may_start = |chunk| phase != Phase::Forward || chunks - 1 - chunk < room;
            let (microbatch, chunk) = state.ready[phase.rank()].take(phase, ranking, may_start)?;
            Some(Event::new(phase, resource, microbatch, chunk))
        })?;
        state.held += u32::from(event.phase == Phase::Forward);
        Some(self.tasks.number(event))
    }
}
