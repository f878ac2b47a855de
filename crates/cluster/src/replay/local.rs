//! What a rank's commands wait for on the rank itself.

use std::collections::HashMap;

use super::{Lag, PORT_LAG_NS};
use crate::clocks::RankClock;
use crate::rank::Rank;

/// A command of a rank: thread, and place in it.
pub(super) type Place = (usize, usize);

/// Pauses of a thread between a command and the next one, where the next one waits for nothing else; own ns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pauses {
    pub(super) least: i64,
    pub(super) longest: i64,
}

/// Pauses that are a thread's own follow one another this closely, from the shortest on.
const NEXT_PAUSE_NS: i64 = 16;
/// The own pauses of a thread differ by no more.
const SPREAD_NS: i64 = 64;

impl Pauses {
    /// From all pauses of a thread. The own ones are the group of shortest pauses: they vary by some ns, and pauses in which the next command
    /// waits for something else are longer by at least what a hand-over takes.
    fn find(mut all: Vec<i64>) -> Self {
        all.sort_unstable();
        // Longer pauses are not the port's own: what came between was.
        let Some(&least) = all.first().filter(|least| **least as f64 <= PORT_LAG_NS) else {
            return Self { least: 0, longest: 1 };
        };
        let mut longest = least;
        for next in all {
            if next - longest > NEXT_PAUSE_NS || next - least > SPREAD_NS {
                break;
            }
            longest = next;
        }
        // Records round to whole ns.
        Self { least, longest: longest + 1 }
    }
}

/// What is known of a rank by itself.
pub(super) struct Local {
    /// ns of the reference; its first moment, or that of the median rank where it began later: the difference is own time.
    pub(super) begin: f64,
    /// ns of the reference; its last moment.
    pub(super) end: f64,
    /// From its last command to its end.
    pub(super) tail: Lag,
    /// The command that ends last.
    pub(super) last: Option<Place>,
    /// Pauses of each thread between a command and the next one that waits for nothing else.
    pub(super) pauses: Vec<Pauses>,
    /// ns; the sum of its lags above those of ports.
    pub(super) own: f64,
    /// Such lags by the own moment at which they end.
    pub(super) arrivals: HashMap<i64, f64>,
}

impl Local {
    /// `common`: when the median rank began, where all ranks did with the same operation.
    pub(super) fn new(rank: &Rank, clock: &RankClock, common: Option<f64>) -> Self {
        let part = &rank.part;
        let speed = 1.0 + clock.drift_ppm * 1e-6;
        let begin = clock.reference(part.window.0 as f64);
        let begin = common.map_or(begin, |common| begin.min(common));
        let end = clock.reference(part.window.1 as f64);
        let mut by_end: Vec<(i64, u32)> = Vec::with_capacity(part.command_count());
        for thread in &part.threads {
            let commands = &thread.commands;
            by_end.extend((0..commands.len()).map(|place| (commands.end(place), 0)));
        }
        by_end.iter_mut().zip(0..).for_each(|(pair, number)| pair.1 = number);
        // Those of a thread are mostly in order already: few merges sort them.
        by_end.sort();
        let (mut pauses, mut own, mut arrivals) = (Vec::new(), 0.0, HashMap::new());
        let mut number = 0u32;
        let mut last: Option<(i64, Place)> = None;
        for (at, thread) in part.threads.iter().enumerate() {
            let commands = &thread.commands;
            let pause = |place| (commands.start.value_at(place) - commands.end(place - 1)).max(0);
            pauses.push(Pauses::find((1..commands.len()).map(pause).collect()));
            let (mut before, mut last_start) = (0, i64::MIN);
            for (place, start) in commands.starts().enumerate() {
                if start < last_start {
                    before = 0;
                }
                last_start = start;
                before += by_end.iter().skip(before).take_while(|(end, _)| *end <= start).count();
                let ended = by_end.get(..before).unwrap_or_default();
                let cause = ended.iter().rev().find(|(_, other)| *other != number);
                let all = match cause {
                    Some((end, _)) => (start - end) as f64 * speed,
                    None => clock.reference(start as f64) - begin,
                };
                if all > PORT_LAG_NS {
                    own += all;
                    arrivals.insert(start, all);
                }
                let end = commands.end(place);
                if last.is_none_or(|(latest, _)| end >= latest) {
                    last = Some((end, (at, place)));
                }
                number += 1;
            }
        }
        let last_end = last.map_or(begin, |(own, _)| clock.reference(own as f64));
        let tail = Lag { all: (end - last_end).max(0.0), ..Lag::default() };
        let last = last.map(|(_, place)| place);
        Self { begin, end, tail, last, pauses, own, arrivals }
    }

    /// Whether a command began because its own thread was free: behind the command before it by one of the thread's own pauses. What else
    /// of the rank ended in that pause is by chance.
    pub(super) fn is_bound_by_thread(&self, thread: usize, pause: i64) -> bool {
        let own = self.pauses.get(thread).copied().unwrap_or_default();
        (0..=own.longest).contains(&pause)
    }

    /// From its last command to its end, on its own clock.
    pub(super) fn tail_of(&self, rank: &Rank) -> (i64, i64) {
        let (from, to) = rank.part.window;
        let last = self
            .last
            .and_then(|(thread, place)| Some(rank.part.threads.get(thread)?.commands.end(place)));
        (last.unwrap_or(from), to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_pauses_are_the_group_of_the_shortest() {
        let of = |all: &[i64]| Pauses::find(all.to_vec());
        assert_eq!(of(&[40, 40, 900, 40]), Pauses { least: 40, longest: 41 });
        assert_eq!(of(&[38, 5, 21, 300, 12, 30]), Pauses { least: 5, longest: 39 });
        // A chain of pauses that grow ever longer is not all own.
        let growing: Vec<i64> = (0..40).map(|n| n * 15).collect();
        assert_eq!(of(&growing), Pauses { least: 0, longest: 61 });
        // Nothing follows directly.
        assert_eq!(of(&[5000]), Pauses { least: 0, longest: 1 });
        assert_eq!(of(&[]), Pauses { least: 0, longest: 1 });
    }
}
