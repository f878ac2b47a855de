//! A pipeline that is to be simulated: its sizes, costs and rules.

use bigtpu_sim::TaskGraph;

use crate::pipeline::compat;
use crate::pipeline::cost::{ChunkCosts, Cost, CostPer};
use crate::pipeline::error::PipelineError;
use crate::pipeline::event::Event;
use crate::pipeline::graph::{EventEdge, EventGraph};
use crate::pipeline::greedy::{self, Greedy, Preference};
use crate::pipeline::layout::{Layout, Way};
use crate::pipeline::link::Transfers;
use crate::pipeline::order::{self, PhaseSet};
use crate::pipeline::schedule::Schedule;
use crate::pipeline::stage_policy::StagePolicy;
use crate::pipeline::tasks::Tasks;
use crate::pipeline::timeline::{Placed, Timeline};

/// Events that a simulation may have.
pub(crate) const MOST_EVENTS: u64 = 30_000_000;

/// The rules for the graph and for the times of its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PipelineRules {
    /// Complete data dependences and transfers.
    #[default]
    Full,
    /// The rules of PerFlow-AI 0.1, for comparing with its published figures: `comm` is ignored, costs are of chunks,
    /// a backward has no weight gradient in it.
    Perflow,
}

/// A pipeline: a schedule, sizes and costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The schedule.
    pub schedule: Schedule,
    /// Microbatches.
    pub microbatches: u32,
    /// Chunks of each stage; `None`: as many as is usual for the schedule.
    pub chunks: Option<u32>,
    /// Costs of the stages, in any unit of time.
    pub costs: StageCosts,
    /// Transfers between stages, in the same unit.
    pub transfers: Transfers,
    /// A backward stays alone in schedules that do not split it; otherwise it takes the weight gradient in.
    pub backward_alone: bool,
    /// Training, or forward passes only.
    pub work: PhaseSet,
    /// The rules.
    pub rules: PipelineRules,
    /// Most activations of a stage in chunks, for schedules without a fixed order; `None`: the schedule's own bound.
    pub max_activations: Option<u32>,
}

/// Costs as a plan gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageCosts {
    /// One for each stage.
    Stages(Vec<Cost>, CostPer),
    /// One for each part on the way of a microbatch (stages x chunks, by virtual stage).
    Parts(Vec<Cost>, u32),
}

impl StageCosts {
    /// Number of stages.
    #[must_use]
    pub fn stages(&self) -> u32 {
        match self {
            Self::Stages(costs, _) => u32::try_from(costs.len()).unwrap_or(u32::MAX),
            Self::Parts(_, stages) => *stages,
        }
    }
}

impl Plan {
    /// A plan of equal stages with the default rules.
    #[must_use]
    pub fn uniform(schedule: Schedule, stages: u32, microbatches: u32, cost: Cost) -> Self {
        Self {
            schedule,
            microbatches,
            chunks: None,
            costs: StageCosts::Stages(vec![cost; stages as usize], CostPer::Stage),
            transfers: Transfers::default(),
            backward_alone: false,
            work: PhaseSet::Training,
            rules: PipelineRules::Full,
            max_activations: None,
        }
    }

    /// Sizes, and the way of a microbatch.
    ///
    /// # Errors
    /// Sizes that are nothing or absurd, or that do not fit the schedule.
    pub fn layout(&self) -> Result<Layout, PipelineError> {
        let (schedule, microbatches, stages) =
            (self.schedule, self.microbatches, self.costs.stages());
        let chunks = self.chunks.unwrap_or(schedule.usual_chunks());
        for (count, what) in [
            (stages, "problem-pipeline-stage"),
            (microbatches, "problem-pipeline-microbatch"),
            (chunks, "problem-pipeline-chunk"),
        ] {
            if count == 0 {
                return Err(PipelineError::Empty { what });
            }
        }
        let mut product = [stages, microbatches, chunks].into_iter().map(u64::from);
        let events = product.try_fold(3_u64, u64::checked_mul);
        if events.is_none_or(|events| events > MOST_EVENTS) {
            let most = MOST_EVENTS;
            return Err(PipelineError::TooManyEvents { stages, microbatches, chunks, most });
        }
        let way = schedule.way();
        match way {
            Way::BothWays => {
                let even = stages % 2 == 0 && microbatches % 2 == 0;
                if chunks != 2 || !even || microbatches / 2 < stages {
                    return Err(PipelineError::NotBothWays { stages, microbatches, chunks });
                }
            }
            Way::Turning if chunks % 2 == 1 => {
                return Err(PipelineError::OddChunks { schedule, chunks });
            }
            Way::Straight | Way::Turning if chunks > 1 && !schedule.takes_chunks() => {
                return Err(PipelineError::OneChunk { schedule, chunks });
            }
            Way::Straight | Way::Turning => {}
        }
        Ok(Layout { stages, microbatches, chunks, way })
    }

    /// The cost of every chunk.
    fn table(&self, layout: Layout) -> ChunkCosts {
        let mut table = match &self.costs {
            // Both chunks of a stage are parts of the model, which the other end has as well.
            StageCosts::Stages(costs, _) if layout.way == Way::BothWays => {
                ChunkCosts::of_parts(costs, layout)
            }
            StageCosts::Stages(costs, per) => {
                let per = if self.rules == PipelineRules::Perflow { CostPer::Chunk } else { *per };
                ChunkCosts::of_stages(costs, layout.chunks, per)
            }
            StageCosts::Parts(parts, _) => ChunkCosts::of_parts(parts, layout),
        };
        let alone = self.backward_alone || self.rules == PipelineRules::Perflow;
        if !self.schedule.splits_backward() && !alone {
            table.join_backward();
        }
        table
    }

    /// Simulates the pipeline.
    ///
    /// # Errors
    /// A plan that its schedule or the rules can't run.
    pub fn simulate(&self) -> Result<Timeline, PipelineError> {
        let layout = self.layout()?;
        let costs = self.table(layout);
        costs.check(self.microbatches, self.transfers.longest())?;
        if self.rules == PipelineRules::Perflow {
            return compat::simulate(self.schedule, layout, &costs);
        }
        let mut sequences = Vec::with_capacity(layout.stages as usize);
        for stage in 0..layout.stages {
            sequences.extend(order::of_stage(self.schedule, layout, stage, self.work));
        }
        if sequences.is_empty() {
            return self.simulate_greedily(layout, &costs);
        }
        let tasks = Tasks::new(layout, sequences.concat(), &costs, &self.transfers);
        let graph = self.tasks_graph(&tasks, layout, true)?;
        Ok(tasks.timeline(&graph.replay()))
    }

    /// The graph that the rules simulate: data dependences, and the order of each stage; of schedules without a fixed
    /// order, the policy by which each stage chooses.
    ///
    /// # Errors
    /// As [`Plan::simulate`], and links that carry one result at a time, which no edge describes.
    pub fn graph(&self) -> Result<EventGraph, PipelineError> {
        let layout = self.layout()?;
        let costs = self.table(layout);
        if self.rules == PipelineRules::Perflow {
            return compat::graph(self.schedule, layout, &costs);
        }
        if self.transfers.links_are_busy {
            return Err(PipelineError::BusyLinks);
        }
        let timeline = self.simulate()?;
        let mut graph = EventGraph::new();
        for placed in &timeline.events {
            let Event { stage, chunk, phase, .. } = placed.event;
            graph.add_event(placed.event, costs.get(stage, chunk).duration(phase));
        }
        let is_fixed = order::of_stage(self.schedule, layout, 0, self.work).is_some();
        if !is_fixed {
            let max_activations = self.most_activations(layout)?;
            for stage in 0..layout.stages {
                let chunks = layout.chunks;
                graph.set_policy(StagePolicy { stage, max_activations, chunks });
            }
        }
        let mut last: Vec<Option<Event>> = vec![None; layout.stages as usize];
        for &Placed { event, .. } in &timeline.events {
            for from in layout.needs(event).into_iter().flatten() {
                let lag = self.transfers.time(from.stage, event.stage);
                graph.add(EventEdge { from, to: event, lag });
            }
            let before = last.get_mut(event.stage as usize).filter(|_| is_fixed);
            if let Some(from) = before.and_then(|before| before.replace(event)) {
                graph.add_edge(from, event);
            }
        }
        Ok(graph)
    }

    fn tasks_graph(
        &self,
        tasks: &Tasks<'_>,
        layout: Layout,
        is_ordered: bool,
    ) -> Result<TaskGraph, PipelineError> {
        tasks.graph(is_ordered).map_err(|event| {
            let Layout { stages, microbatches, .. } = layout;
            PipelineError::Deadlock { schedule: self.schedule, stages, microbatches, event }
        })
    }

    /// The bound on the activations of a stage, in chunks.
    fn most_activations(&self, layout: Layout) -> Result<u32, PipelineError> {
        let Layout { stages, chunks, .. } = layout;
        let own = if layout.way == Way::Turning { stages } else { 2 * stages - 1 };
        let bound = self.max_activations.unwrap_or(own.saturating_mul(chunks));
        if bound < chunks {
            return Err(PipelineError::TooFewActivations { given: bound, chunks });
        }
        Ok(bound)
    }

    /// The better of the two preferences; the first where they are equal.
    fn simulate_greedily(
        &self,
        layout: Layout,
        costs: &ChunkCosts,
    ) -> Result<Timeline, PipelineError> {
        let chunks = layout.chunks;
        let bound = self.most_activations(layout)?;
        let tasks = Tasks::new(layout, greedy::events(layout), costs, &self.transfers);
        let graph = self.tasks_graph(&tasks, layout, false)?;
        let dispatcher = graph.dispatcher();
        let run = |preference| {
            let mut policy = Greedy::new(layout, &tasks, bound, preference);
            dispatcher.run(&mut policy)
        };
        if chunks == 1 {
            return Ok(tasks.timeline(&run(Preference::Oldest)));
        }
        let (oldest, deepest) =
            rayon::join(|| run(Preference::Oldest), || run(Preference::Deepest));
        // Only the better one is put in order.
        let best = if deepest.makespan() < oldest.makespan() { deepest } else { oldest };
        Ok(tasks.timeline(&best))
    }
}
