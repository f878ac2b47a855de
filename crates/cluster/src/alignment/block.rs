//! The first look at all pairs of threads: what [`best_shifts`](super::best_shifts) finds at best, of many receivers at once.
//!
//! The distances of the commands of some receivers lie side by side. A sender is compared with all of them by going along its
//! places once: each row is one line of memory, and the lanes are independent sums.

use super::MOST_NS;
use super::quick::{DRIFT, fewest, stretch};

/// Receivers side by side: a row is a line of the cache.
pub(crate) const LANES: usize = 16;
/// ns; a longer distance counts as this long.
const MOST_DISTANCE: i64 = 1 << 30;

/// A place of a sender: a command, the ns to the next one, and how much of that two clocks may differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    at: i64,
    distance: i32,
    drift: f32,
}

fn distance(two: [i64; 2]) -> i32 {
    let [a, b] = two;
    (b - a).clamp(-MOST_DISTANCE, MOST_DISTANCE) as i32
}

/// The places of a sender.
pub(crate) fn places_of(sends: &[i64], places: &[usize]) -> Vec<Place> {
    let place = |&at: &usize| {
        let (a, b) = (*sends.get(at)?, *sends.get(at + 1)?);
        Some(Place {
            at: at as i64,
            distance: distance([a, b]),
            drift: (DRIFT * (b - a) as f64) as f32,
        })
    };
    places.iter().filter_map(place).collect()
}

/// Receivers side by side, by the number of their commands.
pub(crate) struct Block {
    /// Commands of each.
    lengths: Vec<usize>,
    /// Row of each command: ns to the next command, an element for each receiver.
    rows: Vec<[i32; LANES]>,
}

/// Shifts at which a receiver is compared, and its least scores.
#[derive(Clone, Copy)]
struct Lane {
    low: i64,
    high: i64,
    least: [f32; 2],
}

impl Block {
    /// Puts the times of at most [`LANES`] receivers side by side.
    pub(crate) fn new(receivers: &[&[i64]]) -> Self {
        let lengths: Vec<usize> = receivers.iter().map(|times| times.len()).collect();
        let most = lengths.iter().max().copied().unwrap_or(0);
        let mut rows = vec![[0; LANES]; most.saturating_sub(1)];
        for (lane, times) in receivers.iter().enumerate().take(LANES) {
            for (row, (a, b)) in rows.iter_mut().zip(times.iter().zip(times.iter().skip(1))) {
                row[lane] = distance([*a, *b]);
            }
        }
        Self { lengths, rows }
    }

    /// Returns the least [`Quick::score`](super::Quick::score) and [`Quick::steady`](super::Quick::steady) of each
    /// receiver over all shifts; NaN where there are none. `sends`: commands of the sender; `slack`: shifts beyond the
    /// difference of its commands and so many of a receiver.
    pub(crate) fn least_scores(
        &self,
        sends: usize,
        places: &[Place],
        slack: impl Fn(usize) -> Option<i64>,
    ) -> [[f32; 2]; LANES] {
        let lane = |length: &usize| {
            let more = *length as i64 - sends as i64;
            let none = Lane { low: 1, high: 0, least: [f32::NAN; 2] };
            slack(*length).map_or(none, |slack| Lane {
                low: more.min(0) - slack,
                high: more.max(0) + slack,
                ..none
            })
        };
        let mut lanes: Vec<Lane> = self.lengths.iter().map(lane).collect();
        let open = lanes.iter().filter(|lane| lane.low <= lane.high);
        let (low, high) = open.fold((i64::MAX, i64::MIN), |(low, high), lane| {
            (low.min(lane.low), high.max(lane.high))
        });
        let least = fewest(places.len());
        for shift in low..=high {
            let from = places.partition_point(|place| place.at + shift < 0);
            // Receivers that have records at the same places are compared at once.
            let mut seen: Option<(usize, [[f32; 2]; LANES])> = None;
            for (at, (lane, length)) in lanes.iter_mut().zip(&self.lengths).enumerate() {
                if !(lane.low..=lane.high).contains(&shift) {
                    continue;
                }
                let last = *length as i64 - 2;
                let to = places.partition_point(|place| place.at + shift <= last);
                if to < from + least {
                    continue;
                }
                if seen.is_none_or(|(own, _)| own != to) {
                    let found = places.get(from..to).unwrap_or_default();
                    seen = Some((to, self.scores(found, shift)));
                }
                let Some(own) = seen.and_then(|(_, scores)| scores.get(at).copied()) else {
                    continue;
                };
                // A number is less than none.
                let less = |a: f32, b: f32| if b < a || a.is_nan() { b } else { a };
                lane.least = [less(lane.least[0], own[0]), less(lane.least[1], own[1])];
            }
        }
        let mut all = [[f32::NAN; 2]; LANES];
        all.iter_mut().zip(&lanes).for_each(|(all, lane)| *all = lane.least);
        all
    }

    /// The scores of all receivers at a shift.
    fn scores(&self, places: &[Place], shift: i64) -> [[f32; 2]; LANES] {
        let (mut best, mut total) = ([f32::INFINITY; LANES], [0f32; LANES]);
        for stretch in places.chunks(stretch(places.len())) {
            let mut sum = [0f32; LANES];
            for place in stretch {
                let Some(row) = self.rows.get((place.at + shift) as usize) else { continue };
                for (sum, distance) in sum.iter_mut().zip(row) {
                    let change = ((distance - place.distance) as f32).abs() - place.drift;
                    let change = if change > 0.0 { change } else { 0.0 };
                    *sum += if change < MOST_NS as f32 { change } else { MOST_NS as f32 };
                }
            }
            let length = stretch.len() as f32;
            for ((best, total), sum) in best.iter_mut().zip(&mut total).zip(sum) {
                *total += sum;
                let mean = sum / length;
                *best = if mean < *best { mean } else { *best };
            }
        }
        let count = places.len() as f32;
        let mut scores = [[0f32; 2]; LANES];
        for ((score, best), total) in scores.iter_mut().zip(best).zip(total) {
            *score = [best, total / count];
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::{best_shifts, places};

    /// What is looked at first of all pairs of threads says the same as the looks that follow it.
    #[test]
    fn the_least_scores_are_those_of_the_best_shifts() {
        let mut seed = 5u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
            ((seed >> 33) % most) as i64
        };
        let mut thread = |count: usize| -> Vec<i64> {
            let mut time = 0;
            let mut next = |_| {
                time += 4_000 + random(3_000);
                time
            };
            (0..count).map(&mut next).collect()
        };
        let sends = thread(300);
        let mut own: Vec<i64> = sends.iter().map(|t| 7_000_000 + t + t / 30_000).collect();
        own.remove(170);
        own.drain(..5);
        let mut receivers = vec![own, thread(280), thread(299), thread(300), thread(40)];
        receivers.push(Vec::new());
        receivers.sort_by_key(Vec::len);
        let slack = |length: usize| (length >= 100).then_some(length as i64 / 20);
        let lists: Vec<&[i64]> = receivers.iter().map(Vec::as_slice).collect();
        let places = places(&sends);
        let found =
            Block::new(&lists).least_scores(sends.len(), &places_of(&sends, &places), slack);
        for (receives, [score, steady]) in receivers.iter().zip(found) {
            let Some(slack) = slack(receives.len()) else {
                assert!(score.is_nan() && steady.is_nan());
                continue;
            };
            let looks = best_shifts(&sends, receives, &places, slack);
            let least = |of: fn(&super::super::Quick) -> f64| {
                looks.iter().map(of).fold(f64::INFINITY, f64::min)
            };
            let expected = [least(|quick| quick.score), least(|quick| quick.steady)];
            let is_near = |a: f64, b: f32| (a - f64::from(b)).abs() < 1e-3 * a.max(1.0);
            assert!(is_near(expected[0], score), "{expected:?} {score}");
            assert!(is_near(expected[1], steady), "{expected:?} {steady}");
        }
    }
}
