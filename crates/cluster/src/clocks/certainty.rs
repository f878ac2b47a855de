//! How certain a rank's clock is.

use super::equations::{DRIFT_PPM, Equations, Solution};
use super::{Method, RankClock, USUAL_NS};
use crate::bounds::Bounds;
use crate::chains::Closure;
use crate::pairing::Link;

/// A crystal drifts by up to this, so two differ by up to twice as much.
const CRYSTAL_PPM: f64 = 100.0;
/// Share of a latency by which links of a kind may differ.
const UNEQUAL: f64 = 0.15;
/// Share of a latency by which links may differ where links of the same host and of others cannot be told apart.
const UNEQUAL_KINDS: f64 = 0.5;
/// Standard error of a drift that is not seen, as a share of the greatest.
const HIDDEN: f64 = 0.4;

/// ppm that two ranks may drift apart from what was found, where drifts are known so well.
pub(super) fn doubt(sigma_ppm: f64) -> f64 {
    if sigma_ppm > DRIFT_PPM { 2.0 * CRYSTAL_PPM } else { 3.0 * sigma_ppm }
}

/// All that is known when clocks are judged.
pub(super) struct Known<'a> {
    pub(super) links: &'a [Link],
    /// The numbers of each rank's links.
    pub(super) links_of: &'a [Vec<usize>],
    /// Number of ranks of each island.
    pub(super) sizes: &'a [usize],
    /// Whether both ports of each link are on their devices' clocks.
    pub(super) placed: &'a [bool],
    pub(super) equations: &'a Equations<'a>,
    pub(super) solution: &'a Solution,
    pub(super) bounds: &'a Bounds,
    /// ns, by rank: the middle of its window.
    pub(super) center: &'a [f64],
    /// Island of each rank.
    pub(super) island: &'a [usize],
    /// Reference rank of each island.
    pub(super) references: &'a [usize],
    /// How well the latencies of each island's links can be told from the offsets of its ranks.
    pub(super) closures: &'a [Closure],
    /// ppm, by island: how far two ranks may drift apart from what was found.
    pub(super) doubt: &'a [f64],
    /// ns, by rank: the error of the hosts' clocks, where they decide.
    pub(super) of_hosts: &'a [Option<f64>],
    /// ns, by link: what the fit leaves.
    pub(super) closure: &'a [f64],
}

impl Known<'_> {
    /// The clock of a rank.
    pub(super) fn clock(&self, rank: usize) -> RankClock {
        let links = self.links;
        let (level, drift) = (&self.solution.level, &self.solution.drift);
        let number = self.island[rank];
        let reference = self.references[number];
        let is_reference = reference == rank;
        let all = self.links_of[rank].len();
        let own: Vec<usize> =
            self.links_of[rank].iter().copied().filter(|&l| self.placed[l]).collect();
        let speed = 1.0 + drift[rank] * 1e-6;
        // The reference's time at its center is its center.
        let center = self.center;
        let to_offset = |level: f64| level + center[reference] - speed * center[rank];
        let has_moments = own.iter().all(|&l| links[l].has_moments);
        let margin = self.margin(rank);
        let sigma_ns = self.sigma(rank, &own, has_moments, margin);
        let (low, high) =
            (to_offset(self.bounds.low[rank]) - margin, to_offset(self.bounds.high[rank]) + margin);
        let by_hosts = self.of_hosts[rank];
        let is_closed = self.closures[number] != Closure::Open;
        let method = match (own.is_empty(), is_reference, is_closed, has_moments) {
            (false, false, false, _) if by_hosts.is_some() => Method::Hosts,
            (true, ..) if all > 0 => Method::Unplaced,
            (true, ..) => Method::Alone,
            (_, true, ..) => Method::Reference,
            (_, _, false, _) => Method::Bounds,
            (.., true) => Method::Data,
            (.., false) => Method::Ends,
        };
        let half = (high - low) / 2.0;
        let offset = if is_reference { 0.0 } else { to_offset(level[rank]) };
        let sigma = match method {
            Method::Reference | Method::Alone => 0.0,
            Method::Unplaced => f64::INFINITY,
            Method::Hosts => by_hosts.unwrap_or(f64::INFINITY).min(half / 1.7),
            // The truth is between the bounds, and nothing says more.
            Method::Bounds => (offset - low).max(high - offset) / 3.0,
            _ => sigma_ns.min(half.max(1.0)),
        };
        let drift_ppm = if is_reference { 0.0 } else { drift[rank] };
        let (low, high) = if is_reference { (0.0, 0.0) } else { (low, high) };
        let (links, before, after, facts) = (all, 0, 0, 0);
        RankClock {
            island: number,
            offset,
            drift_ppm,
            low,
            high,
            sigma,
            method,
            links,
            before,
            after,
            facts,
        }
    }

    /// ns by which an offset may be off because of the drift: an offset is of the start of the time line, a level of its
    /// middle. Along a chain of links doubts add up.
    fn margin(&self, rank: usize) -> f64 {
        let number = self.island[rank];
        let members = self.sizes[number] as f64;
        let along =
            if self.equations.is_hidden(number) { 1.0 } else { (members.sqrt() / 2.0).max(1.0) };
        self.doubt[number] * along * 1e-6 * self.center[rank].abs()
    }

    /// ns; the standard error of an offset that links show. `own`: the rank's links; `margin`: of the drift.
    fn sigma(&self, rank: usize, own: &[usize], has_moments: bool, margin: f64) -> f64 {
        let number = self.island[rank];
        let equations = self.equations;
        let jitter = own.iter().map(|&l| equations.jitter[l]).fold(0.0, f64::max);
        let pairs: usize = own.iter().map(|&l| self.links[l].alignment.count).sum();
        let closure = own.iter().map(|&l| self.closure[l]).fold(0.0, f64::max);
        let least = if has_moments { 0.0f64 } else { USUAL_NS };
        let latency = own
            .iter()
            .filter_map(|&l| self.solution.latency(equations.kinds[l]))
            .fold(least, |most, l| most.max(l.abs()));
        let share = match self.closures[number] {
            Closure::Together => UNEQUAL_KINDS,
            _ => UNEQUAL,
        };
        let unequal = share * latency * if has_moments { 1.0 } else { 2.0 };
        let (hidden, seen) =
            if equations.is_hidden(number) { (margin * HIDDEN, 0.0) } else { (0.0, margin / 3.0) };
        let parts = [unequal, jitter / (pairs.max(1) as f64).sqrt(), closure, hidden, seen];
        parts.iter().map(|p| p * p).sum::<f64>().sqrt()
    }
}
