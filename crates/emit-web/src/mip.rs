//! Levels of detail: a track's slices merged into buckets of equal width, so that the page draws no more
//! quads than the screen has columns.

use serde::Serialize;

use crate::chunk::Chunk;
use crate::column::Column;

/// What a level needs to know of a track's slices; rows in the track's order.
#[derive(Debug, Default)]
pub(crate) struct Slices {
    /// ns since the page's start.
    pub(crate) start: Vec<i64>,
    /// ns.
    pub(crate) dur: Vec<i64>,
    pub(crate) name: Vec<u32>,
    /// Whether each name is work, and no system command.
    pub(crate) is_work: Vec<bool>,
    pub(crate) tag: Vec<u32>,
    /// Empty where all are in lane 0.
    pub(crate) lane: Vec<u32>,
    /// Engines only; empty otherwise.
    pub(crate) rates: Vec<Rates>,
}

/// What an engine did during a command.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Rates {
    /// uArch rate, or the share of peak bandwidth: 0 to 1.
    pub(crate) high: f32,
    /// Bytes that count for DDR bandwidth.
    pub(crate) ddr: u64,
    /// Bytes that count for L2M bandwidth.
    pub(crate) l2: u64,
    /// ns beyond what the bits of the command explain.
    pub(crate) lost: i64,
}

/// A level: the slices of a track merged into buckets of one width.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct MipHead {
    /// Width of a bucket in ns.
    #[serde(rename = "bucketNs")]
    pub(crate) bucket_ns: i64,
    /// A row for each bucket that holds anything, sorted by (lane, at). Columns `lane`, `at` (number of the bucket, which starts at
    /// `at * bucketNs`), `busy` (ns in the bucket covered by slices), `count` (slices that start in it), `name` and `tag` (of the slice
    /// that takes most of it), and for engines `high` (uArch rate or share of the peak bandwidth: mean over busy time, 0 to 1), `ddr`
    /// and `l2` (bytes that count for bandwidth; GB/s over the bucket are bytes / bucketNs), `lost` (ns in it beyond what the bits
    /// explain).
    pub(crate) chunk: Chunk,
}

/// Tracks with fewer slices are drawn as they are.
const FEW: usize = 8192;

/// The coarsest level has about so many buckets.
const COARSEST: usize = 1024;

/// From one level to the next.
const STEP: i64 = 4;

/// A bucket with the slices in it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Bucket {
    lane: u32,
    at: i64,
    busy: i64,
    count: u32,
    /// ns of work.
    work: i64,
    /// The slice that takes most of the bucket, among system commands and among work: its ns, name and tag.
    most: [Option<(i64, u32, u32)>; 2],
    /// `high` times ns.
    high: f64,
    ddr: f64,
    l2: f64,
    lost: f64,
}

impl Bucket {
    /// Name and tag that represent the bucket: of work where there is more of it than of system commands, so that
    /// one long wait does not hide many short commands.
    fn name(&self) -> (u32, u32) {
        let [system, work] = self.most;
        let first = if 2 * self.work >= self.busy { work.or(system) } else { system.or(work) };
        first.map_or((0, 0), |(_, name, tag)| (name, tag))
    }

    /// Takes note of what a slice, or the slices of another bucket, take of this one.
    fn note(&mut self, is_work: bool, most: (i64, u32, u32)) {
        let [system, work] = &mut self.most;
        let of = if is_work { work } else { system };
        if of.is_none_or(|(ns, ..)| most.0 > ns) {
            *of = Some(most);
        }
    }
}

/// The levels of a track, finest first; none for few slices.
pub(crate) fn levels(slices: &Slices) -> Vec<MipHead> {
    let n = slices.start.len();
    if n < FEW {
        return Vec::new();
    }
    let mut order: Vec<u32> = (0..n as u32).collect();
    let lane = |i: u32| slices.lane.get(i as usize).copied().unwrap_or(0);
    let is_sorted = slices.lane.is_empty() && slices.start.is_sorted();
    if !is_sorted {
        order.sort_by_key(|&i| (lane(i), slices.start[i as usize]));
    }
    let mut width = first_width(slices, &order);
    let mut buckets = fill(slices, &order, width);
    let mut levels = Vec::new();
    loop {
        levels.push(MipHead { bucket_ns: width, chunk: pack(&buckets, !slices.rates.is_empty()) });
        if buckets.len() <= COARSEST {
            return levels;
        }
        width *= STEP;
        let before = buckets.len();
        buckets = coarser(&buckets);
        // Long slices in many lanes: nothing merges any more.
        if buckets.len() * 10 > before * 9 {
            return levels;
        }
    }
}

/// The least width with which the buckets that hold anything are at most a third as many as the slices.
fn first_width(slices: &Slices, order: &[u32]) -> i64 {
    let end = slices.start.iter().zip(&slices.dur).map(|(s, d)| s + d).max().unwrap_or(0).max(1);
    let most = order.len() / 3;
    let mut width = 1;
    while end / width > order.len() as i64 {
        width *= STEP;
    }
    while count(slices, order, width) > most && width < end {
        width *= STEP;
    }
    width
}

/// How many buckets of a width hold anything.
fn count(slices: &Slices, order: &[u32], width: i64) -> usize {
    let (mut count, mut lane, mut until) = (0usize, u32::MAX, -1);
    for &i in order {
        let i = i as usize;
        let of = slices.lane.get(i).copied().unwrap_or(0);
        if of != lane {
            (lane, until) = (of, -1);
        }
        let (first, last) = range(slices, i, width);
        count += (last - first.max(until + 1) + 1).max(0) as usize;
        until = until.max(last);
    }
    count
}

/// First and last bucket that a slice touches; one without duration touches one.
fn range(slices: &Slices, i: usize, width: i64) -> (i64, i64) {
    let (start, dur) = (slices.start[i], slices.dur[i]);
    (start / width, (start + (dur - 1).max(0)) / width)
}

/// Buckets of a width. Slices of one lane follow one another, so each begins in the last bucket or after it.
fn fill(slices: &Slices, order: &[u32], width: i64) -> Vec<Bucket> {
    let mut buckets: Vec<Bucket> = Vec::new();
    for &i in order {
        let i = i as usize;
        let of = |column: &[u32]| column.get(i).copied().unwrap_or(0);
        let (lane, name, tag) = (of(&slices.lane), of(&slices.name), of(&slices.tag));
        let rates = slices.rates.get(i).copied().unwrap_or_default();
        let (start, dur) = (slices.start[i], slices.dur[i]);
        let (first, last) = range(slices, i, width);
        for at in first..=last {
            let covered = (start + dur).min((at + 1) * width) - start.max(at * width);
            if buckets.last().is_none_or(|b| b.lane != lane || b.at < at) {
                buckets.push(Bucket { lane, at, ..Bucket::default() });
            }
            let Some(bucket) = buckets.last_mut() else { continue };
            let is_work = slices.is_work.get(name as usize).copied().unwrap_or(true);
            bucket.note(is_work, (covered, name, tag));
            bucket.work += if is_work { covered } else { 0 };
            let share = if dur > 0 { covered as f64 / dur as f64 } else { 1.0 };
            bucket.busy += covered;
            bucket.count += u32::from(at == first);
            bucket.high += f64::from(rates.high) * covered as f64;
            bucket.ddr += rates.ddr as f64 * share;
            bucket.l2 += rates.l2 as f64 * share;
            bucket.lost += rates.lost as f64 * share;
        }
    }
    buckets
}

fn coarser(fine: &[Bucket]) -> Vec<Bucket> {
    let mut buckets: Vec<Bucket> = Vec::with_capacity(fine.len() / 2);
    for bucket in fine {
        let at = bucket.at / STEP;
        match buckets.last_mut().filter(|b| b.at == at && b.lane == bucket.lane) {
            Some(b) => {
                b.busy += bucket.busy;
                b.count += bucket.count;
                b.work += bucket.work;
                for (is_work, most) in [false, true].into_iter().zip(bucket.most) {
                    if let Some(most) = most {
                        b.note(is_work, most);
                    }
                }
                b.high += bucket.high;
                b.ddr += bucket.ddr;
                b.l2 += bucket.l2;
                b.lost += bucket.lost;
            }
            None => buckets.push(Bucket { at, ..*bucket }),
        }
    }
    buckets
}

fn pack(buckets: &[Bucket], is_engine: bool) -> Chunk {
    let mut columns = [
        Column::differences("lane"),
        Column::differences("at"),
        Column::plain("busy"),
        Column::plain("count"),
        Column::plain("name"),
        Column::differences("tag"),
    ];
    let mut rates = [
        Column::plain("high").scaled(100),
        Column::plain("ddr"),
        Column::plain("l2"),
        Column::plain("lost"),
    ];
    for b in buckets {
        let [lane, at, busy, count, name, tag] = &mut columns;
        lane.push(b.lane.into());
        at.push(b.at);
        busy.push(b.busy);
        count.push(b.count.into());
        let (of_name, of_tag) = b.name();
        name.push(of_name.into());
        tag.push(of_tag.into());
        let [high, ddr, l2, lost] = &mut rates;
        let mean = if b.busy > 0 { b.high / b.busy as f64 } else { 0.0 };
        high.push((mean * 100.0).round() as i64);
        ddr.push(b.ddr.round() as i64);
        l2.push(b.l2.round() as i64);
        lost.push(b.lost.round() as i64);
    }
    let rates = is_engine.then_some(rates).into_iter().flatten();
    Chunk::pack(columns.into_iter().chain(rates).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(spans: &[(i64, i64)]) -> Slices {
        Slices {
            start: spans.iter().map(|s| s.0).collect(),
            dur: spans.iter().map(|s| s.1).collect(),
            name: (0..spans.len() as u32).collect(),
            ..Slices::default()
        }
    }

    #[test]
    fn buckets_hold_what_falls_into_them() {
        let slices = slices(&[(0, 4), (5, 10), (20, 0)]);
        let buckets = fill(&slices, &[0, 1, 2], 8);
        let seen: Vec<_> = buckets.iter().map(|b| (b.at, b.busy, b.count, b.name().0)).collect();
        assert_eq!(seen, [(0, 7, 2, 0), (1, 7, 0, 1), (2, 0, 1, 2)]);
        assert_eq!(count(&slices, &[0, 1, 2], 8), 3);
        let coarse: Vec<_> =
            coarser(&buckets).iter().map(|b| (b.at, b.busy, b.count, b.name().0)).collect();
        assert_eq!(coarse, [(0, 14, 3, 1)]);
    }

    #[test]
    fn one_wait_does_not_hide_many_commands() {
        let mut slices = slices(&[(0, 3), (3, 3), (6, 1), (8, 5), (13, 2)]);
        slices.is_work = vec![false, true, true, false, true];
        slices.dur = vec![3, 3, 1, 5, 2];
        let names = |buckets: &[Bucket]| buckets.iter().map(|b| b.name().0).collect::<Vec<_>>();
        let buckets = fill(&slices, &[0, 1, 2, 3, 4], 8);
        assert_eq!(names(&buckets), [1, 3]);
        assert_eq!(names(&coarser(&buckets)), [3]);
    }

    #[test]
    fn levels_keep_time_and_number_of_slices() {
        let spans: Vec<(i64, i64)> = (0..50_000).map(|i| (i * 37 + i % 7, 1 + i % 29)).collect();
        let slices = slices(&spans);
        let order: Vec<u32> = (0..spans.len() as u32).collect();
        let mut buckets = fill(&slices, &order, first_width(&slices, &order));
        assert!(buckets.len() <= spans.len() / 3);
        let busy: i64 = spans.iter().map(|s| s.1).sum();
        for _ in 0..4 {
            assert_eq!(buckets.iter().map(|b| b.busy).sum::<i64>(), busy);
            assert_eq!(buckets.iter().map(|b| b.count).sum::<u32>(), 50_000);
            assert!(buckets.is_sorted_by_key(|b| b.at));
            buckets = coarser(&buckets);
        }
        assert_eq!(levels(&slices).last().map(|l| l.chunk.rows <= COARSEST), Some(true));
        assert!(levels(&self::slices(&spans[..100])).is_empty());
    }
}
