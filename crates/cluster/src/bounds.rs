//! What the hard facts allow.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::clocks::{DRIFT_PPM, anchored, drift_margin};
use crate::facts::{commands, facts};
use crate::pairing::Link;
use crate::rank::Rank;

/// Rounds in which a fit is moved into what the hard facts allow, and more for each rank: a move goes from rank to rank.
const ROUNDS: usize = 200;
const ROUNDS_PER_RANK: usize = 8;

/// What the hard facts allow: levels of ranks against the reference of their island.
pub(crate) struct Bounds {
    /// From, to, most that the level of `to` may be above that of `from`.
    edges: Vec<(usize, usize, f64)>,
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
}

impl Bounds {
    pub(crate) fn of(
        ranks: &[Rank],
        links: &[Link],
        center: &[f64],
        drift: &[f64],
        island: &[usize],
        references: &[usize],
        drift_sigma: &[f64],
    ) -> Self {
        let mut most: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let time = |rank: usize, t: i64| (1.0 + drift[rank] * 1e-6) * (t as f64 - center[rank]);
        // Of a link: the least slack of its data, and of its credits.
        let least = |link: &Link| {
            let (i, j) = (link.from.rank, link.to.rank);
            let mut least = [f64::INFINITY; 2];
            for (s, r) in commands(ranks, link) {
                for fact in facts(&s, &r, link.has_moments).into_iter().flatten() {
                    // level(a) + earlier <= level(b) + later, so level(a) - level(b) <= later - earlier.
                    let (a, b) = if fact.is_data { (i, j) } else { (j, i) };
                    let slack = time(b, fact.later) - time(a, fact.earlier);
                    let known = &mut least[usize::from(!fact.is_data)];
                    *known = known.min(slack);
                }
            }
            [((j, i), least[0]), ((i, j), least[1])]
        };
        let is_anchored = |link: &&Link| anchored(ranks, link.from) && anchored(ranks, link.to);
        let slacks: Vec<_> = links.par_iter().filter(is_anchored).flat_map_iter(least).collect();
        for (edge, slack) in slacks {
            let known = most.entry(edge).or_insert(f64::INFINITY);
            *known = known.min(slack);
        }
        let margin = |rank: usize| {
            let sigma = drift_sigma.get(island[rank]).copied().unwrap_or(f64::INFINITY);
            if sigma > DRIFT_PPM { 0.0 } else { drift_margin(sigma, &ranks[rank]) / 2.0 }
        };
        let edges: Vec<_> = most
            .into_iter()
            .map(|((from, to), slack)| (from, to, slack + margin(from) + margin(to)))
            .collect();
        let paths = |backwards: bool| {
            let mut distance = vec![f64::INFINITY; ranks.len()];
            references.iter().for_each(|&reference| distance[reference] = 0.0);
            for _ in 0..ranks.len() {
                let mut changed = false;
                for &(from, to, slack) in &edges {
                    let (from, to) = if backwards { (to, from) } else { (from, to) };
                    if distance[from] + slack < distance[to] - 1e-6 {
                        distance[to] = distance[from] + slack;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            distance
        };
        let high = paths(false);
        let low = paths(true).into_iter().map(|d| -d).collect();
        Self { edges, low, high }
    }

    /// Moves levels, as little as possible in each step, until no hard fact is violated or time is up.
    pub(crate) fn move_inside(&self, level: &mut [f64]) {
        for _ in 0..ROUNDS + ROUNDS_PER_RANK * level.len() {
            let mut moved = false;
            for &(from, to, slack) in &self.edges {
                let over = level[to] - level[from] - slack;
                if over > 0.01 {
                    level[to] -= over / 2.0;
                    level[from] += over / 2.0;
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
    }
}
