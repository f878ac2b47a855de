//! What links join: islands of ranks, and chains that close.

use std::collections::VecDeque;

use crate::clocks::LinkKind;
use crate::pairing::Link;
use crate::rank::Rank;

/// The reference of each island comes first in its list.
pub(crate) fn islands(ranks: &[Rank], links: &[Link]) -> (Vec<usize>, Vec<usize>) {
    let mut of = vec![usize::MAX; ranks.len()];
    let mut references = Vec::new();
    let count =
        |rank: usize| links.iter().filter(|l| l.from.rank == rank || l.to.rank == rank).count();
    for first in 0..ranks.len() {
        if of[first] != usize::MAX {
            continue;
        }
        let island = references.len();
        let mut members = vec![first];
        let mut queue = VecDeque::from([first]);
        of[first] = island;
        while let Some(rank) = queue.pop_front() {
            for link in links.iter().filter(|l| l.from.rank == rank || l.to.rank == rank) {
                let other = if link.from.rank == rank { link.to.rank } else { link.from.rank };
                if of[other] == usize::MAX {
                    of[other] = island;
                    members.push(other);
                    queue.push_back(other);
                }
            }
        }
        let best = members.iter().max_by_key(|&&rank| (count(rank), std::cmp::Reverse(rank)));
        references.push(best.copied().unwrap_or(first));
    }
    (of, references)
}

/// Whether the latencies of each island can be found: not if numbers can be given to its ranks that grow by 1 along
/// each link, because then offsets and latency cannot be told apart.
pub(crate) fn closed_islands(
    links: &[Link],
    kinds: &[LinkKind],
    island: &[usize],
    ranks: usize,
    islands: usize,
) -> Vec<bool> {
    (0..islands)
        .map(|number| {
            let mut all: Vec<LinkKind> =
                kinds.iter().filter(|k| k.island == number).copied().collect();
            all.sort();
            all.dedup();
            !all.is_empty()
                && all.iter().all(|kind| {
                    let mut height: Vec<Option<i64>> = vec![None; ranks];
                    let step = |l: usize| i64::from(kinds[l] == *kind);
                    let of: Vec<usize> = (0..links.len())
                        .filter(|&l| island[links[l].from.rank] == number)
                        .collect();
                    let Some(&first) = of.first() else { return false };
                    height[links[first].from.rank] = Some(0);
                    for _ in 0..ranks {
                        let mut changed = false;
                        for &l in &of {
                            let (a, b) = (links[l].from.rank, links[l].to.rank);
                            match (height[a], height[b]) {
                                (Some(x), None) => (height[b], changed) = (Some(x + step(l)), true),
                                (None, Some(y)) => (height[a], changed) = (Some(y - step(l)), true),
                                (Some(x), Some(y)) if y != x + step(l) => return true,
                                _ => {}
                            }
                        }
                        if !changed {
                            break;
                        }
                    }
                    false
                })
        })
        .collect()
}
