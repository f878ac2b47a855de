//! Times and ids of a CDMA port's records that can't be.
//!
//! A port has two threads. Each works on one command after another and counts up the ids of a call, so that what holds for
//! an engine of a core holds for a thread. But records of a port may be out of order and there may be several of one
//! command; so only what a single bit explains, and nothing else, is put right.

use foldhash::{HashMap, HashMapExt, HashSet};

use super::times::{TimeFault, longest_inside, repair_times};
use super::{RECORDS_PER_FAULT, cycles_between};

/// Fewer records of a thread say too little about their ids.
const FEWEST_RECORDS: usize = 8;
/// Bits of an id.
const ID_BITS: u32 = 24;
/// A call begins with this id: it says nothing against the id before it.
const FIRST_ID: i64 = 1;
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
        let found = repair_times(&mut repaired);
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

/// The id that a record must have, where its own can't be: it leaves a gap in the ids around it that one bit fills.
fn right_id(ids: &[i64], i: usize) -> Option<i64> {
    let own = ids[i];
    if own == FIRST_ID {
        return None;
    }
    let before = i.checked_sub(1).map(|b| ids[b]);
    let behind = ids.get(i + 1).copied();
    // Between the records of a call, at its begin, or at its end.
    let is_inside = before.zip(behind).is_some_and(|(a, c)| a < c);
    if is_inside && before.is_some_and(|a| a < own) && behind.is_some_and(|c| own < c) {
        return None;
    }
    let missing: HashSet<i64> = match (before, behind) {
        (Some(a), Some(c)) if is_inside => (a + 1..c.min(a + 1 + WINDOW as i64)).collect(),
        (a, c) => [a.map(|a| a + 1), c.map(|c| c - 1)].into_iter().flatten().collect(),
    };
    if missing.contains(&own) {
        return None;
    }
    let around = &ids[i.saturating_sub(WINDOW)..(i + WINDOW + 1).min(ids.len())];
    let mut times: HashMap<i64, usize> = HashMap::new();
    around.iter().for_each(|id| *times.entry(*id).or_default() += 1);
    // At the ends of a call only an id that another record has, or that is far from all, is certainly wrong.
    let is_near = |other: i64| (own - other).abs() <= WINDOW as i64;
    let is_odd = is_inside
        || times.get(&own).is_some_and(|n| *n > 1)
        || !before.is_some_and(is_near) && !behind.is_some_and(is_near);
    let mut by_bit = (0..ID_BITS)
        .map(|bit| own ^ 1 << bit)
        .filter(|id| missing.contains(id) && !times.contains_key(id));
    match (is_odd, by_bit.next(), by_bit.next()) {
        (true, Some(id), None) => Some(id),
        _ => None,
    }
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
