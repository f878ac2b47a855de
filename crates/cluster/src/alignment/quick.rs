//! Quick looks: at which shifts the pauses between sends and between receives are alike.

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
    let mut best: Vec<Quick> = Vec::new();
    let (n, m) = (sends.len() as i64, receives.len() as i64);
    let mut found: Vec<(usize, f64)> = Vec::with_capacity(places.len());
    for shift in (m - n).min(0) - slack..=(m - n).max(0) + slack {
        found.clear();
        found.extend(changes(sends, receives, places, shift));
        if found.len() < fewest(places.len()) {
            continue;
        }
        let steady = mean(&found);
        for stretch in found.chunks(stretch(found.len())) {
            let Some(&(start, _)) = stretch.first() else { continue };
            best.push(Quick { shift, start, score: mean(stretch), steady });
        }
    }
    let order = |a: &Quick, b: &Quick| {
        let key = |quick: &Quick| (quick.shift.abs(), quick.shift, quick.start);
        key(a).cmp(&key(b))
    };
    // The best by either measure, each shift once.
    best.sort_by(|a, b| {
        let by_score = || a.score.total_cmp(&b.score).then_with(|| order(a, b));
        a.steady.total_cmp(&b.steady).then_with(by_score)
    });
    let mut chosen: Vec<Quick> = Vec::with_capacity(2 * SHIFTS);
    for _ in 0..2 {
        let most = chosen.len() + SHIFTS;
        for quick in &best {
            if chosen.len() == most {
                break;
            }
            if chosen.iter().all(|known| known.shift != quick.shift) {
                chosen.push(*quick);
            }
        }
        best.sort_by(|a, b| a.score.total_cmp(&b.score).then_with(|| order(a, b)));
    }
    chosen
}
