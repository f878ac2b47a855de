//! Long threads are paired in a part first: most ways to pair two threads are none, and a part shows that.

use super::{Alignment, Quick};

/// A way to pair whose score is so many times that of what fits is looked at less closely: it is none, and only by how much
/// it is worse counts.
pub(crate) const HOPELESS: f64 = 8.0;
/// Commands of a thread that is paired in a part first.
const LONG: usize = 4096;
/// Sends of such a part, and receives before and behind those that belong to them.
const PART: usize = 1024;
const MARGIN: usize = 32;

/// What is known of two threads before they are paired.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// ns; the score of what fits them.
    pub(crate) known: f64,
    /// ns; of a way to pair them of which half of the pairs are farther off, no closer look is taken.
    pub(crate) most: f64,
}

impl Limits {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { known: f64::INFINITY, most: f64::INFINITY };
}

/// The looks of two threads that a part of each does not show to be hopeless against the best, or against what is known.
pub(super) fn hopeful(
    sends: &[i64],
    receives: &[i64],
    looks: &[Quick],
    limits: Limits,
) -> Vec<Quick> {
    if sends.len().min(receives.len()) < LONG {
        return looks.to_vec();
    }
    let score = |look: &Quick| Some((*look, part(sends, receives, look, limits)?.score));
    let scores: Vec<(Quick, f64)> = looks.iter().filter_map(score).collect();
    let least = scores.iter().map(|(_, score)| *score).fold(limits.known, f64::min);
    let may_be = |(_, score): &&(Quick, f64)| *score <= HOPELESS * least.max(1.0);
    scores.iter().filter(may_be).map(|(look, _)| *look).collect()
}

/// The commands near the place of a look.
fn part(sends: &[i64], receives: &[i64], look: &Quick, limits: Limits) -> Option<Alignment> {
    let from = look.start.saturating_sub(PART / 2);
    let to = (from + PART).min(sends.len());
    let place = |at: usize| (at as i64 + look.shift).clamp(0, receives.len() as i64) as usize;
    let first = place(from).saturating_sub(MARGIN);
    let last = (place(to) + MARGIN).min(receives.len());
    let shift = look.shift + from as i64 - first as i64;
    let own = Quick { start: look.start - from, shift, ..*look };
    Alignment::find(sends.get(from..to)?, receives.get(first..last)?, &own, limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a long link, only the right shift is looked at in full; for another thread, no shift is.
    #[test]
    fn a_part_shows_what_is_hopeless() {
        let thread = |seed: i64| -> Vec<i64> {
            let mut time = 0;
            let mut next = |at: i64| {
                time += 5_000 + (at * at * 7_919 + at * seed) % 701;
                time
            };
            (0..6_000).map(&mut next).collect()
        };
        let sends = thread(13);
        let receives: Vec<i64> = sends.iter().skip(3).map(|t| t + t / 20_000 + t % 17).collect();
        let look = |shift| Quick { shift, start: 3_000, score: 10.0, steady: 10.0 };
        let looks = [look(-5), look(-3), look(0)];
        let limits = Limits { known: 20.0, ..Limits::NONE };
        let shifts = |receives: &[i64]| -> Vec<i64> {
            hopeful(&sends, receives, &looks, limits).iter().map(|look| look.shift).collect()
        };
        assert_eq!(shifts(&receives), [-3]);
        assert!(shifts(&thread(58)).is_empty());
    }
}
