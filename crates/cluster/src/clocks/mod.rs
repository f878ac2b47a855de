//! The clocks of the devices: offset, drift, bounds.
//!
//! True time of a device is `level + (1 + drift) * (t - center)`. Sends and receives of all links give one system of
//! least squares: `T(receive) - T(send) = latency`, one latency for the links of a kind. Around a closed chain of links
//! the offsets cancel, so the latency is found too; without such a chain only the hard facts bound the offset, and the usual
//! latency chooses between the bounds.

mod certainty;
mod equations;
mod expected;
mod hosts;
mod orders;

use std::collections::BTreeMap;

use crate::bounds::{Bounds, Drifts};
use crate::chains::{Closure, LinkKind, closures, islands, links_of};
use crate::pairing::{Link, anchored};
use crate::rank::Rank;
use certainty::{Known, doubt};
use equations::{Equations, Solution};
pub(crate) use expected::NEAR_NS;
use hosts::level_by_hosts;

/// A rank's clock against that of its island's reference: `t_ref = offset + (1 + drift / 1e6) * t`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RankClock {
    /// Number of the island.
    pub(crate) island: usize,
    pub(crate) offset: f64,
    pub(crate) drift_ppm: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) sigma: f64,
    pub(crate) method: Method,
    /// Accepted links of the rank.
    pub(crate) links: usize,
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) facts: u64,
}

/// How a clock is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Reference,
    Data,
    Ends,
    Bounds,
    /// Between bounds of links, or without any link, the hosts' clocks decide.
    Hosts,
    Alone,
    /// Its links are of ports that are not on their devices' clocks: they pair commands and say nothing of its clock.
    Unplaced,
}

impl Method {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Data => "data times",
            Self::Ends => "ends only",
            Self::Bounds => "bounds only",
            Self::Hosts => "host clocks",
            Self::Alone => "no link",
            Self::Unplaced => "ports not placed",
        }
    }
}

impl RankClock {
    /// ns of the reference at a moment of the rank.
    pub(crate) fn reference(&self, t: f64) -> f64 {
        self.offset + (1.0 + self.drift_ppm * 1e-6) * t
    }

    /// Puts it on the clock of another island, `offset` ns behind its own; the error of that is `error` ns.
    pub(crate) fn join(&mut self, island: usize, offset: f64, error: f64) {
        self.island = island;
        self.offset += offset;
        (self.low, self.high) = (f64::NEG_INFINITY, f64::INFINITY);
        self.sigma = if self.sigma.is_finite() { self.sigma.hypot(error) } else { error };
        self.method = Method::Hosts;
    }

    /// Whether its time is that of its island's reference, exactly or within bounds.
    pub(crate) fn is_related(&self) -> bool {
        match self.method {
            Method::Reference | Method::Data | Method::Ends | Method::Hosts => true,
            Method::Bounds => self.low.is_finite() || self.high.is_finite(),
            Method::Alone | Method::Unplaced => false,
        }
    }

    /// ns of the rank at a moment of the reference.
    pub(crate) fn own(&self, t: f64) -> f64 {
        (t - self.offset) / (1.0 + self.drift_ppm * 1e-6)
    }
}

/// All clocks, by index of the rank, and the mean latency of each kind of link in ns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clocks {
    pub(crate) ranks: Vec<RankClock>,
    pub(crate) reference: Vec<usize>,
    /// Links of other hosts, then of the same host.
    pub(crate) latency: BTreeMap<LinkKind, f64>,
    /// ns; residual of the fit for each link.
    pub(crate) closure: Vec<f64>,
    /// Number of orders that contradict each link.
    pub(crate) of_links: Vec<u64>,
}

/// ns; latency that is assumed where nothing shows it.
const USUAL_NS: f64 = 300.0;

/// Finds the clocks of all ranks from the accepted links.
///
/// `sync`: ns; how well the clocks of the hosts agree, where the user states it. Hosts' clocks only choose inside what
/// links allow, and join islands that no link joins.
pub(crate) fn clocks(ranks: &[Rank], links: &[Link], sync: Option<f64>) -> Clocks {
    let placed: Vec<bool> =
        links.iter().map(|l| anchored(ranks, l.from) && anchored(ranks, l.to)).collect();
    let (island, references) = islands(ranks, links, &placed);
    let center: Vec<f64> =
        ranks.iter().map(|r| (r.part.window.0 as f64 + r.part.window.1 as f64) / 2.0).collect();
    let equations = Equations::new(ranks, links, &center, (&island, &references));
    let closures =
        closures(links, (&equations.kinds, &placed), &island, ranks.len(), references.len());
    let mut solution = equations.solve(&closures);
    let doubt: Vec<f64> = equations.drift_sigma.iter().map(|sigma| doubt(*sigma)).collect();
    let drifts = Drifts { ppm: &solution.drift, doubt: &doubt };
    let bounds = Bounds::compute(ranks, links, &center, &drifts, &island, &references);
    // By rank: the error of the hosts' clocks, where they decide.
    let mut of_hosts: Vec<Option<f64>> = vec![None; ranks.len()];
    for rank in 0..ranks.len() {
        let reference = references[island[rank]];
        if closures[island[rank]] != Closure::Open || reference == rank {
            continue;
        }
        let (low, high) = (bounds.low[rank], bounds.high[rank]);
        let by_hosts = level_by_hosts(&ranks[rank], &ranks[reference], sync);
        if let Some((offset, error)) = by_hosts.filter(|_| low <= high) {
            // An offset is of the time lines' origins, a level of their middles.
            let speed = 1.0 + solution.drift[rank] * 1e-6;
            let own = offset + speed * center[rank] - center[reference];
            solution.level[rank] = own.clamp(low, high);
            of_hosts[rank] = Some(error);
            continue;
        }
        if low <= high {
            solution.level[rank] = solution.level[rank].clamp(low, high);
        }
    }
    let reach: Vec<f64> = ranks.iter().map(|rank| span(rank) / 2.0).collect();
    bounds.move_inside(&mut solution.level, &mut solution.drift, &reach);
    solution.refer(&island, &references);
    let closure = equations.closure(&solution);
    let mut sizes = vec![0; references.len()];
    island.iter().for_each(|&number| sizes[number] += 1);
    let known = Known {
        links,
        links_of: &links_of(links, ranks.len()),
        sizes: &sizes,
        placed: &placed,
        equations: &equations,
        solution: &solution,
        bounds: &bounds,
        center: &center,
        island: &island,
        references: &references,
        closures: &closures,
        doubt: &doubt,
        of_hosts: &of_hosts,
        closure: &closure,
    };
    let clocks = (0..ranks.len()).map(|rank| known.clock(rank)).collect();
    let latency = solution.latency.iter().copied().collect();
    let mut found = Clocks {
        ranks: clocks,
        latency,
        closure,
        reference: references.clone(),
        of_links: Vec::new(),
    };
    found.count_violations(ranks, links);
    found.join_by_hosts(ranks, sync);
    found
}

impl Solution {
    /// Makes the references' clocks their islands' time.
    fn refer(&mut self, island: &[usize], references: &[usize]) {
        let moved: Vec<(f64, f64)> =
            references.iter().map(|&r| (self.level[r], self.drift[r])).collect();
        for ((level, drift), &number) in self.level.iter_mut().zip(&mut self.drift).zip(island) {
            let (from, ppm) = moved[number];
            let speed = 1.0 + ppm * 1e-6;
            *level = (*level - from) / speed;
            *drift = ((1.0 + *drift * 1e-6) / speed - 1.0) * 1e6;
        }
    }
}

/// ns; length of a rank's window.
fn span(rank: &Rank) -> f64 {
    rank.part.window.1.saturating_sub(rank.part.window.0) as f64
}

impl Clocks {
    /// The ranks of an island.
    pub(crate) fn members(&self, island: usize) -> impl Iterator<Item = usize> + '_ {
        let own = self.ranks.iter().enumerate().filter(move |(_, clock)| clock.island == island);
        own.map(|(rank, _)| rank)
    }
}
