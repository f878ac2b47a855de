//! Critical paths of a run on machines of other speeds, by what their times depend on: with them the run's time on any such machine is
//! known without its commands.
//!
//! A run takes as long as its longest path, and the time of each path is a sum whose terms are multiplied by the times of the machine's
//! parts. So the time of the run is the greatest of these sums: a convex function of the factors, which the paths that are critical
//! somewhere bound from below, and give exactly where they are.

use bigtpu_chip::Engine;
use bigtpu_sim::Time;
use rayon::prelude::*;

use crate::change::{Resource, ResourceChange};
use crate::costs::Hidden;
use crate::dependence::Node;
use crate::graph::Scale;
use crate::input::{Bound, Task};
use crate::predictor::Predictor;

/// Times of a path in ns, by what they depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CriticalPathTimes {
    /// What no part of the machine changes: pauses, waits, the time of transfers before their first byte.
    pub fixed: Time,
    /// Work of the TIU.
    pub compute: Time,
    /// Bytes of DDR.
    pub ddr: Time,
    /// Bytes of L2M.
    pub l2m: Time,
    /// Bytes of links between chips.
    pub link: Time,
}

/// Factors by which the times of the TIU, of DDR, of L2M and of links are multiplied.
type Factors = [f64; 4];

impl CriticalPathTimes {
    fn times(self) -> Factors {
        [self.compute, self.ddr, self.l2m, self.link].map(|ns| ns as f64)
    }

    /// ns with changed times.
    fn ns(self, factors: Factors) -> f64 {
        let changed = self.times().into_iter().zip(factors).map(|(ns, factor)| ns * factor);
        self.fixed as f64 + changed.sum::<f64>()
    }
}

/// Machines are at most so many times as fast or as slow, as powers of two.
const WIDEST: f64 = 8.0;
/// A path is added where the run takes longer by this share than the known ones say.
const TOLERANCE: f64 = 0.001;
/// How often the range of speeds is halved.
const HALVINGS: usize = 6;
/// Speeds are looked at so close to one another, as powers of two, whatever is found: of a run with more than [`MANY_EVENTS`], and of others.
const CLOSE: [f64; 2] = [1.0, 0.5];
const MANY_EVENTS: usize = 200_000;
/// How close speeds are looked at if L2M and links have another speed in relation to DDR.
const CLOSE_BESIDE: f64 = 2.0;
/// L2M and links in relation to DDR, as powers of two.
const BESIDE_DDR: [f64; 3] = [0.0, -2.0, 2.0];

/// Speeds that are looked at: powers of two of TIU and DDR around these, so far to both sides.
#[derive(Clone, Copy)]
struct Cell {
    middle: [f64; 2],
    half: f64,
}

impl Cell {
    fn parts(self) -> [Self; 4] {
        let half = self.half / 2.0;
        let [compute, ddr] = self.middle;
        [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]
            .map(|(x, y)| Self { middle: [compute + x * half, ddr + y * half], half })
    }
}

impl Predictor {
    /// The paths that are critical at some speed of TIU, DDR, L2M and links, in their order. The run with such speeds takes as long as the
    /// longest of them with these, to about 0.1 % where the speeds are within 2^-8 and 2^8.
    #[must_use]
    pub fn path_times(&self) -> Vec<CriticalPathTimes> {
        let mut known = vec![self.path_at([1.0; 4])];
        let uses =
            |bound| self.replay.model.classes.iter().any(|c| c.task == Task::Transfer(bound));
        let beside = |bound| if uses(bound) { &BESIDE_DDR[..] } else { &[0.0] };
        for &l2m in beside(Bound::L2m) {
            for &link in beside(Bound::Link) {
                let is_first = [l2m, link] == [0.0; 2];
                let usual = CLOSE[usize::from(self.replay.events <= MANY_EVENTS)];
                let close = if is_first { usual } else { CLOSE_BESIDE };
                self.add_paths([l2m, link], close, &mut known);
            }
        }
        known.sort_unstable();
        known.dedup();
        known
    }

    /// Adds the paths at speeds of L2M and links in relation to DDR; `close`: half the distance of speeds that are looked at whatever is found.
    fn add_paths(&self, [l2m, link]: [f64; 2], close: f64, known: &mut Vec<CriticalPathTimes>) {
        let mut cells = vec![Cell { middle: [0.0; 2], half: WIDEST }];
        for _ in 0..HALVINGS {
            let found: Vec<(Cell, Factors, CriticalPathTimes)> = cells
                .into_par_iter()
                .map(|cell| {
                    let [compute, ddr] = cell.middle;
                    let factors = [compute, ddr, ddr + l2m, ddr + link].map(f64::exp2);
                    (cell, factors, self.path_at(factors))
                })
                .collect();
            cells = Vec::new();
            for (cell, factors, path) in found {
                let says = known.iter().map(|path| path.ns(factors)).fold(0.0, f64::max);
                // Times are whole ns.
                let is_longer = path.ns(factors) > says * (1.0 + TOLERANCE) + 1.0;
                if is_longer {
                    known.push(path);
                }
                if is_longer || cell.half > close {
                    cells.extend(cell.parts());
                }
            }
        }
    }

    /// The critical path with changed times.
    fn path_at(&self, factors: Factors) -> CriticalPathTimes {
        let resources =
            [Resource::Engine(Engine::Tiu), Resource::Ddr, Resource::L2m, Resource::Link];
        let changes = resources.into_iter().zip(factors);
        let changes: Vec<ResourceChange> = changes
            .filter(|(_, factor)| *factor != 1.0)
            .map(|(resource, factor)| ResourceChange::faster(resource, 1.0 / factor))
            .collect();
        let costs = self.changed(&changes, Hidden::Nothing);
        let graph = &self.replay.graph;
        let mut ends = Vec::new();
        let wall_ns = graph.run(&costs, &mut ends);
        let end = |node: Node| ends.get(node as usize).copied().unwrap_or(0);
        let mut next = ends.iter().position(|end| *end == wall_ns).map(|node| node as Node);
        let mut path = CriticalPathTimes::default();
        // Of a graph with a cycle there is no path.
        for _ in 0..graph.len() {
            let Some(node) = next else { break };
            let ns = graph.duration(node);
            self.add_task(node, ns, &mut path);
            let start = end(node) - costs.duration(node, ns);
            let mut all = graph.dependences(node);
            next =
                all.find(|of| end(of.from) + costs.lag(of.kind, of.lag) >= start).map(|of| of.from);
        }
        // What is left, rounding included.
        path.fixed = (wall_ns as f64 - path.ns(factors)).round() as Time;
        path
    }

    /// Adds the time of a task that depends on a part of the machine.
    fn add_task(&self, node: Node, ns: Time, path: &mut CriticalPathTimes) {
        let Some(class) = self.replay.class(node) else { return };
        let moving = self.bandwidth_ns.get(node as usize).copied().unwrap_or(0);
        let moving = Time::from(moving).min(ns);
        match class.task {
            Task::Compute if class.engine == Engine::Tiu => path.compute += ns,
            Task::Transfer(Bound::Ddr) => path.ddr += moving,
            Task::Transfer(Bound::L2m) => path.l2m += moving,
            Task::Transfer(Bound::Link) => path.link += moving,
            _ => {}
        }
    }
}
