//! When each command of each rank runs: commands are made in an order in which all that they wait for is known.

use super::changes::Changes;
use super::options::ClusterOptions;
use super::plant::ClusterPlant;
use super::program;
use super::topology::Links;
use crate::rng::Chance;
use crate::{Error, Result};
use bigtpu_messages::error_message;

/// A stretch of own work of a rank.
#[derive(Debug, Clone)]
pub(super) struct Work {
    pub(super) rank: u32,
    /// Operation that it comes before.
    pub(super) operation: u32,
    pub(super) kernel: &'static str,
    /// ns of true time; its operands are loaded until `loaded`, then it computes.
    pub(super) start: f64,
    pub(super) loaded: f64,
    pub(super) end: f64,
}

/// A send and its receive, in ns of true time.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) link: usize,
    /// Operation that it belongs to.
    pub(super) operation: u32,
    pub(super) bytes: u32,
    /// Start, first data, last data, end.
    pub(super) send: [f64; 4],
    pub(super) receive: [f64; 4],
    pub(super) replays: u32,
    /// The receive combines what arrives with what is there.
    pub(super) reduces: bool,
}

/// A communication of some ranks.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) kind: &'static str,
    pub(super) ranks: Vec<u32>,
}

/// A simulated run.
#[derive(Debug)]
pub(super) struct Simulation<'a> {
    pub(super) options: &'a ClusterOptions,
    plants: &'a [ClusterPlant],
    changes: Changes,
    /// Receives combine what arrives.
    pub(super) reduces: bool,
    pub(super) links: Links,
    pub(super) work: Vec<Work>,
    pub(super) pairs: Vec<Pair>,
    pub(super) operations: Vec<Operation>,
    /// When each rank is done with all before, by rank.
    free: Vec<f64>,
    /// When the transmitting and receiving thread of each link is free.
    threads: Vec<[f64; 2]>,
}

/// ns from a send's start, or its credit, to its first data.
const START_UP_NS: f64 = 250.0;
/// ns from the last data of a receive to its end.
const COMPLETION_NS: f64 = 30.0;
/// ns between two commands of a thread, at most.
const GAP_NS: f64 = 40.0;
/// Packets that a bad link sends again with each command.
const REPLAYS: u32 = 3;

impl<'a> Simulation<'a> {
    pub(super) fn run(
        options: &'a ClusterOptions,
        plants: &'a [ClusterPlant],
        changes: Changes,
    ) -> Result<Self> {
        let links = Links::new(options);
        let most = u32::from(links.most_ports());
        if most > options.chip.cdma_ports {
            let (chip, has) = (&options.chip.name, options.chip.cdma_ports);
            let what = error_message!("problem-topology-ports", most, chip, has);
            return Err(Error::Options { what });
        }
        let mut simulation = Self {
            options,
            plants,
            changes,
            reduces: false,
            work: Vec::new(),
            pairs: Vec::new(),
            operations: Vec::new(),
            free: vec![50_000.0; options.devices as usize],
            threads: vec![[0.0; 2]; links.all.len()],
            links,
        };
        program::run(&mut simulation);
        Ok(simulation)
    }

    pub(super) fn free(&self, rank: u32) -> f64 {
        self.free.get(rank as usize).copied().unwrap_or(0.0)
    }

    pub(super) fn keep_until(&mut self, rank: u32, time: f64) {
        if let Some(free) = self.free.get_mut(rank as usize) {
            *free = free.max(time);
        }
    }

    /// A stretch of own work, not before `ready`; returns its end.
    pub(super) fn compute(&mut self, rank: u32, kernel: &'static str, us: f64, ready: f64) -> f64 {
        let number = self.work.len() as u64;
        let mut chance = Chance::seeded(self.options.seed, [number, rank.into(), 11]);
        let vary = 0.97 + 0.06 * unit(&mut chance);
        let vary = if self.changes.no_skew { 1.0 } else { vary };
        let (mut factor, mut late) = (vary, 0.0);
        let planted = self.plants.iter().filter(|_| !self.changes.no_skew);
        for plant in planted {
            match *plant {
                ClusterPlant::LateRank { rank: late_rank, factor: f } if late_rank == rank => {
                    factor *= f;
                }
                ClusterPlant::LateLaunch { rank: late_rank, us } if late_rank == rank => {
                    late += us * 1000.0;
                }
                _ => {}
            }
        }
        let start = self.free(rank).max(ready) + 1500.0 + 1000.0 * unit(&mut chance) + late;
        let end = start + us * 1000.0 * factor;
        let (loaded, end) = self.changes.of_work(self.options, kernel, start, end);
        let operation = self.operations.len() as u32;
        self.work.push(Work { rank, operation, kernel, start, loaded, end });
        self.keep_until(rank, end);
        end
    }

    /// A transfer of the current operation: its send is ready at `ready[0]`, its receive at `ready[1]`. Returns their
    /// ends.
    pub(super) fn transfer(
        &mut self,
        from: u32,
        to: u32,
        nth: usize,
        ready: [f64; 2],
    ) -> Option<[f64; 2]> {
        let options = self.options;
        let number = self.pairs.len() as u64;
        let link = self.links.pick(from, to, nth)?;
        let free = *self.threads.get(link)?;
        let mut chance = Chance::seeded(options.seed, [number, link as u64, 12]);
        let mut latency = options.latency_ns * self.changes.latency;
        if options.asymmetry > 0.0 {
            let share = 2.0 * unit(&mut Chance::seeded(options.seed, [link as u64, 0, 13])) - 1.0;
            latency *= 1.0 + options.asymmetry * share;
        }
        let jitter = |chance: &mut Chance| normal(chance) * options.jitter_ns;
        let (mut factor, mut replays) = (1.0, 0);
        for plant in self.plants {
            match *plant {
                ClusterPlant::SlowLink { from: a, to: b, factor: f } if (a, b) == (from, to) => {
                    factor *= f;
                }
                ClusterPlant::Retries { from: a, to: b } if (a, b) == (from, to) => {
                    replays += REPLAYS;
                }
                _ => {}
            }
        }
        let bytes = options.bytes;
        let factor = factor * self.changes.links;
        let moving = f64::from(bytes) / options.link_gbps * factor + f64::from(replays) * 400.0;
        let mut pauses = Chance::seeded(options.seed, [number, link as u64, 14]);
        let mut pause = || (GAP_NS - options.pause_spread_ns * unit(&mut pauses)).max(1.0);
        let s0 = ready[0].max(free[0] + pause());
        let r0 = ready[1].max(free[1] + pause());
        let credit = r0 + latency + jitter(&mut chance).abs();
        let s1 = s0.max(credit) + START_UP_NS + jitter(&mut chance).abs();
        let s2 = s1 + moving;
        let arrive = (latency + jitter(&mut chance)).max(1.0);
        let r1 = s1 + (latency + jitter(&mut chance)).max(1.0);
        let r2 = (s2 + arrive).max(r1);
        let r3 = r2 + COMPLETION_NS;
        let s3 = s2 + 2.0 * latency + jitter(&mut chance).abs();
        let operation = (self.operations.len() as u32).saturating_sub(1);
        let (send, receive) = ([s0, s1, s2, s3], [r0, r1, r2, r3]);
        let reduces = self.reduces;
        self.pairs.push(Pair { link, operation, bytes, send, receive, replays, reduces });
        if let Some(threads) = self.threads.get_mut(link) {
            *threads = [s3, r3];
        }
        self.keep_until(from, s3);
        self.keep_until(to, r3);
        Some([s3, r3])
    }

    /// End of the last command.
    pub(super) fn end(&self) -> f64 {
        self.free.iter().copied().fold(0.0, f64::max)
    }
}

/// From 0 to 1.
pub(super) fn unit(chance: &mut Chance) -> f64 {
    (chance.bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// Nearly normal, of deviation 1, within ±4.
fn normal(chance: &mut Chance) -> f64 {
    let sum: f64 = (0..12).map(|_| unit(chance)).sum();
    (sum - 6.0).clamp(-4.0, 4.0)
}
