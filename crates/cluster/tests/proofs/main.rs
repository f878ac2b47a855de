//! The join against what really happened in generated clusters. Figures of longer runs are in
//! docs/proof/cluster.md.
#![allow(clippy::unwrap_used, reason = "tests")]

mod clocks;
mod faults;
mod gains;
mod links;
mod losses;
mod operations;
mod parts;
#[path = "../support/mod.rs"]
mod support;

use bigtpu_cluster::report::Cluster;
use bigtpu_synth::ClusterOptions;

use support::Run;

fn options(devices: u32, seed: u64) -> ClusterOptions {
    ClusterOptions { seed, operations: 12, ..ClusterOptions::for_devices(devices).unwrap() }
}

fn check_bounds(run: &Run, cluster: &Cluster) {
    for clock in &cluster.clocks {
        assert!(run.is_within_bounds(cluster, clock.rank), "rank {}: {clock:?}", clock.rank);
    }
}
