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
    /// Odd chunks run from the last stage to the first.
    pub v_shape: bool,
}

impl Layout {
    /// Parts that a microbatch passes, one after the other: stages times chunks.
    #[must_use]
    pub const fn parts(self) -> u32 {
        self.stages * self.chunks
    }

    /// The virtual stage of a chunk: its position on the way of a microbatch.
    #[must_use]
    #[inline]
    pub const fn position(self, stage: u32, chunk: u32) -> u32 {
        let within = if self.turns(chunk) { self.stages - 1 - stage } else { stage };
        chunk * self.stages + within
    }

    /// Stage and chunk of a virtual stage.
    #[must_use]
    #[inline]
    pub const fn at(self, position: u32) -> (u32, u32) {
        let chunk = position / self.stages;
        let within = position % self.stages;
        (if self.turns(chunk) { self.stages - 1 - within } else { within }, chunk)
    }

    const fn turns(self, chunk: u32) -> bool {
        self.v_shape && chunk % 2 == 1
    }

    /// The events whose results an event needs: the first, and the second if there is one.
    #[must_use]
    #[inline]
    pub fn needs(self, event: Event) -> [Option<Event>; 2] {
        let Event { phase, stage, microbatch, chunk } = event;
        let position = self.position(stage, chunk);
        let at = |phase, position| {
            let (stage, chunk) = self.at(position);
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
        let (stage, chunk) = self.at(next);
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
