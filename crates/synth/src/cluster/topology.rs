//! The links of a cluster: which ports of which ranks are connected.

use std::collections::BTreeMap;

use super::options::{ClusterOptions, Topology};
use super::plant::ClusterPlant;

/// A direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) from: u32,
    pub(super) from_port: u8,
    pub(super) to: u32,
    pub(super) to_port: u8,
}

/// All links of a cluster.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) all: Vec<Link>,
    of_pair: BTreeMap<(u32, u32), Vec<usize>>,
    next_port: BTreeMap<u32, u8>,
}

impl Links {
    pub(super) fn new(options: &ClusterOptions) -> Self {
        let mut links = Self::default();
        for (a, b) in neighbours(options) {
            for _ in 0..options.links {
                links.connect(a, b, options.splits_ports);
            }
        }
        links
    }

    fn port(&mut self, rank: u32) -> u8 {
        let next = self.next_port.entry(rank).or_default();
        *next += 1;
        *next - 1
    }

    fn connect(&mut self, a: u32, b: u32, splits: bool) {
        let (out_a, in_b) = (self.port(a), self.port(b));
        let (out_b, in_a) = if splits { (self.port(b), self.port(a)) } else { (in_b, out_a) };
        self.add(Link { from: a, from_port: out_a, to: b, to_port: in_b });
        self.add(Link { from: b, from_port: out_b, to: a, to_port: in_a });
    }

    fn add(&mut self, link: Link) {
        self.of_pair.entry((link.from, link.to)).or_default().push(self.all.len());
        self.all.push(link);
    }

    /// The link that a pair's `nth` command takes.
    pub(super) fn pick(&self, from: u32, to: u32, nth: usize) -> Option<usize> {
        let links = self.of_pair.get(&(from, to))?;
        links.get(nth % links.len().max(1)).copied()
    }

    /// The most ports that a rank has.
    pub(super) fn most_ports(&self) -> u8 {
        self.next_port.values().copied().max().unwrap_or(0)
    }
}

/// The rings of a run: of all ranks, of two planes, of the groups of a grid.
pub(super) fn rings(options: &ClusterOptions) -> Vec<Vec<u32>> {
    let n = options.devices;
    if options.plants.contains(&ClusterPlant::TwoIslands) {
        return vec![(0..n / 2).collect(), (n / 2..n).collect()];
    }
    match options.topology {
        Topology::TwoPlane => vec![(0..n / 2).collect(), (n / 2..n).collect()],
        _ => vec![(0..n).collect()],
    }
}

/// A rank of a grid by its coordinates.
pub(super) fn grid_rank(tp: u32, pp: u32, (t, p, d): (u32, u32, u32)) -> u32 {
    t + tp * (p + pp * d)
}

fn ring_pairs(ring: &[u32]) -> Vec<(u32, u32)> {
    let next = ring.iter().cycle().skip(1);
    let pairs: Vec<_> = ring.iter().zip(next).map(|(a, b)| (*a, *b)).collect();
    match ring.len() {
        0 | 1 => Vec::new(),
        2 => pairs.into_iter().take(1).collect(),
        _ => pairs,
    }
}

/// Pairs of ranks that are connected, each once.
fn neighbours(options: &ClusterOptions) -> Vec<(u32, u32)> {
    let n = options.devices;
    match options.topology {
        Topology::Pair | Topology::Ring => {
            rings(options).iter().flat_map(|ring| ring_pairs(ring)).collect()
        }
        Topology::TwoPlane => {
            let planes = rings(options);
            let peers = (0..n / 2).map(|rank| (rank, rank + n / 2));
            planes.iter().flat_map(|ring| ring_pairs(ring)).chain(peers).collect()
        }
        Topology::Pipeline | Topology::PipelineBackward => (1..n).map(|b| (b - 1, b)).collect(),
        Topology::AllToAll => (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect(),
        Topology::Grid(tp, pp, dp) => {
            let mut pairs = Vec::new();
            for (p, d) in (0..pp).flat_map(|p| (0..dp).map(move |d| (p, d))) {
                let ring: Vec<u32> = (0..tp).map(|t| grid_rank(tp, pp, (t, p, d))).collect();
                pairs.extend(ring_pairs(&ring));
                if p + 1 < pp {
                    pairs.extend(
                        (0..tp).map(|t| {
                            (grid_rank(tp, pp, (t, p, d)), grid_rank(tp, pp, (t, p + 1, d)))
                        }),
                    );
                }
            }
            for (t, p) in (0..tp).flat_map(|t| (0..pp).map(move |p| (t, p))) {
                let ring: Vec<u32> = (0..dp).map(|d| grid_rank(tp, pp, (t, p, d))).collect();
                pairs.extend(ring_pairs(&ring));
            }
            pairs
        }
    }
}
