//! Commands that are alike in all that they may be grouped by, summed once for every grouping.

use std::collections::HashMap;

use bigtpu_timeline::{EngineId, Tag};
use foldhash::fast::RandomState;

use crate::Kind;

use crate::margins::{Margins, Pairs};
use crate::model::Model;
use crate::sweep::{Accumulator, Block, Works, sweep};

/// Commands of one track, kind, kernel, batch, mode, and bits of the number of bytes. System commands are in none.
#[derive(Debug, Clone)]
pub struct Cell<'a> {
    /// The track.
    pub engine_id: EngineId,
    /// What its commands are.
    pub kind: &'a Kind,
    /// Its scope is left out.
    pub tag: Tag,
    key: CellKey,
    /// Commands.
    pub count: usize,
    /// Bytes moved.
    pub bytes: u64,
    /// Sum of the durations in ns.
    pub total_ns: i64,
}

/// What commands of a cell of a track have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CellKey {
    /// Number of the kind.
    kind: u32,
    /// Number of kernel, batch and mode.
    tag: u32,
    /// [`size_bits`] of the bytes.
    size: u32,
}

/// Bits of a number of bytes or operations: numbers that have as many are about as large.
#[must_use]
#[inline]
pub fn size_bits(amount: u64) -> u32 {
    u64::BITS - amount.leading_zeros()
}

impl Cell<'_> {
    /// Number of its kind, as [`crate::CommandTable::kinds`] counts.
    #[must_use]
    pub fn kind_number(&self) -> usize {
        self.key.kind as usize
    }

    /// Number of its kernel, batch and mode.
    pub(crate) fn tag_number(&self) -> usize {
        self.key.tag as usize
    }

    /// [`size_bits`] of the bytes of each of its commands.
    #[must_use]
    pub fn size_bits(&self) -> u32 {
        self.key.size
    }
}

/// All cells of a model.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    cells: Vec<Cell<'a>>,
    /// In order.
    durations: CellDurations,
    margins: Margins<'a>,
}

/// Durations of commands in ns, each with the number of its cell. A run has millions: those that fit take 8 bytes.
#[derive(Debug, Clone, Default)]
struct CellDurations {
    short: Vec<(u32, u32)>,
    long: Vec<(i64, u32)>,
}

impl CellDurations {
    #[inline]
    fn add(&mut self, ns: i64, cell: u32) {
        match u32::try_from(ns) {
            Ok(short) => self.short.push((short, cell)),
            Err(_) => self.long.push((ns, cell)),
        }
    }

    /// Adds others, whose cells have other numbers here.
    fn append(&mut self, others: &Self, number: impl Fn(u32) -> u32) {
        self.short.extend(others.short.iter().map(|(ns, cell)| (*ns, number(*cell))));
        self.long.extend(others.long.iter().map(|(ns, cell)| (*ns, number(*cell))));
    }

    fn sort(&mut self) {
        // Most durations are small: two or three passes over their digits.
        radsort::sort_by_key(&mut self.short, |(ns, _)| *ns);
        self.long.sort_by_key(|(ns, _)| *ns);
    }
}

impl<'a> Cells<'a> {
    /// Of all tracks, in parallel.
    pub fn of(model: &Model<'a>) -> Self {
        let facts = CellFacts::of(model);
        Self::of_tracks(&facts, sweep::<TrackCells<'a, true>>(model, &facts))
    }

    /// The same without durations, for those who ask for sums only.
    pub fn without_durations(model: &Model<'a>) -> Self {
        let facts = CellFacts::of(model);
        Self::of_tracks(&facts, sweep::<TrackCells<'a, false>>(model, &facts))
    }

    /// Of what a pass found of each track.
    pub(crate) fn of_tracks<const DURATIONS: bool>(
        facts: &CellFacts,
        tracks: Vec<Option<TrackCells<'a, DURATIONS>>>,
    ) -> Self {
        let mut all = Self {
            cells: Vec::new(),
            durations: CellDurations::default(),
            margins: Margins::default(),
        };
        let blocks = || tracks.iter().flatten().flat_map(|track| &track.blocks);
        all.durations.short.reserve_exact(blocks().map(|block| block.durations.short.len()).sum());
        all.cells.reserve(
            tracks
                .iter()
                .flatten()
                .filter_map(|track| Some(track.blocks.first()?.cells.len()))
                .sum(),
        );
        for track in tracks.into_iter().flatten() {
            let is_several = track.blocks.len() > 1;
            let first = all.cells.len() as u32;
            let mut known: HashMap<CellKey, u32, RandomState> = HashMap::default();
            for (at, block) in track.blocks.into_iter().enumerate() {
                let mut number = |cell: Cell<'a>, sum: CellSum| {
                    let new = all.cells.len() as u32;
                    // The cells of one block are different.
                    let number = match at {
                        0 => new,
                        _ => *known.entry(cell.key).or_insert(new),
                    };
                    if number == new {
                        all.cells.push(Cell { tag: facts.tags.tag(cell.key.tag), ..cell });
                    }
                    if let Some(cell) = all.cells.get_mut(number as usize) {
                        cell.count += sum.count as usize;
                        cell.bytes += sum.bytes;
                        cell.total_ns += sum.total_ns;
                    }
                    number
                };
                let cells = block.cells.into_iter().zip(block.sums);
                let numbers: Vec<u32> = cells.map(|(cell, sum)| number(cell, sum)).collect();
                if at == 0 {
                    all.durations.append(&block.durations, |cell| first + cell);
                    if is_several {
                        let cells = all.cells.iter().zip(0..).skip(first as usize);
                        known.extend(cells.map(|(cell, number)| (cell.key, number)));
                    }
                } else {
                    let number = |cell: u32| numbers.get(cell as usize).copied().unwrap_or(0);
                    all.durations.append(&block.durations, number);
                }
            }
        }
        all.durations.sort();
        all.margins = Margins::of(&all.cells, &all.durations.short);
        all
    }

    /// The cells.
    pub fn iter(&self) -> std::slice::Iter<'_, Cell<'a>> {
        self.cells.iter()
    }

    /// The cells by one side.
    pub(crate) fn margins(&self) -> &Margins<'a> {
        &self.margins
    }

    /// Durations up to 2^32 ns with their cells, the shortest first.
    pub(crate) fn short_durations(&self) -> &Pairs {
        &self.durations.short
    }

    /// Longer durations in ns with their cells, the shortest first.
    pub(crate) fn long_durations(&self) -> &[(i64, u32)] {
        &self.durations.long
    }

    /// Shows duration in ns and cell of each command, the shortest first.
    #[inline]
    pub(crate) fn for_each_duration(&self, mut show: impl FnMut(i64, u32)) {
        self.durations.short.iter().for_each(|&(ns, cell)| show(ns.into(), cell));
        self.durations.long.iter().for_each(|&(ns, cell)| show(ns, cell));
    }
}

/// What cells need to know of a model.
pub(crate) struct CellFacts {
    tags: ScopelessTags,
    works: Works,
}

impl CellFacts {
    pub(crate) fn of(model: &Model<'_>) -> Self {
        Self { tags: ScopelessTags::of(model.tags), works: Works::of(model) }
    }
}

/// One track's cells, block by block.
pub(crate) struct TrackCells<'a, const DURATIONS: bool> {
    blocks: Vec<BlockCells<'a>>,
}

/// A block's cells, and duration and cell of each command.
struct BlockCells<'a> {
    /// Without their tags, counts and sums.
    cells: Vec<Cell<'a>>,
    /// By cell.
    sums: Vec<CellSum>,
    durations: CellDurations,
}

/// What commands of a cell have in all.
#[derive(Clone, Copy, Default)]
struct CellSum {
    count: u64,
    bytes: u64,
    total_ns: i64,
}

/// Kinds of commands whose cell is found again without a search.
const RECENT: usize = 256;

/// The cell that a kind was in last.
#[derive(Clone, Copy)]
struct Recent {
    key: CellKey,
    cell: u32,
}

impl Recent {
    /// Of no command.
    const NONE: Self =
        Self { key: CellKey { kind: u32::MAX, tag: u32::MAX, size: u32::MAX }, cell: 0 };
}

impl<'a, const DURATIONS: bool> Accumulator<'a> for TrackCells<'a, DURATIONS> {
    type Facts = CellFacts;

    fn of_block(facts: &CellFacts, block: &Block<'_, 'a>) -> Self {
        let mut known: HashMap<CellKey, u32, RandomState> =
            HashMap::with_capacity_and_hasher(RECENT / 4, RandomState::default());
        // Most commands of a kind have the same kernel, batch and mode as the one before.
        let mut recent = [Recent::NONE; RECENT];
        let mut cells = Vec::with_capacity(RECENT / 4);
        let mut sums: Vec<CellSum> = Vec::with_capacity(RECENT / 4);
        let mut durations = CellDurations::default();
        durations.short.reserve_exact(if DURATIONS { block.start.len() } else { 0 });
        let events = block.start.iter().zip(block.end).zip(block.kind).zip(block.tag);
        for (event, (((&start, &end), &kind), &tag)) in events.enumerate() {
            if !facts.works.is_work(kind) {
                continue;
            }
            let bytes = block.columns.bytes(block.first + event);
            let key = CellKey { kind, tag: facts.tags.number(tag), size: size_bits(bytes) };
            let last = &mut recent[kind as usize % RECENT];
            if last.key != key {
                let new = || {
                    cells.extend(block.kinds.get(kind as usize).map(|kind| Cell {
                        engine_id: block.engine_id,
                        kind,
                        tag: Tag::default(),
                        key,
                        count: 0,
                        bytes: 0,
                        total_ns: 0,
                    }));
                    sums.push(CellSum::default());
                    (sums.len() - 1) as u32
                };
                *last = Recent { key, cell: *known.entry(key).or_insert_with(new) };
            }
            let ns = end.max(start) - start;
            if let Some(sum) = sums.get_mut(last.cell as usize) {
                sum.count += 1;
                sum.bytes += bytes;
                sum.total_ns += ns;
            }
            if DURATIONS {
                durations.add(ns, last.cell);
            }
        }
        Self { blocks: vec![BlockCells { cells, sums, durations }] }
    }

    fn reserve<'l>(&mut self, _: impl Iterator<Item = &'l Self> + Clone)
    where
        Self: 'l,
    {
    }

    fn merge(&mut self, _: &CellFacts, later: Self) {
        self.blocks.extend(later.blocks);
    }
}

/// Tags by what is left of them without their scopes: every launch has a tag of its own.
struct ScopelessTags {
    numbers: Vec<u32>,
    tags: Vec<Tag>,
}

impl ScopelessTags {
    fn of(all: &[Tag]) -> Self {
        let mut known: HashMap<Tag, u32, RandomState> = HashMap::default();
        let mut tags = Vec::new();
        let numbers = all.iter().map(|tag| {
            let tag = Tag { scope: None, ..*tag };
            *known.entry(tag).or_insert_with(|| {
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

    fn tag(&self, number: u32) -> Tag {
        self.tags.get(number as usize).copied().unwrap_or_default()
    }
}
