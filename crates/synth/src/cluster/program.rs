//! What the ranks do: own work, and operations that move data along links.

use super::options::{ClusterTraffic, Topology};
use super::simulation::{Operation, Simulation};
use super::topology::{grid_rank, rings};

/// Runs the options' program.
pub(super) fn run(simulation: &mut Simulation<'_>) {
    let options = simulation.options;
    for step in 0..options.operations {
        match (options.program, options.topology) {
            (ClusterTraffic::Microbatches, Topology::Grid(tp, pp, dp)) => {
                grid_step(simulation, tp, pp, dp);
            }
            (ClusterTraffic::Microbatches, topology) => {
                let stages: Vec<u32> = (0..options.devices).collect();
                pipeline_step(simulation, &stages, topology == Topology::PipelineBackward);
            }
            _ => collective_step(simulation, step),
        }
    }
}

/// Own work of all ranks, then one collective.
fn collective_step(simulation: &mut Simulation<'_>, step: u32) {
    let options = simulation.options;
    for rank in 0..options.devices {
        simulation.compute(rank, "rms_norm", options.compute_us * 0.2, 0.0);
        simulation.compute(rank, "matmul", options.compute_us * 0.8, 0.0);
    }
    let program = match (options.program, step % 3) {
        (ClusterTraffic::Mixed, 0) => ClusterTraffic::AllReduce,
        (ClusterTraffic::Mixed, 1) => ClusterTraffic::AllGather,
        (ClusterTraffic::Mixed, _) => ClusterTraffic::Broadcast,
        (program, _) => program,
    };
    let rings = rings(options);
    if options.topology == Topology::TwoPlane && rings.len() == 2 {
        return planes_all_reduce(simulation, &rings);
    }
    for ring in &rings {
        let n = ring.len() as u32;
        let mut open = |kind| simulation.operations.push(Operation { kind, ranks: ring.clone() });
        match program {
            ClusterTraffic::AllGather => {
                open("all_gather");
                self::ring(simulation, ring, n - 1, 0);
            }
            ClusterTraffic::Broadcast => {
                open("broadcast");
                broadcast(simulation, ring);
            }
            ClusterTraffic::AllToAll => {
                open("alltoall");
                all_to_all(simulation, ring);
            }
            _ => {
                open("all_reduce");
                self::ring(simulation, ring, 2 * (n - 1), n - 1);
            }
        }
    }
}

/// Each plane combines, each rank exchanges its part of the sum with its peer in the other plane, and each plane passes the parts on. All
/// of it is one call: what each command needs is all that it waits for.
fn planes_all_reduce(simulation: &mut Simulation<'_>, planes: &[Vec<u32>]) {
    simulation.operations.push(Operation { kind: "all_reduce", ranks: planes.concat() });
    let half = planes.iter().map(Vec::len).min().unwrap_or(0);
    let steps = half as u32 - 1;
    let mut combined: Vec<Posted> =
        planes.iter().map(|plane| Posted::before_start(simulation, plane)).collect();
    for (plane, posted) in planes.iter().zip(&mut combined) {
        ring_steps(simulation, plane, posted, 0..steps, steps);
    }
    let mut exchanged = combined.clone();
    simulation.reduces = true;
    for (from, to) in [(0, 1), (1, 0)] {
        for (at, (&sender, &receiver)) in planes[from].iter().zip(&planes[to]).enumerate() {
            for chunk in 0..simulation.options.chunks as usize {
                let ready = [combined[from].needs(at, chunk), combined[to].arrivals[at]];
                let ends = simulation.transfer(sender, receiver, chunk, ready);
                if let Some([_, end]) = ends {
                    exchanged[to].received[at][chunk] = end;
                }
            }
        }
    }
    simulation.reduces = false;
    for (plane, posted) in planes.iter().zip(&mut exchanged) {
        ring_steps(simulation, plane, posted, steps..2 * steps, steps);
    }
}

/// A collective that the ranks of a ring have begun.
#[derive(Clone)]
struct Posted {
    /// When each rank posted its commands.
    arrivals: Vec<f64>,
    /// When the last chunk of each number reached a rank.
    received: Vec<Vec<f64>>,
}

impl Posted {
    fn before_start(simulation: &Simulation<'_>, ring: &[u32]) -> Self {
        let arrivals: Vec<f64> = ring.iter().map(|&rank| simulation.free(rank)).collect();
        let received = vec![vec![0.0; simulation.options.chunks as usize]; ring.len()];
        Self { arrivals, received }
    }

    /// When a rank can send on a chunk.
    fn needs(&self, at: usize, chunk: usize) -> f64 {
        self.arrivals[at].max(self.received[at][chunk])
    }
}

/// All steps of a ring's collective.
fn ring(simulation: &mut Simulation<'_>, ring: &[u32], steps: u32, reducing: u32) {
    let mut posted = Posted::before_start(simulation, ring);
    ring_steps(simulation, ring, &mut posted, 0..steps, reducing);
}

/// Steps of a ring: each sends on what it received a step before. Those before `reducing` combine what arrives.
fn ring_steps(
    simulation: &mut Simulation<'_>,
    ring: &[u32],
    posted: &mut Posted,
    steps: std::ops::Range<u32>,
    reducing: u32,
) {
    let n = ring.len();
    for step in steps {
        simulation.reduces = step < reducing;
        let before = posted.clone();
        for chunk in 0..simulation.options.chunks as usize {
            for at in 0..n {
                let next = (at + 1) % n;
                let ready = [before.needs(at, chunk), before.arrivals[next]];
                let ends = simulation.transfer(ring[at], ring[next], chunk, ready);
                if let Some([_, end]) = ends {
                    posted.received[next][chunk] = end;
                }
            }
        }
    }
    simulation.reduces = false;
}

fn broadcast(simulation: &mut Simulation<'_>, ring: &[u32]) {
    let arrivals: Vec<f64> = ring.iter().map(|&rank| simulation.free(rank)).collect();
    for chunk in 0..simulation.options.chunks as usize {
        let mut ready = 0.0;
        for (hop, pair) in ring.windows(2).enumerate() {
            let send = arrivals[hop].max(ready);
            let ends = simulation.transfer(pair[0], pair[1], chunk, [send, arrivals[hop + 1]]);
            ready = ends.map_or(0.0, |[_, end]| end);
        }
    }
}

fn all_to_all(simulation: &mut Simulation<'_>, ranks: &[u32]) {
    let arrivals: Vec<f64> = ranks.iter().map(|&rank| simulation.free(rank)).collect();
    let n = ranks.len();
    for chunk in 0..simulation.options.chunks as usize {
        for distance in 1..n {
            for at in 0..n {
                let to = (at + distance) % n;
                simulation.transfer(ranks[at], ranks[to], chunk, [arrivals[at], arrivals[to]]);
            }
        }
    }
}

/// A microbatch's hop from one stage to the next.
fn hop(simulation: &mut Simulation<'_>, from: u32, to: u32, ready: f64) -> f64 {
    simulation.operations.push(Operation { kind: "p2p", ranks: vec![from, to] });
    let posted = simulation.free(to);
    simulation.transfer(from, to, 0, [ready, posted]).map_or(ready, |[_, end]| end)
}

fn pipeline_step(simulation: &mut Simulation<'_>, stages: &[u32], has_backward: bool) {
    let options = simulation.options;
    for _ in 0..options.microbatches {
        let mut ready = 0.0;
        for (at, &rank) in stages.iter().enumerate() {
            ready = simulation.compute(rank, "layer_forward", options.compute_us, ready);
            if let Some(&next) = stages.get(at + 1) {
                ready = hop(simulation, rank, next, ready);
            }
        }
    }
    for _ in 0..if has_backward { options.microbatches } else { 0 } {
        let mut ready = 0.0;
        for (at, &rank) in stages.iter().enumerate().rev() {
            ready = simulation.compute(rank, "layer_backward", options.compute_us * 1.5, ready);
            if let Some(&before) = at.checked_sub(1).and_then(|at| stages.get(at)) {
                ready = hop(simulation, rank, before, ready);
            }
        }
    }
}

/// A step of a grid: microbatches through the stages with a tensor parallel all-reduce in each, at the end a data
/// parallel all-reduce.
fn grid_step(simulation: &mut Simulation<'_>, tp: u32, pp: u32, dp: u32) {
    let options = simulation.options;
    for _ in 0..options.microbatches {
        for d in 0..dp {
            let mut ready = vec![0.0; tp as usize];
            for p in 0..pp {
                let ranks: Vec<u32> = (0..tp).map(|t| grid_rank(tp, pp, (t, p, d))).collect();
                for (&rank, ready) in ranks.iter().zip(&mut ready) {
                    *ready = simulation.compute(rank, "layer_forward", options.compute_us, *ready);
                }
                group(simulation, &ranks);
                for (t, ready) in (0..tp).zip(&mut ready) {
                    let rank = grid_rank(tp, pp, (t, p, d));
                    *ready = simulation.free(rank);
                    if p + 1 < pp {
                        *ready = hop(simulation, rank, grid_rank(tp, pp, (t, p + 1, d)), *ready);
                    }
                }
            }
        }
    }
    for (t, p) in (0..tp).flat_map(|t| (0..pp).map(move |p| (t, p))) {
        let ranks: Vec<u32> = (0..dp).map(|d| grid_rank(tp, pp, (t, p, d))).collect();
        for &rank in &ranks {
            simulation.compute(rank, "gradients", options.compute_us, 0.0);
        }
        group(simulation, &ranks);
    }
}

/// An all-reduce of a group.
fn group(simulation: &mut Simulation<'_>, ranks: &[u32]) {
    let n = ranks.len() as u32;
    if n > 1 {
        simulation.operations.push(Operation { kind: "all_reduce", ranks: ranks.to_vec() });
        ring(simulation, ranks, 2 * (n - 1), n - 1);
    }
}
