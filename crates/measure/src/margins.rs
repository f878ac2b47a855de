//! Cells of one kind, of one kernel, batch and mode, or of one track taken together: what groupings by one key are made of.

use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::cells::TotalsCell;

/// What decides a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// What a command is.
    Kind,
    /// Kernel, batch and mode.
    Tag,
    /// Core or port, and engine.
    Track,
}

/// Sums over commands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sum {
    pub(crate) count: usize,
    pub(crate) engine_ns: [i64; 4],
    pub(crate) ops: i128,
    pub(crate) uarch_ops: i128,
    pub(crate) bytes: u64,
}

impl Sum {
    pub(crate) fn from_cell(cell: &TotalsCell<'_>) -> Self {
        let work = cell.kind.work();
        let mut sum = Self { count: cell.count, bytes: cell.bytes, ..Self::default() };
        sum.engine_ns[cell.kind.engine as usize] = cell.total_ns;
        sum.ops = work.alg_ops * cell.count as i128;
        sum.uarch_ops = work.uarch_ops * cell.count as i128;
        sum
    }

    pub(crate) fn total_ns(&self) -> i64 {
        self.engine_ns.iter().sum()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let all_ns = self.engine_ns.iter_mut().zip(other.engine_ns);
        all_ns.for_each(|(all, ns)| *all += ns);
        self.count += other.count;
        self.ops += other.ops;
        self.uarch_ops += other.uarch_ops;
        self.bytes += other.bytes;
    }
}

/// Numbers of margins' parts with their numbers of durations, or durations in ns with their cells.
pub(crate) type Pairs = [(u32, u32)];

/// Cells in parts that have one side in common.
#[derive(Debug, Clone, Default)]
pub(crate) struct Margin<'a> {
    /// First cell of each part, and the sums over all its cells.
    parts: Vec<(TotalsCell<'a>, Sum)>,
    /// End of each block's counts, by block of durations.
    ends: Vec<usize>,
    /// Number of a part, and how many durations it has in the block.
    counts: Vec<(u32, u32)>,
}

/// The margins of all sides, and the short durations that they count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Margins<'a> {
    /// Margin of each [`Side`].
    all: [Margin<'a>; 3],
    /// Number of the part that a cell belongs to, for each side, by cell.
    parts: Vec<[u32; 3]>,
    /// Durations of a block.
    block: usize,
}

impl<'a> Margins<'a> {
    /// Sums up cells, and counts short durations, which are in order, each with the number of its cell. Durations that
    /// follow one another are counted in blocks: most of them are those of a few parts.
    pub(crate) fn add_up(cells: &[TotalsCell<'a>], durations: &Pairs) -> Self {
        // A percentile costs a look at a block, and each block one at its counts.
        let block = durations.len().isqrt().max(1);
        let mut all = Self { block, ..Self::default() };
        all.add_cells(cells);
        let mut counting = all.all.each_ref().map(|margin| Counting::new(margin.parts.len()));
        for block in durations.chunks(block) {
            let [of_kind, of_tag, of_track] = &mut counting;
            for (_, cell) in block {
                let Some([kind, tag, track]) = all.parts.get(*cell as usize) else { continue };
                of_kind.add(*kind);
                of_tag.add(*tag);
                of_track.add(*track);
            }
            for (margin, counting) in all.all.iter_mut().zip(&mut counting) {
                counting.take(&mut margin.counts);
                margin.ends.push(margin.counts.len());
            }
        }
        all
    }

    fn add_cells(&mut self, cells: &[TotalsCell<'a>]) {
        let (mut kinds, mut tags) = (Numbers::default(), Numbers::default());
        let mut tracks: HashMap<EngineId, u32> = HashMap::default();
        self.parts.reserve_exact(cells.len());
        for cell in cells {
            let [of_kind, of_tag, of_track] = &mut self.all;
            let next = of_track.parts.len() as u32;
            let parts = [
                kinds.number(cell.kind_number()),
                tags.number(cell.tag_number()),
                *tracks.entry(cell.engine_id).or_insert(next),
            ];
            let own = Sum::from_cell(cell);
            for (margin, part) in [of_kind, of_tag, of_track].into_iter().zip(parts) {
                match margin.parts.get_mut(part as usize) {
                    Some((_, sum)) => sum.add(&own),
                    None => margin.parts.push((cell.clone(), own.clone())),
                }
            }
            self.parts.push(parts);
        }
    }

    /// The parts of a side: their first cells, and sums.
    pub(crate) fn parts(&self, side: Side) -> impl Iterator<Item = (&TotalsCell<'a>, &Sum)> {
        self.all[side as usize].parts.iter().map(|(cell, sum)| (cell, sum))
    }

    /// The part of a side that a cell belongs to.
    #[inline]
    pub(crate) fn part(&self, side: Side, cell: u32) -> Option<u32> {
        self.parts.get(cell as usize).map(|parts| parts[side as usize])
    }

    /// The durations that this was made of in blocks, the shortest first: numbers of a side's parts with the number of their durations
    /// in the block, and the durations in ns with their cells.
    pub(crate) fn blocks<'m>(
        &'m self,
        side: Side,
        durations: &'m Pairs,
    ) -> impl Iterator<Item = (&'m Pairs, &'m Pairs)> {
        let Margin { ends, counts, .. } = &self.all[side as usize];
        let starts = std::iter::once(&0).chain(ends);
        let counts = starts.zip(ends).map(|(start, end)| counts.get(*start..*end).unwrap_or(&[]));
        counts.zip(durations.chunks(self.block.max(1)))
    }
}

/// Durations of a block by part.
struct Counting {
    /// Number of durations, by part.
    counts: Vec<u32>,
    /// Parts that have any.
    seen: Vec<u32>,
}

impl Counting {
    fn new(parts: usize) -> Self {
        Self { counts: vec![0; parts], seen: Vec::new() }
    }

    #[inline]
    fn add(&mut self, part: u32) {
        let Some(count) = self.counts.get_mut(part as usize) else { return };
        if *count == 0 {
            self.seen.push(part);
        }
        *count += 1;
    }

    /// Appends the parts that have any with their counts, and begins the next block.
    fn take(&mut self, to: &mut Vec<(u32, u32)>) {
        let counts = &mut self.counts;
        let count = |part: u32| (part, counts.get_mut(part as usize).map_or(0, std::mem::take));
        to.extend(self.seen.drain(..).map(count));
    }
}

/// Small numbers in order of first appearance.
#[derive(Default)]
struct Numbers {
    known: Vec<Option<u32>>,
    count: u32,
}

impl Numbers {
    fn number(&mut self, of: usize) -> u32 {
        if self.known.len() <= of {
            self.known.resize(of + 1, None);
        }
        *self.known[of].get_or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }
}
