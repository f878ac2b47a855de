//! Quick looks: at which shifts the pauses between sends and between receives are alike.

use super::MOST_NS;

/// Places that a quick look takes: half of them the largest pauses between sends, half spread over all.
pub(crate) const QUICK: usize = 96;
/// Stretches of a quick look: a lost record changes the shift behind it.
const STRETCHES: usize = 12;
/// Shifts of a quick look that are looked at in full.
const SHIFTS: usize = 3;
/// A quick look at a shift: receive index minus send index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quick {
    pub(crate) shift: i64,
    /// Index of a send where it fits.
    pub(crate) start: usize,
    /// ns; mean change of the difference from one pair to the next, in the stretch where it is least.
    pub(crate) score: f64,
    /// The same over all: a wrong partner may keep step for a while, and a lost record makes the right one lose it.
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
        // Two clocks drift apart in a pause.
        Some((i, (change - 1e-4 * pause as f64).clamp(0.0, MOST_NS)))
    })
}

/// Looks at all shifts: `see` gets each with its changes and the length of a stretch of them.
fn each_shift(
    sends: &[i64],
    receives: &[i64],
    places: &[usize],
    slack: i64,
    mut see: impl FnMut(i64, &[(usize, f64)], usize),
) {
    let (n, m) = (sends.len() as i64, receives.len() as i64);
    let (low, high) = ((m - n).min(0) - slack, (m - n).max(0) + slack);
    let mut found: Vec<(usize, f64)> = Vec::with_capacity(places.len());
    for shift in low..=high {
        found.clear();
        found.extend(changes(sends, receives, places, shift));
        if found.len() < 4.max(places.len() / 3) {
            continue;
        }
        let stretches = (found.len() / 8).clamp(1, STRETCHES);
        see(shift, &found, found.len().div_ceil(stretches));
    }
}

fn mean(changes: &[(usize, f64)]) -> f64 {
    changes.iter().map(|(_, ns)| ns).sum::<f64>() / changes.len() as f64
}

/// The least [`Quick::score`] and the least [`Quick::steady`] of all shifts, without the shifts themselves; `None` if there are none.
pub(crate) fn least_scores(
    sends: &[i64],
    receives: &[i64],
    places: &[usize],
    slack: i64,
) -> Option<[f64; 2]> {
    let mut least: Option<[f64; 2]> = None;
    each_shift(sends, receives, places, slack, |_, found, length| {
        let [score, steady] = least.unwrap_or([f64::INFINITY; 2]);
        let own = found.chunks(length).map(mean).fold(score, f64::min);
        least = Some([own, steady.min(mean(found))]);
    });
    least
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
    each_shift(sends, receives, places, slack, |shift, found, length| {
        let steady = mean(found);
        for stretch in found.chunks(length) {
            let Some(&(start, _)) = stretch.first() else { continue };
            best.push(Quick { shift, start, score: mean(stretch), steady });
        }
    });
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
