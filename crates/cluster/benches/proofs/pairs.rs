//! Which pairs of a run are right.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_cluster::Joined;

use crate::support::Run;

/// What became of the links and pairs of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    /// Links with 8 or more captured pairs, and those of them that were accepted.
    pub(crate) links: usize,
    pub(crate) accepted: usize,
    /// Accepted ones that do not exist.
    pub(crate) wrong: usize,
    /// Captured pairs of links with 8 or more, those of them that were found, and found ones that are none.
    pub(crate) pairs: usize,
    pub(crate) right: usize,
    pub(crate) wrong_pairs: usize,
}

impl Outcome {
    pub(crate) fn add(&mut self, other: Self) {
        self.links += other.links;
        self.accepted += other.accepted;
        self.wrong += other.wrong;
        self.pairs += other.pairs;
        self.right += other.right;
        self.wrong_pairs += other.wrong_pairs;
    }
}

type End = (u32, u32);

/// Compares links and pairs with the truth.
pub(crate) fn outcome(run: &Run, joined: &Joined) -> Outcome {
    let end = |value: &serde_json::Value| -> End {
        (value["rank"].as_u64().unwrap() as u32, value["port"].as_u64().unwrap() as u32)
    };
    let links: Vec<(End, End)> = run.truth["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| (end(&link["from"]), end(&link["to"])))
        .collect();
    // Records that are in the dumps: starts of each thread, on the rank's own clock.
    let mut recorded: BTreeMap<(u32, u32, bool), BTreeSet<i64>> = BTreeMap::new();
    for rank in &run.ranks {
        for thread in &rank.part.threads {
            let starts = thread.commands.iter().map(|command| command.start).collect();
            recorded.insert((rank.number, thread.port, thread.receives), starts);
        }
    }
    let near = |end: End, receives: bool, start: f64| -> Option<i64> {
        let all = recorded.get(&(end.0, end.1, receives))?;
        let start = start.round() as i64;
        all.range(start - 1..=start + 1).min_by_key(|t| (*t - start).abs()).copied()
    };
    let mut truth: BTreeMap<(End, End), BTreeSet<(i64, i64)>> = BTreeMap::new();
    for pair in run.truth["pairs"].as_array().unwrap() {
        let (from, to) = links[pair["link"].as_u64().unwrap() as usize];
        let own = |rank: u32, time: &serde_json::Value| run.own_time(rank, time.as_f64().unwrap());
        let send = near(from, false, own(from.0, &pair["send"][0]));
        let receive = near(to, true, own(to.0, &pair["receive"][0]));
        if let Some((send, receive)) = send.zip(receive) {
            truth.entry((from, to)).or_default().insert((send, receive));
        }
    }
    let mut outcome = Outcome::default();
    let mut accepted: BTreeSet<(End, End)> = BTreeSet::new();
    let none = BTreeSet::new();
    for (number, link) in joined.cluster.links.iter().enumerate() {
        let ends = ((link.from.rank, link.from.port), (link.to.rank, link.to.port));
        outcome.wrong += usize::from(!links.contains(&ends));
        accepted.insert(ends);
        let right = truth.get(&ends).unwrap_or(&none);
        for pair in joined.pairs_of(number) {
            let starts = (
                joined.command(&pair.send).unwrap().start,
                joined.command(&pair.receive).unwrap().start,
            );
            if right.contains(&starts) {
                outcome.right += usize::from(right.len() >= 8);
            } else {
                outcome.wrong_pairs += 1;
            }
        }
    }
    let is_enough = |(from, pairs): (&End, usize)| {
        let rank = run.ranks.iter().find(|rank| rank.number == from.0);
        let thread = rank
            .and_then(|rank| rank.part.threads.iter().find(|t| t.port == from.1 && !t.receives));
        let bursts = thread.map_or(0, |thread| {
            let all: Vec<_> = thread.commands.iter().collect();
            1 + all.windows(2).filter(|two| two[1].start - two[0].end > 1500).count()
        });
        pairs >= 8 && bursts >= 4
    };
    for (ends, pairs) in &truth {
        if is_enough((&ends.0, pairs.len())) {
            outcome.links += 1;
            outcome.accepted += usize::from(accepted.contains(ends));
            outcome.pairs += pairs.len();
        }
    }
    outcome
}
