//! Operations: the commands of several ranks that belong to one communication.

use std::collections::{BTreeMap, BTreeSet};

use crate::clocks::Clocks;
use crate::facts::commands;
use crate::kinds::{Flow, Kind, by_pattern};
use crate::pairing::{Link, ThreadId};
use crate::part::{Command, Thread};
use crate::rank::Rank;

/// A rank's part of an operation, in ns of its island's reference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub(crate) rank: usize,
    pub(crate) arrival: f64,
    pub(crate) end: f64,
    pub(crate) wait: f64,
    pub(crate) sent: u64,
    /// The same in ns of its own clock.
    pub(crate) own: (i64, i64),
}

/// A communication of several ranks.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) island: usize,
    pub(crate) kind: Kind,
    pub(crate) source: &'static str,
    pub(crate) members: Vec<Member>,
    /// Index of the rank that arrived last.
    pub(crate) late: usize,
    pub(crate) first_arrival: f64,
    pub(crate) last_arrival: f64,
    pub(crate) end: f64,
    /// Bytes and ns of transfer by link.
    pub(crate) links: BTreeMap<usize, (u64, f64)>,
    pub(crate) slow_link: Option<usize>,
    /// Its pairs: link and place in the link's alignment.
    pub(crate) pairs: Vec<(u32, u32)>,
}

/// Links below this share of the median rate are slow.
const SLOW: f64 = 0.8;
/// ns; commands of two threads that begin within this of each other were posted together.
const TOGETHER_NS: i64 = 2000;

/// A section of a thread: its commands from one reset of ids, or change of the launch, to the next.
type SectionId = (ThreadId, u32);

struct Sections {
    ids: Vec<SectionId>,
    /// First and last command by section.
    span: Vec<(Command, Command, usize)>,
    parent: Vec<usize>,
}

impl Sections {
    fn of(ranks: &[Rank]) -> Self {
        let mut sections = Self { ids: Vec::new(), span: Vec::new(), parent: Vec::new() };
        for (rank, of) in ranks.iter().enumerate() {
            for (thread, of) in of.part.threads.iter().enumerate() {
                let id = ThreadId { rank, thread };
                for (number, command) in split(of).into_iter().zip(&of.commands) {
                    match sections.ids.last() {
                        Some(last) if *last == (id, number) => {
                            if let Some(span) = sections.span.last_mut() {
                                (span.1, span.2) = (*command, span.2 + 1);
                            }
                        }
                        _ => {
                            sections.ids.push((id, number));
                            sections.span.push((*command, *command, 1));
                            sections.parent.push(sections.parent.len());
                        }
                    }
                }
            }
        }
        sections
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// Numbers of the sections of a thread's commands: its own, split further at long silence where nothing else tells
/// calls apart.
fn split(thread: &Thread) -> Vec<u32> {
    let commands = &thread.commands;
    let own = commands.iter().map(|c| c.section);
    let sections: BTreeSet<u32> = own.clone().collect();
    if sections.len() > 1 || commands.iter().any(|c| c.scope > 0) {
        return own.collect();
    }
    let mut gaps: Vec<i64> =
        commands.windows(2).filter_map(|two| Some(two.get(1)?.start - two.first()?.end)).collect();
    let all = gaps.clone();
    gaps.sort_unstable();
    let limit = gaps.get(gaps.len() / 2).map_or(i64::MAX, |median| 5 * (*median).max(200));
    let mut number = 0;
    let later = all.into_iter().map(|gap| {
        number += u32::from(gap > limit);
        number
    });
    std::iter::once(0).chain(later).take(commands.len()).collect()
}

/// Finds the operations of the paired commands.
pub(crate) fn operations(ranks: &[Rank], links: &[Link], clocks: &Clocks) -> Vec<Operation> {
    let mut sections = Sections::of(ranks);
    let numbers: BTreeMap<ThreadId, Vec<u32>> = ranks
        .iter()
        .enumerate()
        .flat_map(|(rank, of)| {
            let threads = of.part.threads.iter().enumerate();
            threads.map(move |(thread, of)| (ThreadId { rank, thread }, split(of)))
        })
        .collect();
    let index: BTreeMap<SectionId, usize> =
        sections.ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let place = |thread: ThreadId, command: u32| {
        let number = numbers.get(&thread)?.get(command as usize)?;
        index.get(&(thread, *number)).copied()
    };
    for link in links {
        for &(i, j) in &link.alignment.pairs {
            if let (Some(a), Some(b)) = (place(link.from, i), place(link.to, j)) {
                sections.join(a, b);
            }
        }
    }
    join_threads(ranks, &mut sections);
    // By root: what its pairs are.
    let mut groups: BTreeMap<usize, Vec<(usize, u32)>> = BTreeMap::new();
    for (number, link) in links.iter().enumerate() {
        for (at, &(i, _)) in link.alignment.pairs.iter().enumerate() {
            if let Some(section) = place(link.from, i) {
                let root = sections.root(section);
                groups.entry(root).or_default().push((number, at as u32));
            }
        }
    }
    let mut found: Vec<Operation> =
        groups.into_values().filter_map(|pairs| operation(ranks, links, clocks, &pairs)).collect();
    found.sort_by(|a, b| {
        (a.island.cmp(&b.island)).then(a.first_arrival.total_cmp(&b.first_arrival)).then_with(
            || {
                let first = |o: &Operation| o.members.first().map(|m| m.rank);
                first(a).cmp(&first(b))
            },
        )
    });
    mark_slow_links(&mut found);
    found
}

/// Joins the sections of a rank's threads that belong to one call: those of one launch; without launches those that
/// were posted together, or that move data at the same time.
fn join_threads(ranks: &[Rank], sections: &mut Sections) {
    let mut of_rank: Vec<Vec<usize>> = vec![Vec::new(); ranks.len()];
    for (at, (id, _)) in sections.ids.iter().enumerate() {
        of_rank[id.rank].push(at);
    }
    for mut own in of_rank {
        own.sort_by_key(|&at| (sections.span[at].0.start, at));
        let mut of_scope: BTreeMap<u32, usize> = BTreeMap::new();
        for (nth, &at) in own.iter().enumerate() {
            let (first, last, count) = sections.span[at];
            if first.scope > 0 {
                let known = *of_scope.entry(first.scope).or_insert(at);
                sections.join(known, at);
                continue;
            }
            for &other in own.iter().skip(nth + 1) {
                let (other_first, other_last, other_count) = sections.span[other];
                if other_first.start > last.end {
                    break;
                }
                if other_first.scope > 0 || sections.ids[other].0 == sections.ids[at].0 {
                    continue;
                }
                let together = (other_first.start - first.start).abs() <= TOGETHER_NS;
                let overlap = last.last.min(other_last.last) - first.first.max(other_first.first);
                let shorter =
                    (last.last - first.first).min(other_last.last - other_first.first).max(1);
                let at_once = count > 1 && other_count > 1 && overlap * 2 >= shorter;
                if together || at_once {
                    sections.join(at, other);
                }
            }
        }
    }
}

/// An operation from its pairs: link and place in its alignment.
fn operation(
    ranks: &[Rank],
    links: &[Link],
    clocks: &Clocks,
    pairs: &[(usize, u32)],
) -> Option<Operation> {
    let mut members: BTreeMap<usize, Member> = BTreeMap::new();
    let mut flows: BTreeMap<(usize, usize), Flow> = BTreeMap::new();
    let mut of_links: BTreeMap<usize, (u64, f64)> = BTreeMap::new();
    let mut names: BTreeMap<Kind, u64> = BTreeMap::new();
    let (mut combine, mut plain) = (0u64, 0u64);
    let mut island = 0;
    for &(number, at) in pairs {
        let link = links.get(number)?;
        let &(i, j) = link.alignment.pairs.get(at as usize)?;
        let send = thread(ranks, link.from)?.commands.get(i as usize)?;
        let receive = thread(ranks, link.to)?.commands.get(j as usize)?;
        let bytes = if send.bytes > 0 { send.bytes } else { receive.bytes };
        for (id, command, sent) in [(link.from, send, bytes), (link.to, receive, 0)] {
            let clock = clocks.ranks.get(id.rank)?;
            island = clock.island;
            let (start, end) =
                (clock.reference(command.start as f64), clock.reference(command.end as f64));
            let own = (command.start, command.end);
            let fresh = Member { rank: id.rank, arrival: start, end, wait: 0.0, sent: 0, own };
            let member = members.entry(id.rank).or_insert(fresh);
            member.arrival = member.arrival.min(start);
            member.end = member.end.max(end);
            member.own = (member.own.0.min(own.0), member.own.1.max(own.1));
            member.sent += sent;
            let name = ranks.get(id.rank).and_then(|rank| rank.part.kernel_of(command));
            if let Some(kind) = name.and_then(Kind::of_name) {
                *names.entry(kind).or_default() += 1;
            }
            match command.reduces {
                1 => plain += 1,
                2 => combine += 1,
                _ => {}
            }
        }
        let flow = flows.entry((link.from.rank, link.to.rank)).or_default();
        (flow.commands, flow.bytes) = (flow.commands + 1, flow.bytes + bytes);
        let of_link = of_links.entry(number).or_default();
        let moving = if link.has_moments { (send.last - send.first) as f64 } else { 0.0 };
        *of_link = (of_link.0 + bytes, of_link.1 + moving);
    }
    let reduces = (combine + plain > 0).then_some((combine > 0, plain > 0));
    let (pattern, root) = by_pattern(&flows, reduces);
    let named = names.into_iter().max_by_key(|(_, count)| *count).map(|(kind, _)| kind);
    let (kind, source) = match named {
        Some(kind) => (kind, "kernel"),
        None => (pattern, if reduces.is_some() { "reduce bits" } else { "pattern" }),
    };
    let mut members: Vec<Member> = members.into_values().collect();
    let first_arrival = members.iter().map(|m| m.arrival).fold(f64::INFINITY, f64::min);
    let late = members.iter().max_by(|a, b| a.arrival.total_cmp(&b.arrival))?;
    let (last_arrival, late) = (late.arrival, late.rank);
    let end = members.iter().map(|m| m.end).fold(f64::NEG_INFINITY, f64::max);
    let root_arrival =
        root.and_then(|root| members.iter().find(|m| m.rank == root)).map(|m| m.arrival);
    for member in &mut members {
        let until = match (kind.is_all_to_all(), root_arrival) {
            (true, _) => last_arrival,
            (false, Some(arrival)) if Some(member.rank) != root => arrival,
            _ => last_arrival,
        };
        member.wait = (until.min(member.end) - member.arrival).max(0.0);
    }
    Some(Operation {
        island,
        kind,
        source,
        members,
        late,
        first_arrival,
        last_arrival,
        end,
        links: of_links,
        slow_link: None,
        pairs: pairs.iter().map(|&(link, at)| (link as u32, at)).collect(),
    })
}

fn thread(ranks: &[Rank], id: ThreadId) -> Option<&Thread> {
    ranks.get(id.rank)?.part.threads.get(id.thread)
}

/// The slowest link of each operation, if it is below 0.8 of the median of all links.
fn mark_slow_links(operations: &mut [Operation]) {
    let rate = |(bytes, ns): (u64, f64)| (bytes > 0 && ns > 0.0).then(|| bytes as f64 / ns);
    let mut rates: Vec<f64> =
        operations.iter().flat_map(|o| o.links.values().copied().filter_map(rate)).collect();
    rates.sort_by(f64::total_cmp);
    let Some(&median) = rates.get(rates.len() / 2) else { return };
    for operation in operations {
        let slowest = operation
            .links
            .iter()
            .filter_map(|(link, of)| Some((*link, rate(*of)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        operation.slow_link = slowest.filter(|(_, r)| *r < SLOW * median).map(|(link, _)| link);
    }
}

impl Operation {
    /// ns; from the last arrival to the last end, and whether it is one: not below 0.
    pub(crate) fn transfer(&self) -> f64 {
        (self.end - self.last_arrival).max(0.0)
    }

    /// ns.
    pub(crate) fn skew(&self) -> f64 {
        self.last_arrival - self.first_arrival
    }

    /// Bytes that crossed links.
    pub(crate) fn wire_bytes(&self) -> u64 {
        self.members.iter().map(|m| m.sent).sum()
    }

    /// GB/s of the algorithm and of the bus, where they are defined.
    pub(crate) fn bandwidths(&self) -> (Option<f64>, Option<f64>) {
        let n = self.members.len() as f64;
        let most = self.members.iter().map(|m| m.sent).max().unwrap_or(0) as f64;
        let transfer = self.transfer();
        if transfer <= 0.0 || most <= 0.0 {
            return (None, None);
        }
        let (size, factor) = match self.kind {
            Kind::AllReduce => (most * n / (2.0 * (n - 1.0)), 2.0 * (n - 1.0) / n),
            Kind::AllGather | Kind::ReduceScatter | Kind::AllToAll => {
                (most * n / (n - 1.0), (n - 1.0) / n)
            }
            Kind::Gather | Kind::Scatter => (most, (n - 1.0) / n),
            Kind::Broadcast | Kind::Reduce | Kind::P2p => (most, 1.0),
            Kind::Ring => return (None, Some(most / transfer)),
            Kind::Barrier | Kind::Unknown => return (None, None),
        };
        (Some(size / transfer), Some(size * factor / transfer))
    }
}

/// Rates of a link's transfers: bytes and ns of all its pairs.
pub(crate) fn link_rate(ranks: &[Rank], link: &Link) -> Option<f64> {
    let (mut bytes, mut ns) = (0u64, 0i64);
    for (send, receive) in commands(ranks, link).filter(|_| link.has_moments) {
        bytes += send.bytes.max(receive.bytes);
        ns += send.last - send.first;
    }
    (bytes > 0 && ns > 0).then(|| bytes as f64 / ns as f64)
}
