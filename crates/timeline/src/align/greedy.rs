//! Greedy search for how far a path gets with 0, 1, 2, ... drops.

/// The furthest `i` on diagonal `k = i - j` with exactly `d` drops.
pub(super) fn reached(frontier: &[u32], d: usize, k: isize) -> Option<usize> {
    let at = (k + d as isize).try_into().ok().filter(|at: &usize| at.is_multiple_of(2))?;
    frontier.get(at / 2).filter(|&&i| i != UNREACHED).map(|&i| i as usize)
}

const UNREACHED: u32 = u32::MAX;

/// Frontiers for 0, 1, 2, ... drops until the end of both lists is reached. Frontier `d` holds
/// the diagonals -d, -d+2, ..., d. `None` when more than `max` drops are needed.
pub(super) fn greedy_frontiers(a: &[u64], b: &[u64], max: usize) -> Option<Vec<Vec<u32>>> {
    let (n, m) = (a.len(), b.len());
    if n.abs_diff(m) > max || u32::try_from(n.max(m)).is_err() {
        return None;
    }
    let goal = n as isize - m as isize;
    let mut frontiers: Vec<Vec<u32>> = Vec::new();
    for d in 0..=max {
        let mut frontier = vec![UNREACHED; d + 1];
        for (slot, place) in frontier.iter_mut().enumerate() {
            let k = 2 * slot as isize - d as isize;
            let start = match frontiers.last() {
                None => Some(0),
                Some(last) => {
                    let dropped_record = reached(last, d - 1, k - 1).map(|i| i + 1);
                    let dropped_command = reached(last, d - 1, k + 1);
                    dropped_record.filter(|&i| i <= n).max(dropped_command)
                }
            };
            let Some(mut i) = start else { continue };
            let Ok(mut j) = usize::try_from(i as isize - k) else { continue };
            if j > m {
                continue;
            }
            while i < n && j < m && a[i] == b[j] {
                i += 1;
                j += 1;
            }
            *place = i as u32;
        }
        let done = reached(&frontier, d, goal).is_some_and(|i| i >= n);
        frontiers.push(frontier);
        if done {
            return Some(frontiers);
        }
    }
    None
}
