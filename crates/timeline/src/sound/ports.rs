//! Times and ids of a CDMA port's records that can't be.
//!
//! A port has two threads. Each works on one command after another and counts up the ids of a call, so that what holds for
//! an engine of a core holds for a thread. But records of a port may be out of order and there may be several of one
//! command; so only what a single bit explains, and nothing else, is put right.

use super::times::{TimeFault, longest_inside, repair_times};
use super::{RECORDS_PER_FAULT, cycles_between};
use crate::port_repair::{CDMA_DISORDER, FIRST_ID};

/// Fewer records of a thread say too little about their ids.
const FEWEST_RECORDS: usize = 8;
/// Bits of an id.
const ID_BITS: u32 = 24;
/// Equal ids that lie further apart are of other calls.
const WINDOW: usize = 16;

/// Puts right times that are off by more than a record lasts. `thread`: of a record.
pub(crate) fn repair_port_times(
    times: &mut [(u32, u32)],
    thread: impl Fn(usize) -> bool,
) -> Vec<TimeFault> {
    let mut faults = Vec::new();
    for of in [false, true] {
        let own: Vec<usize> = (0..times.len()).filter(|&i| thread(i) == of).collect();
        let mut repaired: Vec<(u32, u32)> = own.iter().map(|&i| times[i]).collect();
        let found = repair_times(&mut repaired, |_| None);
        let longest = longest_inside(&repaired);
        for TimeFault { record, was, is_repaired } in found {
            let now = repaired[record];
            let moved = |a: u32, b: u32| cycles_between(a, b).abs();
            let is_far = moved(was.0, now.0).max(moved(was.1, now.1)) > longest;
            let is_possible = (0..=longest).contains(&cycles_between(was.0, was.1));
            if is_far || now != was && !is_possible {
                times[own[record]] = now;
                faults.push(TimeFault { record: own[record], was, is_repaired });
            }
        }
    }
    faults
}

/// Puts right ids of a thread, in the order of its starts. Returns the places of those.
pub(crate) fn repair_thread_ids(ids: &mut [i64]) -> Vec<usize> {
    let n = ids.len();
    if n < FEWEST_RECORDS {
        return Vec::new();
    }
    let mut repaired = ids.to_vec();
    let mut found = Vec::new();
    for i in 0..n {
        // What is before is right by now.
        if let Some(id) = right_id(&repaired, i) {
            repaired[i] = id;
            found.push(i);
        }
    }
    if found.len() * RECORDS_PER_FAULT > n.max(RECORDS_PER_FAULT) {
        return Vec::new();
    }
    ids.copy_from_slice(&repaired);
    found
}

/// The id that a record must have, where its own can't be: a gap in the ids around it that one bit fills.
fn right_id(ids: &[i64], i: usize) -> Option<i64> {
    let own = ids[i];
    let before = i.checked_sub(1).map(|b| ids[b]);
    let behind = ids.get(i + 1).copied();
    let candidates: Vec<i64> = match (before, behind) {
        // One id is missing between two of a call whose ids grow one by one.
        (Some(a), Some(c)) if c == a + 2 => {
            let is_serial = (a == FIRST_ID || i < 2 || ids[i - 2] == a - 1)
                && ids.get(i + 2).is_none_or(|next| *next == c + 1 || *next <= c);
            // What looks like the begin of a call is none where the call goes on behind it.
            if own == a + 1 || !is_serial {
                return None;
            }
            vec![a + 1]
        }
        // The begin of a call says nothing against the id before it.
        _ if own == FIRST_ID => return None,
        // At the begin or the end of a call: the id is far from all.
        (a, c) => {
            let is_far = |other: i64| (own - other).abs() > i64::from(CDMA_DISORDER);
            let is_end = a.zip(c).is_none_or(|(a, c)| c <= a);
            if !is_end || a.is_some_and(|a| !is_far(a)) || c.is_some_and(|c| !is_far(c)) {
                return None;
            }
            [a.map(|a| a + 1), c.map(|c| c - 1)].into_iter().flatten().collect()
        }
    };
    let is_free = |id: &i64| !call_around(ids, i).contains(id);
    let is_by_bit = |id: &i64| (0..ID_BITS).any(|bit| own ^ 1 << bit == *id);
    let mut found = candidates.into_iter().filter(|id| is_by_bit(id) && is_free(id));
    found.next().filter(|_| found.next().is_none())
}

/// The ids around a record, as far as they are of its call.
fn call_around(ids: &[i64], i: usize) -> &[i64] {
    let begins = |k: &usize| ids[*k] == FIRST_ID;
    let first = (0..i).rev().take(WINDOW).find(begins);
    let end = (i + 1..ids.len()).take(WINDOW).find(begins);
    let first = first.unwrap_or(i.saturating_sub(WINDOW));
    &ids[first..end.unwrap_or((i + WINDOW + 1).min(ids.len()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls of 30 ids each.
    fn calls() -> Vec<i64> {
        let mut ids = vec![300, 301];
        (0..3).for_each(|_| ids.extend(1..31));
        ids
    }

    #[test]
    fn ids_that_can_be_stay() {
        let mut ids = calls();
        assert!(repair_thread_ids(&mut ids).is_empty());
        let mut lost = calls();
        lost.remove(40);
        let before = lost.clone();
        assert!(repair_thread_ids(&mut lost).is_empty());
        assert_eq!(lost, before);
        let mut short: Vec<i64> = (0..6).flat_map(|_| [1, 2, 3]).collect();
        assert!(repair_thread_ids(&mut short).is_empty());
    }

    #[test]
    fn a_changed_bit_of_an_id_is_found() {
        for at in (4..90).filter(|at| (at - 2) % 30 != 0 && (at - 2) % 30 != 29) {
            for bit in 0..16 {
                let mut ids = calls();
                ids[at] ^= 1 << bit;
                repair_thread_ids(&mut ids);
                assert_eq!(ids, calls(), "bit {bit} of record {at}");
            }
        }
    }

    #[test]
    fn a_changed_bit_of_a_time_is_found_on_its_thread() {
        let whole: Vec<(u32, u32)> = (0..60_u32)
            .map(|i| {
                let start = 1000 + 400 * (i / 2) + 150 * (i % 2);
                (start, start + 310 + i % 7)
            })
            .collect();
        for at in 2..56 {
            for bit in 9..32 {
                for is_end in [false, true] {
                    let mut times = whole.clone();
                    let wrong = if is_end { &mut times[at].1 } else { &mut times[at].0 };
                    *wrong ^= 1 << bit;
                    let faults = repair_port_times(&mut times, |i| i % 2 == 1);
                    assert!(faults.iter().any(|f| f.record == at), "bit {bit} of record {at}");
                }
            }
        }
        let mut times = whole.clone();
        assert!(repair_port_times(&mut times, |i| i % 2 == 1).is_empty());
    }
}
