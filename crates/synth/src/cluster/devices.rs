//! The devices of a cluster: names, clocks, and which operations each capture holds.

use super::options::ClusterOptions;
use super::plant::ClusterPlant;
use super::simulation::{Simulation, unit};
use crate::rng::Chance;

/// A device's clock: true time is `a + (1 + b) * t`, in ns, until its knot; from then on it drifts by `b` of the knot.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeviceClock {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) knot: Knot,
}

/// A change of a drift.
#[derive(Debug, Clone, Copy)]
pub(super) struct Knot {
    /// ns of true time.
    pub(super) at: f64,
    pub(super) b: f64,
}

/// All devices, by rank.
#[derive(Debug)]
pub(super) struct Devices {
    pub(super) clocks: Vec<DeviceClock>,
    /// Device number of each rank, over all hosts.
    pub(super) device: Vec<u32>,
    /// First and last operation of each capture.
    pub(super) window: Vec<(u32, u32)>,
    per_host: u32,
}

impl Devices {
    pub(super) fn new(options: &ClusterOptions, simulation: &Simulation<'_>) -> Self {
        let n = options.devices;
        let last = (simulation.operations.len() as u32).saturating_sub(1);
        let clock = |rank: u32| {
            let mut chance = Chance::seeded(options.seed, [rank.into(), 0, 21]);
            let mut signed = || 2.0 * unit(&mut chance) - 1.0;
            let a = signed() * options.offset_ms * 1e6;
            let b = signed() * options.drift_ppm * 1e-6;
            let at = simulation.end() / 2.0;
            DeviceClock { a, b, knot: Knot { at, b: b + signed() * options.knot_ppm * 1e-6 } }
        };
        let window = |rank: u32| {
            let mut chance = Chance::seeded(options.seed, [rank.into(), 0, 22]);
            if options.shifts_windows && last >= 8 {
                (chance.next_below(3) as u32, last - chance.next_below(3) as u32)
            } else {
                // All, also the work behind the last operation.
                (0, u32::MAX)
            }
        };
        let mut device: Vec<u32> = (0..n).collect();
        if options.is_permuted {
            for at in (1..n as usize).rev() {
                let mut chance = Chance::seeded(options.seed, [at as u64, 0, 23]);
                device.swap(at, chance.next_below(at as u64 + 1) as usize);
            }
        }
        Self {
            clocks: (0..n).map(clock).collect(),
            device,
            window: (0..n).map(window).collect(),
            per_host: options.devices_per_host,
        }
    }

    pub(super) fn clock(&self, rank: u32) -> DeviceClock {
        self.clocks.get(rank as usize).copied().unwrap_or(DeviceClock::TRUE)
    }

    /// Host and number on it of a rank's device.
    pub(super) fn place(&self, rank: u32) -> (u32, u32) {
        let device = self.device.get(rank as usize).copied().unwrap_or(rank);
        (device / self.per_host, device % self.per_host)
    }

    /// The directory of a rank's dump.
    pub(super) fn directory(&self, rank: u32) -> String {
        let (host, device) = self.place(rank);
        format!("host{host}/cdm_profile_data_dev{device}-0")
    }

    /// Whether a rank's capture holds an operation.
    pub(super) fn captures(&self, rank: u32, operation: u32) -> bool {
        self.window
            .get(rank as usize)
            .is_some_and(|(first, last)| (*first..=*last).contains(&operation))
    }
}

impl DeviceClock {
    const TRUE: Self = Self { a: 0.0, b: 0.0, knot: Knot { at: 0.0, b: 0.0 } };

    /// True time at ns of the device's clock.
    pub(super) fn time(self, local: f64) -> f64 {
        let at = self.local(self.knot.at);
        if self.knot.b == self.b || local <= at {
            self.a + (1.0 + self.b) * local
        } else {
            self.knot.at + (1.0 + self.knot.b) * (local - at)
        }
    }

    /// ns of the device's clock at a true time.
    pub(super) fn local(self, time: f64) -> f64 {
        let Knot { at, b } = self.knot;
        if b == self.b || time <= at {
            (time - self.a) / (1.0 + self.b)
        } else {
            (at - self.a) / (1.0 + self.b) + (time - at) / (1.0 + b)
        }
    }
}

/// Whether a record of a rank's port is lost.
pub(super) fn is_lost(options: &ClusterOptions, rank: u32, pair: usize, receives: bool) -> bool {
    options.plants.iter().any(|plant| match *plant {
        ClusterPlant::LostRecords { rank: of, share } if of == rank => {
            Chance::seeded(options.seed, [pair as u64, u64::from(receives), 24]).happens(share)
        }
        _ => false,
    })
}
