//! Gains against the cluster simulated again without the fault.

use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Moments, Topology};

use crate::options;
use crate::support::Run;

/// In a chain that only goes forward the ranks behind a late one always wait for data, so that no link shows how soon a credit
/// would have come; and a rank's first launch is late before its first record.
#[test]
fn gains_are_those_of_the_cluster_without_the_fault_also_in_a_one_way_chain() {
    let (topology, program) = (Topology::Pipeline, ClusterTraffic::Microbatches);
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
            let run = Run::make(&ClusterOptions { plants: vec![plant], ..healthy.clone() });
            let end = |run: &Run| run.truth["end_ns"].as_f64().unwrap();
            let gain = end(&run) - end(&Run::make(&healthy));
            let cluster = run.join();
            let what = format!("{plant:?} of {devices} seed {seed}: {:?}", cluster.verdict);
            // The ranks before a late one go in step with it: links that jitter alone tells apart may stay open.
            if cluster.islands.len() > 1 {
                let told = ["no message joins all ranks", "could not be put on one clock"];
                assert!(rank > 1 && told.iter().any(|told| what.contains(told)), "{what}");
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

/// Ports pause for some ns more or less between two commands: what else of the rank ended meanwhile is not what the next one waited for.
#[test]
fn gains_do_not_depend_on_pauses_that_vary() {
    for (devices, seed) in [(4, 801), (8, 802), (16, 803)] {
        let healthy = ClusterOptions {
            topology: Topology::Ring,
            operations: 6,
            pause_spread_ns: 35.0,
            ..options(devices, seed)
        };
        let plant = ClusterPlant::LateRank { rank: devices / 2, factor: 1.5 };
        let run = Run::make(&ClusterOptions { plants: vec![plant], ..healthy.clone() });
        let end = |run: &Run| run.truth["end_ns"].as_f64().unwrap();
        let gain = end(&run) - end(&Run::make(&healthy));
        let cluster = run.join();
        let what = format!("{devices} ranks: {:?}", cluster.verdict);
        let first = cluster.stragglers.first().unwrap_or_else(|| panic!("{what}"));
        assert_eq!(first.rank, devices / 2, "{what}");
        let error = (first.gain_ns - gain).abs() / end(&run);
        assert!(error <= 0.02, "{what}: {} {gain}", first.gain_ns);
    }
}

/// Where records have no moments of data, a slow link shows in how long its transfers take; jitter alone makes none.
#[test]
fn slow_links_are_found_where_only_ends_are_known() {
    let moments = Moments::None;
    for (devices, seed) in [(2, 794), (7, 795)] {
        let healthy = ClusterOptions { moments, ..options(devices, seed) };
        let (from, to) = if devices == 2 { (1, 0) } else { (4, 5) };
        let slow = ClusterPlant::SlowLink { from, to, factor: 1.8 };
        for plant in [slow, ClusterPlant::Retries { from, to }] {
            let run = Run::make(&ClusterOptions { plants: vec![plant], ..healthy.clone() });
            let end = |run: &Run| run.truth["end_ns"].as_f64().unwrap();
            let gain = end(&run) - end(&Run::make(&healthy));
            let cluster = run.join();
            let name = format!("link:{from}>{to}=");
            let row = cluster.whatif.iter().find(|row| row.scale.starts_with(&name));
            let said = row.unwrap_or_else(|| panic!("{plant:?}: {:?}", cluster.verdict)).gain_ns;
            assert!((said - gain).abs() <= 0.02 * end(&run), "{plant:?}: {said} {gain}");
            let mut slow = cluster.operations.iter().filter_map(|o| o.slow_link);
            assert!(slow.all(|link| (link.from, link.to) == (from, to)), "{plant:?}");
        }
    }
    for (jitter_ns, bytes) in [(500.0, 65_536), (200.0, 4096)] {
        let run = Run::make(&ClusterOptions { moments, jitter_ns, bytes, ..options(6, 796) });
        let cluster = run.join();
        assert!(cluster.operations.iter().all(|o| o.slow_link.is_none()), "{:?}", cluster.verdict);
    }
}

/// Where jitter alone tells the links of a late rank apart, some stay open: in an alltoall their commands wait for the last
/// rank, whoever their partners are.
#[test]
fn an_alltoall_of_which_links_are_open_has_the_gain_of_its_late_rank() {
    let mut open = 0;
    for (devices, seed) in [(4, 797), (6, 798), (8, 799)] {
        let healthy = ClusterOptions {
            topology: Topology::AllToAll,
            program: ClusterTraffic::AllToAll,
            ..options(devices, seed)
        };
        for plant in [
            ClusterPlant::LateRank { rank: 1, factor: 1.7 },
            ClusterPlant::LateLaunch { rank: 1, us: 150.0 },
        ] {
            let run = Run::make(&ClusterOptions { plants: vec![plant], ..healthy.clone() });
            let end = |run: &Run| run.truth["end_ns"].as_f64().unwrap();
            let gain = end(&run) - end(&Run::make(&healthy));
            let cluster = run.join();
            open += cluster.ambiguous.len();
            let first = &cluster.stragglers[0];
            let error = (first.gain_ns - gain).abs() / end(&run);
            assert!(first.rank == 1 && error <= 0.02, "{plant:?}: {first:?} {gain}");
            assert!(cluster.ledger.notes.english().iter().all(|note| !note.contains("replay")));
        }
    }
    assert!(open > 0);
}

/// Ports that lost their place on the device's clock seem late: without anything that the rank does longer it is not.
#[test]
fn a_rank_whose_gain_is_not_known_is_late_only_for_a_cause() {
    let plants = vec![ClusterPlant::RingFull { rank: 1 }];
    let cluster = Run::make(&ClusterOptions { plants, operations: 20, ..options(2, 0) }).join();
    assert!(cluster.stragglers.is_empty(), "{:?}", cluster.verdict);
}
