//! Gains against the cluster simulated again without the fault.

use bigtpu_synth::{ClusterOptions, ClusterPlant, Program, Topology};

use crate::options;
use crate::support::Run;

/// In a chain that only goes forward the ranks behind a late one always wait for data, so that no link shows how soon a credit
/// would have come; and a rank's first launch is late before its first record.
#[test]
fn gains_are_those_of_the_cluster_without_the_fault_also_in_a_one_way_chain() {
    let (topology, program) = (Topology::Pipeline, Program::Microbatches);
    let mut unknown = 0;
    for devices in 3..=8 {
        for (seed, rank) in [(791, 0), (792, devices / 2), (793, devices - 1)] {
            let seed = seed * 10 + u64::from(devices);
            // A latency that is not the usual one.
            let latency_ns = if rank == 0 { 1200.0 } else { 300.0 };
            let healthy = ClusterOptions {
                topology,
                program,
                operations: 8,
                latency_ns,
                ..options(devices, seed)
            };
            let plant = match devices % 2 {
                0 => ClusterPlant::LateRank { rank, factor: 1.6 },
                _ => ClusterPlant::LateLaunch { rank, us: 90.0 },
            };
            let run = Run::of(&ClusterOptions { plants: vec![plant], ..healthy.clone() });
            let end = |run: &Run| run.truth["end_ns"].as_f64().unwrap();
            let gain = end(&run) - end(&Run::of(&healthy));
            let cluster = run.join();
            let what = format!("{plant:?} of {devices} seed {seed}: {:?}", cluster.verdict);
            // The ranks before a late one go in step with it: links that jitter alone tells apart may stay open.
            if cluster.islands.len() > 1 {
                assert!(rank > 1 && what.contains("No link joins all ranks"), "{what}");
                unknown += 1;
                continue;
            }
            let first = cluster.stragglers.first().unwrap_or_else(|| panic!("{what}"));
            assert_eq!(first.rank, rank, "{what}");
            let error = (first.gain_ns - gain).abs() / end(&run);
            assert!(error <= 0.02, "{what}: {} {gain}", first.gain_ns);
        }
    }
    assert!(unknown <= 4, "{unknown}");
}
