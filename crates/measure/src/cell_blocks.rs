//! The cells of a track, from one pass over its events, block by block.

use std::collections::HashMap;

use bigtpu_timeline::Tag;
use foldhash::fast::RandomState;

use crate::CommandKind;
use crate::engine_track::EngineTrack;
use crate::model::DumpModel;
use crate::sweep::{Accumulator, Block, Works};

/// What commands of a cell of a track have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CellKey {
    /// Number of the kind.
    pub(crate) kind: u32,
    /// Number of kernel, batch and mode.
    pub(crate) tag: u32,
    /// [`size_bits`] of the bytes.
    pub(crate) size: u32,
}

/// Bits of a number of bytes or operations: numbers that have as many are about as large.
#[must_use]
#[inline]
pub fn size_bits(amount: u64) -> u32 {
    u64::BITS - amount.leading_zeros()
}

/// What cells need to know of a model.
pub(crate) struct CellFacts<'a> {
    tags: ScopelessTags<'a>,
    works: Works,
    kinds: &'a [CommandKind],
}

impl<'a> CellFacts<'a> {
    pub(crate) fn new(model: &DumpModel<'a>) -> Self {
        // All tracks count in the same kinds.
        let kinds = model.tracks.first().map_or(&[][..], |track| track.kinds);
        Self { tags: ScopelessTags::collect(model.tags), works: Works::collect(model), kinds }
    }

    /// Kind and tag of a cell.
    pub(crate) fn of_key(&self, key: CellKey) -> Option<(&'a CommandKind, &'a Tag)> {
        self.kinds.get(key.kind as usize).zip(self.tags.tags.get(key.tag as usize).copied())
    }
}

/// What commands of a cell have in all.
#[derive(Clone, Copy)]
pub(crate) struct CellSum {
    pub(crate) key: CellKey,
    pub(crate) count: u32,
    pub(crate) bytes: u64,
    /// Sum of the durations in ns.
    pub(crate) total_ns: i64,
}

/// One track's cells.
pub(crate) struct TrackCells<const DURATIONS: bool> {
    /// In the order of their first commands.
    pub(crate) sums: Vec<CellSum>,
    /// Numbers of these; of one block none are needed.
    known: Option<KeyNumbers>,
    /// The cells of the commands, block by block; nothing if no one asks for durations.
    pub(crate) blocks: Vec<BlockNumbers>,
}

/// Which cells the commands of a block are of. A cell of a block has a number of 16 bits.
#[derive(Debug, Clone)]
pub(crate) struct BlockNumbers {
    /// Index of the block's first event.
    first: usize,
    /// Cell of each event, as its number in the block, or [`NO_CELL`].
    cells: Vec<u16>,
    /// Number that each cell of the block has in the track; empty for the first block, which begins the track's cells.
    of_track: Vec<u32>,
}

/// Stands for the cell of a system command. No block has as many events.
const NO_CELL: u16 = u16::MAX;

impl BlockNumbers {
    /// Shows duration in ns and cell of each command. `track`: that of the block.
    #[inline]
    pub(crate) fn each(&self, track: &EngineTrack<'_>, mut show: impl FnMut(i64, u32)) {
        let events = self.first..self.first + self.cells.len();
        let start = track.events.start.get(events.clone()).unwrap_or_default();
        let end = track.events.end.get(events).unwrap_or_default();
        for ((start, end), &cell) in start.iter().zip(end).zip(&self.cells) {
            if cell != NO_CELL {
                let of_track = self.of_track.get(usize::from(cell)).copied();
                show(end.max(start) - start, of_track.unwrap_or(cell.into()));
            }
        }
    }
}

impl<'a, const DURATIONS: bool> Accumulator<'a> for TrackCells<DURATIONS> {
    type Facts = CellFacts<'a>;

    fn of_block(facts: &CellFacts<'a>, block: &Block<'_, 'a>) -> Self {
        let mut known = KeyNumbers::new(block.start.len().min(4 * facts.kinds.len()));
        let mut sums: Vec<CellSum> = Vec::new();
        let mut cells = Vec::with_capacity(if DURATIONS { block.start.len() } else { 0 });
        let events = block.start.iter().zip(block.end).zip(block.kind).zip(block.tag);
        for (event, (((&start, &end), &kind), &tag)) in events.enumerate() {
            if !facts.works.is_work(kind) {
                if DURATIONS {
                    cells.push(NO_CELL);
                }
                continue;
            }
            let bytes = block.columns.bytes(block.first + event);
            let key = CellKey { kind, tag: facts.tags.number(tag), size: size_bits(bytes) };
            let cell = known.number(key);
            let total_ns = end.max(start) - start;
            match sums.get_mut(cell as usize) {
                Some(sum) => {
                    sum.count += 1;
                    sum.bytes += bytes;
                    sum.total_ns += total_ns;
                }
                None => sums.push(CellSum { key, count: 1, bytes, total_ns }),
            }
            if DURATIONS {
                cells.push(cell as u16);
            }
        }
        sums.shrink_to_fit();
        let numbers = BlockNumbers { first: block.first, cells, of_track: Vec::new() };
        let blocks = if DURATIONS { vec![numbers] } else { Vec::new() };
        Self { sums, known: None, blocks }
    }

    fn merge(&mut self, _: &CellFacts<'a>, later: Self) {
        let Self { sums, known, blocks } = self;
        let known = known.get_or_insert_with(|| {
            let mut known = KeyNumbers::new(2 * sums.len());
            sums.iter().for_each(|sum| _ = known.number(sum.key));
            known
        });
        let number = |own: CellSum| {
            let number = known.number(own.key);
            match sums.get_mut(number as usize) {
                Some(sum) => {
                    sum.count += own.count;
                    sum.bytes += own.bytes;
                    sum.total_ns += own.total_ns;
                }
                None => sums.push(own),
            }
            number
        };
        let of_track: Vec<u32> = later.sums.into_iter().map(number).collect();
        let block = later.blocks.into_iter().next();
        blocks.extend(block.map(|block| BlockNumbers { of_track, ..block }));
    }
}

/// Numbers of keys in the order in which they come first.
pub(crate) struct KeyNumbers {
    /// Keys in the order of their numbers.
    keys: Vec<CellKey>,
    /// Number, counted from 1, of the key that came last of those that belong to a place, by place; 0 where none came.
    recent: Vec<u32>,
    /// Keys that another one took the place of.
    others: HashMap<CellKey, u32, RandomState>,
}

/// Most places: they are to stay in the processor's cache.
const MOST_PLACES: usize = 1 << 14;

impl KeyNumbers {
    /// With about so many places: with twice as many as there are keys most have one of their own.
    pub(crate) fn new(places: usize) -> Self {
        let places = places.min(MOST_PLACES).next_power_of_two();
        Self { keys: Vec::new(), recent: vec![0; places], others: HashMap::default() }
    }

    /// The number of a key: that of the last one and 1 if it comes first.
    #[inline]
    pub(crate) fn number(&mut self, key: CellKey) -> u32 {
        // Numbers of kinds and tags are small: those of a kind are to be apart.
        let CellKey { kind, tag, size } = key;
        let place =
            kind.wrapping_add(tag.wrapping_mul(0x9e5)).wrapping_add(size.wrapping_mul(0x3d1));
        let place = place as usize & (self.recent.len() - 1);
        let number = self.recent[place].wrapping_sub(1);
        match self.keys.get(number as usize) {
            Some(known) if *known == key => number,
            other => self.look_up(place, other.map(|other| (*other, number)), key),
        }
    }

    /// The number of a key whose place is free, or another one has it.
    fn look_up(&mut self, place: usize, other: Option<(CellKey, u32)>, key: CellKey) -> u32 {
        // Where no other one was, the key wasn't either.
        let known = other.and_then(|(other, number)| {
            self.others.insert(other, number);
            self.others.get(&key).copied()
        });
        let number = known.unwrap_or_else(|| {
            self.keys.push(key);
            (self.keys.len() - 1) as u32
        });
        self.recent[place] = number + 1;
        number
    }
}

/// Tags by what is left of them without their scopes: every launch has a tag of its own.
struct ScopelessTags<'a> {
    /// Number of each tag.
    numbers: Vec<u32>,
    /// First tag of each number.
    tags: Vec<&'a Tag>,
}

impl<'a> ScopelessTags<'a> {
    fn collect(all: &'a [Tag]) -> Self {
        let mut known: HashMap<Tag, u32, RandomState> = HashMap::default();
        let mut tags = Vec::new();
        let numbers = all.iter().map(|tag| {
            *known.entry(Tag { scope: None, ..*tag }).or_insert_with(|| {
                tags.push(tag);
                (tags.len() - 1) as u32
            })
        });
        Self { numbers: numbers.collect(), tags }
    }

    #[inline]
    fn number(&self, tag: u32) -> u32 {
        self.numbers.get(tag as usize).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Keys that share a place among them.
        #[test]
        fn keys_are_numbered_as_they_come(keys in prop::collection::vec((0u32..9, 0u32..4, 0u32..2), 0..80), places in 0usize..40) {
            let mut numbers = KeyNumbers::new(places);
            let mut known: Vec<CellKey> = Vec::new();
            for (kind, tag, size) in keys {
                let key = CellKey { kind, tag, size };
                let expected = known.iter().position(|other| *other == key).unwrap_or(known.len());
                prop_assert_eq!(numbers.number(key) as usize, expected);
                if expected == known.len() {
                    known.push(key);
                }
            }
        }
    }
}
