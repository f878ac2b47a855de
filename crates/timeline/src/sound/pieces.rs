//! Where the records of a monitor block are: a torn record moves all behind it by some bytes, and a zeroed one is a gap.
//!
//! ```text
//!   record │ record │ rec│ record │ record │ 0000000 │ record
//!   piece 0         │    │ piece 1         │ hole    │ piece 2
//! ```

use super::cycles_between;

/// Records that follow one another without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Offset of the first in the block, in bytes.
    pub(crate) at: usize,
    /// Number of records.
    pub(crate) count: usize,
}

/// Bytes that hold no whole record, between pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hole {
    /// Offset in the block, in bytes.
    pub(crate) at: usize,
    pub(crate) bytes: usize,
    /// They are all zero; else a record is torn.
    pub(crate) is_zero: bool,
}

/// Times and id of a record.
pub(crate) type Head = (u32, u32, u32);

/// The records of a monitor: one piece, as a rule.
#[derive(Debug, Clone)]
pub struct Records<'d, T> {
    first: &'d [T],
    /// Each with the index of its first record.
    later: Vec<(usize, &'d [T])>,
}

impl<'d, T> Records<'d, T> {
    /// Pieces in their order.
    pub(crate) fn new(pieces: impl IntoIterator<Item = &'d [T]>) -> Self {
        let mut pieces = pieces.into_iter();
        let mut records = Self { first: pieces.next().unwrap_or(&[]), later: Vec::new() };
        let mut next = records.first.len();
        for piece in pieces {
            records.later.push((next, piece));
            next += piece.len();
        }
        records
    }

    /// A record; `None` for an index out of range.
    #[must_use]
    #[inline]
    pub fn get(&self, record: usize) -> Option<&'d T> {
        self.first.get(record).or_else(|| self.get_later(record))
    }

    #[cold]
    fn get_later(&self, record: usize) -> Option<&'d T> {
        let piece = self.later.partition_point(|(first, _)| *first <= record).checked_sub(1)?;
        let (first, records) = self.later.get(piece)?;
        records.get(record - first)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'d T> + '_ {
        self.first.iter().chain(self.later.iter().flat_map(|(_, piece)| piece.iter()))
    }
}

/// Where the records of a monitor are in their file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// Bytes of a record.
    size: u64,
    /// Index of the first record of each piece, and its offset in the file.
    pieces: Vec<(usize, u64)>,
}

impl Places {
    pub(crate) fn new(size: usize, block: u64, pieces: &[Piece]) -> Self {
        let mut next = 0;
        let place = |piece: &Piece| {
            let first = next;
            next += piece.count;
            (first, block + piece.at as u64)
        };
        Self { size: size as u64, pieces: pieces.iter().map(place).collect() }
    }

    /// Where a record starts in the file, in bytes.
    pub(crate) fn byte(&self, record: u32) -> Option<u64> {
        let record = record as usize;
        let piece = self.pieces.partition_point(|(first, _)| *first <= record).checked_sub(1)?;
        let (first, at) = self.pieces.get(piece)?;
        Some(at + (record - first) as u64 * self.size)
    }
}

/// So many times a torn record is looked for.
const MOST_SEARCHES: usize = 64;
/// Records that must follow one another behind a torn one, or all up to the end.
const FOLLOWING: usize = 4;
/// Cycles between neighbours; more is no plausible step.
const LONGEST_STEP: i64 = 1 << 30;
/// Cycles that a record may start before its neighbour's end: disorder.
const DISORDER: i64 = 1 << 18;
/// Cycles that a record behind a gap may start before its neighbour's end: what is older is not of this capture.
const STEP_BACK: i64 = 1 << 12;
/// Ids that may be missing between neighbours, and ids with which an engine may begin anew.
const NEAR_IDS: u32 = 64;

/// The records of a block, and what is between them. `head`: times and id of the record in some bytes.
pub(crate) fn pieces(
    content: &[u8],
    size: usize,
    head: impl Fn(&[u8]) -> Option<Head>,
) -> (Vec<Piece>, Vec<Hole>) {
    let size = size.max(1);
    let mut walk = Walk { content, size, head, pieces: Vec::new(), holes: Vec::new(), last: None };
    let mut searches = 0;
    let mut at = 0;
    while let Some(bytes) = content.get(at..at + size) {
        if bytes.iter().all(|&b| b == 0) {
            let end = walk.end_of_zeros(at);
            if end + size > content.len() {
                break;
            }
            match (0..size).find(|d| walk.steps_on(end + d, walk.last, DISORDER).is_some()) {
                Some(d) => {
                    walk.hole(at, end + d, true);
                    at = end + d;
                    continue;
                }
                None => break,
            }
        }
        let own = walk.read(at);
        let is_next = |back| own.is_some_and(|own| is_plausible(walk.last, own, back));
        // Moved bytes may look like records out of order: they are none if others are in order elsewhere.
        let back = if is_next(DISORDER) { STEP_BACK } else { DISORDER };
        if !is_next(STEP_BACK)
            && searches < MOST_SEARCHES
            && walk.steps_on(at + size, walk.last, back).is_none()
        {
            searches += 1;
            if let Some(q) = walk.next_whole(at, back) {
                let torn = if q < at { walk.take_last() } else { at };
                walk.hole(torn, q, false);
                at = q;
                continue;
            }
        }
        walk.push(at);
        at += size;
    }
    (walk.pieces, walk.holes)
}

struct Walk<'a, F> {
    content: &'a [u8],
    size: usize,
    head: F,
    pieces: Vec<Piece>,
    holes: Vec<Hole>,
    last: Option<Head>,
}

impl<F: Fn(&[u8]) -> Option<Head>> Walk<'_, F> {
    fn read(&self, at: usize) -> Option<Head> {
        (self.head)(self.content.get(at..at + self.size)?)
    }

    fn push(&mut self, at: usize) {
        match self.pieces.last_mut() {
            Some(piece) if piece.at + piece.count * self.size == at => piece.count += 1,
            _ => self.pieces.push(Piece { at, count: 1 }),
        }
        let own = self.read(at);
        if own.is_some_and(|own| is_plausible(self.last, own, DISORDER)) || self.last.is_none() {
            self.last = own;
        }
    }

    fn hole(&mut self, at: usize, end: usize, is_zero: bool) {
        self.holes.push(Hole { at, bytes: end - at, is_zero });
    }

    fn last_at(&self) -> Option<usize> {
        let piece = self.pieces.last()?;
        Some(piece.at + piece.count.checked_sub(1)? * self.size)
    }

    fn last_but_one(&self) -> Option<Head> {
        let piece = self.pieces.last()?;
        self.read(piece.at + piece.count.checked_sub(2)? * self.size)
    }

    /// Takes the last record back. Returns where it was.
    fn take_last(&mut self) -> usize {
        let at = self.last_at().unwrap_or(0);
        if let Some(piece) = self.pieces.last_mut() {
            piece.count -= 1;
        }
        self.pieces.retain(|piece| piece.count > 0);
        self.last = self.last_at().and_then(|at| self.read(at));
        at
    }

    /// The first byte from `at` on that is not zero, down to where a record can begin.
    fn end_of_zeros(&self, at: usize) -> usize {
        let rest = self.content.get(at..).unwrap_or_default();
        let zeros = rest.iter().position(|&b| b != 0).unwrap_or(rest.len());
        at + zeros / self.size * self.size
    }

    /// Where the next whole record begins, if the one at `at` is torn. A torn record may look whole: then the next one
    /// begins within the record before `at`. `back`: by how many cycles records may be out of order there.
    fn next_whole(&self, at: usize, back: i64) -> Option<usize> {
        let from = self.last_at().map_or(at, |last| last + 1);
        let before = self.last_but_one();
        let cycles = |q: usize| {
            let behind = if q < at { before } else { self.last };
            Some((self.steps_on(q, behind, back)?, q))
        };
        // Records follow one another closely, which other bytes do by chance only.
        (from..at + self.size).filter(|&q| q != at).filter_map(cycles).min().map(|(_, q)| q)
    }

    /// Cycles between the records that begin at `at`, if they follow one another there, behind `last`: each at most `back` cycles before
    /// the end of the one before it. Where disorder is no explanation, what is there may be a record out of order: only several
    /// records in order elsewhere speak against it, not the last one alone.
    fn steps_on(&self, at: usize, last: Option<Head>, back: i64) -> Option<i64> {
        let mut last = last;
        let mut count = 0;
        let mut cycles = 0;
        let mut at = at;
        let may_end = back > STEP_BACK;
        while count < FOLLOWING {
            let Some(own) = self.read(at) else { break };
            let is_next = |last: Head| match count {
                0 => is_later(last, own, STEP_BACK) && starts_later(last, own),
                // Counters that are 0, read as starts, are equal.
                _ => last.0 != own.0 && follows(last, own, back),
            };
            if !is_sane(own) || !last.is_none_or(is_next) {
                // Zeros end a monitor as well as its block does.
                let bytes = self.content.get(at..at + self.size).unwrap_or_default();
                let is_end = may_end && count > 1 && bytes.iter().all(|&b| b == 0);
                return is_end.then_some(cycles);
            }
            cycles += last.map_or(0, |last| cycles_between(last.1, own.0).abs());
            last = Some(own);
            count += 1;
            at += self.size;
        }
        let is_end = may_end && self.content.len().saturating_sub(at) < self.size;
        (count > 0 && (count == FOLLOWING || is_end)).then_some(cycles)
    }
}

/// Whether a record may be one at all.
fn is_sane((start, end, id): Head) -> bool {
    (0..LONGEST_STEP).contains(&cycles_between(start, end))
        && (start, end) != (0, 0)
        && id < 1 << 28
}

/// Whether a record may be the one behind another, however many are missing between them.
fn is_later((_, end, _): Head, (start, ..): Head, back: i64) -> bool {
    (-back..LONGEST_STEP).contains(&cycles_between(end, start))
}

/// Whether a record may be the next one; one in order starts behind the one before it.
fn follows(last: Head, own: Head, back: i64) -> bool {
    let is_near = own.2.wrapping_sub(last.2) <= NEAR_IDS || own.2 <= NEAR_IDS;
    is_later(last, own, back) && is_near && (back > STEP_BACK || starts_later(last, own))
}

fn starts_later((last, ..): Head, (own, ..): Head) -> bool {
    cycles_between(last, own) > 0
}

fn is_plausible(last: Option<Head>, own: Head, back: i64) -> bool {
    is_sane(own) && last.is_none_or(|last| follows(last, own, back))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 16;

    fn head(bytes: &[u8]) -> Option<Head> {
        let word = |i: usize| Some(u32::from_le_bytes(bytes.get(i..i + 4)?.try_into().ok()?));
        Some((word(0)?, word(4)?, word(8)?))
    }

    /// Records of 20 launches.
    fn monitor() -> Vec<Vec<u8>> {
        let mut now = 163_000u32;
        let mut all = Vec::new();
        for launch in 0..20u32 {
            for id in 0..7 + launch % 3 {
                let words = [now, now + 50 + id, id, if id % 4 == 3 { 12 } else { 0 }];
                all.push(words.iter().flat_map(|w| w.to_le_bytes()).collect());
                now += 100 + 700 * (id & 1);
            }
        }
        all
    }

    fn starts(content: &[u8]) -> (Vec<u32>, Vec<Hole>) {
        let (pieces, holes) = pieces(content, SIZE, head);
        let all = pieces.iter().flat_map(|p| (0..p.count).map(|k| p.at + k * SIZE));
        (all.filter_map(|at| Some(head(&content[at..at + SIZE])?.0)).collect(), holes)
    }

    fn expected(records: &[Vec<u8>], but: &[usize]) -> Vec<u32> {
        let kept = records.iter().enumerate().filter(|(i, _)| !but.contains(i));
        kept.filter_map(|(_, r)| Some(head(r)?.0)).collect()
    }

    #[test]
    fn whole_records_are_one_piece() {
        let content = monitor().concat();
        let (found, holes) = pieces(&content, SIZE, head);
        assert_eq!((found.len(), holes.len()), (1, 0));
    }

    #[test]
    fn a_torn_record_costs_itself() {
        let records = monitor();
        for at in 0..records.len() - 3 {
            for left in [1, 3, 4, 7, 8, 12] {
                let mut torn = records.clone();
                torn[at].truncate(left);
                let (found, holes) = starts(&torn.concat());
                // A record that lacks nothing but its end looks whole, and costs the next one.
                let others = [expected(&records, &[at]), expected(&records, &[at + 1])];
                assert!(others.contains(&found), "record {at}, {left} bytes left: {found:?}");
                assert!((1..3).contains(&holes.len()), "record {at}, {left} bytes left: {holes:?}");
            }
        }
    }

    /// Early in a capture the counters of a record, read as times, are as near as records out of order.
    #[test]
    fn counters_of_a_torn_record_are_no_times() {
        const TRANSFER: usize = 64;
        let record = |i: u32| -> Vec<u8> {
            let (start, bursts) = (1000 + 900 * i, [1, 3, 0x90, 0x120][i as usize % 4]);
            let counters = [0, 12, 0, bursts, 0, 0, 0, bursts << 8, 0, 0, 2 * bursts, 0x240];
            let words = [start, start + 700, i + 1].into_iter().chain(counters).chain([0]);
            words.flat_map(u32::to_le_bytes).collect()
        };
        let records: Vec<Vec<u8>> = (0..120).map(record).collect();
        for at in 1..110 {
            let mut torn = records.clone();
            torn[at].truncate(TRANSFER / 4);
            let content = torn.concat();
            let (pieces, holes) = pieces(&content, TRANSFER, head);
            let all = pieces.iter().flat_map(|p| (0..p.count).map(|k| p.at + k * TRANSFER));
            let found: Vec<u32> =
                all.filter_map(|at| Some(head(&content[at..at + TRANSFER])?.0)).collect();
            assert_eq!(found, expected(&records, &[at]), "record {at}");
            assert_eq!(holes.len(), 1, "record {at}: {holes:?}");
        }
    }

    #[test]
    fn zeroed_records_are_a_gap() {
        let records = monitor();
        for at in 1..records.len() - 1 {
            let mut zeroed = records.clone();
            zeroed[at].fill(0);
            let (found, holes) = starts(&zeroed.concat());
            assert_eq!(found, expected(&records, &[at]), "record {at}");
            assert_eq!(holes, [Hole { at: at * SIZE, bytes: SIZE, is_zero: true }]);
        }
    }

    #[test]
    fn zeros_at_the_end_are_no_gap() {
        let mut content = monitor().concat();
        let records = content.len() / SIZE;
        content.extend([0; 5 * SIZE]);
        let (found, holes) = pieces(&content, SIZE, head);
        assert_eq!((found, holes), (vec![Piece { at: 0, count: records }], vec![]));
    }

    /// What was in the buffer before the capture is older than its records.
    #[test]
    fn older_records_behind_zeros_are_left_out() {
        let records = monitor();
        let mut content = records.concat();
        content.extend([0; SIZE]);
        content.extend(records[..40].concat());
        let (found, _) = pieces(&content, SIZE, head);
        assert_eq!(found, [Piece { at: 0, count: records.len() }]);
    }
}
