//! Bandwidths of DDR and L2M of a core, as two counters.

use bigtpu_measure::{SerialTransfers, Shown, added_gbps};

use crate::block::Block;
use crate::numbers::{BEGIN, END};
use crate::room::{PIECE, Packets, Room};
use crate::sequence::Sequence;
use crate::source::Source;

/// DDR and L2M bandwidth of a core.
pub(crate) struct BandwidthSource<S> {
    /// Times, and bandwidths of DDR and L2M from then on.
    pub(crate) steps: S,
    pub(crate) offset: i64,
    pub(crate) ddr: Sequence,
    pub(crate) l2: Sequence,
    pub(crate) last: [f64; 2],
}

impl<S: Iterator<Item = (i64, [f64; 2])> + Send> Source for BandwidthSource<S> {
    fn fill(&mut self, out: &mut Packets) -> usize {
        let mut steps = 0;
        let mut room = Room::for_many(out);
        for step in self.steps.by_ref().take(PIECE) {
            let (moment, [ddr_gbps, l2_gbps]) = (self.ddr.moment(step.0 + self.offset), step.1);
            if ddr_gbps != self.last[0] {
                self.ddr.count_at(&mut room, moment, ddr_gbps);
            }
            if l2_gbps != self.last[1] {
                self.l2.count_at(&mut room, moment, l2_gbps);
            }
            self.last = step.1;
            steps += 1;
        }
        steps
    }
}

/// Transfers of an engine, one after the other.
pub(crate) trait Transfers: Send {
    /// Start and end of the next ones, in ns, and their bandwidths; whether there were any to look at.
    fn each(&mut self, each: impl FnMut(i64, i64, [f64; 2])) -> bool;
}

impl Transfers for SerialTransfers<'_, '_> {
    fn each(&mut self, mut each: impl FnMut(i64, i64, [f64; 2])) -> bool {
        let each = |start, end, shown: Shown| each(start, end, [shown.ddr_gbps, shown.l2_gbps]);
        SerialTransfers::each(self, each)
    }
}

/// Bandwidth of a core whose engines transfer one command at a time each: what [`BandwidthSource`] writes of the steps
/// of their sum, from the transfers. Times are compared as they are written.
pub(crate) struct SerialBandwidth<T> {
    engines: [Engine<T>; 2],
    offset: i64,
    /// Counters of DDR, then of L2M.
    counters: [Sequence; 2],
    /// The bits of the values that were written last.
    shown: [u64; 2],
}

/// An engine's transfers.
struct Engine<T> {
    transfers: Option<T>,
    /// The next ones: starts and ends, in ns, and the bits of their bandwidths.
    starts: Vec<i64>,
    ends: Vec<i64>,
    values: Vec<[u64; 2]>,
    /// The times of the first of these.
    block: Block,
    /// Place of the transfer in these lists that runs, or begins next.
    row: usize,
    runs: bool,
    /// When it begins or ends, as it is written; [`NEVER`] behind the last one.
    next: u64,
    /// The bits of the bandwidths of what runs.
    now: [u64; 2],
}

/// Behind all times.
const NEVER: u64 = u64::MAX;

impl<T: Transfers> Engine<T> {
    fn new(transfers: Option<T>) -> Self {
        Self {
            transfers,
            starts: Vec::new(),
            ends: Vec::new(),
            values: Vec::new(),
            block: Block::new(),
            row: 0,
            runs: false,
            next: NEVER,
            now: [0; 2],
        }
    }

    /// Goes on to the transfers behind those of the block.
    #[inline(never)]
    fn look_on(&mut self, sequence: &Sequence, offset: i64) {
        let Self { transfers, starts, ends, values, block, row, .. } = self;
        starts.drain(..*row);
        ends.drain(..*row);
        values.drain(..*row);
        *row = 0;
        let Some(transfers) = transfers else { return };
        while starts.is_empty()
            && transfers.each(|start, end, gbps| {
                if gbps != [0.0; 2] {
                    starts.push(start);
                    ends.push(end);
                    values.push(gbps.map(f64::to_bits));
                }
            })
        {}
        block.start(starts.len());
        block.set_times(sequence, [starts, ends], offset);
    }

    /// Goes on to the next transfer, if there is one.
    #[inline]
    fn find(&mut self, sequence: &Sequence, offset: i64) {
        if self.row == self.block.rows {
            self.look_on(sequence, offset);
        }
        self.next = match self.row < self.block.rows {
            true => self.block.numbers.row(self.row).wide(BEGIN),
            false => NEVER,
        };
    }

    /// Goes on to what is from `next` on.
    #[inline]
    fn step(&mut self, sequence: &Sequence, offset: i64) {
        if self.runs {
            let time = self.next;
            (self.runs, self.now) = (false, [0; 2]);
            self.row += 1;
            self.find(sequence, offset);
            // The next transfer may begin where this one ends.
            if self.next != time {
                return;
            }
        }
        self.runs = true;
        self.now = self.values.get(self.row).copied().unwrap_or_default();
        self.next = self.block.numbers.row(self.row).wide(END);
    }
}

impl<T: Transfers> SerialBandwidth<T> {
    pub(crate) fn new(transfers: [Option<T>; 2], offset: i64, counters: [Sequence; 2]) -> Self {
        let engines = transfers.map(Engine::new);
        let mut source = Self { engines, offset, counters, shown: [0; 2] };
        for engine in &mut source.engines {
            engine.find(&source.counters[0], offset);
        }
        source
    }
}

/// The bits of the sum of two bandwidths.
#[inline]
fn sum(one: u64, other: u64) -> u64 {
    // A bandwidth of 0 has no bits.
    match (one, other) {
        (sum, 0) | (0, sum) => sum,
        _ => added_gbps(f64::from_bits(one), f64::from_bits(other)).to_bits(),
    }
}

impl<T: Transfers> Source for SerialBandwidth<T> {
    fn fill(&mut self, out: &mut Packets) -> usize {
        let mut steps = 0;
        let mut room = Room::for_many(out);
        let Self { engines: [one, other], offset, counters, shown } = self;
        while steps < PIECE {
            let time = one.next.min(other.next);
            if time == NEVER {
                break;
            }
            for engine in [&mut *one, other] {
                if engine.next == time {
                    engine.step(&counters[0], *offset);
                }
            }
            let values = [sum(one.now[0], other.now[0]), sum(one.now[1], other.now[1])];
            if *shown == values {
                continue;
            }
            for ((counter, shown), value) in counters.iter_mut().zip(&mut *shown).zip(values) {
                if *shown != value {
                    counter.count_word(&mut room, time, value);
                    *shown = value;
                }
            }
            steps += 1;
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Transfer = (i64, i64, [f64; 2]);

    /// Transfers in blocks of so many.
    struct Blocks<'t>(std::slice::Chunks<'t, Transfer>);

    impl Transfers for Blocks<'_> {
        fn each(&mut self, mut each: impl FnMut(i64, i64, [f64; 2])) -> bool {
            let next = self.0.next();
            next.into_iter().flatten().for_each(|(start, end, gbps)| each(*start, *end, *gbps));
            next.is_some()
        }
    }

    fn written(mut source: impl Source) -> Vec<(usize, Vec<u8>)> {
        let fill = || {
            let mut out = Packets::default();
            let steps = source.fill(&mut out);
            (steps > 0).then(|| (steps, out.bytes().to_vec()))
        };
        std::iter::from_fn(fill).collect()
    }

    /// In the same pieces, too.
    #[test]
    fn transfers_are_written_as_their_steps() {
        let mut random = 1_u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % most
        };
        for round in 0..60 {
            let engines = [round % 30, round % 17].map(|bits| {
                let mut time = next(100) as i64;
                let mut transfers: Vec<Transfer> = Vec::new();
                for _ in 0..next(5000) * u64::from(round % 3 < 2 || bits % 2 == 0) {
                    let end = time + 1 + next(1 << bits) as i64;
                    let gbps =
                        [(); 2].map(|()| [0.0, 0.0, 1.5, next(9) as f64 / 8.0][next(4) as usize]);
                    transfers.push((time, end, gbps));
                    time = end + next(3) as i64 * next(1 << bits) as i64;
                }
                transfers
            });
            let mut changes = BTreeMap::<i64, [f64; 2]>::new();
            for (start, end, gbps) in engines.iter().flatten() {
                for (at, sign) in [(*start, 1.0), (*end, -1.0)] {
                    let change = changes.entry(at).or_default();
                    *change = [0, 1].map(|n| change[n] + sign * gbps[n]);
                }
            }
            let mut now = [0.0; 2];
            let steps = changes.into_iter().filter(|(_, change)| *change != [0.0; 2]);
            let steps = steps.map(|(time, change)| {
                now = [now[0] + change[0], now[1] + change[1]];
                (time, now)
            });
            let counters = || [3, 4].map(|id| Sequence::new(id, id, 5));
            let ([ddr, l2], last) = (counters(), [0.0; 2]);
            let expected = written(BandwidthSource { steps, offset: 7, ddr, l2, last });
            for most in [1, 100, 128] {
                let transfers = engines.each_ref().map(|of| Some(Blocks(of.chunks(most))));
                assert_eq!(written(SerialBandwidth::new(transfers, 7, counters())), expected);
            }
        }
    }
}
