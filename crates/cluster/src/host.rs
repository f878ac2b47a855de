//! Names of operations by the calls of the hosts that launched them.

use crate::kinds::Kind;
use crate::operation::Operation;
use crate::rank::Rank;

/// Whether a name is that of a communication, as operations of devices are named by it.
#[must_use]
pub fn is_communication(name: &str) -> bool {
    Kind::of_name(name).is_some()
}

/// How far the host's calls may be from where they are thought to be: a device cannot begin before it is told to.
const EARLY_NS: f64 = 1_000.0;

/// Names operations by the calls of the hosts that launched them, where their kernels have no names: the n-th call of a
/// rank launched its n-th operation if there are as many of both; else a call launched the first operation that begins
/// behind it, if no other call lies between. Returns by operation the kind that most ranks' hosts say.
pub(crate) fn kinds(ranks: &[Rank], operations: &[Operation]) -> Vec<Option<Kind>> {
    let mut votes: Vec<Vec<(Kind, usize)>> = vec![Vec::new(); operations.len()];
    for (rank, of) in ranks.iter().enumerate() {
        let Some(host) = &of.part.host else { continue };
        let calls: Vec<(i64, Kind)> =
            host.calls.iter().filter_map(|c| Some((c.start, Kind::of_name(&c.name)?))).collect();
        let mut own: Vec<(i64, usize)> = Vec::new();
        for (number, operation) in operations.iter().enumerate() {
            let members = operation.members.iter().filter(|m| m.rank == rank);
            own.extend(members.map(|m| (m.own.0, number)));
        }
        own.sort_unstable();
        for (number, kind) in launched(&calls, &own, host.offset_ns.is_some()) {
            let Some(votes) = votes.get_mut(number) else { continue };
            match votes.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => votes.push((kind, 1)),
            }
        }
    }
    let most = |votes: Vec<(Kind, usize)>| {
        let best = votes.iter().map(|(_, count)| *count).max()?;
        let mut first = votes.iter().filter(|(_, count)| *count == best);
        // Hosts that disagree say nothing.
        first.next().filter(|_| first.next().is_none()).map(|(kind, _)| *kind)
    };
    votes.into_iter().map(most).collect()
}

/// The operations that calls launched. Both are by time.
fn launched(calls: &[(i64, Kind)], own: &[(i64, usize)], is_anchored: bool) -> Vec<(usize, Kind)> {
    if calls.len() == own.len() {
        return own.iter().zip(calls).map(|((_, number), (_, kind))| (*number, *kind)).collect();
    }
    if !is_anchored {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, (start, kind)) in calls.iter().enumerate() {
        let behind =
            own.partition_point(|(arrival, _)| (*arrival as f64) < *start as f64 - EARLY_NS);
        let Some((arrival, number)) = own.get(behind) else { continue };
        // Another call between the two may be the one that launched it.
        let next = calls.get(at + 1);
        if next.is_none_or(|(next, _)| *next as f64 - EARLY_NS > *arrival as f64) {
            found.push((*number, *kind));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_launch_operations_in_order_or_the_next_one() {
        let (reduce, gather) = (Kind::AllReduce, Kind::AllGather);
        let own = [(10_000, 4), (20_000, 5), (30_000, 6)];
        let equal = [(0, reduce), (1, gather), (2, reduce)];
        assert_eq!(launched(&equal, &own, false), [(4, reduce), (5, gather), (6, reduce)]);
        // One call too few: each launched what begins behind it, where that is clear.
        let few = [(15_000, gather), (25_000, reduce)];
        assert_eq!(launched(&few, &own, true), [(5, gather), (6, reduce)]);
        assert_eq!(launched(&few, &own, false), []);
        let close = [(12_000, gather), (13_000, reduce)];
        assert_eq!(launched(&close, &own, true), [(5, reduce)]);
    }
}
