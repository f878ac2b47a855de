//! The joint replay: all ranks' commands with what each waited for, run again with other times.
//!
//! A command starts when the last command of its rank that ended before it has ended and the rank's own work since then
//! is done, and not before its own thread is free. A send's data move when its start-up is done and the peer's credit
//! has arrived; a receive follows its send. Of two causes the later one bound: its lag is the measured one, that of the
//! other the smallest of the link.

use std::collections::BTreeMap;

use crate::clocks::Clocks;
use crate::pairing::{Link, ThreadId};
use crate::part::{Command, Part};
use crate::rank::Rank;
use crate::states::Partners;
use crate::work::Work;

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
    /// The replay of the ranks of an island; `Err` names the first command that it does not reproduce.
    pub(crate) fn of(
        ranks: &[Rank],
        links: &[Link],
        clocks: &Clocks,
        partners: &Partners,
        island: usize,
    ) -> Result<Self, String> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut index: BTreeMap<(ThreadId, u32), usize> = BTreeMap::new();
        let mut replay = Self {
            nodes: Vec::new(),
            transfers: Vec::new(),
            order: Vec::new(),
            begin: BTreeMap::new(),
            tail: BTreeMap::new(),
            last: BTreeMap::new(),
            medians: BTreeMap::new(),
            link_ranks: links.iter().map(|l| (l.from.rank, l.to.rank)).collect(),
            measured: 0.0,
        };
        let in_island = |rank: usize| clocks.ranks.get(rank).is_some_and(|c| c.island == island);
        let mut steps: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for (rank, of) in ranks.iter().enumerate().filter(|(rank, _)| in_island(*rank)) {
            let Some(clock) = clocks.ranks.get(rank) else { continue };
            let first = nodes.len();
            for (thread, commands) in of.part.threads.iter().enumerate() {
                for (at, command) in commands.commands.iter().enumerate() {
                    index.insert((ThreadId { rank, thread }, at as u32), nodes.len());
                    nodes.push(Node {
                        rank,
                        command: *command,
                        receives: commands.receives,
                        start: clock.reference(command.start as f64),
                        end: clock.reference(command.end as f64),
                        after: Vec::new(),
                        first: None,
                        partner: None,
                        link: usize::MAX,
                    });
                }
            }
            let work = Work::of(&of.part);
            let begin = clock.reference(of.part.window.0 as f64);
            replay.begin.insert(rank, begin);
            let speed = 1.0 + clock.drift_ppm * 1e-6;
            local_causes(&mut nodes[first..], first, &of.part, &work, speed, begin);
            let end = clock.reference(of.part.window.1 as f64);
            let last = nodes[first..].iter().enumerate().max_by(|a, b| a.1.end.total_cmp(&b.1.end));
            let (last_end, last_own) =
                last.map_or((begin, of.part.window.0), |(_, node)| (node.end, node.command.end));
            let busy = work.between(last_own, of.part.window.1) as f64 * speed;
            let all = (end - last_end).max(0.0);
            replay.tail.insert(rank, Lag { all, work: busy.min(all), step: 0 });
            replay.last.insert(rank, (first..nodes.len()).collect());
            replay.measured = replay.measured.max(end);
            let mut step = 0;
            for node in &mut nodes[first..] {
                let lag = node.after.first_mut().map(|(_, lag)| lag).or(node.first.as_mut());
                if let Some(lag) = lag.filter(|lag| lag.all > PORT_LAG_NS) {
                    step += 1;
                    lag.step = step;
                    steps.entry(step).or_default().push((rank, lag.all));
                }
            }
        }
        for (step, lags) in steps {
            let mut all: Vec<f64> = lags.iter().map(|(_, ns)| *ns).collect();
            all.sort_by(f64::total_cmp);
            if let Some(median) = all.get(all.len() / 2) {
                replay.medians.insert(step, *median);
            }
        }
        for (thread, all) in partners {
            for (at, partner) in all.iter().enumerate() {
                let Some((link, other)) = partner else { continue };
                let Some(of) = links.get(*link) else { continue };
                let own = index.get(&(*thread, at as u32));
                let other = index.get(&(if of.from == *thread { of.to } else { of.from }, *other));
                if let (Some(&own), Some(&other)) = (own, other) {
                    (nodes[own].partner, nodes[own].link) = (Some(other), *link);
                }
            }
        }
        replay.nodes = nodes;
        replay.measure_transfers(links, clocks);
        replay.order();
        replay.check()?;
        Ok(replay)
    }

    /// The lags of each send.
    fn measure_transfers(&mut self, links: &[Link], clocks: &Clocks) {
        let moment = |node: &Node, t: i64| {
            clocks.ranks.get(node.rank).map_or(0.0, |clock| clock.reference(t as f64))
        };
        self.transfers = vec![Transfer::default(); self.nodes.len()];
        let mut least: Vec<(f64, f64)> = vec![(f64::INFINITY, f64::INFINITY); links.len()];
        let has_moments = |link: usize| links.get(link).is_some_and(|l| l.has_moments);
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, n)| !n.receives) {
            let Some(receive) = node.partner.and_then(|p| self.nodes.get(p)) else { continue };
            let known = has_moments(node.link);
            // Where only ends are known, the data move until the receive ends.
            let first = if known {
                moment(node, node.command.first)
            } else {
                node.start.max(receive.start)
            };
            let last = if known { moment(node, node.command.last) } else { receive.end.max(first) };
            let transfer = Transfer {
                start_up: first - node.start,
                credit: first - receive.start,
                moving: (last - first).max(0.0),
                completion: node.end - last,
                arrival: receive.end - last,
                is_known: true,
            };
            if let Some(least) = least.get_mut(node.link) {
                *least = (least.0.min(transfer.start_up), least.1.min(transfer.credit));
            }
            if let Some(place) = self.transfers.get_mut(at) {
                *place = transfer;
            }
        }
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(transfer) = self.transfers.get_mut(at).filter(|t| t.is_known) else {
                continue;
            };
            let Some(&(start_up, credit)) = least.get(node.link) else { continue };
            let Some(receive) = node.partner.and_then(|p| self.nodes.get(p)) else { continue };
            // The later of the two bound: the other one's lag is the link's smallest.
            if node.start + start_up >= receive.start + credit {
                transfer.credit = credit;
            } else {
                transfer.start_up = start_up;
            }
        }
    }

    /// Orders starts and data by measured time: what something waits for comes before it.
    fn order(&mut self) {
        let mut order: Vec<(f64, u8, usize, bool)> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            order.push((node.start, 1, at, false));
            let partner = node.partner.and_then(|p| self.nodes.get(p));
            match partner {
                Some(receive) if !node.receives => {
                    order.push((node.start.max(receive.start), 2, at, true));
                }
                None => order.push((node.start, 2, at, true)),
                Some(_) => {}
            }
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        self.order = order.into_iter().map(|(_, _, at, is_data)| (at, is_data)).collect();
    }

    fn check(&self) -> Result<(), String> {
        let (starts, ends) = self.times(&Changes::default());
        for (at, node) in self.nodes.iter().enumerate() {
            let off = |a: f64, b: f64| (a - b).abs() > 0.5;
            let (Some(start), Some(end)) = (starts.get(at), ends.get(at)) else { continue };
            if off(*start, node.start) || off(*end, node.end) {
                return Err(format!(
                    "the joint replay does not reproduce a command of rank index {} at {:.0} ns: no prediction",
                    node.rank, node.start
                ));
            }
        }
        Ok(())
    }

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

    /// Pieces of the critical path by rank and reason, in ns: own time, links by their ranks.
    pub(crate) fn critical_path(&self) -> BTreeMap<PathPiece, f64> {
        let mut pieces: BTreeMap<PathPiece, f64> = BTreeMap::new();
        let last = self.last.iter().filter_map(|(rank, nodes)| {
            let end = |node: &usize| self.nodes.get(*node).map_or(0.0, |n| n.end);
            let node = nodes.iter().copied().max_by(|a, b| end(a).total_cmp(&end(b)))?;
            let tail = self.tail.get(rank)?.all;
            Some((end(&node) + tail, *rank, node, tail))
        });
        let Some((_, rank, mut at, tail)) = last.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return pieces;
        };
        let mut add = |piece: PathPiece, ns: f64| *pieces.entry(piece).or_default() += ns.max(0.0);
        add(PathPiece::Own(rank), tail);
        for _ in 0..4 * self.nodes.len() {
            // The start that bound this command's end.
            let node = &self.nodes[at];
            let bound = match node.partner {
                None => {
                    add(PathPiece::Own(node.rank), node.end - node.start);
                    at
                }
                Some(partner) => {
                    let (send, receive) = if node.receives { (partner, at) } else { (at, partner) };
                    let (s, r) = (&self.nodes[send], &self.nodes[receive]);
                    let t = &self.transfers[send];
                    let by_send = s.start + t.start_up >= r.start + t.credit;
                    let bound = if by_send { send } else { receive };
                    let piece = PathPiece::Link(s.rank, r.rank);
                    add(piece, node.end - self.nodes[bound].start);
                    bound
                }
            };
            let node = &self.nodes[bound];
            let cause = node.after.iter().max_by(|a, b| {
                let time = |(n, lag): &(usize, Lag)| self.nodes[*n].end + lag.all;
                time(a).total_cmp(&time(b))
            });
            match cause {
                Some((before, lag)) => {
                    add(PathPiece::Own(node.rank), lag.all);
                    at = *before;
                }
                None => {
                    add(PathPiece::Own(node.rank), node.first.map_or(0.0, |lag| lag.all));
                    break;
                }
            }
        }
        pieces
    }
}

/// A piece of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PathPiece {
    /// A rank's own time.
    Own(usize),
    /// Time of a link, from one rank to another.
    Link(usize, usize),
}

/// What each command of a rank waits for on the rank itself: the last command that ended before it, and the one before
/// it on its thread. `first`: index of the rank's first node.
fn local_causes(
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
