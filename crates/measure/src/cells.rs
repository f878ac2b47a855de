//! Commands that are alike in all that they may be grouped by, summed once for every grouping.

use std::collections::HashMap;

use bigtpu_timeline::{EngineId, Tag};
use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::{EngineTrack, Kind};

use crate::model::Model;

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
    fn add(&mut self, ns: i64, cell: u32) {
        match u32::try_from(ns) {
            Ok(short) => self.short.push((short, cell)),
            Err(_) => self.long.push((ns, cell)),
        }
    }

    /// Adds those of a track, whose cells are numbered from `first` on.
    fn append(&mut self, track: Self, first: u32) {
        self.short.extend(track.short.into_iter().map(|(ns, cell)| (ns, first + cell)));
        self.long.extend(track.long.into_iter().map(|(ns, cell)| (ns, first + cell)));
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
        Self::new(model, true)
    }

    /// The same without durations, for those who ask for sums only.
    pub fn without_durations(model: &Model<'a>) -> Self {
        Self::new(model, false)
    }

    fn new(model: &Model<'a>, has_durations: bool) -> Self {
        let tags = ScopelessTags::of(model.tags);
        let of_track = |track| TrackCells::of(model, track, &tags, has_durations);
        let tracks: Vec<TrackCells<'a>> = model.tracks.par_iter().map(of_track).collect();
        let mut all = Self {
            cells: Vec::with_capacity(tracks.iter().map(|t| t.cells.len()).sum()),
            durations: CellDurations::default(),
            of_all_tracks: Vec::new(),
            places: Vec::new(),
            blocks: Blocks::default(),
        };
        all.durations.short.reserve_exact(tracks.iter().map(|t| t.durations.short.len()).sum());
        for track in tracks {
            let first = all.cells.len() as u32;
            all.cells.extend(track.cells);
            all.durations.append(track.durations, first);
        }
        all.durations.sort();
        all.join_tracks();
        all.blocks = Blocks::of(&all.durations.short, &all.places);
        all
    }

    fn join_tracks(&mut self) {
        let Self { cells, of_all_tracks, places, .. } = self;
        let mut known: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
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

/// One track's cells, and duration and cell of each command.
struct TrackCells<'a> {
    cells: Vec<Cell<'a>>,
    durations: CellDurations,
}

impl<'a> TrackCells<'a> {
    fn of(
        model: &Model<'a>,
        track: &EngineTrack<'a>,
        tags: &ScopelessTags,
        has_durations: bool,
    ) -> Self {
        let mut known: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
        // By kind the tag that it had last, and the cell: most commands of a kind have the same.
        let mut last = vec![(u32::MAX, 0); track.kinds.len()];
        let mut cells: Vec<Cell<'a>> = Vec::new();
        let mut durations = CellDurations::default();
        durations.short.reserve_exact(if has_durations { track.len() } else { 0 });
        for event in model.events(track).filter(|e| e.kind.activity.is_work()) {
            let kind = track.columns.kind.get(event.index).copied().unwrap_or(0);
            let tag = tags.number(event.tag());
            let new = || {
                cells.push(Cell {
                    engine_id: track.engine_id,
                    kind: event.kind,
                    tag: tags.tag(tag),
                    key: (kind, tag),
                    count: 0,
                    bytes: 0,
                    total_ns: 0,
                });
                (cells.len() - 1) as u32
            };
            let last = &mut last[kind as usize];
            if last.0 != tag {
                *last = (tag, *known.entry((kind, tag)).or_insert_with(new));
            }
            let number = last.1;
            let cell = &mut cells[number as usize];
            cell.count += 1;
            cell.bytes += event.bytes();
            cell.total_ns += event.ns();
            if has_durations {
                durations.add(event.ns(), number);
            }
        }
        Self { cells, durations }
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

    fn number(&self, tag: u32) -> u32 {
        self.numbers.get(tag as usize).copied().unwrap_or(0)
    }

    fn tag(&self, number: u32) -> Tag {
        self.tags.get(number as usize).copied().unwrap_or_default()
    }
}
