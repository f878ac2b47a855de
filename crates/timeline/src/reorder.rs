//! Records that the PMU wrote out of order (section 5.4).

use crate::clock::CIRCLE;
use crate::wide_events::WideEvents;

/// Cycles from the end of one record to the start of a later one: the counter may have wrapped between them.
fn gap(end: i64, start: i64) -> i64 {
    let gap = start - end;
    if gap < -CIRCLE / 2 { gap + CIRCLE } else { gap }
}

/// SDMA, before unwrapping: a send that retired late is before the record that it followed.
/// Returns the number of swaps.
pub(crate) fn swap_by_time(start: &mut [i64], end: &mut [i64], mut swap: impl FnMut(usize)) -> u64 {
    let mut swaps = 0;
    for i in 1..start.len().saturating_sub(1) {
        let own = gap(end[i - 1], start[i]);
        let next = gap(end[i - 1], start[i + 1]);
        if 0 < next && next < own {
            start.swap(i, i + 1);
            end.swap(i, i + 1);
            swap(i);
            swaps += 1;
        }
    }
    swaps
}

/// SDMA, after unwrapping: neighbours whose ids are the wrong way round. Returns the swaps.
pub(crate) fn swap_by_id(id: &mut [i64], mut swap: impl FnMut(usize)) -> u64 {
    let mut swaps = 0;
    for i in 1..id.len() {
        if id[i] >= id[i - 1] {
            continue;
        }
        let first = if i >= 2 && id[i] == id[i - 2] + 1 {
            i - 1
        } else if i + 1 < id.len() && id[i + 1] == id[i - 1] + 1 {
            i
        } else {
            continue;
        };
        id.swap(first, first + 1);
        swap(first);
        swaps += 1;
    }
    swaps
}

/// What the repair of a CDMA port changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Repair {
    /// Records before the sync pair of the first launch: dropped.
    pub(crate) before_preamble: u64,
    /// Shorter ones of records with one id: dropped.
    pub(crate) duplicates: u64,
    /// Records that changed places.
    pub(crate) moved: u64,
}

/// Ids fall by more than this only from one launch to the next.
pub(crate) const CDMA_DISORDER: u32 = 10;

/// CDMA: keeps up to `preamble` records before the first record with id 1, sorts each launch by id,
/// and keeps the longest of duplicate ids. A port without an id 1 stays as it is.
pub(crate) fn repair_cdma(events: &mut WideEvents, preamble: usize) -> Repair {
    let mut repair = Repair::default();
    let Some(first) = events.id.iter().position(|&id| id == 1) else { return repair };
    let head = first.saturating_sub(preamble);
    repair.before_preamble = head as u64;
    let mut order: Vec<usize> = (head..first).collect();
    let mut launch = first;
    for i in first..events.len() {
        let next_is_far =
            events.id.get(i + 1).is_none_or(|&next| events.id[i] - next > i64::from(CDMA_DISORDER));
        if next_is_far {
            let mut members: Vec<usize> = (launch..=i).collect();
            members.sort_by_key(|&m| events.id[m]);
            repair.moved += members.iter().zip(launch..).filter(|&(&m, at)| m != at).count() as u64;
            for same in members.chunk_by(|&x, &y| events.id[x] == events.id[y]) {
                // The first of the longest: max_by_key takes the last of equals.
                order.extend(same.iter().rev().max_by_key(|&&m| events.duration(m)));
                repair.duplicates += same.len() as u64 - 1;
            }
            launch = i + 1;
        }
    }
    if order.len() != events.len() || repair.moved > 0 {
        events.reorder(&order);
    }
    repair
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_send_is_moved_back() {
        let (mut start, mut end) = (vec![0, 50, 20, 80], vec![10, 60, 30, 90]);
        let mut swapped = Vec::new();
        assert_eq!(swap_by_time(&mut start, &mut end, |i| swapped.push(i)), 1);
        assert_eq!((start, swapped), (vec![0, 20, 50, 80], vec![1]));
    }

    #[test]
    fn a_late_send_is_moved_back_at_the_wrap() {
        let near = CIRCLE - 10;
        let swapped = |mut start: Vec<i64>, mut end: Vec<i64>| {
            let swaps = swap_by_time(&mut start, &mut end, |_| ());
            (swaps, start)
        };
        // Both behind the wrap; the late one across it; both before it.
        assert_eq!(
            swapped(vec![near, 50, 20, 80], vec![near + 5, 60, 30, 90]).1,
            [near, 20, 50, 80]
        );
        let across = (vec![near, 50, near + 7, 80], vec![near + 5, 60, 3, 90]);
        assert_eq!(swapped(across.0, across.1), (1, vec![near, near + 7, 50, 80]));
        assert_eq!(swapped(vec![near, near + 7, 20], vec![near + 5, near + 9, 30]).0, 0);
        assert_eq!(swapped(vec![near, 5, 20, 30], vec![near + 5, 9, 25, 40]).0, 0);
    }

    #[test]
    fn neighbours_are_swapped_by_id() {
        let mut id = vec![0, 2, 1, 3, 5, 4];
        assert_eq!(swap_by_id(&mut id, |_| ()), 2);
        assert_eq!(id, [0, 1, 2, 3, 4, 5]);
        let mut reset = vec![7, 8, 0, 1];
        assert_eq!(swap_by_id(&mut reset, |_| ()), 0);
    }

    #[test]
    fn cdma_keeps_its_sync_pair_and_sorts_each_launch() {
        let id = vec![9, 40, 41, 1, 3, 2, 2, 30, 1, 2];
        let end = vec![5, 5, 5, 5, 5, 5, 9, 5, 5, 5];
        let n = id.len();
        let mut events = WideEvents::new(vec![0; n], end, id, (0..n as u32).collect());
        let repair = repair_cdma(&mut events, 2);
        assert_eq!(events.id, [40, 41, 1, 2, 3, 30, 1, 2]);
        assert_eq!(events.record[3], 6, "the longer of the two with id 2");
        assert_eq!(repair, Repair { before_preamble: 1, duplicates: 1, moved: 3 });
    }
}
