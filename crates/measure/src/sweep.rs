//! One pass over the events of all tracks, block by block: each column of a block is read while it is in the processor's cache, and blocks
//! are read on all threads, also those of one track.

use rayon::prelude::*;

use crate::columns::Columns;
use crate::engine_track::EngineTrack;
use crate::model::DumpModel;

/// Events of a block.
const BLOCK: usize = 1 << 14;

/// Some events of a track that follow one another, column by column.
pub(crate) struct Block<'b, 'a> {
    /// Index of its first event.
    pub(crate) first: usize,
    /// ns.
    pub(crate) start: &'b [i64],
    /// ns; may be before the start, which counts as an event without a length.
    pub(crate) end: &'b [i64],
    pub(crate) kind: &'b [u32],
    pub(crate) tag: &'b [u32],
    pub(crate) columns: &'a Columns,
}

impl<'a> Block<'a, 'a> {
    /// Events of a track from `first` to `end`, which is left out.
    pub(crate) fn find(track: &EngineTrack<'a>, first: usize, end: usize) -> Option<Self> {
        let EngineTrack { events, columns, .. } = *track;
        let rows = first..end;
        Some(Self {
            first,
            start: events.start.get(rows.clone())?,
            end: events.end.get(rows.clone())?,
            kind: columns.kind.get(rows.clone())?,
            tag: events.tag.get(rows)?,
            columns,
        })
    }

    /// All events of a track.
    pub(crate) fn all(track: &EngineTrack<'a>) -> Option<Self> {
        Self::find(track, 0, track.len())
    }
}

/// What a pass finds of the blocks of a track.
pub(crate) trait Accumulator<'a>: Send + Sized {
    /// What it asks of the model, made once.
    type Facts: Sync;
    /// Returns what the pass finds in one block.
    fn of_block(facts: &Self::Facts, block: &Block<'_, 'a>) -> Self;
    /// Adds what was found of the next block of the track.
    fn merge(&mut self, facts: &Self::Facts, later: Self);
}

impl<'a, A: Accumulator<'a>, B: Accumulator<'a>> Accumulator<'a> for (A, B) {
    type Facts = (A::Facts, B::Facts);

    fn of_block(facts: &Self::Facts, block: &Block<'_, 'a>) -> Self {
        (A::of_block(&facts.0, block), B::of_block(&facts.1, block))
    }

    fn merge(&mut self, facts: &Self::Facts, later: Self) {
        self.0.merge(&facts.0, later.0);
        self.1.merge(&facts.1, later.1);
    }
}

/// What is found of each track, in the model's order; nothing of tracks without events. It is the same whatever the number of threads.
pub(crate) fn sweep<'a, A: Accumulator<'a>>(
    model: &DumpModel<'a>,
    facts: &A::Facts,
) -> Vec<Option<A>> {
    // Track by track, so that few blocks wait for the others of their track.
    let of_track = |track: &EngineTrack<'a>| {
        let count = track.len().div_ceil(BLOCK);
        let block = |number: usize| {
            let first = number * BLOCK;
            let block = Block::find(track, first, track.len().min(first + BLOCK))?;
            Some(A::of_block(facts, &block))
        };
        let blocks: Vec<A> = (0..count).into_par_iter().filter_map(block).collect();
        let mut blocks = blocks.into_iter();
        let mut all = blocks.next()?;
        blocks.for_each(|later| all.merge(facts, later));
        Some(all)
    };
    model.tracks.par_iter().map(of_track).collect()
}

/// Whether the commands of each kind are work, by number of the kind.
pub(crate) struct Works(Vec<bool>);

impl Works {
    pub(crate) fn collect(model: &DumpModel<'_>) -> Self {
        // All tracks count in the same kinds.
        let kinds = model.tracks.first().map_or(&[][..], |track| track.kinds);
        Self(kinds.iter().map(|kind| kind.activity.is_work()).collect())
    }

    #[inline]
    pub(crate) fn is_work(&self, kind: u32) -> bool {
        self.0.get(kind as usize).is_some_and(|is_work| *is_work)
    }
}
