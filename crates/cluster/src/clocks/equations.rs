//! The system of least squares: `T(receive) - T(send) = latency` for the pairs of all links.

use super::USUAL_NS;
use crate::chains::Closure;
use crate::chains::LinkKind;
use crate::facts::moments;
use crate::linear::Normal;
use crate::pairing::anchored;
use crate::pairing::{Link, ThreadId};
use crate::rank::Rank;

/// Drifts that are less certain than this are not fitted.
pub(super) const DRIFT_PPM: f64 = 5.0;
/// Pairs of a link that the fit uses, spread over all: more make no difference above their jitter.
const FIT_PAIRS: usize = 4096;
/// Rounds of the fit: in each but the first, what lies far off counts less.
const ROUNDS: usize = 3;

/// A pair's times, relative to the centers of the two ranks, and what they are of.
struct Row {
    link: usize,
    send: f64,
    receive: f64,
}

/// What is to be fitted.
pub(super) struct Equations<'a> {
    links: &'a [Link],
    /// Island of each rank.
    island: &'a [usize],
    /// Reference rank of each island.
    references: &'a [usize],
    /// Place of each rank among the unknowns: ranks that links join are near each other, so that most of the equations' matrix is 0.
    place: Vec<usize>,
    /// Kind of each link.
    pub(super) kinds: Vec<LinkKind>,
    kind_list: Vec<LinkKind>,
    rows: Vec<Row>,
    /// ns; by link: the standard deviation of its residuals.
    pub(super) jitter: Vec<f64>,
    /// ppm; by island: how well drifts are known.
    pub(super) drift_sigma: Vec<f64>,
}

/// What was fitted.
pub(super) struct Solution {
    /// ns, by rank: at the middle of its window.
    pub(super) level: Vec<f64>,
    /// ppm, by rank.
    pub(super) drift: Vec<f64>,
    /// ns, by kind of link.
    pub(super) latency: Vec<(LinkKind, f64)>,
}

impl Solution {
    /// ns; the latency of a kind of link.
    pub(super) fn latency(&self, kind: LinkKind) -> Option<f64> {
        self.latency.iter().find(|(own, _)| *own == kind).map(|(_, ns)| *ns)
    }
}

impl<'a> Equations<'a> {
    /// `center`: ns, by rank: the middle of its window.
    pub(super) fn new(
        ranks: &[Rank],
        links: &'a [Link],
        center: &[f64],
        (island, references): (&'a [usize], &'a [usize]),
    ) -> Self {
        let kinds: Vec<LinkKind> = links.iter().map(|l| kind_of(ranks, island, l)).collect();
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
            for (s, r) in moments(ranks, link).step_by(step) {
                let (s, r) = link.last_moments(&s, &r);
                let (send, receive) = (s as f64 - center[from], r as f64 - center[to]);
                rows.push(Row { link: number, send, receive });
            }
        }
        let jitter: Vec<f64> = links.iter().map(|l| (l.alignment.p50 / 0.6745).max(1.0)).collect();
        let drift_sigma = drift_sigmas(&rows, links, &jitter, island, references.len());
        let place = places(links, ranks.len());
        Self { links, island, references, place, kinds, kind_list, rows, jitter, drift_sigma }
    }

    /// The unknown that is a rank's level.
    fn level(&self, rank: usize) -> usize {
        2 * self.place.get(rank).copied().unwrap_or(0)
    }

    /// The unknown that is a rank's drift.
    fn drift(&self, rank: usize) -> usize {
        self.level(rank) + 1
    }

    /// Whether an island's drifts cannot be seen.
    pub(super) fn is_hidden(&self, island: usize) -> bool {
        self.drift_sigma.get(island).is_none_or(|sigma| *sigma > DRIFT_PPM)
    }

    /// The levels, drifts and latencies that fit best. `closures`: by island.
    pub(super) fn solve(&self, closures: &[Closure]) -> Solution {
        let n = self.island.len();
        let mut x = vec![0.0; 2 * n + self.kind_list.len()];
        for round in 0..ROUNDS {
            let mut normal = Normal::new(x.len());
            for row in &self.rows {
                let kind = self.kind_list.binary_search(&self.kinds[row.link]).unwrap_or(0);
                let value = row.send - row.receive;
                let (from, to) = (self.links[row.link].from.rank, self.links[row.link].to.rank);
                let terms = [
                    (self.level(to), 1.0),
                    (self.level(from), -1.0),
                    (self.drift(to), row.receive * 1e-6),
                    (self.drift(from), -row.send * 1e-6),
                    (2 * n + kind, -1.0),
                ];
                let residual: f64 = terms.iter().map(|&(at, a)| a * x[at]).sum::<f64>() - value;
                let s = self.jitter[row.link];
                let huber = if round == 0 { 1.0 } else { (2.5 * s / residual.abs()).min(1.0) };
                normal.add(&terms, value, huber / (s * s));
            }
            self.fix(&mut normal, closures);
            x = normal.solve();
        }
        let latency = self.kind_list.iter().copied().zip(x.iter().skip(2 * n).copied()).collect();
        let level = (0..n).map(|rank| x[self.level(rank)]).collect();
        let drift = (0..n).map(|rank| x[self.drift(rank)]).collect();
        Solution { level, drift, latency }
    }

    /// What is fixed: the references, drifts that cannot be seen, latencies that cannot be found.
    fn fix(&self, normal: &mut Normal, closures: &[Closure]) {
        let n = self.island.len();
        for rank in 0..n {
            let is_reference = self.references.get(self.island[rank]) == Some(&rank);
            let strong = 1e9;
            // Levels are millions of ns: along a chain of hundreds of ranks, 1e-12 for each made a latency that no chain of
            // links shows less than nothing, so that levels be nearer to 0.
            let level = if is_reference { strong } else { 1e-18 };
            normal.add(&[(self.level(rank), 1.0)], 0.0, level);
            let hidden = is_reference || self.is_hidden(self.island[rank]);
            normal.add(&[(self.drift(rank), 1.0)], 0.0, if hidden { strong } else { 1e-6 });
        }
        // Kinds that no chain tells apart have equal latencies.
        for (kind, of) in self.kind_list.iter().enumerate() {
            let alike = |k: &LinkKind| k.island == of.island && k.has_moments == of.has_moments;
            let first = self.kind_list.iter().position(alike).unwrap_or(kind);
            if first != kind {
                normal.add(&[(2 * n + kind, 1.0), (2 * n + first, -1.0)], 0.0, 1e-6);
            }
            normal.add(&[(2 * n + kind, 1.0)], 0.0, 1e-12);
            // Data arrive soon after they were sent, whoever waits for whom: where no chain shows the latency, the usual one
            // is nearer to the truth than what leaves bounds alike. Of two ends it is not known which comes first.
            if closures.get(of.island) == Some(&Closure::Open) {
                let usual = if of.has_moments { USUAL_NS } else { 0.0 };
                normal.add(&[(2 * n + kind, 1.0)], usual, 1e-3);
            }
        }
    }

    /// ns, by link: what levels and drifts leave in the mean of its pairs.
    pub(super) fn closure(&self, of: &Solution) -> Vec<f64> {
        let mut residuals: Vec<(f64, u64)> = vec![(0.0, 0); self.links.len()];
        for row in &self.rows {
            let time = |rank: usize, t: f64| of.level[rank] + (1.0 + of.drift[rank] * 1e-6) * t;
            let latency = of.latency(self.kinds[row.link]).unwrap_or(0.0);
            let (from, to) = (self.links[row.link].from.rank, self.links[row.link].to.rank);
            let residual = time(to, row.receive) - time(from, row.send) - latency;
            if let Some(sum) = residuals.get_mut(row.link) {
                *sum = (sum.0 + residual, sum.1 + 1);
            }
        }
        residuals.iter().map(|(sum, n)| sum.abs() / (*n).max(1) as f64).collect()
    }
}

/// The ranks in the order of their distance from the first one of each island, along the links.
fn places(links: &[Link], ranks: usize) -> Vec<usize> {
    let mut joined: Vec<Vec<usize>> = vec![Vec::new(); ranks];
    for link in links {
        let (from, to) = (link.from.rank, link.to.rank);
        joined[from].push(to);
        joined[to].push(from);
    }
    let mut place = vec![usize::MAX; ranks];
    let mut order = Vec::with_capacity(ranks);
    for first in 0..ranks {
        let mut next = order.len();
        if place[first] == usize::MAX {
            place[first] = next;
            order.push(first);
        }
        while let Some(&rank) = order.get(next) {
            next += 1;
            for &other in &joined[rank] {
                if place[other] == usize::MAX {
                    place[other] = order.len();
                    order.push(other);
                }
            }
        }
    }
    place
}

fn kind_of(ranks: &[Rank], island: &[usize], link: &Link) -> LinkKind {
    let host = |id: ThreadId| ranks.get(id.rank).map(|r| r.part.identity.host.as_str());
    LinkKind {
        island: island.get(link.from.rank).copied().unwrap_or(0),
        crosses_hosts: host(link.from) != host(link.to),
        has_moments: link.has_moments,
    }
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
