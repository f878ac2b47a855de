//! Clocks: offsets, drifts, bounds.

use bigtpu_cluster::report::Cluster;
use bigtpu_synth::{ClusterOptions, ClusterTraffic, Moments, Topology};

use crate::support::Run;
use crate::{check_bounds, options};

/// ns; the greatest error of all clocks.
fn worst(run: &Run, cluster: &Cluster) -> f64 {
    cluster.clocks.iter().map(|c| run.clock_error(cluster, c.rank)).fold(0.0, f64::max)
}

#[test]
fn clocks_are_right_with_data_times_and_with_ends_only() {
    // The window is above 110 ms: drift can be seen.
    let long = ClusterOptions { operations: 40, compute_us: 3000.0, ..options(4, 7) };
    let run = Run::make(&long);
    let cluster = run.join();
    assert!(worst(&run, &cluster) <= 20.0, "{}", worst(&run, &cluster));
    for clock in &cluster.clocks {
        let reference = &run.truth["clocks"][cluster.islands[0].reference as usize];
        let own = &run.truth["clocks"][clock.rank as usize];
        let right = own["b_ppm"].as_f64().unwrap() - reference["b_ppm"].as_f64().unwrap();
        assert!((clock.drift_ppm - right).abs() <= 0.1, "{} {right}", clock.drift_ppm);
    }
    let ends = Run::make(&ClusterOptions { moments: Moments::None, ..options(8, 8) });
    let cluster = ends.join();
    assert_eq!(cluster.ranks[0].times, "ends only");
    assert!(worst(&ends, &cluster) <= 250.0, "{}", worst(&ends, &cluster));
    check_bounds(&ends, &cluster);
    let unequal = Run::make(&ClusterOptions { asymmetry: 0.2, ..options(8, 9) });
    let cluster = unequal.join();
    assert!(worst(&unequal, &cluster) <= 150.0, "{}", worst(&unequal, &cluster));
}

/// A ring over several hosts closes once, so the latencies of its two kinds of links cannot be told apart.
#[test]
fn a_ring_over_hosts_violates_no_order() {
    let run = Run::make(&ClusterOptions { devices_per_host: 4, operations: 4, ..options(24, 24) });
    let cluster = run.join();
    assert_eq!((cluster.ledger.violations, cluster.links.len()), (0, 24));
    check_bounds(&run, &cluster);
    for row in &cluster.clocks {
        let (error, sigma) = (run.clock_error(&cluster, row.rank), row.sigma_ns.unwrap_or(0.0));
        assert!(error <= 150.0 && error <= 3.0 * sigma + 1.0, "{} {error} {sigma}", row.rank);
    }
}

#[test]
fn a_one_way_chain_has_bounds_and_no_more() {
    let (topology, program) = (Topology::Pipeline, ClusterTraffic::Microbatches);
    let run = Run::make(&ClusterOptions { topology, program, ..options(3, 10) });
    let cluster = run.join();
    assert_eq!(cluster.links.len(), 2);
    assert!(cluster.clocks.iter().skip(1).any(|c| c.method == "bounds only"));
    check_bounds(&run, &cluster);
}

/// However many ranks follow one another: what pulls levels to 0 must not make a latency that nothing else shows negative, and then
/// the orders of all links wrong.
#[test]
fn a_chain_of_hundreds_keeps_its_links_and_its_latency() {
    let (topology, program) = (Topology::Pipeline, ClusterTraffic::Microbatches);
    let long = ClusterOptions::for_devices(256).unwrap();
    let run = Run::make(&ClusterOptions { topology, program, operations: 1, ..long });
    let cluster = run.join();
    assert_eq!((cluster.links.len(), cluster.ledger.violations), (255, 0));
    assert!(worst(&run, &cluster) <= 5_000.0, "{}", worst(&run, &cluster));
    check_bounds(&run, &cluster);
}
