//! What the clocks of hosts say of the clocks of devices: where no link does, or where links leave bounds only.

use super::{Clocks, RankClock};
use crate::rank::Rank;

/// ns; how well a rank's host clock is tied to its device, where nobody states it. Hosts share no clock.
const ONE_HOST_NS: f64 = 100_000.0;

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
