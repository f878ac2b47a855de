//! Where the chunks of a model lie, and what an event of a microbatch waits for.

use crate::pipeline::event::{Event, Phase};

/// Sizes of a pipeline and the way a microbatch takes through its stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Stages (devices).
    pub stages: u32,
    /// Microbatches.
    pub microbatches: u32,
    /// Chunks of each stage.
    pub chunks: u32,
    /// The way of a microbatch.
    pub way: Way,
}

/// The way of a microbatch through the chunks of its stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// Chunk by chunk, each from the first stage to the last.
    #[default]
    Straight,
    /// Chunk by chunk, odd ones from the last stage to the first: a V.
    Turning,
    /// Through one chunk of each stage: the first half of the microbatches through chunk 0 from the first stage to the last,
    /// the others through chunk 1 from the last to the first. Each stage has the weights of two parts of the model.
    BothWays,
}

impl Layout {
    /// Parts that a microbatch passes, one after the other: stages times chunks on its way.
    #[must_use]
    pub const fn parts(self) -> u32 {
        self.stages * self.passed_chunks()
    }

    /// Chunks of a stage that a microbatch passes.
    #[must_use]
    pub const fn passed_chunks(self) -> u32 {
        match self.way {
            Way::Straight | Way::Turning => self.chunks,
            Way::BothWays => 1,
        }
    }

    /// The virtual stage of a chunk: its position on the way of a microbatch.
    #[must_use]
    #[inline]
    pub const fn position(self, stage: u32, chunk: u32) -> u32 {
        let within = if self.turns(chunk) { self.stages - 1 - stage } else { stage };
        match self.way {
            Way::Straight | Way::Turning => chunk * self.stages + within,
            Way::BothWays => within,
        }
    }

    /// Stage and chunk of a virtual stage, on the way that passes a chunk.
    #[must_use]
    #[inline]
    pub const fn stage_and_chunk(self, position: u32, on_way_of: u32) -> (u32, u32) {
        let chunk = match self.way {
            Way::Straight | Way::Turning => position / self.stages,
            Way::BothWays => on_way_of,
        };
        let within = position % self.stages;
        (if self.turns(chunk) { self.stages - 1 - within } else { within }, chunk)
    }

    const fn turns(self, chunk: u32) -> bool {
        !matches!(self.way, Way::Straight) && chunk % 2 == 1
    }

    /// The events whose results an event needs: the first, and the second if there is one.
    #[must_use]
    #[inline]
    pub fn needs(self, event: Event) -> [Option<Event>; 2] {
        let Event { phase, stage, microbatch, chunk } = event;
        let position = self.position(stage, chunk);
        let at = |phase, position| {
            let (stage, chunk) = self.stage_and_chunk(position, chunk);
            Event::new(phase, stage, microbatch, chunk)
        };
        match phase {
            Phase::Forward if position == 0 => [None, None],
            Phase::Forward => [Some(at(Phase::Forward, position - 1)), None],
            Phase::Backward => {
                let next = (position + 1 < self.parts()).then(|| at(Phase::Backward, position + 1));
                [Some(Event { phase: Phase::Forward, ..event }), next]
            }
            Phase::Weight => [Some(Event { phase: Phase::Backward, ..event }), None],
        }
    }

    /// The event of the next part on the way that needs the result of an event.
    #[must_use]
    pub fn receiver(self, event: Event) -> Option<Event> {
        let position = self.position(event.stage, event.chunk);
        let next = match event.phase {
            Phase::Forward => (position + 1 < self.parts()).then_some(position + 1),
            Phase::Backward => position.checked_sub(1),
            Phase::Weight => None,
        }?;
        let (stage, chunk) = self.stage_and_chunk(next, event.chunk);
        Some(Event { stage, chunk, ..event })
    }

    /// Dense number of an event, below `3 * stages * chunks * microbatches`.
    #[inline]
    pub(crate) const fn index(self, event: Event) -> usize {
        let part = (event.phase.rank() * self.stages as usize + event.stage as usize)
            * self.chunks as usize
            + event.chunk as usize;
        part * self.microbatches as usize + event.microbatch as usize
    }

    /// One more than the largest [`Layout::index`].
    pub(crate) const fn indices(self) -> usize {
        3 * self.stages as usize * self.chunks as usize * self.microbatches as usize
    }
}
