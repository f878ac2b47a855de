//! Quick looks: at which shifts the pauses between sends and between receives are alike.

use std::cmp::Ordering;

use super::MOST_NS;

/// Places that a quick look takes: half of them the largest pauses between sends, half spread over all.
pub(crate) const QUICK: usize = 96;
/// Stretches of a quick look: a lost record changes the shift behind it.
const STRETCHES: usize = 12;
/// Shifts of a quick look that are looked at in full.
const SHIFTS: usize = 3;
/// Share of a pause by which two clocks drift apart in it.
pub(super) const DRIFT: f64 = 1e-4;

/// Fewest places at which both threads must have records.
pub(super) fn fewest(places: usize) -> usize {
    4.max(places / 3)
}

/// Places of a stretch, where both threads have records at so many.
pub(super) fn stretch(found: usize) -> usize {
    found.div_ceil((found / 8).clamp(1, STRETCHES)).max(1)
}

/// A quick look at a shift: receive index minus send index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quick {
    pub(crate) shift: i64,
    /// Index of a send where it fits.
    pub(crate) start: usize,
    /// ns; mean change of the difference from one pair to the next, in the stretch where it is least.
    pub(crate) score: f64,
    /// ns; mean change of the difference over all pairs: a wrong partner may keep step for a while, and a lost record
    /// makes the right one lose it.
    pub(crate) steady: f64,
}

/// Indices of sends that tell shifts apart: behind the largest pauses, and spread over all.
pub(crate) fn places(sends: &[i64]) -> Vec<usize> {
    let n = sends.len();
    let pause = |i: usize| match (sends.get(i), sends.get(i + 1)) {
        (Some(a), Some(b)) => b - a,
        _ => 0,
    };
    let mut by_pause: Vec<usize> = (0..n.saturating_sub(1)).collect();
    by_pause.sort_by_key(|&i| (std::cmp::Reverse(pause(i)), i));
    by_pause.truncate(QUICK / 2);
    let spread = (QUICK / 2).min(n.saturating_sub(1));
    by_pause.extend((0..spread).map(|k| k * n.saturating_sub(1) / spread.max(1)));
    by_pause.sort_unstable();
    by_pause.dedup();
    by_pause
}

/// ns; how much the difference of two times changes, at each place at which both threads have records, at a shift.
fn changes<'t>(
    sends: &'t [i64],
    receives: &'t [i64],
    places: &'t [usize],
    shift: i64,
) -> impl Iterator<Item = (usize, f64)> + 't {
    places.iter().filter_map(move |&i| {
        let j = usize::try_from(i as i64 + shift).ok()?;
        let (&[s0, s1], &[r0, r1]) = (sends.get(i..i + 2)?, receives.get(j..j + 2)?) else {
            return None;
        };
        let pause = s1 - s0;
        let change = (r1 - r0 - pause).abs() as f64;
        Some((i, (change - DRIFT * pause as f64).clamp(0.0, MOST_NS)))
    })
}

fn mean(changes: &[(usize, f64)]) -> f64 {
    changes.iter().map(|(_, ns)| ns).sum::<f64>() / changes.len() as f64
}

/// Quick looks at all shifts, the best first. `slack`: shifts that are tried beyond the difference of the lengths;
/// `places`: of the sends.
pub(crate) fn best_shifts(
    sends: &[i64],
    receives: &[i64],
    places: &[usize],
    slack: i64,
) -> Vec<Quick> {
    let mut looks: Vec<Quick> = Vec::new();
    let (n, m) = (sends.len() as i64, receives.len() as i64);
    let mut found: Vec<(usize, f64)> = Vec::with_capacity(places.len());
    for shift in (m - n).min(0) - slack..=(m - n).max(0) + slack {
        found.clear();
        found.extend(changes(sends, receives, places, shift));
        if found.len() < fewest(places.len()) {
            continue;
        }
        let steady = mean(&found);
        // Of a shift only the best stretch counts, the first of equals.
        let mut best: Option<Quick> = None;
        for stretch in found.chunks(stretch(found.len())) {
            let (score, Some(&(start, _))) = (mean(stretch), stretch.first()) else { continue };
            if best.is_none_or(|best| score.total_cmp(&best.score).is_lt()) {
                best = Some(Quick { shift, start, score, steady });
            }
        }
        looks.extend(best);
    }
    let by_score = |a: &Quick, b: &Quick| {
        let key = |quick: &Quick| (quick.shift.abs(), quick.shift);
        a.score.total_cmp(&b.score).then_with(|| key(a).cmp(&key(b)))
    };
    let by_steady =
        |a: &Quick, b: &Quick| a.steady.total_cmp(&b.steady).then_with(|| by_score(a, b));
    // The best by either measure, each shift once.
    let mut chosen = first_few(looks.iter(), by_steady);
    let others = looks.iter().filter(|look| chosen.iter().all(|known| known.shift != look.shift));
    let others = first_few(others, by_score);
    chosen.extend(others);
    chosen
}

/// The first [`SHIFTS`] looks of an order.
fn first_few<'q>(
    looks: impl Iterator<Item = &'q Quick>,
    order: impl Fn(&Quick, &Quick) -> Ordering,
) -> Vec<Quick> {
    let mut first: Vec<Quick> = Vec::with_capacity(SHIFTS + 1);
    for look in looks {
        let place = first.partition_point(|other| order(other, look).is_lt());
        if place < SHIFTS {
            first.insert(place, *look);
            first.truncate(SHIFTS);
        }
    }
    first
}
