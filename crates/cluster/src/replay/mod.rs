//! The joint replay: all ranks' commands with what each waited for, run again with other times.
//!
//! A command starts when the last command of its rank that ended before it has ended and the rank's own work since then
//! is done, and not before its own thread is free. A send's data move when its start-up is done and the peer's credit
//! has arrived; a receive follows its send. Of two causes the later one bound: its lag is the measured one, that of the
//! other the smallest of the link.

mod build;
mod causes;
mod path;

use std::collections::BTreeMap;

use crate::part::Command;
pub(crate) use path::{PathPiece, PathStep};

/// What is changed: factors of times.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Changes {
    /// Of the transfers of all links.
    pub(crate) all_links: Option<f64>,
    /// Of the transfers of a link, by its ranks.
    pub(crate) links: BTreeMap<(usize, usize), f64>,
    /// Of a rank's time between commands, work and pauses.
    pub(crate) own_time: BTreeMap<usize, f64>,
    /// Of a rank's own work only.
    pub(crate) own_work: BTreeMap<usize, f64>,
    /// Of latencies and lags of links.
    pub(crate) latency: Option<f64>,
    /// Every rank's own time between two operations is the median of all.
    pub(crate) no_skew: bool,
}

/// A command of a rank.
struct Node {
    rank: usize,
    command: Command,
    receives: bool,
    /// ns of the reference.
    start: f64,
    end: f64,
    /// Commands that it waits for on its rank, with their lags.
    after: Vec<(usize, Lag)>,
    /// ns from the rank's first moment, for commands that wait for none.
    first: Option<Lag>,
    partner: Option<usize>,
    link: usize,
}

/// Time between two commands of a rank.
#[derive(Debug, Clone, Copy, Default)]
struct Lag {
    /// ns.
    all: f64,
    /// ns of it in which the cores worked.
    work: f64,
    /// Number of the gap between operations that it is, for the median over ranks; 0 for none.
    step: usize,
}

/// How a send's data follow, in ns.
#[derive(Debug, Clone, Copy, Default)]
struct Transfer {
    start_up: f64,
    credit: f64,
    moving: f64,
    completion: f64,
    /// From the send's first data to the receive's end, without the transfer.
    arrival: f64,
    /// Start-up and credit bound, credit did, or neither is known.
    is_known: bool,
}

/// The joint replay of an island.
pub(crate) struct Replay {
    nodes: Vec<Node>,
    transfers: Vec<Transfer>,
    /// Starts and ends by measured time: node, and whether it is the moment of its data.
    order: Vec<(usize, bool)>,
    /// Begin, and rest after the last command, by rank: ns of the reference, of it work.
    begin: BTreeMap<usize, f64>,
    tail: BTreeMap<usize, Lag>,
    last: BTreeMap<usize, Vec<usize>>,
    /// Medians of own time by step.
    medians: BTreeMap<usize, f64>,
    link_ranks: Vec<(usize, usize)>,
    pub(crate) measured: f64,
}

/// ns below which a lag between commands of a rank is the port's own.
const PORT_LAG_NS: f64 = 1500.0;

impl Replay {
    /// Starts and ends of all commands with changes.
    fn times(&self, changes: &Changes) -> (Vec<f64>, Vec<f64>) {
        let (mut starts, mut ends) = (vec![0.0; self.nodes.len()], vec![0.0; self.nodes.len()]);
        let latency = changes.latency.unwrap_or(1.0);
        for &(at, is_data) in &self.order {
            let node = &self.nodes[at];
            if !is_data {
                let begin = self.begin.get(&node.rank).copied().unwrap_or(0.0);
                let first = node.first.map(|lag| begin + self.scaled(node.rank, lag, changes));
                let after = node.after.iter().map(|(before, lag)| {
                    let lag = self.scaled(node.rank, *lag, changes);
                    ends.get(*before).copied().unwrap_or(0.0) + lag
                });
                starts[at] = after.chain(first).fold(f64::NEG_INFINITY, f64::max);
                continue;
            }
            let Some(partner) = node.partner else {
                ends[at] = starts[at] + (node.end - node.start);
                continue;
            };
            let t = &self.transfers[at];
            let first = (starts[at] + t.start_up).max(starts[partner] + t.credit * latency);
            let ranks = self.link_ranks.get(node.link);
            let own = ranks.and_then(|ranks| changes.links.get(ranks)).copied();
            let factor = own.or(changes.all_links).unwrap_or(1.0);
            let last = first + t.moving * factor;
            ends[at] = last + t.completion * latency;
            ends[partner] = last + t.arrival * latency;
        }
        (starts, ends)
    }

    fn scaled(&self, rank: usize, lag: Lag, changes: &Changes) -> f64 {
        let mut all = lag.all;
        if let Some(median) = self.medians.get(&lag.step).filter(|_| changes.no_skew) {
            all = *median;
        }
        if lag.all > PORT_LAG_NS
            && let Some(factor) = changes.own_time.get(&rank)
        {
            all *= factor;
        }
        let work = changes.own_work.get(&rank).map_or(0.0, |factor| lag.work * (factor - 1.0));
        (all + work).max(0.0)
    }

    /// ns of the reference; when the last rank is done.
    pub(crate) fn end(&self, changes: &Changes) -> f64 {
        let (_, ends) = self.times(changes);
        let of_rank = self.last.iter().map(|(rank, nodes)| {
            let last = nodes.iter().filter_map(|&node| ends.get(node)).copied();
            let begin = self.begin.get(rank).copied().unwrap_or(0.0);
            let tail = self.tail.get(rank).copied().unwrap_or_default();
            last.fold(begin, f64::max) + self.scaled(*rank, tail, changes)
        });
        of_rank.fold(f64::NEG_INFINITY, f64::max)
    }

    /// ns of the reference; when the first rank began.
    pub(crate) fn begin(&self) -> f64 {
        self.begin.values().copied().fold(f64::INFINITY, f64::min)
    }

    /// ns; each rank's own time between its commands and around them.
    pub(crate) fn own_time(&self) -> BTreeMap<usize, f64> {
        let mut own: BTreeMap<usize, f64> =
            self.tail.iter().map(|(r, lag)| (*r, lag.all)).collect();
        for node in &self.nodes {
            let lag = node.after.first().map(|(_, lag)| *lag).or(node.first).unwrap_or_default();
            if lag.all > PORT_LAG_NS {
                *own.entry(node.rank).or_default() += lag.all;
            }
        }
        own
    }
}
