//! What the events of each stage and chunk cost.

use crate::pipeline::error::PipelineError;
use crate::pipeline::event::Phase;
use crate::pipeline::layout::Layout;

/// Durations of one stage or chunk, in the plan's unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Forward pass of a microbatch.
    pub fwd: u64,
    /// Gradient of the input.
    pub bwd: u64,
    /// Gradient of the weights.
    pub wgt: u64,
}

impl Cost {
    /// The costs of the three phases.
    #[must_use]
    pub const fn new(fwd: u64, bwd: u64, wgt: u64) -> Self {
        Self { fwd, bwd, wgt }
    }

    /// The duration of a phase.
    #[must_use]
    pub const fn duration(self, phase: Phase) -> u64 {
        match phase {
            Phase::Forward => self.fwd,
            Phase::Backward => self.bwd,
            Phase::Weight => self.wgt,
        }
    }

    /// The share of chunk `chunk` of `chunks`; the shares sum to the whole exactly.
    #[must_use]
    pub fn share(self, chunk: u32, chunks: u32) -> Self {
        let part = |whole: u64| {
            let upto = |n: u32| u128::from(whole) * u128::from(n) / u128::from(chunks.max(1));
            u64::try_from(upto(chunk + 1) - upto(chunk)).unwrap_or(u64::MAX)
        };
        Self { fwd: part(self.fwd), bwd: part(self.bwd), wgt: part(self.wgt) }
    }
}

/// What a cost of the plan is the cost of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CostPer {
    /// A whole stage; it is divided over the stage's chunks.
    #[default]
    Stage,
    /// Each chunk of a stage.
    Chunk,
}

/// The cost of every chunk of every stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkCosts {
    stages: u32,
    chunks: u32,
    /// Cost of each chunk, stage after stage.
    costs: Vec<Cost>,
}

impl ChunkCosts {
    /// One cost for each stage, given for the stage or for each of its chunks.
    #[must_use]
    pub fn of_stages(stages: &[Cost], chunks: u32, per: CostPer) -> Self {
        let costs = stages.iter().flat_map(|&cost| {
            (0..chunks).map(move |chunk| match per {
                CostPer::Stage => cost.share(chunk, chunks),
                CostPer::Chunk => cost,
            })
        });
        let count = u32::try_from(stages.len()).unwrap_or(u32::MAX);
        Self { stages: count, chunks, costs: costs.collect() }
    }

    /// One cost for each part on the way of a microbatch, wherever it lies.
    #[must_use]
    pub fn of_parts(parts: &[Cost], layout: Layout) -> Self {
        let Layout { stages, chunks, .. } = layout;
        let places = (0..stages).flat_map(|stage| (0..chunks).map(move |chunk| (stage, chunk)));
        let cost = |(stage, chunk)| parts.get(layout.position(stage, chunk) as usize).copied();
        let costs = places.map(|place| cost(place).unwrap_or_default());
        Self { stages, chunks, costs: costs.collect() }
    }

    /// The cost of a chunk; nothing outside the table.
    #[must_use]
    pub fn get(&self, stage: u32, chunk: u32) -> Cost {
        let at = stage as usize * self.chunks as usize + chunk as usize;
        self.costs.get(at).copied().unwrap_or_default()
    }

    /// Number of stages.
    #[must_use]
    pub const fn stages(&self) -> u32 {
        self.stages
    }

    /// Chunks of each stage.
    #[must_use]
    pub const fn chunks(&self) -> u32 {
        self.chunks
    }

    /// Puts the gradient of the weights into the backward pass.
    pub(crate) fn join_backward(&mut self) {
        for cost in &mut self.costs {
            cost.bwd = cost.bwd.saturating_add(cost.wgt);
            cost.wgt = 0;
        }
    }

    /// Refuses costs whose sum over all microbatches leaves no room in 64 bits; `comm` follows each event.
    pub(crate) fn check(&self, microbatches: u32, comm: u64) -> Result<(), PipelineError> {
        let each =
            |cost: &Cost| [cost.fwd, cost.bwd, cost.wgt].map(u128::from).iter().sum::<u128>();
        let all: u128 = self.costs.iter().map(|cost| each(cost) + 3 * u128::from(comm)).sum();
        let total = all.checked_mul(u128::from(microbatches));
        match total {
            Some(total) if total < 1 << 62 => Ok(()),
            _ => Err(PipelineError::TimeOverflow),
        }
    }
}
