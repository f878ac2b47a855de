//! What the hard facts allow.
//!
//! A fact says that a moment of one rank is not before a moment of another. Over time, the least slack of a link's facts
//! is a curve that hangs below all of them; only the corners of its lower hull can bind, whatever the drifts are.

use rayon::prelude::*;

use crate::facts::{facts, moments};
use crate::pairing::{Link, anchored};
use crate::rank::Rank;

/// Rounds in which a fit is moved into what the hard facts allow, and more for each rank: a move goes from rank to rank.
const ROUNDS: usize = 400;
const ROUNDS_PER_RANK: usize = 8;
/// ns by which an order may be violated without a move: records are rounded to whole ns.
const ROUNDING_NS: f64 = 1.0;

/// A corner: moments of both ranks from the middles of their windows, and what lies between, in ns.
#[derive(Debug, Clone, Copy)]
struct Corner {
    earlier: f64,
    later: f64,
}

/// Facts of one direction between two ranks: `earlier` is of `from`, `later` of `to`.
struct Edge {
    from: usize,
    to: usize,
    corners: Vec<Corner>,
}

/// What is known of drifts.
pub(crate) struct Drifts<'a> {
    /// ppm; the drifts that were found, by rank.
    pub(crate) ppm: &'a [f64],
    /// ppm; how much two ranks of an island may drift apart from what was found, by island.
    pub(crate) doubt: &'a [f64],
}

/// What the hard facts allow: levels of ranks against the reference of their island.
pub(crate) struct Bounds {
    edges: Vec<Edge>,
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
}

/// The corners of the lower hull of points by `later`, where the slack is what lies between the two moments.
fn hull(mut points: Vec<Corner>) -> Vec<Corner> {
    let slack = |p: &Corner| p.later - p.earlier;
    if !points.is_sorted_by(|a, b| a.later <= b.later) {
        points.sort_by(|a, b| a.later.total_cmp(&b.later));
    }
    let mut corners: Vec<Corner> = Vec::new();
    for point in points {
        while let [.., before, last] = corners.as_slice() {
            let run = (last.later - before.later) * (slack(&point) - slack(before));
            let rise = (point.later - before.later) * (slack(last) - slack(before));
            if rise < run {
                break;
            }
            corners.pop();
        }
        match corners.last_mut() {
            Some(last) if last.later == point.later => {
                if slack(&point) < slack(last) {
                    *last = point;
                }
            }
            _ => corners.push(point),
        }
    }
    corners
}

impl Bounds {
    pub(crate) fn compute(
        ranks: &[Rank],
        links: &[Link],
        center: &[f64],
        drifts: &Drifts<'_>,
        island: &[usize],
        references: &[usize],
    ) -> Self {
        let edges_of = |link: &Link| {
            let (i, j) = (link.from.rank, link.to.rank);
            let mut points: [Vec<Corner>; 2] = Default::default();
            for (s, r) in moments(ranks, link) {
                for fact in facts(&s, &r, link.has_moments).into_iter().flatten() {
                    let (a, b) = if fact.is_data { (i, j) } else { (j, i) };
                    let (earlier, later) =
                        (fact.earlier as f64 - center[a], fact.later as f64 - center[b]);
                    points[usize::from(!fact.is_data)].push(Corner { earlier, later });
                }
            }
            let [data, credits] = points.map(hull);
            [Edge { from: i, to: j, corners: data }, Edge { from: j, to: i, corners: credits }]
        };
        let is_anchored = |link: &&Link| anchored(ranks, link.from) && anchored(ranks, link.to);
        let edges: Vec<Edge> =
            links.par_iter().filter(is_anchored).flat_map_iter(edges_of).collect();
        // What the level of `to` may be below that of `from` at most, whatever the drifts are within the doubt.
        let slack = |edge: &Edge| {
            let doubt = drifts.doubt.get(island[edge.from]).copied().unwrap_or(0.0) * 1e-6;
            let of = |corner: &Corner| {
                let Corner { earlier, later } = *corner;
                let apart = (later - earlier).abs() + later.abs().min(earlier.abs());
                let time = |rank: usize, t: f64| (1.0 + drifts.ppm[rank] * 1e-6) * t;
                time(edge.to, later) - time(edge.from, earlier) + doubt * apart + ROUNDING_NS
            };
            edge.corners.iter().map(of).fold(f64::INFINITY, f64::min)
        };
        // `level(from) - level(to) <= slack`: a way from the reference to a rank backwards bounds it from above.
        let slacks: Vec<f64> = edges.par_iter().map(slack).collect();
        let paths = |upwards: bool| {
            let mut distance = vec![f64::INFINITY; ranks.len()];
            references.iter().for_each(|&reference| distance[reference] = 0.0);
            let mut looks = Looks::new(&edges, ranks.len());
            for _ in 0..ranks.len() {
                let changed = looks.round(|at| {
                    let (edge, slack) = edges.get(at).zip(slacks.get(at))?;
                    let (from, to) =
                        if upwards { (edge.to, edge.from) } else { (edge.from, edge.to) };
                    let is_nearer = distance[from] + slack < distance[to] - 1e-6;
                    is_nearer.then(|| {
                        distance[to] = distance[from] + slack;
                        [to, to]
                    })
                });
                if !changed {
                    break;
                }
            }
            distance
        };
        let high = paths(true);
        let low = paths(false).into_iter().map(|d| -d).collect();
        Self { edges, low, high }
    }

    /// Moves levels, and drifts where levels alone do not do, as little as possible in each step, until no hard fact is
    /// violated or time is up. `reach`: ns of half a window by rank.
    pub(crate) fn move_inside(&self, level: &mut [f64], drift: &mut [f64], reach: &[f64]) {
        let mut looks = Looks::new(&self.edges, level.len());
        for _ in 0..ROUNDS + ROUNDS_PER_RANK * level.len() {
            let moved = looks.round(|at| {
                let edge = self.edges.get(at)?;
                edge.move_inside(level, drift, reach).then_some([edge.from, edge.to])
            });
            if !moved {
                break;
            }
        }
    }
}

/// Edges are looked at in rounds, in their order, until none changes anything. One whose ranks are as they were when it was looked at is
/// passed over: it would change nothing again.
struct Looks {
    is_due: Vec<bool>,
    /// The edges of each rank.
    of_rank: Vec<Vec<usize>>,
}

impl Looks {
    fn new(edges: &[Edge], ranks: usize) -> Self {
        let mut of_rank = vec![Vec::new(); ranks];
        for (at, edge) in edges.iter().enumerate() {
            for rank in [edge.from, edge.to] {
                if let Some(own) = of_rank.get_mut(rank) {
                    own.push(at);
                }
            }
        }
        Self { is_due: vec![true; edges.len()], of_rank }
    }

    /// One round. `look`: which ranks an edge changes, by its number. Whether any changed.
    fn round(&mut self, mut look: impl FnMut(usize) -> Option<[usize; 2]>) -> bool {
        let mut changed = false;
        for at in 0..self.is_due.len() {
            if !self.is_due.get_mut(at).is_some_and(std::mem::take) {
                continue;
            }
            for rank in look(at).into_iter().flatten() {
                changed = true;
                for &edge in self.of_rank.get(rank).into_iter().flatten() {
                    if let Some(is_due) = self.is_due.get_mut(edge) {
                        *is_due = true;
                    }
                }
            }
        }
        changed
    }
}

impl Edge {
    /// Moves both ranks until the corner that is violated most is not; whether it had to.
    fn move_inside(&self, level: &mut [f64], drift: &mut [f64], reach: &[f64]) -> bool {
        let (a, b) = (self.from, self.to);
        let time = |rank: usize, t: f64| level[rank] + (1.0 + drift[rank] * 1e-6) * t;
        let over = |c: &Corner| time(a, c.earlier) - time(b, c.later);
        let worst = self.corners.iter().map(|c| (over(c), c)).max_by(|x, y| x.0.total_cmp(&y.0));
        let Some((over, corner)) = worst.filter(|(over, _)| *over > ROUNDING_NS) else {
            return false;
        };
        // Levels and drifts over half a window are both ns: the shortest way in all four.
        let lean = |rank: usize, t: f64| t / reach[rank].max(1.0);
        let (x, y) = (lean(a, corner.earlier), lean(b, corner.later));
        let step = (over - ROUNDING_NS / 2.0) / (2.0 + x * x + y * y);
        level[a] -= step;
        level[b] += step;
        drift[a] -= step * x / reach[a].max(1.0) * 1e6;
        drift[b] += step * y / reach[b].max(1.0) * 1e6;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_corners_of_the_least_slack_are_kept() {
        let point = |later: f64, slack: f64| Corner { earlier: later - slack, later };
        let all = vec![
            point(0.0, 5.0),
            point(1.0, 9.0),
            point(2.0, 1.0),
            point(3.0, 4.0),
            point(4.0, 1.5),
            point(5.0, 8.0),
            point(5.0, 7.0),
        ];
        let corners: Vec<f64> = hull(all).iter().map(|c| c.later).collect();
        assert_eq!(corners, [0.0, 2.0, 4.0, 5.0]);
    }

    #[test]
    fn a_violated_order_moves_level_and_drift() {
        let edge = Edge { from: 0, to: 1, corners: vec![Corner { earlier: 100.0, later: 50.0 }] };
        let (mut level, mut drift) = (vec![0.0; 2], vec![0.0; 2]);
        assert!(edge.move_inside(&mut level, &mut drift, &[100.0; 2]));
        assert!(level[0] < 0.0 && level[1] > 0.0 && drift[0] < 0.0 && drift[1] > 0.0);
        let bounds = Bounds { edges: vec![edge], low: Vec::new(), high: Vec::new() };
        bounds.move_inside(&mut level, &mut drift, &[100.0; 2]);
        let time = |rank: usize, t: f64| level[rank] + (1.0 + drift[rank] * 1e-6) * t;
        assert!(time(0, 100.0) - time(1, 50.0) <= ROUNDING_NS);
    }
}
