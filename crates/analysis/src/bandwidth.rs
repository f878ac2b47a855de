//! A core's bandwidth over time: GDMA and SDMA together.

use bigtpu_timeline::{Core, Profile};

use crate::dma::dma;

/// Bandwidth from a moment on, until the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandwidthStep {
    /// ns.
    pub time: i64,
    /// DDR, in GB/s.
    pub ddr_gbps: f64,
    /// On-chip shared memory, in GB/s.
    pub l2_gbps: f64,
}

/// Bandwidths have 4 decimals: whole units of 0.0001 GB/s add up without drift.
const UNITS: f64 = 1e4;

/// The steps of a core's bandwidth, in time order. Every transfer counts with its mean bandwidth
/// while it runs; system commands count nothing. Both start and end at 0.
#[must_use]
pub fn core_bandwidth(profile: &Profile<'_>, core: &Core<'_>) -> Vec<BandwidthStep> {
    let mut changes: Vec<(i64, i64, i64)> = Vec::new();
    for track in &core.tracks[1..] {
        let events = &track.events;
        for i in 0..events.len() {
            let view = dma(profile, track, i);
            if view.is_system(profile, track.place.engine) || events.start[i] == events.end[i] {
                continue;
            }
            let units = |gbps: Option<f64>| (gbps.unwrap_or(0.0) * UNITS).round() as i64;
            let (ddr, l2) = (units(view.ddr_gbps), units(view.l2_gbps));
            if (ddr, l2) != (0, 0) {
                changes.push((events.start[i], ddr, l2));
                changes.push((events.end[i], -ddr, -l2));
            }
        }
    }
    changes.sort_unstable_by_key(|c| c.0);
    let (mut ddr, mut l2) = (0, 0);
    let mut steps: Vec<BandwidthStep> = Vec::new();
    for same_time in changes.chunk_by(|a, b| a.0 == b.0) {
        let before = (ddr, l2);
        for &(_, ddr_change, l2_change) in same_time {
            ddr += ddr_change;
            l2 += l2_change;
        }
        if (ddr, l2) != before {
            let time = same_time[0].0;
            let gbps = |units: i64| units as f64 / UNITS;
            steps.push(BandwidthStep { time, ddr_gbps: gbps(ddr), l2_gbps: gbps(l2) });
        }
    }
    steps
}
