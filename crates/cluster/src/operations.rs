//! Operations: the commands of several ranks that belong to one communication.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::alignment::PairRun;
use crate::clocks::Clocks;
use crate::facts::commands;
use crate::host;
use crate::kinds::{Flow, Kind, Reduces, Reduction, by_pattern};
use crate::pairing::{Link, ThreadId, thread_of};
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
    /// Rank that the others wait for, or that waits for them, by the pattern.
    root: Option<usize>,
    pub(crate) members: Vec<Member>,
    /// Index of the rank that arrived last.
    pub(crate) late: usize,
    pub(crate) first_arrival: f64,
    pub(crate) last_arrival: f64,
    pub(crate) end: f64,
    /// Bytes and ns of transfer by link.
    pub(crate) links: BTreeMap<usize, (u64, f64)>,
    pub(crate) slow_link: Option<usize>,
    /// Its pairs.
    pub(crate) runs: Vec<OperationRun>,
}

/// Pairs of a link in a row that are of one operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OperationRun {
    pub(crate) link: u32,
    /// Place of the first pair in the link's alignment.
    pub(crate) at: u32,
    /// The pairs.
    pub(crate) pairs: PairRun,
}

/// Links below this share of the median rate are slow.
const SLOW: f64 = 0.8;
/// ns; commands of two threads that begin within this of each other were posted together.
const TOGETHER_NS: i64 = 2000;

/// A section of a thread: its commands from one reset of ids, or change of the launch, to the next.
#[derive(Debug, Clone, Copy)]
struct Section {
    thread: ThreadId,
    /// Place of its first command, and how many it has.
    from: usize,
    count: usize,
    first: Command,
    last: Command,
}

struct Sections {
    all: Vec<Section>,
    /// By rank and thread: where its sections begin, and the next thread's.
    of_thread: Vec<Vec<(usize, usize)>>,
    parent: Vec<usize>,
}

impl Sections {
    fn of(ranks: &[Rank]) -> Self {
        let of_rank = |(rank, of): (usize, &Rank)| -> Vec<Vec<Section>> {
            let threads = of.part.threads.iter().enumerate();
            threads.map(|(thread, of)| sections_of(ThreadId { rank, thread }, of)).collect()
        };
        let found: Vec<Vec<Vec<Section>>> = ranks.par_iter().enumerate().map(of_rank).collect();
        let (mut all, mut of_thread) = (Vec::new(), Vec::new());
        for of_rank in found {
            let mut ranges = Vec::new();
            for sections in of_rank {
                let from = all.len();
                all.extend(sections);
                ranges.push((from, all.len()));
            }
            of_thread.push(ranges);
        }
        let parent = (0..all.len()).collect();
        Self { all, of_thread, parent }
    }

    /// The section of a thread's command, and how many of its commands follow, with this one.
    fn place(&self, id: ThreadId, command: usize) -> Option<(usize, usize)> {
        let &(from, to) = self.of_thread.get(id.rank)?.get(id.thread)?;
        let own = self.all.get(from..to)?;
        let later = own.partition_point(|section| section.from <= command);
        let section = own.get(later.checked_sub(1)?)?;
        let rest = (section.from + section.count).checked_sub(command).filter(|rest| *rest > 0)?;
        Some((from + later - 1, rest))
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

/// The sections of a thread: by its commands' own numbers, split further at long silence where nothing else tells
/// calls apart.
fn sections_of(thread: ThreadId, of: &Thread) -> Vec<Section> {
    let commands = &of.commands;
    let own = |place| commands.scope_and_section(place);
    let all = 0..commands.len();
    let is_split = all.clone().any(|place| own(place).0 > 0)
        || all.clone().any(|place| own(place).1 != own(0).1);
    let gap = |place: usize| commands.start.at(place) - commands.end(place - 1);
    let mut limit = i64::MAX;
    if !is_split {
        let mut gaps: Vec<i64> = all.clone().skip(1).map(gap).collect();
        let middle = gaps.len() / 2;
        if middle < gaps.len() {
            limit = 5 * (*gaps.select_nth_unstable(middle).1).max(200);
        }
    }
    let begins = |place: usize| {
        place == 0 || if is_split { own(place).1 != own(place - 1).1 } else { gap(place) > limit }
    };
    let mut starts: Vec<usize> = all.filter(|place| begins(*place)).collect();
    starts.push(commands.len());
    let section = |two: &[usize]| {
        let (from, to) = (*two.first()?, *two.get(1)?);
        let (first, last) = (commands.get(from)?, commands.get(to.checked_sub(1)?)?);
        Some(Section { thread, from, count: to - from, first, last })
    };
    starts.windows(2).filter_map(section).collect()
}

/// The pairs of a link, cut where a section of its sender or receiver ends: with the sections of both.
fn cut(sections: &Sections, link: &Link) -> Vec<(OperationRun, [usize; 2])> {
    let mut cuts = Vec::new();
    let mut at = 0;
    for run in &link.alignment.runs {
        let PairRun { mut send, mut receive, mut count } = *run;
        while count > 0 {
            let from = sections.place(link.from, send as usize);
            let to = sections.place(link.to, receive as usize);
            let (Some((from, sent)), Some((to, received))) = (from, to) else { break };
            let own = count.min(u32::try_from(sent.min(received)).unwrap_or(count));
            let pairs = PairRun { send, receive, count: own };
            cuts.push((OperationRun { link: 0, at, pairs }, [from, to]));
            (send, receive, count, at) = (send + own, receive + own, count - own, at + own);
        }
        at += count;
    }
    cuts
}

/// Finds the operations of the paired commands.
pub(crate) fn operations(ranks: &[Rank], links: &[Link], clocks: &Clocks) -> Vec<Operation> {
    let mut sections = Sections::of(ranks);
    let cuts: Vec<_> = links.par_iter().map(|link| cut(&sections, link)).collect();
    for (_, [a, b]) in cuts.iter().flatten() {
        sections.join(*a, *b);
    }
    join_threads(ranks, &mut sections);
    // By root: what its pairs are.
    let mut groups: BTreeMap<usize, Vec<OperationRun>> = BTreeMap::new();
    for (link, cuts) in (0..).zip(cuts) {
        for (run, [section, _]) in cuts {
            let root = sections.root(section);
            groups.entry(root).or_default().push(OperationRun { link, ..run });
        }
    }
    let kinds: Vec<Vec<Option<Kind>>> = ranks
        .iter()
        .map(|rank| rank.part.kernels.iter().map(|name| Kind::of_name(name)).collect())
        .collect();
    let groups: Vec<Vec<OperationRun>> = groups.into_values().collect();
    let one = |runs| operation(ranks, links, clocks, &kinds, runs);
    let mut found: Vec<Operation> = groups.into_par_iter().filter_map(one).collect();
    found.sort_by(|a, b| {
        (a.island.cmp(&b.island)).then(a.first_arrival.total_cmp(&b.first_arrival)).then_with(
            || {
                let first = |o: &Operation| o.members.first().map(|m| m.rank);
                first(a).cmp(&first(b))
            },
        )
    });
    let by_host = host::kinds(ranks, &found);
    for (operation, kind) in found.iter_mut().zip(by_host) {
        operation.name_by_host(kind);
        operation.find_waits();
    }
    mark_slow_links(&mut found);
    found
}

/// Joins the sections of a rank's threads that belong to one call: those of one launch; without launches those that
/// were posted together, or that move data at the same time.
fn join_threads(ranks: &[Rank], sections: &mut Sections) {
    let mut of_rank: Vec<Vec<usize>> = vec![Vec::new(); ranks.len()];
    for (at, section) in sections.all.iter().enumerate() {
        of_rank[section.thread.rank].push(at);
    }
    for mut own in of_rank {
        own.sort_by_key(|&at| (sections.all[at].first.start, at));
        let mut of_scope: BTreeMap<u32, usize> = BTreeMap::new();
        for (nth, &at) in own.iter().enumerate() {
            let Section { thread, first, last, count, .. } = sections.all[at];
            if first.scope > 0 {
                let known = *of_scope.entry(first.scope).or_insert(at);
                sections.join(known, at);
                continue;
            }
            for &other in own.iter().skip(nth + 1) {
                let Section {
                    thread: other_thread,
                    first: other_first,
                    last: other_last,
                    count: other_count,
                    ..
                } = sections.all[other];
                if other_first.start > last.end {
                    break;
                }
                if other_first.scope > 0 || other_thread == thread {
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

/// An operation from its pairs. `kinds`: by rank and kernel what the kernel's name says.
fn operation(
    ranks: &[Rank],
    links: &[Link],
    clocks: &Clocks,
    kinds: &[Vec<Option<Kind>>],
    runs: Vec<OperationRun>,
) -> Option<Operation> {
    let mut members: BTreeMap<usize, Member> = BTreeMap::new();
    let mut flows: BTreeMap<(usize, usize), Flow> = BTreeMap::new();
    let mut of_links: BTreeMap<usize, (u64, f64)> = BTreeMap::new();
    let mut names: BTreeMap<Kind, u64> = BTreeMap::new();
    // By link, whose runs come in the order of its commands.
    let mut of_link_reduces: BTreeMap<usize, Reduces> = BTreeMap::new();
    let mut island = 0;
    for run in &runs {
        let number = run.link as usize;
        let link = links.get(number)?;
        let (sends, receives) =
            (&thread_of(ranks, link.from)?.commands, &thread_of(ranks, link.to)?.commands);
        let (mut bytes, mut moving) = (0u64, 0i64);
        let reduces = of_link_reduces.entry(number).or_default();
        // First start and last end of each side.
        let mut own = [(i64::MAX, i64::MIN); 2];
        for n in 0..run.pairs.count {
            let send = sends.get((run.pairs.send + n) as usize)?;
            let receive = receives.get((run.pairs.receive + n) as usize)?;
            bytes += link.bytes(&send, &receive);
            moving += send.last - send.first;
            for ((id, command), own) in [(link.from, send), (link.to, receive)].iter().zip(&mut own)
            {
                *own = (own.0.min(command.start), own.1.max(command.end));
                let kernel = command.kernel.checked_sub(1);
                let of_rank = kinds.get(id.rank);
                let kind = of_rank.zip(kernel).and_then(|(all, at)| *all.get(at as usize)?);
                if let Some(kind) = kind {
                    *names.entry(kind).or_default() += 1;
                }
            }
            // What arrives is combined if either side says so.
            match send.reduces.max(receive.reduces) {
                1 => reduces.plain += 1,
                2 if reduces.plain > 0 => reduces.is_mixed = true,
                2 => reduces.combine += 1,
                _ => {}
            }
        }
        for ((id, sent), own) in [(link.from, bytes), (link.to, 0)].into_iter().zip(own) {
            let clock = clocks.ranks.get(id.rank)?;
            island = clock.island;
            let fresh = Member { rank: id.rank, arrival: 0.0, end: 0.0, wait: 0.0, sent: 0, own };
            let member = members.entry(id.rank).or_insert(fresh);
            member.own = (member.own.0.min(own.0), member.own.1.max(own.1));
            member.arrival = clock.reference(member.own.0 as f64);
            member.end = clock.reference(member.own.1 as f64);
            member.sent += sent;
        }
        let flow = flows.entry((link.from.rank, link.to.rank)).or_default();
        let commands = u64::from(run.pairs.count);
        (flow.commands, flow.bytes) = (flow.commands + commands, flow.bytes + bytes);
        let of_link = of_links.entry(number).or_default();
        let moving = if link.has_moments { moving as f64 } else { 0.0 };
        *of_link = (of_link.0 + bytes, of_link.1 + moving);
    }
    let reduction = Reduction::of(of_link_reduces.values());
    let (pattern, root) = by_pattern(&flows, reduction);
    let named = names.into_iter().max_by_key(|(_, count)| *count).map(|(kind, _)| kind);
    let (kind, source) = match named {
        Some(kind) => (kind, KERNEL),
        None => (pattern, if reduction == Reduction::Unknown { "pattern" } else { "reduce bits" }),
    };
    let members: Vec<Member> = members.into_values().collect();
    let first_arrival = members.iter().map(|m| m.arrival).fold(f64::INFINITY, f64::min);
    let late = members.iter().max_by(|a, b| a.arrival.total_cmp(&b.arrival))?;
    let (last_arrival, late) = (late.arrival, late.rank);
    let end = members.iter().map(|m| m.end).fold(f64::NEG_INFINITY, f64::max);
    Some(Operation {
        island,
        kind,
        source,
        root,
        members,
        late,
        first_arrival,
        last_arrival,
        end,
        links: of_links,
        slow_link: None,
        runs,
    })
}

impl Operation {
    /// What its hosts say of it goes before its pattern.
    fn name_by_host(&mut self, kind: Option<Kind>) {
        if let Some(kind) = kind.filter(|_| self.source != KERNEL) {
            (self.kind, self.source) = (kind, "host");
        }
    }

    /// How long each rank waited for the last one, or for the root.
    fn find_waits(&mut self) {
        let root = self.root.filter(|_| !self.kind.is_all_to_all());
        let arrival = root.and_then(|root| self.members.iter().find(|m| m.rank == root));
        let arrival = arrival.map(|member| member.arrival);
        for member in &mut self.members {
            let until = match arrival {
                Some(arrival) if Some(member.rank) != root => arrival,
                _ => self.last_arrival,
            };
            member.wait = (until.min(member.end) - member.arrival).max(0.0);
        }
    }
}

/// Source of kinds that kernels' names say.
const KERNEL: &str = "kernel";

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
        bytes += link.bytes(&send, &receive);
        ns += send.last - send.first;
    }
    (bytes > 0 && ns > 0).then(|| bytes as f64 / ns as f64)
}
