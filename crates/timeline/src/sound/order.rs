//! Doubled and exchanged records of the TIU and the GDMA, which write theirs one after another.
//!
//! An engine does not overlap itself, so the times of two records say which of them was first.

use foldhash::{HashSet, HashSetExt};

use super::{FEWEST_RECORDS, RECORDS_PER_FAULT};
use crate::wide_events::WideEvents;

/// What was put right, by the index of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderFault {
    /// The record is there twice; this one was left out.
    Doubled(u32),
    /// Two neighbours had exchanged their places.
    Exchanged(u32, u32),
}

/// Puts records in order and leaves out doubled ones, unless there are so many that it is the engine's way of writing.
pub(crate) fn repair_order(events: &mut WideEvents) -> Vec<OrderFault> {
    let n = events.len();
    let is_back = |i: usize| events.start[i] < events.end[i - 1];
    if n < FEWEST_RECORDS || !(1..n).any(is_back) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let mut kept: Vec<usize> = Vec::with_capacity(n);
    let mut seen = HashSet::with_capacity(n);
    for i in 0..n {
        let key = (events.start[i], events.end[i], events.id[i]);
        if seen.insert(key) {
            kept.push(i);
        } else {
            faults.push(OrderFault::Doubled(events.record[i]));
        }
    }
    // The last records of a monitor may be strays of the firmware.
    let mut at = 1;
    while at + 2 < kept.len() {
        let (a, b) = (kept[at], kept[at + 1]);
        let (before, behind) = (kept[at - 1], kept[at + 2]);
        let is_exchanged = events.start[b] < events.start[a]
            && events.end[b] <= events.start[a]
            && events.end[before] <= events.start[b]
            && events.end[a] <= events.start[behind];
        if is_exchanged {
            kept.swap(at, at + 1);
            faults.push(OrderFault::Exchanged(events.record[b], events.record[a]));
            at += 1;
        }
        at += 1;
    }
    if faults.is_empty() || faults.len() * RECORDS_PER_FAULT > n {
        return Vec::new();
    }
    events.reorder(&kept);
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(order: &[usize]) -> WideEvents {
        let start: Vec<i64> = order.iter().map(|&i| 100 * i as i64).collect();
        let end = start.iter().map(|s| s + 60).collect();
        let id = order.iter().map(|&i| i as i64 % 9).collect();
        WideEvents::new(start, end, id, (0..order.len() as u32).collect())
    }

    fn ids_of(n: usize) -> Vec<i64> {
        (0..n).map(|i| i as i64 % 9).collect()
    }

    #[test]
    fn an_exchange_is_undone_wherever_it_is() {
        for at in 1..47 {
            let mut order: Vec<usize> = (0..50).collect();
            order.swap(at, at + 1);
            let mut events = events(&order);
            let (first, second) = (at as u32 + 1, at as u32);
            assert_eq!(repair_order(&mut events), [OrderFault::Exchanged(first, second)], "{at}");
            assert_eq!(events.id, ids_of(50));
        }
    }

    #[test]
    fn a_doubled_record_is_left_out() {
        for at in 0..50 {
            let mut order: Vec<usize> = (0..50).collect();
            order.insert(at, at);
            let mut events = events(&order);
            assert_eq!(repair_order(&mut events), [OrderFault::Doubled(at as u32 + 1)], "{at}");
            assert_eq!(events.id, ids_of(50));
        }
    }

    #[test]
    fn a_way_of_writing_is_left_alone() {
        let order: Vec<usize> = (0..48)
            .map(|i| {
                if i % 8 == 3 {
                    i + 1
                } else if i % 8 == 4 {
                    i - 1
                } else {
                    i
                }
            })
            .collect();
        let mut e = events(&order);
        assert!(repair_order(&mut e).is_empty());
        assert_eq!(e.record, (0..48).collect::<Vec<u32>>());
    }
}
