//! What a stage of a graph runs of what is ready, where no edge says it.
//!
//! A policy is no dependence: it stays right when a graph is filtered, merged with another one, or gets other durations.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_sim::{Policy, ResourceId, TaskId, Time};
use serde::{Deserialize, Serialize};

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::greedy::Preference;

/// How a stage of a schedule without a fixed order chooses: backwards before forwards before gradients of weights, with a
/// bound on activations. A forward leaves room for one activation of each later chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagePolicy {
    /// The stage.
    pub stage: u32,
    /// Most activations, in chunks: from the start of a forward to the end of the last event of its microbatch.
    pub max_activations: u32,
    /// Chunks of the stage.
    pub chunks: u32,
}

impl StagePolicy {
    /// Chunks that are left on the way of an event.
    fn depth(&self, event: Event) -> u32 {
        match event.phase {
            Phase::Forward => (self.chunks.saturating_sub(1)).saturating_sub(event.chunk),
            Phase::Backward | Phase::Weight => event.chunk,
        }
    }
}

/// The ready events of a stage.
#[derive(Debug, Default)]
struct Stage {
    policy: Option<StagePolicy>,
    /// Activations that are held, in chunks.
    held: u32,
    /// Ready events of each phase, the most urgent one first; without a policy all are in the first set, by the time at
    /// which they became ready.
    ready: [BTreeSet<(u64, TaskId)>; 3],
}

/// Chooses by the policies of stages; stages without one run what was ready first.
pub(crate) struct ByStage<'a> {
    events: &'a [(Event, u64)],
    preference: Preference,
    stages: BTreeMap<ResourceId, Stage>,
    /// The last phase of each microbatch and chunk of a stage: its end frees an activation.
    last_phase: Phase,
}

impl<'a> ByStage<'a> {
    pub(crate) fn new(
        events: &'a [(Event, u64)],
        policies: &[StagePolicy],
        preference: Preference,
    ) -> Self {
        let mut stages: BTreeMap<ResourceId, Stage> = BTreeMap::new();
        for &policy in policies {
            stages.entry(policy.stage).or_default().policy = Some(policy);
        }
        let has = |phase: &Phase| events.iter().any(|(event, _)| event.phase == *phase);
        let last_phase = [Phase::Weight, Phase::Backward].into_iter().find(has);
        Self { events, preference, stages, last_phase: last_phase.unwrap_or(Phase::Forward) }
    }

    fn event(&self, task: TaskId) -> Option<Event> {
        Some(self.events.get(task as usize)?.0)
    }
}

impl Policy for ByStage<'_> {
    fn ready(&mut self, task: TaskId, resource: ResourceId, now: Time) {
        let Some(event) = self.event(task) else { return };
        let preference = self.preference;
        let stage = self.stages.entry(resource).or_default();
        let (rank, urgency) = match &stage.policy {
            Some(policy) => {
                let (depth, microbatch) = (policy.depth(event), event.microbatch);
                let (first, second) = match preference {
                    Preference::Deepest => (depth, microbatch),
                    Preference::Oldest => (microbatch, depth),
                };
                (event.phase.rank(), u64::from(first) << 32 | u64::from(second))
            }
            None => (0, u64::try_from(now).unwrap_or(0)),
        };
        if let Some(ready) = stage.ready.get_mut(rank) {
            ready.insert((urgency, task));
        }
    }

    fn ended(&mut self, task: TaskId) {
        let Some(event) = self.event(task).filter(|event| event.phase == self.last_phase) else {
            return;
        };
        if let Some(stage) = self.stages.get_mut(&event.stage) {
            stage.held = stage.held.saturating_sub(1);
        }
    }

    fn next(&mut self, resource: ResourceId) -> Option<TaskId> {
        let Self { events, stages, .. } = self;
        let stage = stages.get_mut(&resource)?;
        let Some(policy) = stage.policy else {
            return stage.ready[0].pop_first().map(|(_, task)| task);
        };
        let room = policy.max_activations.saturating_sub(stage.held);
        for phase in [Phase::Backward, Phase::Forward, Phase::Weight] {
            let may_start = |task: &TaskId| {
                let event = events.get(*task as usize).map(|(event, _)| *event);
                event.is_some_and(|event| phase != Phase::Forward || policy.depth(event) < room)
            };
            let ready = stage.ready.get_mut(phase.rank())?;
            let found = ready.iter().find(|(_, task)| may_start(task)).copied();
            if let Some(first) = found {
                ready.remove(&first);
                stage.held += u32::from(phase == Phase::Forward);
                return Some(first.1);
            }
        }
        None
    }
}
