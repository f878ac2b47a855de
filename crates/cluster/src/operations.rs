//! Operations: the commands of several ranks that belong to one communication.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::alignment::PairRun;
use crate::clocks::{Clocks, RankClock};
use crate::host;
use crate::kinds::{Flow, Kind, Reduces, Reduction, by_pattern};
use crate::operation::{KERNEL, Member, Moved, Operation, OperationRun};
use crate::pairing::{Link, ThreadId, thread_of};
use crate::rank::Rank;
use crate::sections;
use crate::speeds::{SLOW, Speed, moving};

/// Finds the operations of the paired commands. `speeds`: of the links.
pub(crate) fn operations(
    ranks: &[Rank],
    links: &[Link],
    clocks: &Clocks,
    speeds: &[Speed],
) -> Vec<Operation> {
    let kinds: Vec<Vec<Option<Kind>>> = ranks
        .iter()
        .map(|rank| rank.part.kernels.iter().map(|name| Kind::of_name(name)).collect())
        .collect();
    let linked: BTreeSet<ThreadId> = links.iter().flat_map(|link| [link.from, link.to]).collect();
    let groups = sections::groups(ranks, links);
    let one = |runs| operation(ranks, links, clocks, (&kinds, &linked), runs);
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
    mark_slow_links(&mut found, links, speeds);
    found
}

/// Whether a rank moved data between two own moments with a port's thread whose partner is not known, or may have: where a
/// port has a time of its own.
fn moved_elsewhere(ranks: &[Rank], linked: &BTreeSet<ThreadId>, member: &Member) -> bool {
    let (rank, (from, to)) = (member.rank, member.own);
    let threads = ranks.get(rank).map(|rank| rank.part.threads.as_slice()).unwrap_or_default();
    let mut open = threads.iter().enumerate().filter(|(thread, _)| {
        let id = ThreadId { rank, thread: *thread };
        !linked.contains(&id)
    });
    open.any(|(_, of)| {
        let begun = |until| of.commands.start.count_up_to(until);
        let is_comparable = of.is_anchored && member.is_placed;
        !of.commands.is_empty() && (!is_comparable || begun(to) > begun(from.saturating_sub(1)))
    })
}

/// ns; what is added to own moments of the sender, and of the receiver, of some pairs for the time of their island, where
/// only the partner's clock is known: data are there a latency after they were sent.
fn seen_by_partner(
    ranks: &[Rank],
    clocks: &Clocks,
    link: &Link,
    pairs: PairRun,
) -> [Option<f64>; 2] {
    let known = |id: ThreadId| {
        let clock = clocks.ranks.get(id.rank).filter(|clock| clock.is_related())?;
        thread_of(ranks, id).filter(|thread| thread.is_anchored).map(|_| clock)
    };
    let (from, to) = (known(link.from), known(link.to));
    if from.is_some() == to.is_some() {
        return [None; 2];
    }
    let ends = (link.from.rank, link.to.rank);
    let latency = clocks.latency_between(ranks, ends, link.has_moments).unwrap_or(0.0);
    let threads = thread_of(ranks, link.from).zip(thread_of(ranks, link.to));
    let own = |nth: u32| {
        let (send, receive) = threads?;
        let send = send.commands.get((pairs.send + nth) as usize)?.moments();
        let receive = receive.commands.get((pairs.receive + nth) as usize)?.moments();
        Some(link.last_moments(&send, &receive))
    };
    let shift = |(sent, seen): (i64, i64)| match (from, to) {
        (_, Some(clock)) => clock.reference(seen as f64) - latency - sent as f64,
        (Some(clock), _) => clock.reference(sent as f64) + latency - seen as f64,
        _ => 0.0,
    };
    let shifts: Vec<f64> = (0..pairs.count).filter_map(own).map(shift).collect();
    let mean = (!shifts.is_empty()).then(|| shifts.iter().sum::<f64>() / shifts.len() as f64);
    match to {
        Some(_) => [mean, None],
        None => [None, mean],
    }
}

/// An operation from its pairs. `kinds`: by rank and kernel what the kernel's name says; `linked`: threads whose partner
/// is known.
fn operation(
    ranks: &[Rank],
    links: &[Link],
    clocks: &Clocks,
    (kinds, linked): (&[Vec<Option<Kind>>], &BTreeSet<ThreadId>),
    runs: Vec<OperationRun>,
) -> Option<Operation> {
    let mut members: BTreeMap<usize, Member> = BTreeMap::new();
    let mut flows: BTreeMap<(usize, usize), Flow> = BTreeMap::new();
    let mut of_links: BTreeMap<usize, Moved> = BTreeMap::new();
    let mut names: BTreeMap<Kind, u64> = BTreeMap::new();
    // By link, whose runs come in the order of its commands.
    let mut of_link_reduces: BTreeMap<usize, Reduces> = BTreeMap::new();
    // By rank: its first start and last end as its partners saw them; `None` where one of its ports does not show them.
    let mut seen_by_partners: BTreeMap<usize, Option<(f64, f64)>> = BTreeMap::new();
    let mut is_cut = false;
    let mut island = 0;
    for run in &runs {
        let number = run.link as usize;
        let link = links.get(number)?;
        let (sends, receives) =
            (&thread_of(ranks, link.from)?.commands, &thread_of(ranks, link.to)?.commands);
        let (mut bytes, mut ns) = (0u64, 0.0);
        let reduces = of_link_reduces.entry(number).or_default();
        let by_partner = seen_by_partner(ranks, clocks, link, run.pairs);
        // First start and last end of each side.
        let mut own = [(i64::MAX, i64::MIN); 2];
        for n in 0..run.pairs.count {
            let send = sends.get((run.pairs.send + n) as usize)?;
            let receive = receives.get((run.pairs.receive + n) as usize)?;
            bytes += link.bytes(send.bytes, receive.bytes);
            ns += moving(clocks, link, &send.moments(), &receive.moments());
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
            reduces.add(send.reduces.max(receive.reduces));
        }
        for ((id, sent), own) in [(link.from, bytes), (link.to, 0)].into_iter().zip(own) {
            let clock = clocks.ranks.get(id.rank)?;
            island = clock.island;
            let is_placed = thread_of(ranks, id)?.is_anchored;
            if !is_placed {
                let side = usize::from(id == link.to);
                let first = [run.pairs.send, run.pairs.receive].get(side) == Some(&0);
                let shift = by_partner.get(side).copied().flatten();
                // A full ring begins anywhere within an operation: what came before is not known.
                let seen = shift
                    .filter(|_| !first)
                    .map(|shift| (own.0 as f64 + shift, own.1 as f64 + shift));
                let all = seen_by_partners.entry(id.rank).or_insert(seen);
                *all = all.zip(seen).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
                is_cut |= first;
            }
            let fresh = Member {
                rank: id.rank,
                arrival: 0.0,
                end: 0.0,
                wait: 0.0,
                sent: 0,
                own,
                is_placed,
                is_known: false,
            };
            let member = members.entry(id.rank).or_insert(fresh);
            match (member.is_placed, is_placed) {
                (false, true) => (member.own, member.is_placed) = (own, true),
                (true, false) => {}
                _ => member.own = (member.own.0.min(own.0), member.own.1.max(own.1)),
            }
            member.arrival = clock.reference(member.own.0 as f64);
            member.end = clock.reference(member.own.1 as f64);
            member.sent += sent;
        }
        let flow = flows.entry((link.from.rank, link.to.rank)).or_default();
        let commands = u64::from(run.pairs.count);
        (flow.commands, flow.bytes) = (flow.commands + commands, flow.bytes + bytes);
        let of_link = of_links.entry(number).or_default();
        of_link.commands += commands;
        of_link.bytes += bytes;
        of_link.ns += ns;
    }
    for (number, reduces) in of_link_reduces {
        let link = links.get(number)?;
        flows.entry((link.from.rank, link.to.rank)).or_default().reduces.merge(reduces);
    }
    let reduction = Reduction::of_flows(flows.values());
    let named = names.into_iter().max_by_key(|(_, count)| *count).map(|(kind, _)| kind);
    // A ring whose last link is not known looks like a chain.
    let is_part = is_cut || members.values().any(|member| moved_elsewhere(ranks, linked, member));
    let (pattern, root) = if named.is_none() && is_part {
        (Kind::Unknown, None)
    } else {
        by_pattern(&flows, reduction)
    };
    let (kind, source) = match named {
        Some(kind) => (kind, KERNEL),
        None => (pattern, if reduction == Reduction::Unknown { "pattern" } else { "reduce bits" }),
    };
    let mut members: Vec<Member> = members.into_values().collect();
    for member in &mut members {
        let is_related = clocks.ranks.get(member.rank).is_some_and(RankClock::is_related);
        member.is_known = member.is_placed && is_related;
        let seen = seen_by_partners.get(&member.rank).copied().flatten();
        if let Some((arrival, end)) = seen.filter(|_| !member.is_placed) {
            (member.arrival, member.end, member.is_known) = (arrival, end, true);
        }
    }
    // Ranks whose ports have a time of their own do not say when others arrive; where none is known, nothing is.
    let placed = || members.iter().filter(|m| m.is_known);
    let first_arrival = placed().map(|m| m.arrival).fold(f64::INFINITY, f64::min);
    let late = placed().max_by(|a, b| a.arrival.total_cmp(&b.arrival))?;
    let (last_arrival, late) = (late.arrival, late.rank);
    let end = placed().map(|m| m.end).fold(f64::NEG_INFINITY, f64::max);
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
        is_part,
        runs,
    })
}

/// The slowest link of each operation, if it is below 0.8 of the median of all links. Where only ends are known, transfers hold
/// latencies: those of as many bytes are compared.
fn mark_slow_links(operations: &mut [Operation], links: &[Link], speeds: &[Speed]) {
    let class = |link: usize, moved: &Moved| match links.get(link) {
        Some(link) if link.has_moments => None,
        _ => moved.bytes.checked_div(moved.commands),
    };
    let mut rates: BTreeMap<Option<u64>, Vec<f64>> = BTreeMap::new();
    for (link, moved) in operations.iter().flat_map(|o| &o.links) {
        rates.entry(class(*link, moved)).or_default().extend(moved.rate());
    }
    rates.values_mut().for_each(|all| all.sort_by(f64::total_cmp));
    for operation in operations {
        let share = |(&link, moved): (&usize, &Moved)| {
            let all = rates.get(&class(link, moved))?;
            let share = moved.rate()? / all.get(all.len() / 2)?;
            speeds.get(link)?.may_be_slow.then_some((link, share))
        };
        let slowest = operation.links.iter().filter_map(share).min_by(|a, b| a.1.total_cmp(&b.1));
        operation.slow_link = slowest.filter(|(_, share)| *share < SLOW).map(|(link, _)| link);
    }
}
