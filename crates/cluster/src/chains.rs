//! What links join: islands of ranks, and chains that close.

use std::collections::VecDeque;

use crate::pairing::Link;
use crate::rank::Rank;

/// Links that share a latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LinkKind {
    pub(crate) island: usize,
    pub(crate) crosses_hosts: bool,
    pub(crate) has_moments: bool,
}

/// The numbers of each rank's links, in their order.
pub(crate) fn links_of(links: &[Link], ranks: usize) -> Vec<Vec<usize>> {
    let mut of = vec![Vec::new(); ranks];
    for (number, link) in links.iter().enumerate() {
        let (from, to) = (link.from.rank, link.to.rank);
        let other = (to != from).then_some(to);
        for rank in [from].into_iter().chain(other) {
            if let Some(own) = of.get_mut(rank) {
                own.push(number);
            }
        }
    }
    of
}

/// The reference of each island comes first in its list.
/// `placed`: by link, whether both ports are on their devices' clocks: others say nothing of them.
pub(crate) fn islands(ranks: &[Rank], links: &[Link], placed: &[bool]) -> (Vec<usize>, Vec<usize>) {
    let mut of = vec![usize::MAX; ranks.len()];
    let mut references = Vec::new();
    let links_of = links_of(links, ranks.len());
    let count = |rank: usize| {
        let own = links_of.get(rank).into_iter().flatten();
        own.filter(|link| placed.get(**link) == Some(&true)).count()
    };
    for first in 0..ranks.len() {
        if of[first] != usize::MAX {
            continue;
        }
        let island = references.len();
        let mut members = vec![first];
        let mut queue = VecDeque::from([first]);
        of[first] = island;
        while let Some(rank) = queue.pop_front() {
            for link in links_of.get(rank).into_iter().flatten().filter_map(|at| links.get(*at)) {
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

/// How well the latencies of an island's kinds of links can be told from the offsets of its ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closure {
    /// Not at all: no chain of links closes in a way that shows a latency.
    Open,
    /// Only together: the latencies of same host and other host are taken as equal.
    Together,
    /// Each by itself.
    Each,
}

/// The closure of each island. Around a closed chain the offsets cancel, and the number of links of each kind, with
/// signs, times their latencies is known: as many latencies are found as such sums are independent.
pub(crate) fn closures(
    links: &[Link],
    (kinds, placed): (&[LinkKind], &[bool]),
    island: &[usize],
    ranks: usize,
    islands: usize,
) -> Vec<Closure> {
    let placed_kinds = || kinds.iter().zip(placed).filter(|(_, placed)| **placed);
    (0..islands)
        .map(|number| {
            let own = placed_kinds().map(|(kind, _)| *kind).filter(|kind| kind.island == number);
            let mut own: Vec<LinkKind> = own.collect();
            own.sort();
            own.dedup();
            let all: Vec<(usize, usize, usize)> = links
                .iter()
                .zip(kinds)
                .zip(placed)
                .filter(|((link, _), placed)| {
                    **placed && island.get(link.from.rank) == Some(&number)
                })
                .map(|((l, kind), _)| {
                    (l.from.rank, l.to.rank, own.binary_search(kind).unwrap_or(0))
                })
                .collect();
            let sums = chain_sums(&all, own.len(), ranks);
            let group = |k: &LinkKind| usize::from(k.has_moments);
            let together = sums.iter().map(|sum| {
                let mut by_group = vec![0.0; 2];
                own.iter().zip(sum).for_each(|(kind, n)| by_group[group(kind)] += n);
                by_group
            });
            let mut groups: Vec<usize> = own.iter().map(group).collect();
            groups.dedup();
            groups.sort_unstable();
            groups.dedup();
            if own.is_empty() || rank_of(together.collect()) < groups.len() {
                Closure::Open
            } else if rank_of(sums) < own.len() {
                Closure::Together
            } else {
                Closure::Each
            }
        })
        .collect()
}

/// For each link that closes a chain: links of each kind in the chain, forwards minus backwards.
fn chain_sums(links: &[(usize, usize, usize)], kinds: usize, ranks: usize) -> Vec<Vec<f64>> {
    let mut near: Vec<Vec<(usize, usize, f64)>> = vec![Vec::new(); ranks];
    for &(from, to, kind) in links {
        near[from].push((to, kind, 1.0));
        near[to].push((from, kind, -1.0));
    }
    let mut sums: Vec<Option<Vec<f64>>> = vec![None; ranks];
    for &(first, ..) in links {
        if sums[first].is_some() {
            continue;
        }
        sums[first] = Some(vec![0.0; kinds]);
        let mut queue = VecDeque::from([first]);
        while let Some(rank) = queue.pop_front() {
            let own = sums[rank].clone().unwrap_or_default();
            for &(other, kind, sign) in &near[rank] {
                if sums[other].is_none() {
                    let mut sum = own.clone();
                    sum[kind] += sign;
                    sums[other] = Some(sum);
                    queue.push_back(other);
                }
            }
        }
    }
    let mut found: Vec<Vec<f64>> = Vec::new();
    for &(from, to, kind) in links {
        if let (Some(a), Some(b)) = (&sums[from], &sums[to]) {
            let mut sum: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            sum[kind] += 1.0;
            if sum.iter().any(|n| *n != 0.0) && !found.contains(&sum) {
                found.push(sum);
            }
        }
    }
    found
}

/// Rank of a matrix, by elimination.
fn rank_of(mut rows: Vec<Vec<f64>>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(at) = (rank..rows.len()).find(|&row| rows[row][column].abs() > 1e-9) else {
            continue;
        };
        rows.swap(rank, at);
        let pivot = rows[rank].clone();
        for row in rows.iter_mut().skip(rank + 1) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(cell, p)| *cell -= factor * p);
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring over two hosts: one sum of latencies of two kinds.
    #[test]
    fn one_ring_shows_one_latency_and_two_ways_show_each() {
        let ring = [(0, 1, 0), (1, 2, 1), (2, 3, 0), (3, 0, 1)];
        assert_eq!(chain_sums(&ring, 2, 4), [vec![2.0, 2.0]]);
        let chain = [(0, 1, 0), (1, 2, 1)];
        assert!(chain_sums(&chain, 2, 3).is_empty());
        let both_ways = [(0, 1, 0), (1, 0, 0), (1, 2, 1), (2, 1, 1)];
        assert_eq!(rank_of(chain_sums(&both_ways, 2, 3)), 2);
    }
}
