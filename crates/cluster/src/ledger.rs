//! What is missing, refused or doubtful, in numbers and words.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_messages::{Arg, Message, Notes, message};

use crate::found::Found;
use crate::join_options::JoinOptions;
use crate::rank::Rank;
use crate::report::ClusterLedger;

/// The ledger of a join.
pub(crate) fn ledger(found: &Found, options: &JoinOptions) -> ClusterLedger {
    let all: u64 = found.ranks.iter().map(|r| r.part.command_count() as u64).sum();
    let paired: u64 = found.pairing.links.iter().map(|l| 2 * l.alignment.count as u64).sum();
    let mut notes: Notes = options.notes.iter().cloned().collect();
    notes.extend(order_of_ranks(found));
    notes.extend(lost_records(found));
    notes.extend(other_losses(found));
    notes.extend(gap_of_devices(found, options));
    for rank in &found.ranks {
        let number = Arg::Number(rank.number.into());
        let left_out: u64 = rank.part.threads.iter().map(|t| t.left_out).sum();
        if left_out > 0 {
            notes.push(message!("cluster-no-direction", rank = number.clone(), count = left_out));
        }
        for thread in rank.part.threads.iter().filter(|t| t.other_bytes > 0) {
            notes.push(message!(
                "cluster-other-bytes",
                rank = number.clone(),
                port = Arg::Number(thread.port.into()),
                count = thread.other_bytes
            ));
        }
        if rank.part.threads.is_empty() {
            notes.push(message!("cluster-no-port-commands", rank = number.clone()));
        }
        let ports: BTreeSet<u32> =
            rank.part.threads.iter().filter(|t| !t.is_anchored).map(|t| t.port).collect();
        if !ports.is_empty() {
            let ports = Arg::numbers(ports);
            notes.push(message!("cluster-no-sync-pair", rank = number, ports = ports));
        }
    }
    notes.extend(crate::steps::note(found));
    if options.are_devices {
        notes.push(message!("cluster-numbered-by-device"));
    }
    let facts = &found.clocks.ranks;
    ClusterLedger {
        paired,
        unpaired: all.saturating_sub(paired),
        lost_records: found.ranks.iter().map(|r| r.part.lost_records).sum(),
        left_out: options.left_out,
        orders: facts.iter().map(|c| c.facts).sum(),
        violations: facts.iter().map(|c| c.after).sum(),
        notes,
    }
}

/// Ranks that a note names.
const NAMED: usize = 8;

/// Which dumps lack records, and what to do about it.
fn lost_records(found: &Found) -> Option<Message> {
    let lossy = found.ranks.iter().filter(|r| r.part.lost_records > 0);
    let mut all: Vec<(u64, u32)> = lossy.map(|r| (r.part.lost_records, r.number)).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let of_rank = |(lost, rank): &(u64, u32)| {
        message!("cluster-lost-of-rank", lost = *lost, rank = Arg::Number((*rank).into()))
    };
    let mut named: Vec<Message> = all.iter().take(NAMED).map(of_rank).collect();
    if all.len() > NAMED {
        named.push(message!("cluster-more-ranks", count = all.len() - NAMED));
    }
    (!named.is_empty()).then(|| message!("cluster-lost", named = Arg::Items(named)))
}

/// Dumps that lost something else than a known number of records, and how to see what.
fn other_losses(found: &Found) -> Option<Message> {
    let is_lossy = |r: &&Rank| r.part.has_loss && r.part.lost_records == 0;
    let lossy: Vec<&Rank> = found.ranks.iter().filter(is_lossy).collect();
    let first = lossy.first()?;
    let number = |rank: &&Rank| Message::verbatim(rank.number.to_string());
    let mut named: Vec<Message> = lossy.iter().take(NAMED).map(number).collect();
    if lossy.len() > NAMED {
        named.push(message!("cluster-more", count = lossy.len() - NAMED));
    }
    Some(message!(
        "cluster-incomplete",
        ranks = lossy.len(),
        named = Arg::Items(named),
        dump = &first.part.identity.dump
    ))
}

/// The device that a host's dumps leave out, where a port lacks its partner: perhaps its dump is missing.
fn gap_of_devices(found: &Found, options: &JoinOptions) -> Option<Message> {
    if !options.are_devices || found.pairing.ambiguous.is_empty() {
        return None;
    }
    let mut hosts: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for rank in &found.ranks {
        let identity = &rank.part.identity;
        hosts.entry(&identity.host).or_default().insert(identity.device);
    }
    hosts.into_iter().find_map(|(host, devices)| {
        let (first, last) = (*devices.first()?, *devices.last()?);
        let gap = (first..last).find(|device| !devices.contains(device))?;
        Some(message!(
            "cluster-gap-of-devices",
            host = host,
            first = Arg::Number(first.into()),
            last = Arg::Number(last.into()),
            gap = Arg::Number(gap.into())
        ))
    })
}

/// Where the links of an island are one ring whose order is not that of the ranks.
fn order_of_ranks(found: &Found) -> Option<Message> {
    let mut next: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut sent: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for link in &found.pairing.links {
        let (a, b) = (found.number(link.from.rank), found.number(link.to.rank));
        next.entry(a).or_default().insert(b);
        next.entry(b).or_default().insert(a);
        sent.entry(a).or_default().insert(b);
    }
    let n = found.ranks.len();
    if n < 4 || next.len() != n || next.values().any(|peers| peers.len() != 2) {
        return None;
    }
    let numbers: Vec<u32> = found.ranks.iter().map(|r| r.number).collect();
    let first = *numbers.first()?;
    let (mut order, mut before, mut at) =
        (vec![first], first, *sent.get(&first).or_else(|| next.get(&first))?.first()?);
    while at != first && order.len() <= n {
        order.push(at);
        let step = next.get(&at)?.iter().copied().find(|peer| *peer != before)?;
        (before, at) = (at, step);
    }
    // Two planes of two ranks, each with a peer in the other plane, are a ring in this order, of which both directions are used.
    let is_two_planes = n == 4
        && sent == next
        && matches!((&*numbers, &*order), ([a, b, c, d], [e, f, g, h]) if (a, b, d, c) == (e, f, g, h));
    (order.len() == n && order != numbers && !is_two_planes).then(|| {
        let order: Vec<String> = order.iter().map(|rank| format!("r{rank}")).collect();
        message!("cluster-ring-order", order = order.join(" "))
    })
}
