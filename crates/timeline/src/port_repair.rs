//! The order of a CDMA port's records (section 5.4).
//!
//! A port works on two threads, transmit and receive (bit 24 of an id), and the PMU writes a record when its command
//! has ended. Commands of a thread do not overlap, and the ids of a call grow in the order of their starts: so each
//! thread is put into the order of its starts and split into calls where its ids restart; then the threads of each
//! call are put together.
//!
//! ```text
//!   sync pair │ call: ids 1, 2, 3 ... │ call: ids 1, 2, ... │ ...
//! ```

use std::ops::Range;

use bigtpu_format::{CdmaRecord, PortThread};
use foldhash::{HashMap, HashMapExt, HashSet};

use crate::wide_events::WideEvents;

/// What the repair of a port changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Repair {
    /// The records of the sync pair: those right before the first call. Fewer than a preamble where some are lost; none
    /// where these records moved data: the pair is lost then, and they are of a call whose begin is lost with it.
    pub(crate) pair: Range<usize>,
    /// Further records of one execution of a command: dropped.
    pub(crate) duplicates: u64,
    /// Records that changed places.
    pub(crate) moved: u64,
}

/// Ids of a call are out of order by no more than this.
pub(crate) const CDMA_DISORDER: u32 = 10;

/// The first command of a call has this id.
pub(crate) const FIRST_ID: i64 = 1;

/// A start that lies further than this before the one of the record before it, in ns, is no disorder: the record is
/// of another block, or its counter turned over.
const LARGEST_STEP: i64 = 1 << 26;

/// Puts a port's records into the order in which its calls dispatched them. Only further records of one execution are
/// left out: of the same thread, call and id, at the same time and not of opposite directions. The longest stays.
///
/// `record_of`: the PMU record of an event. A port without a record of id 1 stays as it is.
pub(crate) fn repair_port<'d>(
    events: &mut WideEvents,
    preamble: usize,
    record_of: impl Fn(u32) -> Option<&'d CdmaRecord>,
) -> Repair {
    let started = in_order_of_start(events);
    let Some(first) = started.iter().position(|&i| events.id[i] == FIRST_ID) else {
        let port = PortRecords { events, record_of };
        let pair = port.sync_pair(&started, preamble.min(started.len()), preamble);
        return Repair { pair, ..Repair::default() };
    };
    let (head, rest) = started.split_at(first);
    let port = PortRecords { events, record_of };
    let (receiving, transmitting): (Vec<usize>, Vec<usize>) =
        rest.iter().partition(|&&i| port.is_receiving(i));
    let are_serial = !receiving.is_empty() && !transmitting.is_empty();
    let pair = port.sync_pair(&started, first, preamble);
    let mut repair = Repair { pair, ..Repair::default() };
    let mut calls = Vec::new();
    for (thread, members) in [transmitting, receiving].iter().enumerate() {
        for mut call in port.calls(members, are_serial) {
            repair.duplicates += port.drop_duplicates(&mut call);
            calls.push((thread, call));
        }
    }
    let mut order = head.to_vec();
    order.extend(port.joined(calls));
    let mut written = order.clone();
    written.sort_unstable();
    repair.moved = order.iter().zip(&written).filter(|(now, before)| now != before).count() as u64;
    if repair.moved > 0 || order.len() < events.len() {
        events.reorder(&order);
    }
    repair
}

/// The events in the order of their starts, as far as they are out of it by disorder.
fn in_order_of_start(events: &WideEvents) -> Vec<usize> {
    let mut order: Vec<usize> = (0..events.len()).collect();
    let follows = |&a: &usize, &b: &usize| events.start[a] - events.start[b] <= LARGEST_STEP;
    for run in order.chunk_by_mut(follows) {
        run.sort_by_key(|&i| events.start[i]);
    }
    order
}

/// A port's events while they are put in order.
struct PortRecords<'a, F> {
    events: &'a WideEvents,
    record_of: F,
}

impl<'d, F: Fn(u32) -> Option<&'d CdmaRecord>> PortRecords<'_, F> {
    fn record(&self, i: usize) -> Option<&'d CdmaRecord> {
        (self.record_of)(self.events.record[i])
    }

    /// The sync pair: system commands, which move no data, right before the first call (`first`: its place in
    /// `started`). Where records before the first call with an id 1 move data, a call's begin is lost. Then it is either
    /// the one behind the pair, with which the records begin and after which ids restart, or the pair is lost as well.
    fn sync_pair(&self, started: &[usize], first: usize, preamble: usize) -> Range<usize> {
        let moves_data = |&i: &usize| self.record(i).is_some_and(CdmaRecord::moves_data);
        let is_idle =
            |of: &Range<usize>| !started.get(of.clone()).unwrap_or_default().iter().any(moves_data);
        let (before, front) = (first.saturating_sub(preamble)..first, 0..preamble);
        let id = |place: usize| started.get(place).map(|&i| self.events.id[i]);
        let restarts = || {
            let follows = |place: usize| id(place).zip(id(place + 1)).map(|(a, b)| b - a);
            let are_neighbours = (1..preamble).all(|place| follows(place - 1) == Some(1));
            are_neighbours && follows(preamble.saturating_sub(1)).is_some_and(|step| step < 0)
        };
        match () {
            () if is_idle(&before) => before,
            () if first > preamble && is_idle(&front) && restarts() => front,
            () => 0..0,
        }
    }

    fn is_receiving(&self, i: usize) -> bool {
        self.record(i).is_some_and(|record| record.thread() == PortThread::Receive)
    }

    /// Whether two events of one id may be records of one execution.
    fn are_one(&self, a: usize, b: usize) -> bool {
        let events = self.events;
        let overlap = events.start[a] < events.end[b] && events.start[b] < events.end[a];
        let sends = |i| {
            let record = self.record(i)?;
            let (out, into) = (record.ati_data_valid.get() > 0, record.ari_data_valid.get() > 0);
            (out != into).then_some(out)
        };
        let is_opposite = sends(a).zip(sends(b)).is_some_and(|(a, b)| a != b);
        let is_same = (events.start[a], events.end[a]) == (events.start[b], events.end[b]);
        (overlap || is_same) && !is_opposite
    }

    /// Splits a thread, in the order of its starts, into calls. Where a port shows one thread only, its records may be
    /// those of both, so that a smaller id alone begins no call (`are_serial` is false).
    fn calls(&self, thread: &[usize], are_serial: bool) -> Vec<Vec<usize>> {
        let ids = &self.events.id;
        let mut calls: Vec<Vec<usize>> = Vec::new();
        let mut greatest = 0;
        let mut of_id: HashMap<i64, usize> = HashMap::new();
        for &i in thread {
            let id = ids[i];
            let is_new = match (of_id.get(&id), calls.last().and_then(|call| call.last())) {
                (_, None) => true,
                (Some(&same), _) => !self.are_one(same, i),
                (None, _) if id > greatest => false,
                (None, _) if greatest - id > i64::from(CDMA_DISORDER) => true,
                (None, Some(&last)) => {
                    (are_serial || id == FIRST_ID) && self.events.start[i] >= self.events.end[last]
                }
            };
            if is_new {
                calls.push(Vec::new());
                of_id.clear();
                greatest = id;
            }
            greatest = greatest.max(id);
            of_id.insert(id, i);
            if let Some(call) = calls.last_mut() {
                call.push(i);
            }
        }
        calls
    }

    /// Sorts a call by id and keeps the longest record of each execution. Returns how many are dropped.
    fn drop_duplicates(&self, call: &mut Vec<usize>) -> u64 {
        let before = call.len();
        call.sort_by_key(|&i| self.events.id[i]);
        call.dedup_by(|next, kept| {
            let is_one =
                self.events.id[*next] == self.events.id[*kept] && self.are_one(*next, *kept);
            if is_one && self.events.duration(*next) > self.events.duration(*kept) {
                *kept = *next;
            }
            is_one
        });
        (before - call.len()) as u64
    }

    /// The calls of both threads in the order of their starts. Where the threads count their ids together, the parts
    /// of a call become one run of growing ids.
    fn joined(&self, mut calls: Vec<(usize, Vec<usize>)>) -> Vec<usize> {
        let start = |call: &[usize]| call.iter().map(|&i| self.events.start[i]).min();
        let has_both = calls.iter().any(|(thread, _)| *thread != calls.first().map_or(0, |c| c.0));
        if has_both {
            calls.sort_by_key(|(_, call)| start(call));
        }
        let id = |&i: &usize| self.events.id[i];
        let mut order = Vec::new();
        let mut open: Option<(usize, Vec<usize>)> = None;
        for (thread, call) in calls {
            match &mut open {
                Some((other, members))
                    if *other != thread && {
                        let taken: HashSet<i64> = members.iter().map(id).collect();
                        !call.iter().any(|i| taken.contains(&id(i)))
                    } =>
                {
                    members.extend(call);
                    members.sort_by_key(id);
                    order.append(members);
                    open = None;
                }
                _ => {
                    let before = open.replace((thread, call));
                    order.extend(before.into_iter().flat_map(|(_, members)| members));
                }
            }
        }
        order.extend(open.into_iter().flat_map(|(_, members)| members));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records as (start, end, id, receives), in the order in which they were written.
    fn repaired(records: &[(i64, i64, u32, bool)]) -> (Vec<(i64, i64)>, Repair) {
        repaired_with_data(records, &[])
    }

    /// Repairs records of which some move data. `with_data`: places of these.
    fn repaired_with_data(
        records: &[(i64, i64, u32, bool)],
        with_data: &[usize],
    ) -> (Vec<(i64, i64)>, Repair) {
        let pmu: Vec<CdmaRecord> = records
            .iter()
            .enumerate()
            .map(|(place, &(_, _, id, receives))| {
                let id = (id | u32::from(receives) << 24).into();
                let bytes = 4096 * u32::from(with_data.contains(&place));
                CdmaRecord { id, m0_data_ar: bytes.into(), ..CdmaRecord::default() }
            })
            .collect();
        let pmu: &'static [CdmaRecord] = pmu.leak();
        let column = |of: fn(&(i64, i64, u32, bool)) -> i64| records.iter().map(of).collect();
        let mut events = WideEvents::new(
            column(|r| r.0),
            column(|r| r.1),
            column(|r| r.2.into()),
            (0..records.len() as u32).collect(),
        );
        let repair = repair_port(&mut events, 2, |record| pmu.get(record as usize));
        (events.id.into_iter().zip(events.start).collect(), repair)
    }

    fn ids(repaired: &[(i64, i64)]) -> Vec<i64> {
        repaired.iter().map(|(id, _)| *id).collect()
    }

    #[test]
    fn cdma_keeps_its_sync_pair_and_sorts_each_call() {
        let (order, repair) = repaired(&[
            (0, 5, 9, false),
            (10, 15, 40, false),
            (20, 25, 41, false),
            (30, 35, 1, false),
            (50, 55, 3, false),
            (40, 45, 2, false),
            (40, 49, 2, false),
            (60, 65, 30, false),
            (70, 75, 1, false),
            (80, 85, 2, false),
        ]);
        assert_eq!(ids(&order), [9, 40, 41, 1, 2, 3, 30, 1, 2]);
        assert_eq!(repair.pair, 1..3);
        assert_eq!((repair.duplicates, repair.moved), (1, 2));
    }

    /// A full ring lost the pair: the records before the first whole call are those of another call.
    #[test]
    fn records_that_move_data_are_no_sync_pair() {
        let records =
            [(0, 5, 35, false), (6, 9, 36, false), (10, 15, 1, false), (16, 19, 2, false)];
        assert_eq!(repaired(&records).1.pair, 0..2);
        assert_eq!(repaired_with_data(&records, &[0, 1, 2, 3]).1.pair, 0..0);
        // Without a whole call the front is no pair either.
        assert_eq!(repaired_with_data(&records[..2], &[0, 1]).1.pair, 0..0);
    }

    /// Only the first record of the first call is lost: the pair is still at the front.
    #[test]
    fn a_lost_begin_of_the_first_call_loses_no_pair() {
        let records = [
            (0, 5, 40, false),
            (6, 9, 41, false),
            (10, 15, 2, false),
            (16, 19, 3, false),
            (20, 25, 1, false),
            (26, 29, 2, false),
        ];
        assert_eq!(repaired_with_data(&records, &[2, 3, 4, 5]).1.pair, 0..2);
        // Ids that go on are of one call, which may begin with commands that move no data.
        let goes_on = [(10, 15, 42, false), (16, 19, 43, false)];
        let records = [&records[..2], &goes_on, &records[4..]].concat();
        assert_eq!(repaired_with_data(&records, &[2, 3, 4, 5]).1.pair, 0..0);
    }

    /// Calls of a few commands each: their equal ids are no duplicates.
    #[test]
    fn short_calls_are_kept_apart() {
        let mut records = vec![(0, 5, 300, false), (6, 9, 301, false)];
        for call in 0..4i64 {
            for id in 1..4i64 {
                let start = 100 * call + 10 * id;
                records.push((start, start + 5, id as u32, false));
            }
        }
        let (order, repair) = repaired(&records);
        assert_eq!(ids(&order), [300, 301, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
        assert_eq!((repair.duplicates, repair.moved), (0, 0));
    }

    /// Two threads that count their ids together, written in the order of their ends.
    #[test]
    fn threads_of_a_call_are_put_together_by_their_ids() {
        let mut records = vec![(0, 5, 300, false), (6, 9, 301, false)];
        for call in 0..3i64 {
            let at = 1000 * call;
            let mut of_call: Vec<(i64, i64, u32, bool)> = (1..=20)
                .map(|id| {
                    let (receives, step) = (id % 2 == 0, 20 * ((id - 1) / 2));
                    let wait = if receives { 15 } else { 2 };
                    (at + 20 + step, at + 22 + step + wait, id as u32, receives)
                })
                .collect();
            of_call.sort_by_key(|record| record.1);
            records.extend(of_call);
        }
        let (order, repair) = repaired(&records);
        let call: Vec<i64> = (1..=20).collect();
        assert_eq!(ids(&order), [vec![300, 301], call.repeat(3)].concat());
        assert_eq!(repair.duplicates, 0);
    }

    /// Two threads with a counter each: equal ids at the same time are different commands.
    #[test]
    fn threads_with_counters_of_their_own_keep_all_records() {
        let mut records = vec![(0, 5, 300, false), (6, 9, 301, false)];
        for call in 0..3i64 {
            for id in 1..5i64 {
                let start = 1000 * call + 10 * id;
                records.push((start, start + 9, id as u32, false));
                records.push((start + 1, start + 9, id as u32, true));
            }
        }
        let (order, repair) = repaired(&records);
        assert_eq!(ids(&order), [vec![300, 301], [1, 2, 3, 4].repeat(6)].concat());
        assert_eq!(repair.duplicates, 0);
    }

    #[test]
    fn blocks_with_times_of_their_own_stay_in_order() {
        let late = 1 << 30;
        let (order, _) = repaired(&[
            (late, late + 5, 1, false),
            (late + 9, late + 15, 2, false),
            (10, 15, 1, false),
            (20, 25, 2, false),
        ]);
        assert_eq!(order, [(1, late), (2, late + 9), (1, 10), (2, 20)]);
    }
}
