//! Clusters of all kinds.

use bigtpu_synth::{ClusterOptions, ClusterTraffic, Moments, Topology};

use crate::random::Random;

/// The standard deviations of latencies, in ns.
pub(crate) const JITTER_NS: [f64; 6] = [5.0, 20.0, 50.0, 100.0, 200.0, 500.0];

/// A healthy cluster of 2 to 64 devices: any topology, program, capture mode, records, ports, clocks.
pub(crate) fn cluster(seed: u64, run: u64) -> ClusterOptions {
    let mut random = Random::seeded(seed, run);
    let between =
        |random: &mut Random, low: u64, high: u64| (low + random.next_below(high - low + 1)) as u32;
    // Small ones more often than large ones.
    let most = random.of_list(&[8, 8, 16, 16, 32, 64]);
    let (devices, topology) = match random.next_below(8) {
        0 => (2, Topology::Pair),
        1 | 2 => (between(&mut random, 3, most), Topology::Ring),
        3 => (2 * between(&mut random, 3, most / 2), Topology::TwoPlane),
        4 => (between(&mut random, 2, most), Topology::Pipeline),
        5 => (between(&mut random, 2, most), Topology::PipelineBackward),
        6 => (between(&mut random, 3, 8), Topology::AllToAll),
        _ => {
            let sizes = [1, 2, 2, 3, 4].map(|n: u32| n);
            let mut of = || random.of_list(&sizes);
            let (tp, pp, dp) = (of(), of(), of());
            match tp * pp * dp {
                1 => (2, Topology::Grid(2, 1, 1)),
                n => (n, Topology::Grid(tp, pp, dp)),
            }
        }
    };
    let program = match topology {
        Topology::Pipeline | Topology::PipelineBackward | Topology::Grid(..) => {
            ClusterTraffic::Microbatches
        }
        Topology::AllToAll => ClusterTraffic::AllToAll,
        Topology::TwoPlane => ClusterTraffic::AllReduce,
        _ => random.of_list(&[
            ClusterTraffic::AllReduce,
            ClusterTraffic::AllGather,
            ClusterTraffic::Mixed,
        ]),
    };
    let microbatches = between(&mut random, 2, 8);
    let chunks = between(&mut random, 1, 4);
    let operations = match topology {
        // A step of a pipeline has many hops, and each link must have 8 commands.
        Topology::Pipeline | Topology::PipelineBackward => 8u32.div_ceil(microbatches) + 1,
        Topology::Grid(..) => 8u32.div_ceil(microbatches) + 3,
        Topology::AllToAll => 8 + between(&mut random, 0, 12),
        _ => 8u32.div_ceil(chunks) + between(&mut random, 0, if devices > 16 { 4 } else { 20 }),
    };
    let links = if matches!(topology, Topology::Ring | Topology::Pair) && random.happens(20) {
        2
    } else {
        1
    };
    ClusterOptions {
        topology,
        program,
        operations: operations * links,
        microbatches,
        chunks,
        links,
        bytes: random.of_list(&[4096, 32_768, 65_536, 262_144]),
        mode: random.next_below(3) as u8,
        is_named: random.happens(60),
        has_resets: random.happens(80),
        moments: random.of_list(&[Moments::Link, Moments::Link, Moments::Memory, Moments::None]),
        has_receive_bytes: random.happens(70),
        // A port for each direction of each link: a chip has 11.
        splits_ports: random.happens(30)
            && !matches!(topology, Topology::AllToAll | Topology::Grid(..)),
        is_permuted: random.happens(50),
        shifts_windows: random.happens(40),
        offset_ms: random.of_list(&[0.1, 5.0, 10_000.0]),
        drift_ppm: random.of_list(&[10.0, 50.0, 100.0]),
        jitter_ns: random.of_list(&JITTER_NS),
        compute_us: random.of_list(&[50.0, 200.0, 1000.0]),
        load_share: random.of_list(&[0.0, 0.3]),
        devices_per_host: random.of_list(&[4, 8]),
        has_messages: random.happens(30),
        wraps: random.happens(10),
        seed: seed * 10_000 + run,
        ..ClusterOptions::for_devices(devices).unwrap()
    }
}
