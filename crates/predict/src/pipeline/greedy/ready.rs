//! The events of a phase that a stage may start, the most urgent one first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Preference;
use crate::pipeline::event::Phase;

/// How urgent events are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranking {
    pub(super) preference: Preference,
    pub(super) chunks: u32,
}

impl Ranking {
    /// A number that is less for what is more urgent.
    #[inline]
    fn urgency(self, phase: Phase, microbatch: u32, chunk: u32) -> u64 {
        let depth = self.depth(phase, chunk);
        let (first, second) = match self.preference {
            Preference::Deepest => (depth, microbatch),
            Preference::Oldest => (microbatch, depth),
        };
        u64::from(first) << 32 | u64::from(second)
    }

    /// The chunk of an urgency.
    #[inline]
    fn chunk(self, phase: Phase, urgency: u64) -> u32 {
        let depth = match self.preference {
            Preference::Deepest => urgency >> 32,
            Preference::Oldest => urgency & u64::from(u32::MAX),
        };
        self.depth(phase, depth as u32)
    }

    /// Chunks that are left on the way; the same the other way round.
    #[inline]
    const fn depth(self, phase: Phase, chunk: u32) -> u32 {
        match phase {
            Phase::Forward => self.chunks - 1 - chunk,
            Phase::Backward | Phase::Weight => chunk,
        }
    }
}

/// Events of one chunk: they become ready and start in the order of microbatches.
#[derive(Debug, Clone, Copy, Default)]
struct Chunk {
    ready: u32,
    started: u32,
    /// Its next event is ready and may not start; it is not among the heads.
    kept_back: bool,
}

/// The ready events of a phase.
#[derive(Debug)]
pub(super) struct Ready {
    chunks: Vec<Chunk>,
    /// The next event of each chunk that has one.
    heads: BinaryHeap<Reverse<u64>>,
}

impl Ready {
    pub(super) fn new(chunks: u32) -> Self {
        Self { chunks: vec![Chunk::default(); chunks as usize], heads: BinaryHeap::new() }
    }

    /// The next event of a chunk is ready.
    #[inline]
    pub(super) fn add(&mut self, phase: Phase, chunk: u32, ranking: Ranking) {
        let state = &mut self.chunks[chunk as usize];
        if state.ready == state.started {
            self.heads.push(Reverse(ranking.urgency(phase, state.started, chunk)));
        }
        state.ready += 1;
    }

    /// Takes the most urgent event of a chunk that may start: its microbatch and chunk. Other chunks that would be
    /// more urgent are kept back until they are released.
    #[inline]
    pub(super) fn take(
        &mut self,
        phase: Phase,
        ranking: Ranking,
        may_start: impl Fn(u32) -> bool,
    ) -> Option<(u32, u32)> {
        while let Some(Reverse(urgency)) = self.heads.pop() {
            let chunk = ranking.chunk(phase, urgency);
            let state = &mut self.chunks[chunk as usize];
            if !may_start(chunk) {
                state.kept_back = true;
                continue;
            }
            let microbatch = state.started;
            state.started += 1;
            if state.ready > state.started {
                self.heads.push(Reverse(ranking.urgency(phase, state.started, chunk)));
            }
            return Some((microbatch, chunk));
        }
        None
    }

    /// A chunk that was kept back may start again.
    #[inline]
    pub(super) fn release(&mut self, phase: Phase, chunk: u32, ranking: Ranking) {
        let Some(state) = self.chunks.get_mut(chunk as usize) else { return };
        if std::mem::take(&mut state.kept_back) {
            self.heads.push(Reverse(ranking.urgency(phase, state.started, chunk)));
        }
    }
}
