//! Looks at the pauses between bursts: a lost record moves all commands behind it, but it does not change which burst is
//! which.

use super::MOST_NS;
use super::quick::Quick;

/// How many times the median distance of commands a pause between bursts is at least: more than a lost record leaves.
const PAUSE: i64 = 3;
/// Share of the pauses, the best ones, that count: records may be lost next to a pause.
const COUNTED: f64 = 0.75;
/// Fewest pauses that are compared: fewer fit by chance.
const LEAST: usize = 4;
/// Shifts that are looked at in full.
const SHIFTS: usize = 3;

/// Places of the commands before the pauses between bursts.
pub(crate) fn pauses(times: &[i64]) -> Vec<usize> {
    let mut distances: Vec<i64> = times.windows(2).map(distance).collect();
    let middle = distances.len() / 2;
    if middle >= distances.len() {
        return Vec::new();
    }
    let usual = (*distances.select_nth_unstable(middle).1).max(1);
    let is_pause = |(_, two): &(usize, &[i64])| distance(two) > PAUSE.saturating_mul(usual);
    times.windows(2).enumerate().filter(is_pause).map(|(place, _)| place).collect()
}

fn distance(two: &[i64]) -> i64 {
    two.last().copied().unwrap_or(0) - two.first().copied().unwrap_or(0)
}

/// A thread's times and its pauses.
#[derive(Clone, Copy)]
pub(crate) struct Bursts<'t> {
    pub(crate) times: &'t [i64],
    pub(crate) pauses: &'t [usize],
}

impl Bursts<'_> {
    /// The length of a pause in ns, and its place.
    fn pause(&self, number: usize) -> Option<(i64, usize)> {
        let place = *self.pauses.get(number)?;
        Some((distance(self.times.get(place..place + 2)?), place))
    }
}

/// Looks at the shifts of whole bursts, the best first; their [`Quick::score`] is their [`Quick::steady`].
pub(crate) fn burst_shifts(sends: Bursts<'_>, receives: Bursts<'_>) -> Vec<Quick> {
    let (n, m) = (sends.pauses.len(), receives.pauses.len());
    let shorter = n.min(m);
    if shorter < LEAST {
        return Vec::new();
    }
    // As much of the shorter list as a way to pair must cover.
    let least = LEAST.max(3 * shorter / 5);
    let mut looks: Vec<Quick> = Vec::new();
    let mut changes: Vec<(f64, i64, usize)> = Vec::with_capacity(shorter);
    for skip in 0..n + m - 2 * least + 1 {
        // Pauses of the sender that are skipped, or of the receiver.
        let (from, to) = ((n - least).saturating_sub(skip), skip.saturating_sub(n - least));
        changes.clear();
        changes.extend((from..n).zip(to..m).filter_map(|(own, other)| {
            let ((pause, i), (seen, j)) = (sends.pause(own)?, receives.pause(other)?);
            let change = (seen - pause).abs() as f64 - 1e-4 * pause as f64;
            Some((change.clamp(0.0, MOST_NS), j as i64 - i as i64, i))
        }));
        if changes.len() < least {
            continue;
        }
        changes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let counted = ((changes.len() as f64 * COUNTED) as usize).max(LEAST);
        let ns: f64 = changes.iter().take(counted).map(|change| change.0).sum();
        let steady = ns / counted as f64;
        let Some(&(_, shift, start)) = changes.first() else { continue };
        looks.push(Quick { shift, start, score: steady, steady });
    }
    looks.sort_by(|a, b| {
        a.steady.total_cmp(&b.steady).then((a.shift, a.start).cmp(&(b.shift, b.start)))
    });
    looks.truncate(SHIFTS);
    looks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::{Alignment, Limits};

    /// Bursts of even commands: each has lost one of its receives, and the first
    /// burst was not captured.
    #[test]
    fn bursts_are_found_where_each_has_lost_a_record() {
        let mut time = 0;
        let sends: Vec<i64> = (0..400)
            .map(|at| {
                let burst = at / 40;
                time += if at % 40 == 0 { 90_000 + (burst * burst * 7_919) % 5_003 } else { 6_000 };
                time
            })
            .collect();
        let is_lost = |at: usize| at < 40 || at % 40 == 3 + at / 40;
        let seen = sends.iter().enumerate().filter(|(at, _)| !is_lost(*at));
        let receives: Vec<i64> = seen.map(|(at, t)| 7_000 + t + (at as i64 * 13) % 29).collect();
        let (i, j) = (pauses(&sends), pauses(&receives));
        assert_eq!((i.len(), j.len()), (9, 8));
        let of = |times, pauses| Bursts { times, pauses };
        let looks = burst_shifts(of(&sends, &i), of(&receives, &j));
        assert!(looks[0].steady < 30.0 && looks[1].steady > 300.0, "{looks:?}");
        let found = Alignment::best(&sends, &receives, &looks, Limits::NONE).unwrap().1;
        assert_eq!((found.count, found.alone_inside()), (351, [9, 0]));
    }
}
