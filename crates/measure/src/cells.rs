//! Commands that are alike in all that they may be grouped by, summed once for every grouping.

use std::collections::HashMap;

use bigtpu_timeline::{EngineId, Tag};
use foldhash::fast::RandomState;

use crate::Kind;

use crate::model::Model;
use crate::sweep::{Accumulator, Block, Works, sweep};

/// Commands of one track, kind, kernel, batch and mode. System commands are in none.
#[derive(Debug, Clone)]
pub struct Cell<'a> {
    pub engine_id: EngineId,
    pub kind: &'a Kind,
    /// Its scope is left out.
    pub tag: Tag,
    /// Numbers of the kind and of the tag.
    key: (u32, u32),
    /// Commands.
    pub count: usize,
    /// Bytes moved.
    pub bytes: u64,
    /// Sum of the durations in ns.
    pub total_ns: i64,
}

impl Cell<'_> {
    /// Number of its kind.
    pub(crate) fn kind_number(&self) -> usize {
        self.key.0 as usize
    }

    /// Number of its kernel, batch and mode.
    pub(crate) fn tag_number(&self) -> usize {
        self.key.1 as usize
    }
}

/// All cells of a model.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    cells: Vec<Cell<'a>>,
    /// In order.
    durations: CellDurations,
    /// Cells that are alike but for the track, as one with the first one's track: a fraction where cores do the same.
    of_all_tracks: Vec<Cell<'a>>,
    /// By cell its place among those of all tracks.
    places: Vec<u32>,
    /// Of the short durations.
    blocks: Blocks,
}

/// Short durations that follow one another, and which cells they are of. Durations that are alike are mostly those of a few cells.
#[derive(Debug, Clone, Default)]
struct Blocks {
    /// By block the end of its counts.
    ends: Vec<usize>,
    /// Place of a cell among those of all tracks, and how many durations it has in the block.
    counts: Vec<(u32, u32)>,
}

/// Places of cells with their numbers of durations, or durations in ns with their cells.
type Pairs = [(u32, u32)];

/// Durations of a block.
const BLOCK: usize = 256;

impl Blocks {
    fn of(durations: &[(u32, u32)], places: &[u32]) -> Self {
        let mut blocks = Self::default();
        let mut counts = vec![0u32; places.len()];
        let mut seen: Vec<u32> = Vec::new();
        for block in durations.chunks(BLOCK) {
            for (_, cell) in block {
                let place = places.get(*cell as usize).copied().unwrap_or(0);
                let count = &mut counts[place as usize];
                if *count == 0 {
                    seen.push(place);
                }
                *count += 1;
            }
            let count_of = |place: u32| (place, std::mem::take(&mut counts[place as usize]));
            blocks.counts.extend(seen.drain(..).map(count_of));
            blocks.ends.push(blocks.counts.len());
        }
        blocks.counts.shrink_to_fit();
        blocks
    }
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
            of_all_tracks: Vec::new(),
            places: Vec::new(),
            blocks: Blocks::default(),
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
            let mut known: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
            for (at, block) in track.blocks.into_iter().enumerate() {
                let mut number = |cell: Cell<'a>, sum: CellSum| {
                    let new = all.cells.len() as u32;
                    // The cells of one block are different.
                    let number = match at {
                        0 => new,
                        _ => *known.entry(cell.key).or_insert(new),
                    };
                    if number == new {
                        all.cells.push(Cell { tag: facts.tags.tag(cell.key.1), ..cell });
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
        all.join_tracks();
        all.blocks = Blocks::of(&all.durations.short, &all.places);
        all
    }

    fn join_tracks(&mut self) {
        let Self { cells, of_all_tracks, places, .. } = self;
        let mut known: HashMap<(u32, u32), u32, RandomState> =
            HashMap::with_capacity_and_hasher(cells.len() / 4, RandomState::default());
        places.reserve_exact(cells.len());
        places.extend(cells.iter().map(|cell| {
            let place = *known.entry(cell.key).or_insert(of_all_tracks.len() as u32);
            match of_all_tracks.get_mut(place as usize) {
                Some(sum) => {
                    sum.count += cell.count;
                    sum.bytes += cell.bytes;
                    sum.total_ns += cell.total_ns;
                }
                None => of_all_tracks.push(cell.clone()),
            }
            place
        }));
    }

    /// The cells.
    pub fn iter(&self) -> std::slice::Iter<'_, Cell<'a>> {
        self.cells.iter()
    }

    /// Cells as if all tracks were one.
    pub(crate) fn of_all_tracks(&self) -> &[Cell<'a>] {
        &self.of_all_tracks
    }

    /// By cell its place among those of all tracks.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    /// Durations up to 2^32 ns in blocks, the shortest first: places of cells with the number of their durations in the block, and the
    /// durations in ns with their cells.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&Pairs, &Pairs)> {
        let starts = std::iter::once(&0).chain(&self.blocks.ends);
        let counts = starts.zip(&self.blocks.ends);
        let counts = counts.map(|(start, end)| self.blocks.counts.get(*start..*end).unwrap_or(&[]));
        counts.zip(self.durations.short.chunks(BLOCK))
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
    key: (u32, u32),
    cell: u32,
}

impl<'a, const DURATIONS: bool> Accumulator<'a> for TrackCells<'a, DURATIONS> {
    type Facts = CellFacts;

    fn of_block(facts: &CellFacts, block: &Block<'_, 'a>) -> Self {
        let mut known: HashMap<(u32, u32), u32, RandomState> =
            HashMap::with_capacity_and_hasher(RECENT / 4, RandomState::default());
        // Most commands of a kind have the same kernel, batch and mode as the one before.
        let mut recent = [Recent { key: (u32::MAX, u32::MAX), cell: 0 }; RECENT];
        let mut cells = Vec::with_capacity(RECENT / 4);
        let mut sums: Vec<CellSum> = Vec::with_capacity(RECENT / 4);
        let mut durations = CellDurations::default();
        durations.short.reserve_exact(if DURATIONS { block.start.len() } else { 0 });
        let events = block.start.iter().zip(block.end).zip(block.kind).zip(block.tag);
        for (event, (((&start, &end), &kind), &tag)) in events.enumerate() {
            if !facts.works.is_work(kind) {
                continue;
            }
            let key = (kind, facts.tags.number(tag));
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
                sum.bytes += block.columns.bytes(block.first + event);
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
