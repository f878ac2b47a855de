//! Full PMU rings (section 5.1): dumped in slot order, they may have to be rotated.
//!
//! The counters are 32 bits wide, so all times lie on a circle of 2^32 cycles, and a dump in order
//! goes round it at most once. Of all the gaps between neighbouring slots, the one from the last
//! slot back to the first included, the widest is where the session began and ended:
//!
//! ```text
//!   plain or wrapped:  first ─► ... ─► last        wide: last ⇢ first
//!   lapped ring:       a ─► b | c ─► d             wide: b ⇢ c;   d continues with a
//! ```
//!
//! So a genuine counter wrap inside the session (time continues modulo 2^32) is never taken for a
//! lapped ring, and a lapped ring that also wrapped is still found.

use crate::clock::{CIRCLE, SAME_EPOCH};

/// The size to ask for where a ring of `ring` records, 0 where that is not known, was too small for so many.
pub(crate) fn size_that_holds(records: u64, ring: u64) -> u64 {
    let needed = records.saturating_add(1);
    needed.checked_next_power_of_two().unwrap_or(needed).max(ring.saturating_mul(2))
}

/// So many ids may be missing between two records that follow each other, less one: the PMU loses records.
const NEAR_IDS: u32 = 16;

/// The slot that a ring's oldest record is in; 0 for a dump that is in order, or in no order
/// that a rotation would repair.
///
/// `times`: start and end of each slot, `ids`: their command ids.
pub(crate) fn oldest_slot(times: &[(u32, u32)], ids: &[u32]) -> usize {
    let n = times.len();
    if n < 2 {
        return 0;
    }
    let step = |from: u32, to: u32| i64::from(to.wrapping_sub(from));
    let gap_before = |slot: usize| step(times[slot - 1].1, times[slot].0);
    let closing = step(times[n - 1].1, times[0].0);
    let mut around = step(times[n - 1].0, times[n - 1].1) + closing;
    let (mut widest, mut after_widest) = (0, 0);
    let mut seam = None;
    for (before, neighbours) in times.windows(2).enumerate() {
        let &[(start, end), (next, _)] = neighbours else { continue };
        let gap = step(end, next);
        around = around.saturating_add(step(start, end) + gap);
        if gap > widest {
            (widest, after_widest) = (gap, before + 1);
        }
        if next < end {
            seam = Some(before + 1);
        }
    }
    // More than once around: several wraps, or disorder. A rotation fixes neither.
    if around != CIRCLE {
        return 0;
    }
    if widest > closing && CIRCLE - widest <= SAME_EPOCH {
        // No pause is just a turn long: all records lie close together on the other side of it.
        return after_widest;
    }
    let goes_on =
        |from: usize, to: usize| (1..=NEAR_IDS).contains(&ids[to].wrapping_sub(ids[from]));
    let is_pause = || goes_on(after_widest - 1, after_widest) || ids[after_widest] <= 1;
    if widest > closing && seam != Some(after_widest) {
        // A lapped ring that also wrapped: its seam looks like a long pause, and its wrap like a
        // seam. Only ids that continue from the last slot to the first tell it from a pause.
        let is_exact = ids[0] == ids[n - 1].wrapping_add(1);
        if is_exact || goes_on(n - 1, 0) && !is_pause() {
            return after_widest;
        }
    }
    // One step back: a wrap if time continues there more closely than from the last slot to the
    // first, else the ring's seam. Where both starts are the same, neither is the oldest.
    seam.filter(|&seam| gap_before(seam) >= closing && times[seam].0 != times[0].0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A session in order: starts at `at`, with the given pauses and durations.
    fn session(at: u32, steps: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut now = at;
        steps
            .iter()
            .map(|&(pause, duration)| {
                let start = now.wrapping_add(pause);
                now = start.wrapping_add(duration);
                (start, now)
            })
            .collect()
    }

    fn steps() -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec((1u32..100_000, 1u32..100_000), 2..60)
    }

    proptest! {
        #[test]
        fn a_session_in_order_is_never_rotated(at in any::<u32>(), steps in steps()) {
            let times = session(at, &steps);
            let ids: Vec<u32> = (0..times.len() as u32).collect();
            prop_assert_eq!(oldest_slot(&times, &ids), 0);
        }

        #[test]
        fn a_lapped_ring_is_rotated_back(
            at in any::<u32>(),
            steps in steps(),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut times = session(at, &steps);
            let mut ids: Vec<u32> = (50..50 + times.len() as u32).collect();
            let cut = cut.index(times.len());
            times.rotate_right(cut);
            ids.rotate_right(cut);
            prop_assert_eq!(oldest_slot(&times, &ids), cut);
        }
    }

    #[test]
    fn overlapping_records_are_left_alone() {
        assert_eq!(oldest_slot(&[(100, 200), (150, 300), (10, 90)], &[0, 1, 2]), 0);
    }
}
