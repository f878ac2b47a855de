//! What is missing, refused or doubtful, in numbers and words.

use std::collections::{BTreeMap, BTreeSet};

use crate::join::{Found, JoinOptions};
use crate::report::Ledger;

/// The ledger of a join.
pub(crate) fn ledger(found: &Found, options: &JoinOptions) -> Ledger {
    let all: u64 = found.ranks.iter().map(|r| r.part.command_count() as u64).sum();
    let paired: u64 = found.pairing.links.iter().map(|l| 2 * l.alignment.count as u64).sum();
    let mut notes = options.notes.clone();
    if options.are_devices {
        notes.push(
            "ranks are numbered by device: give --rank-table or --chip-map for the numbers of the program"
                .to_owned(),
        );
    }
    for rank in &found.ranks {
        let left_out: u64 = rank.part.threads.iter().map(|t| t.left_out).sum();
        if left_out > 0 {
            notes.push(format!(
                "rank {}: {left_out} commands have no known direction and are left out",
                rank.number
            ));
        }
        for thread in rank.part.threads.iter().filter(|t| t.other_bytes > 0) {
            notes.push(format!(
                "rank {} port {}: the records of {} sends name other bytes than the shapes of the commands; the shapes are used",
                rank.number, thread.port, thread.other_bytes
            ));
        }
        if rank.part.threads.is_empty() {
            notes.push(format!("rank {}: its dump has no commands of ports", rank.number));
        }
        let ports: BTreeSet<u32> =
            rank.part.threads.iter().filter(|t| !t.is_anchored).map(|t| t.port).collect();
        if !ports.is_empty() {
            notes.push(format!(
                "rank {}: ports {ports:?} have no sync pair; their commands are not on the device's clock",
                rank.number
            ));
        }
    }
    notes.extend(crate::steps::note(found));
    if let Some(text) = order_of_ranks(found) {
        notes.push(text);
    }
    let facts = &found.clocks.ranks;
    Ledger {
        paired,
        unpaired: all.saturating_sub(paired),
        lost_records: found.ranks.iter().map(|r| r.part.lost_records).sum(),
        left_out: options.left_out,
        orders: facts.iter().map(|c| c.facts).sum(),
        violations: facts.iter().map(|c| c.after).sum(),
        notes,
    }
}

/// Where the links of an island are one ring whose order is not that of the ranks.
fn order_of_ranks(found: &Found) -> Option<String> {
    let mut next: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for link in &found.pairing.links {
        let (a, b) = (found.number(link.from.rank), found.number(link.to.rank));
        next.entry(a).or_default().insert(b);
        next.entry(b).or_default().insert(a);
    }
    let n = found.ranks.len();
    if n < 4 || next.len() != n || next.values().any(|peers| peers.len() != 2) {
        return None;
    }
    let numbers: Vec<u32> = found.ranks.iter().map(|r| r.number).collect();
    let first = *numbers.first()?;
    let (mut order, mut before, mut at) = (vec![first], first, *next.get(&first)?.first()?);
    while at != first && order.len() <= n {
        order.push(at);
        let step = next.get(&at)?.iter().copied().find(|peer| *peer != before)?;
        (before, at) = (at, step);
    }
    (order.len() == n && order != numbers).then(|| {
        let order: Vec<String> = order.iter().map(|rank| format!("r{rank}")).collect();
        format!(
            "the links form a ring in the order {}, not in the order of the ranks: check the rank table or chip map",
            order.join(" ")
        )
    })
}
