//! How many bytes of a lane of local memory hold data that a command will still read.
//!
//! An address is live from the end of the write that filled it to the end of the last read before it is written
//! again, or before the run ends. Data that was not written within the run does not count, nor does data that is
//! never read. The live bytes at a time are the number of live addresses of a lane. Of all lanes together, an address
//! counts once, whichever lanes hold it; of one lane, only the accesses that touch the lane count.
//!
//! Accesses count in the order of their ends. Of those that end at the same time, reads come first: a command that
//! reads and writes the same bytes reads first.
//!
//! The sweep goes backwards in time: there, the first read of an address is the one that ends its life, and the other
//! reads before the write change nothing. So the number of bytes is exact, whatever the number of addresses, and the
//! time grows with the number of accesses times its logarithm.

use std::ops::Range;

use rayon::prelude::*;

use crate::by_end::by_end;
use crate::lane_sweep::Lane;
use crate::local_memory::Access;
use crate::residency::Residency;

/// An access, and when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedAccess {
    /// What is accessed.
    pub access: Access,
    /// End in ns.
    pub end: i64,
}

/// Live bytes of a core's local memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveBytes {
    /// The totals that differ; the first is that of all lanes together.
    pub totals: Vec<LiveTotal>,
    /// Which total each lane has: a first lane, and the index into `totals` for it and the lanes up to the next entry.
    /// The first entry is that of lane 0.
    pub of_lanes: Vec<(u32, usize)>,
}

/// A total over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveTotal {
    /// Bytes by which the total changes at the end of each access, in the order of the accesses. If accesses end at the
    /// same time, one has the change of all of them, and the others 0: so equal totals have equal changes.
    pub changes: Vec<i32>,
    /// The greatest total, in bytes.
    pub most: u64,
}

impl LiveBytes {
    /// The live bytes of a core with so many lanes. `stays`: what stays in its memory, with the accesses' places in the list.
    #[must_use]
    pub fn compute(accesses: &[TimedAccess], lanes: u32, stays: &[Residency]) -> Self {
        let order = by_end(accesses.iter().map(|timed| (timed.end, timed.access.writes)));
        let step = |place| Some(Step::new((accesses.get(place as usize)?, place)));
        let steps: Vec<Step> = order.filter_map(step).collect();
        let mut totals = vec![LiveTotal::of_all(&steps, stays)];
        // The lanes from one start to the next are touched by the same accesses.
        let starts = starts(&steps, lanes);
        let of_starts: Vec<Option<LiveTotal>> = starts
            .par_iter()
            .map(|lane| {
                let touches = |step: &Step| step.lanes.contains(lane);
                let is_whole = steps.iter().all(touches);
                (!is_whole).then(|| LiveTotal::compute(&steps, touches))
            })
            .collect();
        let mut of_lanes: Vec<(u32, usize)> = Vec::new();
        for (start, total) in starts.into_iter().zip(of_starts) {
            let place = total.map_or(0, |total| {
                totals.iter().position(|other| *other == total).unwrap_or_else(|| {
                    totals.push(total);
                    totals.len() - 1
                })
            });
            if of_lanes.last().is_none_or(|&(_, last)| last != place) {
                of_lanes.push((start, place));
            }
        }
        Self { totals, of_lanes }
    }
}

/// An access as the sweep reads it. Neither a lane's bytes nor the accesses of a core are as many as 2^32.
struct Step {
    /// Index of the access.
    place: u32,
    end: i64,
    writes: bool,
    addresses: Range<u32>,
    lanes: Range<u32>,
}

impl Step {
    fn new((TimedAccess { access, end }, place): (&TimedAccess, u32)) -> Self {
        let address = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
        let past = access.address.saturating_add(access.bytes);
        Self {
            place,
            end: *end,
            writes: access.writes,
            addresses: address(access.address)..address(past),
            lanes: access.lane..access.lane.saturating_add(access.lanes),
        }
    }
}

/// The lanes at which the lanes of an access start or end, and lane 0; ascending.
fn starts(steps: &[Step], lanes: u32) -> Vec<u32> {
    let mut is_start = vec![false; lanes as usize];
    for edge in steps.iter().flat_map(|step| [step.lanes.start, step.lanes.end]) {
        if let Some(is_start) = is_start.get_mut(edge as usize) {
            *is_start = true;
        }
    }
    let inner = is_start.into_iter().zip(0..).skip(1).filter_map(|(is, lane)| is.then_some(lane));
    std::iter::once(0).chain(inner).collect()
}

/// Bytes by which each access changes the total.
struct Changes(Vec<i32>);

impl Changes {
    fn add(&mut self, place: u32, bytes: i32) {
        if let Some(at) = self.0.get_mut(place as usize) {
            *at = at.saturating_add(bytes);
        }
    }

    /// Bytes that are live from one access to another.
    fn life(&mut self, write: u32, last_read: u32, bytes: impl TryInto<i32>) {
        let bytes = bytes.try_into().unwrap_or(i32::MAX);
        self.add(write, bytes);
        self.add(last_read, -bytes);
    }
}

impl LiveTotal {
    /// Computes the total of all lanes together: the bytes of all that stays in memory.
    fn of_all(steps: &[Step], stays: &[Residency]) -> Self {
        let mut changes = Changes(vec![0; steps.len()]);
        for Residency { write, last_read, bytes, .. } in stays {
            changes.life(*write, *last_read, *bytes);
        }
        Self::settled(steps, changes)
    }

    /// Computes the total of the accesses that `touches` selects. `steps`: all accesses, in their order in time.
    fn compute(steps: &[Step], touches: impl Fn(&Step) -> bool) -> Self {
        let mut changes = Changes(vec![0; steps.len()]);
        let mut lane = Lane::default();
        for step in steps.iter().rev().filter(|step| !step.addresses.is_empty() && touches(step)) {
            if step.writes {
                lane.write(&step.addresses, |read, bytes| changes.life(step.place, read, bytes));
            } else {
                lane.read(&step.addresses, step.place);
            }
        }
        Self::settled(steps, changes)
    }

    /// Gives the changes at one time to one access, and finds the greatest total.
    fn settled(steps: &[Step], Changes(mut changes): Changes) -> Self {
        let (mut total, mut most) = (0, 0);
        for together in steps.chunk_by(|a, b| a.end == b.end) {
            let taken = |step: &Step| changes.get_mut(step.place as usize).map(std::mem::take);
            let bytes = together.iter().filter_map(taken).fold(0, i32::saturating_add);
            let first = together.first().and_then(|step| changes.get_mut(step.place as usize));
            if let Some(first) = first {
                *first = bytes;
            }
            total += i64::from(bytes);
            most = most.max(total);
        }
        Self { changes, most: most.unsigned_abs() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::{Touch, residencies};

    fn live_bytes(accesses: &[TimedAccess], lanes: u32) -> LiveBytes {
        let touches = accesses.iter().map(|timed| Touch::from_access(&timed.access, timed.end));
        LiveBytes::compute(accesses, lanes, &residencies(&touches.collect::<Vec<_>>()))
    }

    fn write(end: i64, address: u64, bytes: u64) -> TimedAccess {
        let access = Access { writes: true, operand: "res0", address, bytes, lane: 0, lanes: 4 };
        TimedAccess { access, end }
    }

    fn read(end: i64, address: u64, bytes: u64) -> TimedAccess {
        let access = Access { writes: false, ..write(end, address, bytes).access };
        TimedAccess { access, end }
    }

    fn on_lanes(a: TimedAccess, lane: u32, lanes: u32) -> TimedAccess {
        TimedAccess { access: Access { lane, lanes, ..a.access }, ..a }
    }

    fn changes(accesses: &[TimedAccess]) -> Vec<i32> {
        let LiveBytes { totals, of_lanes } = live_bytes(accesses, 4);
        assert_eq!((totals.len(), of_lanes), (1, vec![(0, 0)]));
        totals[0].changes.clone()
    }

    #[test]
    fn data_is_live_from_its_write_to_its_last_read() {
        assert_eq!(changes(&[write(1, 0, 8), read(2, 0, 8), read(5, 0, 8)]), [8, 0, -8]);
        assert_eq!(changes(&[write(1, 0, 8), read(2, 2, 3)]), [3, -3]);
        assert_eq!(
            changes(&[write(1, 0, 8), read(2, 0, 8), write(3, 4, 4), read(4, 0, 8)]),
            [8, -4, 4, -8]
        );
    }

    #[test]
    fn data_never_read_or_never_written_does_not_count() {
        assert_eq!(changes(&[write(1, 0, 8), write(2, 0, 8)]), [0, 0]);
        assert_eq!(changes(&[read(1, 0, 8), write(2, 0, 8)]), [0, 0]);
    }

    #[test]
    fn the_order_is_that_of_ends_and_a_command_reads_first() {
        assert_eq!(changes(&[read(4, 0, 8), write(1, 0, 8)]), [-8, 8]);
        let in_place = [write(1, 0, 8), write(2, 0, 8), read(2, 0, 8), read(3, 0, 8)];
        assert_eq!(changes(&in_place), [8, 0, 0, -8]);
        assert_eq!(live_bytes(&in_place, 4).totals[0].most, 8);
    }

    #[test]
    fn lanes_have_totals_of_their_own_only_where_these_differ() {
        let low = [on_lanes(write(1, 0, 8), 0, 2), on_lanes(read(2, 0, 8), 0, 2)];
        let high = [on_lanes(write(3, 0, 4), 2, 1), on_lanes(read(4, 0, 4), 2, 1)];
        let live = live_bytes(&[low, high].concat(), 4);
        let changes: Vec<_> = live.totals.iter().map(|total| total.changes.clone()).collect();
        assert_eq!(changes, [[8, -8, 4, -4], [8, -8, 0, 0], [0, 0, 4, -4], [0, 0, 0, 0]]);
        assert_eq!(live.totals.iter().map(|t| t.most).collect::<Vec<_>>(), [8, 8, 4, 0]);
        assert_eq!(live.of_lanes, [(0, 1), (2, 2), (3, 3)]);
        assert_eq!(live_bytes(&low, 2).of_lanes, [(0, 0)]);
        // Other accesses touch lanes 2 and 3, but their data is never read.
        let silent = on_lanes(write(9, 0, 8), 2, 2);
        let live = live_bytes(&[low[0], low[1], on_lanes(silent, 2, 1), silent], 4);
        assert_eq!(live.of_lanes, [(0, 0), (2, 1)]);
        assert_eq!(live_bytes(&[], 4).of_lanes, [(0, 0)]);
    }

    const LANE_BYTES: u64 = 12;

    fn accesses() -> impl Strategy<Value = Vec<TimedAccess>> {
        let access = (0i64..20, any::<bool>(), 0..LANE_BYTES, 1u64..6, 0u32..4, 1u32..5);
        let access = access.prop_map(|(end, writes, address, bytes, lane, lanes)| {
            let bytes = bytes.min(LANE_BYTES - address);
            let access = Access { writes, operand: "", address, bytes, lane, lanes };
            TimedAccess { access, end }
        });
        prop::collection::vec(access, 0..24)
    }

    /// Byte by byte, forwards: the total from each time on, where it changes.
    fn counted(accesses: &[TimedAccess], lane: Option<u32>) -> BTreeMap<i64, i64> {
        let touches = |a: &&TimedAccess| {
            lane.is_none_or(|lane| (a.access.lane..a.access.lane + a.access.lanes).contains(&lane))
        };
        let mut order: Vec<&TimedAccess> = accesses.iter().filter(touches).collect();
        order.sort_by_key(|a| (a.end, a.access.writes));
        let mut changes = BTreeMap::new();
        for byte in 0..LANE_BYTES {
            let of_byte = order
                .iter()
                .filter(|a| (a.access.address..a.access.address + a.access.bytes).contains(&byte));
            let of_byte: Vec<_> = of_byte.map(|a| (a.end, a.access.writes)).collect();
            for (i, (filled, _)) in of_byte.iter().enumerate().filter(|(_, (_, writes))| *writes) {
                let reads = of_byte[i + 1..].iter().take_while(|(_, writes)| !writes);
                if let Some((last, _)) = reads.last() {
                    *changes.entry(*filled).or_default() += 1;
                    *changes.entry(*last).or_default() -= 1;
                }
            }
        }
        totals(changes)
    }

    fn totals(changes: BTreeMap<i64, i64>) -> BTreeMap<i64, i64> {
        let mut total = 0;
        let changes = changes.into_iter().filter(|&(_, change)| change != 0);
        changes
            .map(|(end, change)| {
                (end, {
                    total += change;
                    total
                })
            })
            .collect()
    }

    proptest! {
        #[test]
        fn totals_are_those_of_a_count_byte_by_byte(accesses in accesses()) {
            let live = live_bytes(&accesses, 4);
            let all = (None, 0);
            let lanes = (0..4).map(|lane| {
                let place = live.of_lanes.partition_point(|&(first, _)| first <= lane);
                (Some(lane), live.of_lanes[place - 1].1)
            });
            for (lane, place) in std::iter::once(all).chain(lanes) {
                let total = &live.totals[place];
                let mut changes = BTreeMap::new();
                for (a, &change) in accesses.iter().zip(&total.changes) {
                    *changes.entry(a.end).or_default() += i64::from(change);
                }
                let counted = counted(&accesses, lane);
                prop_assert_eq!(total.most as i64, counted.values().copied().max().unwrap_or(0));
                prop_assert_eq!(totals(changes), counted);
            }
        }
    }
}
