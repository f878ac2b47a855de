//! What the host's trace of a rank says: the names of its communications, its steps, and where the device's time lies
//! on the host's clock. Times are ns of the dump's own time line.

use crate::clocks::{Clocks, RankClock};
use crate::kinds::Kind;
use crate::operations::Operation;
use crate::rank::Rank;

/// What the host's trace of a rank says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostSide {
    /// What to add to the dump's own times to get the host's; `None`: the trace has nothing that says it.
    pub offset_ns: Option<i64>,
    /// Calls of communications by start, without those within another.
    pub calls: Vec<HostSpan>,
    /// Steps by start.
    pub steps: Vec<HostSpan>,
}

/// An event of the host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostSpan {
    /// Its name.
    pub name: String,
    /// Start.
    pub start: i64,
    /// End.
    pub end: i64,
}

/// Whether a name is that of a communication, as operations of devices are named by it.
#[must_use]
pub fn is_communication(name: &str) -> bool {
    Kind::of_name(name).is_some()
}

/// ns; how well a rank's host clock is tied to its device, where nobody states it. Hosts share no clock.
const ONE_HOST_NS: f64 = 100_000.0;

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

/// What hosts say of the islands that links make, each by the middle of its ranks.
struct Anchor {
    host: String,
    /// Host's time minus the island's.
    offset: f64,
}

/// Where the ranks of an island lie on their host's clock; `None` where no rank has an anchor, or hosts differ and
/// nobody states how well their clocks agree.
fn anchor(
    ranks: &[Rank],
    clocks: &[RankClock],
    island: usize,
    sync: Option<f64>,
) -> Option<Anchor> {
    let mut offsets = Vec::new();
    let mut host: Option<&str> = None;
    for (rank, clock) in ranks.iter().zip(clocks).filter(|(_, clock)| clock.island == island) {
        let Some(offset) = rank.part.host.as_ref().and_then(|host| host.offset_ns) else {
            continue;
        };
        let own = &rank.part.identity.host;
        if sync.is_none() && host.is_some_and(|known| known != own) {
            return None;
        }
        host = Some(own);
        let middle = (rank.part.window.0 + rank.part.window.1) as f64 / 2.0;
        offsets.push(offset as f64 + middle - clock.reference(middle));
    }
    offsets.sort_by(f64::total_cmp);
    let offset = *offsets.get(offsets.len() / 2)?;
    Some(Anchor { host: host.unwrap_or_default().to_owned(), offset })
}

impl Clocks {
    /// Puts islands that no link joins on one clock, where the hosts say how they lie: those of one host, and with
    /// `sync` (ns; how well the clocks of hosts agree) those of several.
    pub(crate) fn join_by_hosts(&mut self, ranks: &[Rank], sync: Option<f64>) {
        let count = self.reference.len();
        let anchors: Vec<Option<Anchor>> =
            (0..count).map(|island| anchor(ranks, &self.ranks, island, sync)).collect();
        let mut target: Vec<usize> = (0..count).collect();
        for island in 0..count {
            let Some(own) = anchors.get(island).and_then(Option::as_ref) else { continue };
            let first = (0..island).find(|&other| {
                let base = anchors.get(other).and_then(Option::as_ref);
                target.get(other) == Some(&other)
                    && base.is_some_and(|base| sync.is_some() || base.host == own.host)
            });
            let base = first.and_then(|first| Some((first, anchors.get(first)?.as_ref()?)));
            let (Some((first, base)), Some(target)) = (base, target.get_mut(island)) else {
                continue;
            };
            *target = first;
            let error = sync.unwrap_or(ONE_HOST_NS);
            for clock in self.ranks.iter_mut().filter(|clock| clock.island == island) {
                clock.join(first, own.offset - base.offset, error);
            }
        }
        self.renumber(&target);
    }

    /// Numbers the islands anew that are left. `target`: by island, which one it is a part of.
    fn renumber(&mut self, target: &[usize]) {
        let left: Vec<usize> = target
            .iter()
            .enumerate()
            .filter(|(island, of)| island == *of)
            .map(|(i, _)| i)
            .collect();
        let number = |island: usize| {
            let of = target.get(island).copied().unwrap_or(island);
            left.binary_search(&of).unwrap_or(0)
        };
        self.ranks.iter_mut().for_each(|clock| clock.island = number(clock.island));
        self.reference =
            left.iter().filter_map(|island| self.reference.get(*island).copied()).collect();
    }
}

/// What anchors allow where links leave bounds only: a level and its error, both ns. `None` without anchors on both.
pub(crate) fn level_by_hosts(
    rank: &Rank,
    reference: &Rank,
    sync: Option<f64>,
) -> Option<(f64, f64)> {
    let is_one_host = rank.part.identity.host == reference.part.identity.host;
    let error = sync.or(is_one_host.then_some(ONE_HOST_NS))?;
    let offset = |rank: &Rank| rank.part.host.as_ref().and_then(|host| host.offset_ns);
    Some(((offset(rank)? - offset(reference)?) as f64, error))
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
