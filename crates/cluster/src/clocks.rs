//! The clocks of the devices: offset, drift, bounds.
//!
//! True time of a device is `level + (1 + drift) * (t - center)`. Sends and receives of all links give one system of
//! least squares: `T(receive) - T(send) = latency`, one latency for the links of a kind. Around a closed chain of links
//! the offsets cancel, so the latency is found too; without such a chain only the hard facts bound the offset.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::bounds::{Bounds, Drifts};
use crate::chains::{Closure, closures, islands};
use crate::facts::{commands, facts};
use crate::host::level_by_hosts;
use crate::linear::Normal;
use crate::pairing::{Link, ThreadId, thread_of};
use crate::rank::Rank;

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
    /// By link: orders that are violated.
    pub(crate) of_links: Vec<u64>,
}

/// Links that share a latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LinkKind {
    pub(crate) island: usize,
    pub(crate) crosses_hosts: bool,
    pub(crate) has_moments: bool,
}

/// Drifts that are less certain than this are not fitted.
pub(crate) const DRIFT_PPM: f64 = 5.0;
/// Pairs of a link that the fit uses, spread over all: more make no difference above their jitter.
const FIT_PAIRS: usize = 4096;
/// A crystal drifts by up to this, so two differ by up to twice as much.
const CRYSTAL_PPM: f64 = 100.0;
/// Share of a latency by which links of a kind may differ.
const UNEQUAL: f64 = 0.15;
/// The same where links of the same host and of others cannot be told apart.
const UNEQUAL_KINDS: f64 = 0.5;
/// Standard error of a drift that is not seen, as a share of the greatest.
const HIDDEN: f64 = 0.4;
/// ns; latency that is assumed for this where only ends are known.
const USUAL_NS: f64 = 300.0;

/// A pair's times, relative to the centers of the two ranks, and what they are of.
struct Row {
    link: usize,
    send: f64,
    receive: f64,
}

pub(crate) fn anchored(ranks: &[Rank], id: ThreadId) -> bool {
    thread_of(ranks, id).is_some_and(|thread| thread.is_anchored)
}

/// Finds the clocks of all ranks from the accepted links.
///
/// `sync`: ns; how well the clocks of the hosts agree, where the user states it. Hosts' clocks only choose inside what
/// links allow, and join islands that no link joins.
pub(crate) fn clocks(ranks: &[Rank], links: &[Link], sync: Option<f64>) -> Clocks {
    let (island, references) = islands(ranks, links);
    let center: Vec<f64> =
        ranks.iter().map(|r| (r.part.window.0 as f64 + r.part.window.1 as f64) / 2.0).collect();
    let kinds: Vec<LinkKind> = links.iter().map(|l| kind_of(ranks, &island, l)).collect();
    let mut kind_list: Vec<LinkKind> = kinds.clone();
    kind_list.sort();
    kind_list.dedup();
    let mut rows = Vec::new();
    for (number, link) in links.iter().enumerate() {
        if !(anchored(ranks, link.from) && anchored(ranks, link.to)) {
            continue;
        }
        let (from, to) = (link.from.rank, link.to.rank);
        let step = link.alignment.count / FIT_PAIRS + 1;
        for (s, r) in commands(ranks, link).step_by(step) {
            let (s, r) = if link.has_moments { (s.last, r.last) } else { (s.end, r.end) };
            let (send, receive) = (s as f64 - center[from], r as f64 - center[to]);
            rows.push(Row { link: number, send, receive });
        }
    }
    let sigma: Vec<f64> = links.iter().map(|l| (l.alignment.p50 / 0.6745).max(1.0)).collect();
    // Whether an island's drifts can be seen.
    let drift_sigma = drift_sigmas(&rows, links, &sigma, &island, references.len());
    let n = ranks.len();
    let fit = |rounds: usize| {
        let mut x = vec![0.0; 2 * n + kind_list.len()];
        for round in 0..rounds {
            let mut normal = Normal::new(x.len());
            for row in &rows {
                let kind = kind_list.binary_search(&kinds[row.link]).unwrap_or(0);
                let value = row.send - row.receive;
                let (from, to) = (links[row.link].from.rank, links[row.link].to.rank);
                let terms = [
                    (to, 1.0),
                    (from, -1.0),
                    (n + to, row.receive * 1e-6),
                    (n + from, -row.send * 1e-6),
                    (2 * n + kind, -1.0),
                ];
                let residual: f64 = terms.iter().map(|&(at, a)| a * x[at]).sum::<f64>() - value;
                let s = sigma[row.link];
                let huber = if round == 0 { 1.0 } else { (2.5 * s / residual.abs()).min(1.0) };
                normal.add(&terms, value, huber / (s * s));
            }
            // What is fixed: the references, drifts that cannot be seen, latencies that cannot be found.
            for rank in 0..n {
                let is_reference = references.get(island[rank]) == Some(&rank);
                let strong = 1e9;
                normal.add(&[(rank, 1.0)], 0.0, if is_reference { strong } else { 1e-12 });
                let hidden = is_reference || drift_sigma[island[rank]] > DRIFT_PPM;
                normal.add(&[(n + rank, 1.0)], 0.0, if hidden { strong } else { 1e-6 });
            }
            // Kinds that no chain tells apart have equal latencies.
            for (kind, of) in kind_list.iter().enumerate() {
                let alike = |k: &LinkKind| k.island == of.island && k.has_moments == of.has_moments;
                let first = kind_list.iter().position(alike).unwrap_or(kind);
                if first != kind {
                    normal.add(&[(2 * n + kind, 1.0), (2 * n + first, -1.0)], 0.0, 1e-6);
                }
                normal.add(&[(2 * n + kind, 1.0)], 0.0, 1e-12);
            }
            x = normal.solve();
        }
        x
    };
    let x = fit(3);
    let closures = closures(links, &kinds, &island, n, references.len());
    let closed: Vec<bool> = closures.iter().map(|c| *c != Closure::Open).collect();
    let mut found = Clocks { reference: references.clone(), ..Clocks::default() };
    for (at, kind) in kind_list.iter().enumerate() {
        found.latency.insert(*kind, x[2 * n + at]);
    }
    let mut level: Vec<f64> = (0..n).map(|rank| x[rank]).collect();
    let mut drift: Vec<f64> = (0..n).map(|rank| x[n + rank]).collect();
    let doubt: Vec<f64> = drift_sigma.iter().map(|sigma| doubt(*sigma)).collect();
    let drifts = Drifts { ppm: &drift, doubt: &doubt };
    let bounds = Bounds::of(ranks, links, &center, &drifts, &island, &references);
    // By rank: the error of the hosts' clocks, where they decide.
    let mut of_hosts: Vec<Option<f64>> = vec![None; n];
    for rank in 0..n {
        let reference = references[island[rank]];
        if !closed[island[rank]] && reference != rank {
            if let Some((offset, error)) = level_by_hosts(&ranks[rank], &ranks[reference], sync) {
                // An offset is of the time lines' origins, a level of their middles.
                let own = offset + (1.0 + drift[rank] * 1e-6) * center[rank] - center[reference];
                let (low, high) = (bounds.low[rank], bounds.high[rank]);
                if low <= high {
                    level[rank] = own.clamp(low, high);
                    of_hosts[rank] = Some(error);
                    continue;
                }
            }
            level[rank] = match (bounds.low[rank].is_finite(), bounds.high[rank].is_finite()) {
                (true, true) => (bounds.low[rank] + bounds.high[rank]) / 2.0,
                (true, false) => bounds.low[rank] + USUAL_NS,
                (false, true) => bounds.high[rank] - USUAL_NS,
                _ => level[rank],
            };
        }
    }
    let reach: Vec<f64> = ranks.iter().map(|rank| span(rank) / 2.0).collect();
    bounds.move_inside(&mut level, &mut drift, &reach);
    // The references' clocks are their islands' time.
    let moved: Vec<(f64, f64)> = references.iter().map(|&r| (level[r], drift[r])).collect();
    for ((level, drift), &number) in level.iter_mut().zip(&mut drift).zip(&island) {
        let (from, ppm) = moved[number];
        let speed = 1.0 + ppm * 1e-6;
        *level = (*level - from) / speed;
        *drift = ((1.0 + *drift * 1e-6) / speed - 1.0) * 1e6;
    }
    let mut residuals: Vec<(f64, u64)> = vec![(0.0, 0); links.len()];
    for row in &rows {
        let time = |rank: usize, t: f64| level[rank] + (1.0 + drift[rank] * 1e-6) * t;
        let latency = found.latency.get(&kinds[row.link]).copied().unwrap_or(0.0);
        let (from, to) = (links[row.link].from.rank, links[row.link].to.rank);
        let residual = time(to, row.receive) - time(from, row.send) - latency;
        if let Some(sum) = residuals.get_mut(row.link) {
            *sum = (sum.0 + residual, sum.1 + 1);
        }
    }
    found.closure = residuals.iter().map(|(sum, n)| sum.abs() / (*n).max(1) as f64).collect();
    for rank in 0..n {
        let number = island[rank];
        let reference = references[number];
        let is_reference = reference == rank;
        let own: Vec<usize> = (0..links.len())
            .filter(|&l| links[l].from.rank == rank || links[l].to.rank == rank)
            .collect();
        let speed = 1.0 + drift[rank] * 1e-6;
        // The reference's time at its center is its center.
        let to_offset = |level: f64| level + center[reference] - speed * center[rank];
        let has_moments = own.iter().all(|&l| links[l].has_moments);
        let jitter = own.iter().map(|&l| sigma[l]).fold(0.0, f64::max);
        let pairs: usize = own.iter().map(|&l| links[l].alignment.count).sum();
        let closure = own.iter().map(|&l| found.closure[l]).fold(0.0, f64::max);
        let latency = own
            .iter()
            .filter_map(|&l| found.latency.get(&kinds[l]))
            .fold(if has_moments { 0.0f64 } else { USUAL_NS }, |most, l| most.max(l.abs()));
        let share = match closures[number] {
            Closure::Together => UNEQUAL_KINDS,
            _ => UNEQUAL,
        };
        let unequal = share * latency * if has_moments { 1.0 } else { 2.0 };
        // An offset is of the start of the time line, a level of its middle. Along a chain of links doubts add up.
        let members = island.iter().filter(|other| **other == number).count() as f64;
        let is_hidden = drift_sigma[number] > DRIFT_PPM;
        let along = if is_hidden { 1.0 } else { (members.sqrt() / 2.0).max(1.0) };
        let margin = doubt[number] * along * 1e-6 * center[rank].abs();
        let (hidden, seen) = if is_hidden { (margin * HIDDEN, 0.0) } else { (0.0, margin / 3.0) };
        let parts = [unequal, jitter / (pairs.max(1) as f64).sqrt(), closure, hidden, seen];
        let sigma_ns = parts.iter().map(|p| p * p).sum::<f64>().sqrt();
        let (low, high) =
            (to_offset(bounds.low[rank]) - margin, to_offset(bounds.high[rank]) + margin);
        let by_hosts = of_hosts[rank];
        let method = match (own.is_empty(), is_reference, closed[number], has_moments) {
            (false, false, false, _) if by_hosts.is_some() => Method::Hosts,
            (true, ..) => Method::Alone,
            (_, true, ..) => Method::Reference,
            (_, _, false, _) => Method::Bounds,
            (.., true) => Method::Data,
            (.., false) => Method::Ends,
        };
        let half = (high - low) / 2.0;
        let sigma = match method {
            Method::Reference | Method::Alone => 0.0,
            Method::Hosts => by_hosts.unwrap_or(f64::INFINITY).min(half / 1.7),
            Method::Bounds if half.is_finite() => half / 1.7,
            Method::Bounds => f64::INFINITY,
            _ => sigma_ns.min(half.max(1.0)),
        };
        let offset = if is_reference { 0.0 } else { to_offset(level[rank]) };
        let drift_ppm = if is_reference { 0.0 } else { drift[rank] };
        let (low, high) = if is_reference { (0.0, 0.0) } else { (low, high) };
        found.ranks.push(RankClock {
            island: number,
            offset,
            drift_ppm,
            low,
            high,
            sigma,
            method,
            links: own.len(),
            before: 0,
            after: 0,
            facts: 0,
        });
    }
    found.count_violations(ranks, links);
    found.join_by_hosts(ranks, sync);
    found
}

fn kind_of(ranks: &[Rank], island: &[usize], link: &Link) -> LinkKind {
    let host = |id: ThreadId| ranks.get(id.rank).map(|r| r.part.identity.host.as_str());
    LinkKind {
        island: island.get(link.from.rank).copied().unwrap_or(0),
        crosses_hosts: host(link.from) != host(link.to),
        has_moments: link.has_moments,
    }
}

/// ns; length of a rank's window.
fn span(rank: &Rank) -> f64 {
    rank.part.window.1.saturating_sub(rank.part.window.0) as f64
}

/// ppm that two ranks may drift apart from what was found, where drifts are known so well.
fn doubt(sigma_ppm: f64) -> f64 {
    if sigma_ppm > DRIFT_PPM { 2.0 * CRYSTAL_PPM } else { 3.0 * sigma_ppm }
}

/// ppm; how well the drifts of each island are known: the median of its links.
fn drift_sigmas(
    rows: &[Row],
    links: &[Link],
    sigma: &[f64],
    island: &[usize],
    islands: usize,
) -> Vec<f64> {
    let mut spans: Vec<(f64, f64, u64)> = vec![(f64::INFINITY, f64::NEG_INFINITY, 0); links.len()];
    for row in rows {
        if let Some(span) = spans.get_mut(row.link) {
            *span = (span.0.min(row.send), span.1.max(row.send), span.2 + 1);
        }
    }
    (0..islands)
        .map(|number| {
            let mut all: Vec<f64> = (0..links.len())
                .filter(|&l| island[links[l].from.rank] == number && spans[l].2 > 1)
                .map(|l| {
                    let (first, last, n) = spans[l];
                    sigma[l] * 12f64.sqrt() / (n as f64).sqrt() / (last - first).max(1.0) * 1e6
                })
                .collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or(f64::INFINITY)
        })
        .collect()
}

impl Clocks {
    /// The ranks of an island.
    pub(crate) fn members(&self, island: usize) -> impl Iterator<Item = usize> + '_ {
        let own = self.ranks.iter().enumerate().filter(move |(_, clock)| clock.island == island);
        own.map(|(rank, _)| rank)
    }

    /// Orders that are violated.
    pub(crate) fn conflicts(&self) -> u64 {
        self.of_links.iter().sum()
    }

    /// Counts, for each rank, the facts that it takes part in as the one that is not the reference, and how many are
    /// violated with a common start and with these clocks.
    fn count_violations(&mut self, ranks: &[Rank], links: &[Link]) {
        let count = |link: &Link| {
            let (i, j) = (link.from.rank, link.to.rank);
            let is_reference = self.ranks[j].method == Method::Reference;
            let counted = if is_reference { i } else { j };
            let (mut all, mut before, mut after) = (0u64, 0u64, 0u64);
            for (s, r) in commands(ranks, link) {
                for fact in facts(&s, &r, link.has_moments).into_iter().flatten() {
                    let (a, b) = if fact.is_data { (i, j) } else { (j, i) };
                    let (earlier, later) = (fact.earlier as f64, fact.later as f64);
                    // Records are rounded to whole ns.
                    let is_after =
                        self.ranks[b].reference(later) + 2.0 < self.ranks[a].reference(earlier);
                    all += 1;
                    before += u64::from(later < earlier);
                    after += u64::from(is_after);
                }
            }
            (counted, all, before, after)
        };
        let is_anchored = |link: &Link| anchored(ranks, link.from) && anchored(ranks, link.to);
        let counts: Vec<_> =
            links.par_iter().map(|link| is_anchored(link).then(|| count(link))).collect();
        self.of_links = counts.iter().map(|of| of.map_or(0, |(.., after)| after)).collect();
        for (counted, all, before, after) in counts.into_iter().flatten() {
            let clock = &mut self.ranks[counted];
            clock.facts += all;
            clock.before += before;
            clock.after += after;
        }
    }
}
