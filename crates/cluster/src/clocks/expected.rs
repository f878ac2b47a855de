//! When a rank sees what another sends, where the clocks of both are known.

use super::{Clocks, Method, RankClock};
use crate::chains::LinkKind;
use crate::rank::Rank;

/// ns; how far from where it is expected a command may be, times the usual residual of links, times sigma of the clocks.
pub(crate) const NEAR_NS: f64 = 100.0;
const NEAR_USUAL: f64 = 6.0;
const NEAR_SIGMA: f64 = 3.0;

/// What two clocks and a latency say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    from: RankClock,
    to: RankClock,
    /// ns.
    latency: f64,
    /// ns; how far off a command may be.
    pub(crate) near: f64,
}

impl Expected {
    /// The receiver's own moment at which it sees what was sent at a moment of the sender.
    pub(crate) fn arrival(&self, sent: f64) -> f64 {
        self.to.own(self.from.reference(sent) + self.latency)
    }
}

impl Clocks {
    /// Whether links show the clock of a rank, and those of all its island: not only bounds.
    pub(crate) fn is_known(&self, rank: usize) -> bool {
        let known = [Method::Reference, Method::Data, Method::Ends];
        let is_placed = |clock: &&RankClock| clock.method != Method::Unplaced;
        let Some(own) = self.ranks.get(rank).filter(|own| own.links > 0).filter(is_placed) else {
            return false;
        };
        let island = self.ranks.iter().filter(|c| c.island == own.island);
        island.filter(is_placed).all(|c| known.contains(&c.method))
    }

    /// ns; from the last data of a send to that of its receive.
    pub(crate) fn latency_between(
        &self,
        ranks: &[Rank],
        (from, to): (usize, usize),
        has_moments: bool,
    ) -> Option<f64> {
        let host = |rank: usize| ranks.get(rank).map(|rank| &rank.part.identity.host);
        let crosses_hosts = host(from) != host(to);
        let kind = LinkKind { island: self.ranks.get(from)?.island, crosses_hosts, has_moments };
        // Of a kind of which no link is known the latency is that of the nearest kind.
        let other = LinkKind { crosses_hosts: !crosses_hosts, ..kind };
        self.latency.get(&kind).or_else(|| self.latency.get(&other)).copied()
    }

    /// Between two ranks of an island. `usual`: ns; the residual that links have.
    pub(crate) fn expected(
        &self,
        ranks: &[Rank],
        (from, to): (usize, usize),
        has_moments: bool,
        usual: f64,
    ) -> Option<Expected> {
        let (a, b) = (*self.ranks.get(from)?, *self.ranks.get(to)?);
        if from == to || a.island != b.island {
            return None;
        }
        let latency = self.latency_between(ranks, (from, to), has_moments)?;
        let near = NEAR_NS + NEAR_USUAL * usual + NEAR_SIGMA * (a.sigma + b.sigma);
        Some(Expected { from: a, to: b, latency, near })
    }
}
