//! Sections: the commands of a rank's thread that belong to one call, and which of them are of one operation.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::alignment::PairRun;
use crate::commands::DataCommand;
use crate::operation::OperationRun;
use crate::pairing::{Link, ThreadId, thread_of};
use crate::part::ThreadCommands;
use crate::rank::Rank;

/// ns; commands of two threads that begin within this of each other were posted together.
const TOGETHER_NS: i64 = 2000;
/// ns; two commands that are open together for less follow each other: each port has its own rounding and sync.
const BOTH_NS: i64 = 50;
/// ns; a send that begins within this of the end of a receive passes on what came: a launch between takes longer.
const RELAY_NS: i64 = 500;

/// A section of a thread: its commands from one reset of ids, or change of the launch, to the next.
#[derive(Debug, Clone, Copy)]
struct Section {
    thread: ThreadId,
    /// Place of its first command, and how many it has.
    from: usize,
    count: usize,
    first: DataCommand,
    last: DataCommand,
}

impl Section {
    /// Whether a later section of the rank's, on another thread, is of the same call. `receives`: of both.
    fn is_one_call_with(&self, later: &Self, receives: [bool; 2]) -> bool {
        // What begins when the other is done is a call of its own, unless it passes on what the other received.
        if receives == [true, false] {
            let lag = later.first.start - self.first.end;
            if (-BOTH_NS..=RELAY_NS).contains(&lag) {
                return true;
            }
        }
        let both = self.last.end.min(later.last.end) - later.first.start;
        if both <= BOTH_NS {
            return false;
        }
        let together = later.first.start - self.first.start <= TOGETHER_NS;
        let moves = |section: &Self| section.last.last - section.first.first;
        let at_once = self.last.last.min(later.last.last) - self.first.first.max(later.first.first);
        let shorter = moves(self).min(moves(later)).max(1);
        together || self.count > 1 && later.count > 1 && at_once * 2 >= shorter
    }
}

struct Sections {
    all: Vec<Section>,
    /// Sections of each rank's threads: index in `all` of the thread's first section, and of the next thread's.
    of_thread: Vec<Vec<(usize, usize)>>,
    parent: Vec<usize>,
}

impl Sections {
    fn find(ranks: &[Rank], links: &[Link]) -> Self {
        let by_partners = starts_by_partners(ranks, links);
        let of_rank = |(rank, of): (usize, &Rank)| -> Vec<Vec<Section>> {
            let of_thread = |(thread, of): (usize, &ThreadCommands)| {
                let id = ThreadId { rank, thread };
                let Some(starts) = by_partners.get(&id) else {
                    return sections_at(id, of, starts_of(of));
                };
                let mut own = sections_at(id, of, starts.clone());
                // Launches are those of the commands that records were given.
                own.iter_mut().for_each(|section| section.first.scope = 0);
                own
            };
            of.part.threads.iter().enumerate().map(of_thread).collect()
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

/// Where the sections of a thread begin: by its commands' own numbers, split further at long silence where nothing else
/// tells calls apart.
fn starts_of(of: &ThreadCommands) -> Vec<usize> {
    let commands = &of.commands;
    let own = |place| commands.scope_and_section(place);
    let all = 0..commands.len();
    let is_split = all.clone().any(|place| own(place).0 > 0)
        || all.clone().any(|place| own(place).1 != own(0).1);
    let gap = |place: usize| commands.start.value_at(place) - commands.end(place - 1);
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
    all.filter(|place| begins(*place)).collect()
}

/// Where the sections of a rank's threads begin by those of their partners, where the rank has lost records and the partner
/// has not: with the record in which ids begin anew two calls look like one, and what follows may have been given
/// commands of another call.
fn starts_by_partners(ranks: &[Rank], links: &[Link]) -> BTreeMap<ThreadId, Vec<usize>> {
    let has_lost = |id: ThreadId| ranks.get(id.rank).is_some_and(|rank| rank.part.lost_records > 0);
    let of_link = |link: &Link| {
        let is_sender = has_lost(link.from);
        if is_sender == has_lost(link.to) {
            return None;
        }
        let (own, partner) = if is_sender { (link.from, link.to) } else { (link.to, link.from) };
        let sections = starts_of(thread_of(ranks, partner)?);
        let (mut starts, mut last) = (vec![0], None);
        for PairRun { send, receive, count } in link.alignment.runs.iter().copied() {
            for nth in 0..count {
                let (send, receive) = ((send + nth) as usize, (receive + nth) as usize);
                let (place, of) = if is_sender { (send, receive) } else { (receive, send) };
                let section = sections.partition_point(|start| *start <= of);
                if last.replace(section).is_some_and(|last| last != section) {
                    starts.push(place);
                }
            }
        }
        Some((own, starts))
    };
    links.iter().filter_map(of_link).collect()
}

/// The sections of a thread that begin at these places.
fn sections_at(thread: ThreadId, of: &ThreadCommands, mut starts: Vec<usize>) -> Vec<Section> {
    starts.push(of.commands.len());
    let section = |two: &[usize]| {
        let (from, to) = (*two.first()?, *two.get(1)?);
        let last = to.checked_sub(1).filter(|last| *last >= from)?;
        let (first, last) = (of.commands.get(from)?, of.commands.get(last)?);
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

/// The pairs of each operation.
pub(crate) fn groups(ranks: &[Rank], links: &[Link]) -> Vec<Vec<OperationRun>> {
    let mut sections = Sections::find(ranks, links);
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
    groups.into_values().collect()
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
            let Section { thread, first, last, .. } = sections.all[at];
            if first.scope > 0 {
                let known = *of_scope.entry(first.scope).or_insert(at);
                sections.join(known, at);
                continue;
            }
            for &other in own.iter().skip(nth + 1) {
                let other_section = sections.all[other];
                if other_section.first.start > last.end + RELAY_NS {
                    break;
                }
                if other_section.first.scope > 0 || other_section.thread == thread {
                    continue;
                }
                let receives = |id| thread_of(ranks, id).is_some_and(|thread| thread.receives);
                let receives = [receives(thread), receives(other_section.thread)];
                if sections.all[at].is_one_call_with(&other_section, receives) {
                    sections.join(at, other);
                }
            }
        }
    }
}
