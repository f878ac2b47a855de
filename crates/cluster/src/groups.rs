//! Groups: sets of ranks that communicate.

use std::collections::{BTreeMap, BTreeSet};

use crate::found::Found;
use crate::kinds::Kind;
use crate::report::GroupRow;

/// Role of groups of two that only pass on: neighbours in a pipeline.
pub(crate) const STAGES: &str = "pipeline stages";
/// Fewest operations of a group.
const LEAST: usize = 2;

/// Kinds of the operations of a set of ranks, and their bytes where these are known.
type OfSet = (BTreeMap<Kind, usize>, Option<u64>);

/// The groups of the operations, by their first rank. `named`: names that the user gives to sets of ranks.
pub(crate) fn groups(found: &Found, named: &[(String, Vec<u32>)]) -> Vec<GroupRow> {
    let mut sets: BTreeMap<Vec<u32>, OfSet> = BTreeMap::new();
    for operation in &found.operations {
        let mut ranks: Vec<u32> = operation.members.iter().map(|m| found.number(m.rank)).collect();
        ranks.sort_unstable();
        let entry = sets.entry(ranks).or_insert_with(|| (BTreeMap::new(), Some(0)));
        *entry.0.entry(operation.kind).or_default() += 1;
        entry.1 = entry.1.zip(operation.wire_bytes()).map(|(all, own)| all + own);
    }
    sets.retain(|_, (kinds, _)| kinds.values().sum::<usize>() >= LEAST);
    let mut rows: Vec<GroupRow> = Vec::new();
    for (ranks, (kinds, wire_bytes)) in sets {
        let given = named.iter().find(|(_, of)| {
            of.iter().collect::<BTreeSet<_>>() == ranks.iter().collect::<BTreeSet<_>>()
        });
        let name = given.map_or_else(|| format!("g{}", rows.len()), |(name, _)| name.clone());
        let kinds = kinds.into_iter().map(|(kind, n)| (kind.name(), n)).collect();
        rows.push(GroupRow { name, ranks, kinds, wire_bytes, role: None });
    }
    name_roles(&mut rows);
    rows
}

/// Chains of two that only pass on are stages of a pipeline; disjoint groups of one size are parallel.
fn name_roles(rows: &mut [GroupRow]) {
    let is_p2p = |row: &GroupRow| row.kinds.iter().all(|(kind, _)| *kind == Kind::P2p.name());
    let disjoint: Vec<bool> = (0..rows.len())
        .map(|at| {
            let own = &rows[at];
            let like = rows.iter().enumerate().filter(|(other, row)| {
                *other != at && row.ranks.len() == own.ranks.len() && row.kinds == own.kinds
            });
            let mut count = 0;
            let apart = like.map(|(_, row)| row).all(|row| {
                count += 1;
                row.ranks.iter().all(|rank| !own.ranks.contains(rank))
            });
            apart && count > 0 && own.ranks.len() > 1
        })
        .collect();
    for (row, disjoint) in rows.iter_mut().zip(disjoint) {
        row.role = match (is_p2p(row), disjoint) {
            (true, _) => Some(STAGES),
            (false, true) => Some("parallel groups"),
            _ => None,
        };
    }
}

/// The name of the group of some ranks.
pub(crate) fn name_of(groups: &[GroupRow], ranks: &[u32]) -> Option<String> {
    let mut ranks = ranks.to_vec();
    ranks.sort_unstable();
    groups.iter().find(|group| group.ranks == ranks).map(|group| group.name.clone())
}
