//! Pipelines: ranks in a chain, each of which passes on to the next, and the time that their stages only wait.

use std::collections::{BTreeMap, BTreeSet};

use crate::found::Found;
use crate::groups::STAGES;
use crate::kinds::Kind;
use crate::numbers::thousandth;
use crate::report::{GroupRow, StageRow, StateRow};

/// The stages of all pipelines, by pipeline and stage.
pub(crate) fn stages(found: &Found, groups: &[GroupRow], states: &[StateRow]) -> Vec<StageRow> {
    let mut rows = Vec::new();
    for (pipeline, mut chain) in chains(groups).into_iter().enumerate() {
        if !begins_at_front(found, &chain) {
            chain.reverse();
        }
        for (stage, rank) in chain.into_iter().enumerate() {
            let Some(row) = states.iter().find(|row| row.rank == rank) else { continue };
            let of = &row.states;
            let bubble_ns = of.wait_late_sender_ns + of.wait_late_receiver_ns;
            let captured = row.window_ns.saturating_sub(of.not_captured_ns);
            let bubble_share = thousandth(bubble_ns as f64 / captured.max(1) as f64);
            rows.push(StageRow { pipeline, stage, rank, bubble_ns, bubble_share });
        }
    }
    rows
}

/// The ranks of each pipeline in order, from one of its ends. Stages that fork are none.
fn chains(groups: &[GroupRow]) -> Vec<Vec<u32>> {
    let mut next: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for group in groups.iter().filter(|group| group.role == Some(STAGES)) {
        if let [a, b] = *group.ranks.as_slice() {
            next.entry(a).or_default().insert(b);
            next.entry(b).or_default().insert(a);
        }
    }
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    let mut chains = Vec::new();
    let ends = next.iter().filter(|(_, peers)| peers.len() == 1).map(|(rank, _)| *rank);
    for first in ends {
        if !seen.insert(first) {
            continue;
        }
        let (mut chain, mut at, mut is_chain) = (vec![first], first, true);
        while let Some(peers) = next.get(&at) {
            is_chain &= peers.len() <= 2;
            let Some(peer) = peers.iter().copied().find(|peer| !seen.contains(peer)) else { break };
            seen.insert(peer);
            chain.push(peer);
            at = peer;
        }
        if is_chain && chain.len() > 2 {
            chains.push(chain);
        }
    }
    chains
}

/// Whether the first of a chain's transfers goes from its front on.
fn begins_at_front(found: &Found, chain: &[u32]) -> bool {
    let place = |rank: usize| chain.iter().position(|own| *own == found.number(rank));
    let mut own = found.operations.iter().filter(|operation| {
        operation.kind == Kind::P2p && operation.members.iter().all(|m| place(m.rank).is_some())
    });
    let link = own
        .next()
        .and_then(|operation| found.pairing.links.get(operation.runs.first()?.link as usize));
    link.is_none_or(|link| place(link.from.rank) < place(link.to.rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(ranks: &[u32]) -> GroupRow {
        GroupRow {
            name: String::new(),
            ranks: ranks.to_vec(),
            kinds: Vec::new(),
            wire_bytes: None,
            role: Some(STAGES),
        }
    }

    #[test]
    fn chains_are_in_order_and_forks_are_none() {
        let groups = [[2, 7], [0, 2], [7, 4], [1, 3], [3, 5]].map(|ranks| group(&ranks));
        assert_eq!(chains(&groups), [vec![0, 2, 7, 4], vec![1, 3, 5]]);
        let fork = [[0, 1], [1, 2], [1, 3]].map(|ranks| group(&ranks));
        assert!(chains(&fork).is_empty());
        assert!(chains(&[group(&[0, 1])]).is_empty());
    }
}
