//! Barriers that only the times show: rounds of messages that open at the same moment.
//!
//! A sync of a chip lets all its engines go at once, but its messages may say less: each engine has a message of its own, or the
//! capture does not contain the numbers of the messages. Then a wait takes longer than its own message explains, by the
//! time in which another engine or core was late.

use std::collections::BTreeSet;

use crate::dependence::Node;

/// A send or wait. Times are ns from the first event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SyncEvent {
    pub(crate) node: Node,
    /// Number of its track.
    pub(crate) track: usize,
    pub(crate) start: i64,
    pub(crate) end: i64,
}

/// Sends, and the waits that they end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) sends: Vec<SyncEvent>,
    pub(crate) waits: Vec<SyncEvent>,
    /// Whether its message is known; else it is a wait with the send before it on its engine.
    pub(crate) is_known: bool,
}

/// One in this many rounds may open alone; if more do, rounds that open together do so by chance.
const MOST_ALONE: usize = 20;

impl Round {
    /// When the first of the waits ends.
    pub(crate) fn opened(&self) -> Option<i64> {
        self.waits.iter().map(|wait| wait.end).min()
    }

    fn join(group: &[Self]) -> Self {
        let sorted = |of: fn(&Self) -> &Vec<SyncEvent>| {
            let mut all: Vec<SyncEvent> = group.iter().flat_map(of).copied().collect();
            all.sort_unstable_by_key(|sync| sync.node);
            all
        };
        Self {
            sends: sorted(|round| &round.sends),
            waits: sorted(|round| &round.waits),
            is_known: false,
        }
    }

    /// Whether each engine waits at most once, and nothing was sent after a wait had ended.
    fn is_possible(&self, tolerance: i64) -> bool {
        let tracks: BTreeSet<usize> = self.waits.iter().map(|wait| wait.track).collect();
        let Some(opened) = self.opened() else { return false };
        let in_time = |send: &SyncEvent| {
            send.start + 2 * tolerance < opened && send.end <= opened + tolerance
        };
        tracks.len() == self.waits.len() && self.sends.iter().all(in_time)
    }
}

/// The barriers, and all other rounds. If opening together is not the rule in this dump, there are no barriers.
/// `tolerance`: by how many ns times of engines may differ.
pub(crate) fn joined(mut rounds: Vec<Round>, tolerance: i64) -> (Vec<Round>, Vec<Round>) {
    rounds.retain(|round| !round.waits.is_empty());
    rounds.sort_by_key(Round::opened);
    let (mut barriers, mut others) = (Vec::new(), Vec::new());
    let mut alone = 0;
    let mut rest = &rounds[..];
    while let Some(first) = rest.first().and_then(Round::opened) {
        let together = |round: &&Round| round.opened() <= Some(first + 2 * tolerance);
        let (group, later) = rest.split_at(rest.iter().take_while(together).count());
        rest = later;
        let barrier = Round::join(group);
        if group.len() > 1 && barrier.is_possible(tolerance) {
            barriers.push(barrier);
        } else {
            alone += group.len();
            others.extend_from_slice(group);
        }
    }
    if alone * MOST_ALONE > rounds.len() { (Vec::new(), rounds) } else { (barriers, others) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine that sends until `sent` and waits until `opened`.
    fn alone(track: usize, sent: i64, opened: i64) -> Round {
        let node = 10 * track as Node;
        Round {
            sends: vec![SyncEvent { node, track, start: sent - 10, end: sent }],
            waits: vec![SyncEvent { node: node + 1, track, start: sent + 5, end: opened }],
            is_known: true,
        }
    }

    fn engines(rounds: &[Round]) -> Vec<Vec<usize>> {
        rounds.iter().map(|round| round.sends.iter().map(|send| send.track).collect()).collect()
    }

    #[test]
    fn rounds_that_open_together_are_one() {
        let first = [alone(0, 100, 400), alone(1, 370, 401), alone(2, 20, 399)];
        let second = [alone(0, 1100, 1900), alone(1, 1870, 1900)];
        let (barriers, others) = joined([&second[..], &first].concat(), 2);
        assert_eq!(engines(&barriers), [vec![0, 1, 2], vec![0, 1]]);
        assert_eq!(barriers[0].waits.len(), 3);
        assert_eq!(others, []);
    }

    #[test]
    fn rounds_that_open_one_by_one_stay_apart() {
        let apart = [alone(0, 100, 130), alone(1, 370, 400), alone(0, 700, 740)];
        assert_eq!(joined(apart.to_vec(), 2), (Vec::new(), apart.to_vec()));
        // Two of 22 rounds open together by chance.
        let mut rounds: Vec<Round> = (0..20).map(|i| alone(0, i * 1000, i * 1000 + 50)).collect();
        rounds.push(alone(1, 5000, 5050));
        rounds.push(alone(2, 30_000, 30_050));
        assert_eq!(joined(rounds, 2).0, []);
    }

    #[test]
    fn no_engine_waits_twice_and_no_send_follows_a_wait() {
        let twice = [alone(0, 100, 400), alone(0, 380, 401)];
        assert_eq!(joined(twice.to_vec(), 2).0, []);
        let late = [alone(0, 100, 400), alone(1, 410, 402)];
        assert_eq!(joined(late.to_vec(), 2).0, []);
    }
}
