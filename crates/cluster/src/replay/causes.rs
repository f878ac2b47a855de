//! What each command of a rank waits for on the rank itself.

use super::{Lag, Node};
use crate::part::Part;
use crate::work::Work;

/// What each command of a rank waits for on the rank itself: the last command that ended before it, and the one before
/// it on its thread. `first`: index of the rank's first node.
pub(super) fn local_causes(
    nodes: &mut [Node],
    first: usize,
    part: &Part,
    work: &Work,
    speed: f64,
    begin: f64,
) {
    let mut by_end: Vec<usize> = (0..nodes.len()).collect();
    by_end.sort_by_key(|&at| (nodes[at].command.end, at));
    let ends: Vec<i64> = by_end.iter().map(|&at| nodes[at].command.end).collect();
    // The smallest pause between two commands of each thread.
    let mut thread_first = 0;
    for thread in &part.threads {
        let count = thread.commands.len();
        let gaps = thread
            .commands
            .windows(2)
            .filter_map(|two| Some((two.get(1)?.start - two.first()?.end).max(0)));
        let least = gaps.min().unwrap_or(0);
        for at in thread_first..thread_first + count {
            let start = nodes[at].command.start;
            let before = ends.partition_point(|end| *end <= start);
            let last = before.checked_sub(1).map(|place| by_end[place]);
            let lag = |from: i64| {
                let all = (start - from) as f64 * speed;
                Lag { all, work: (work.between(from, start) as f64 * speed).min(all), step: 0 }
            };
            match last {
                Some(last) => {
                    let from = nodes[last].command.end;
                    nodes[at].after.push((first + last, lag(from)));
                    let previous = at.checked_sub(1).filter(|p| *p >= thread_first && *p != last);
                    if let Some(previous) = previous.filter(|p| nodes[*p].command.end <= start) {
                        let all = least as f64 * speed;
                        nodes[at].after.push((first + previous, Lag { all, ..Lag::default() }));
                    }
                }
                None => {
                    let mut lag = lag(part.window.0);
                    lag.all = nodes[at].start - begin;
                    nodes[at].first = Some(lag);
                }
            }
        }
        thread_first += count;
    }
}
