//! SDMA records that the PMU wrote out of order (section 5.4).

use crate::clock::CIRCLE;

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
        // A record that starts most of a turn later than the next one is from before the wrap, and older than it.
        if 0 < next && next < own && own - next <= CIRCLE / 2 {
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
        // The first record is behind the wrap, the late one after it across it: the next pair is put right, not this one.
        let first = (vec![12, near, 47, 28], vec![28, 11, 63, 42]);
        assert_eq!(swapped(first.0, first.1), (1, vec![12, near, 28, 47]));
    }

    #[test]
    fn neighbours_are_swapped_by_id() {
        let mut id = vec![0, 2, 1, 3, 5, 4];
        assert_eq!(swap_by_id(&mut id, |_| ()), 2);
        assert_eq!(id, [0, 1, 2, 3, 4, 5]);
        let mut reset = vec![7, 8, 0, 1];
        assert_eq!(swap_by_id(&mut reset, |_| ()), 0);
    }
}
