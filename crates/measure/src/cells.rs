//! Commands that are alike in all that they may be grouped by, summed once for every grouping.

use bigtpu_timeline::{EngineId, Tag};

use crate::CommandKind;
use crate::cell_blocks::{BlockNumbers, CellFacts, CellKey, CellSum, TrackCells};
use crate::margins::{Margins, Pairs};
use crate::model::DumpModel;
use crate::sweep::sweep;

/// Commands of one track, kind, kernel, batch, mode, and bits of the number of bytes. System commands are in none.
#[derive(Debug, Clone)]
pub struct TotalsCell<'a> {
    /// The track.
    pub engine_id: EngineId,
    /// What its commands are.
    pub kind: &'a CommandKind,
    /// Its scope means nothing: that of other commands may be another one.
    pub tag: &'a Tag,
    key: CellKey,
    /// Commands.
    pub count: usize,
    /// Bytes moved.
    pub bytes: u64,
    /// Sum of the durations in ns.
    pub total_ns: i64,
}

impl<'a> TotalsCell<'a> {
    fn from_sum(facts: &CellFacts<'a>, engine_id: EngineId, sum: &CellSum) -> Option<Self> {
        let &CellSum { key, count, bytes, total_ns } = sum;
        let (kind, tag) = facts.of_key(key)?;
        Some(Self { engine_id, kind, tag, key, count: count as usize, bytes, total_ns })
    }

    /// Number of its kind, as [`crate::CommandTable::kinds`] counts.
    #[must_use]
    pub fn kind_number(&self) -> usize {
        self.key.kind as usize
    }

    /// Number of its kernel, batch and mode.
    pub(crate) fn tag_number(&self) -> usize {
        self.key.tag as usize
    }

    /// [`crate::size_bits`] of the bytes of each of its commands.
    #[must_use]
    pub fn size_bits(&self) -> u32 {
        self.key.size
    }
}

/// All cells of a model.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    cells: Vec<TotalsCell<'a>>,
    /// The cells of the events of each block, until the durations are sorted.
    blocks: Vec<CellsOfBlock>,
    /// In order.
    durations: CellDurations,
    margins: Margins<'a>,
}

/// The cells of the events of a block.
#[derive(Debug, Clone)]
struct CellsOfBlock {
    /// Place of its track in the model.
    track: usize,
    /// Number of the track's first cell.
    first: u32,
    numbers: BlockNumbers,
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

    fn sort(&mut self) {
        // Most durations are small: two or three passes over their digits.
        radsort::sort_by_key(&mut self.short, |(ns, _)| *ns);
        self.long.sort_by_key(|(ns, _)| *ns);
    }
}

impl<'a> Cells<'a> {
    /// Collects the cells of all tracks, in parallel.
    pub fn collect(model: &DumpModel<'a>) -> Self {
        let facts = CellFacts::new(model);
        let mut cells = Self::of_tracks(model, &facts, sweep::<TrackCells<true>>(model, &facts));
        cells.sort_durations(model);
        cells
    }

    /// Collects the cells of all tracks without durations, for callers that need sums only.
    pub fn without_durations(model: &DumpModel<'a>) -> Self {
        let facts = CellFacts::new(model);
        Self::of_tracks(model, &facts, sweep::<TrackCells<false>>(model, &facts))
    }

    /// Builds the cells from what a pass found of each track; the durations are still to be sorted.
    pub(crate) fn of_tracks<const DURATIONS: bool>(
        model: &DumpModel<'a>,
        facts: &CellFacts<'a>,
        tracks: Vec<Option<TrackCells<DURATIONS>>>,
    ) -> Self {
        let mut cells = Vec::new();
        let mut blocks = Vec::new();
        cells.reserve_exact(tracks.iter().flatten().map(|track| track.sums.len()).sum());
        for ((place, own), track) in model.tracks.iter().enumerate().zip(tracks) {
            let Some(track) = track else { continue };
            let first = cells.len() as u32;
            cells.extend(
                track.sums.iter().filter_map(|sum| TotalsCell::from_sum(facts, own.engine_id, sum)),
            );
            let of_block = |numbers| CellsOfBlock { track: place, first, numbers };
            blocks.extend(track.blocks.into_iter().map(of_block));
        }
        let (durations, margins) = (CellDurations::default(), Margins::default());
        Self { cells, blocks, durations, margins }
    }

    /// Sorts the durations, without which commands can't be grouped. `model`: that of the cells. This takes 16 bytes for each command
    /// for a moment, and 8 from then on.
    pub fn sort_durations(&mut self, model: &DumpModel<'a>) {
        let blocks = std::mem::take(&mut self.blocks);
        let mut durations = CellDurations::default();
        durations.short.reserve_exact(self.cells.iter().map(|cell| cell.count).sum());
        for CellsOfBlock { track, first, numbers } in blocks {
            let Some(track) = model.tracks.get(track) else { continue };
            numbers.each(track, |ns, cell| durations.add(ns, first + cell));
        }
        durations.sort();
        self.margins = Margins::add_up(&self.cells, &durations.short);
        self.durations = durations;
    }

    /// The cells.
    pub fn iter(&self) -> std::slice::Iter<'_, TotalsCell<'a>> {
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
