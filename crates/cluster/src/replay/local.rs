//! What a rank's commands wait for on the rank itself.

use std::collections::HashMap;

use super::{Lag, PORT_LAG_NS};
use crate::clocks::RankClock;
use crate::rank::Rank;

/// A command of a rank: thread, and place in it.
pub(super) type Place = (usize, usize);

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
    /// By thread: the smallest pause between two commands, in own ns.
    pub(super) pauses: Vec<i64>,
    /// ns; the sum of its lags above those of ports.
    pub(super) own: f64,
    /// Such lags by the own moment at which they end.
    pub(super) arrivals: HashMap<i64, f64>,
}

impl Local {
    /// `common`: when the median rank began, where all ranks did with the same operation.
    pub(super) fn of(rank: &Rank, clock: &RankClock, common: Option<f64>) -> Self {
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
        by_end.sort_unstable();
        let (mut pauses, mut own, mut arrivals) = (Vec::new(), 0.0, HashMap::new());
        let mut number = 0u32;
        let mut last: Option<(i64, Place)> = None;
        for (at, thread) in part.threads.iter().enumerate() {
            let commands = &thread.commands;
            let pause = |place| (commands.start.at(place) - commands.end(place - 1)).max(0);
            let least = (1..commands.len()).map(pause).min().unwrap_or(0);
            // Longer pauses are not the port's own: what came between was.
            pauses.push(if least as f64 > PORT_LAG_NS { 0 } else { least });
            for (place, start) in commands.starts().enumerate() {
                let before = by_end.partition_point(|(end, _)| *end <= start);
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

    /// Whether a command began because its own thread was free: behind the command before it by the thread's least
    /// pause, to the rounding of records. What else of the rank ended in that pause is by chance.
    pub(super) fn is_bound_by_thread(&self, thread: usize, pause: i64) -> bool {
        let least = self.pauses.get(thread).copied().unwrap_or(0);
        (0..=least + 1).contains(&pause)
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
