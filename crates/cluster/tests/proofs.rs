//! The join against what really happened in generated clusters. Figures of longer runs are in docs/cluster.md.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use bigtpu_cluster::report::{Cluster, End};
use bigtpu_cluster::{JoinError, JoinOptions, Part, join};
use bigtpu_synth::{ClusterOptions, ClusterPlant, Moments, Program, Topology};

use support::Run;

fn options(devices: u32, seed: u64) -> ClusterOptions {
    ClusterOptions { seed, operations: 12, ..ClusterOptions::of(devices).unwrap() }
}

fn expected_links(run: &Run) -> usize {
    let links = run.truth["links"].as_array().unwrap();
    let used = |n: usize| {
        run.truth["pairs"].as_array().unwrap().iter().filter(|p| p["link"] == n).count() >= 8
    };
    (0..links.len()).filter(|&n| used(n)).count()
}

/// ns; the greatest error of all clocks.
fn worst(run: &Run, cluster: &Cluster) -> f64 {
    cluster.clocks.iter().map(|c| run.clock_error(cluster, c.rank)).fold(0.0, f64::max)
}

fn check_bounds(run: &Run, cluster: &Cluster) {
    for clock in &cluster.clocks {
        assert!(run.is_within_bounds(cluster, clock.rank), "rank {}: {clock:?}", clock.rank);
    }
}

#[test]
fn links_are_found_from_data_alone_in_all_topologies() {
    let of =
        |devices, topology, program| ClusterOptions { topology, program, ..options(devices, 3) };
    let grid = Topology::Grid(2, 2, 2);
    let all = [
        options(2, 1),
        options(5, 2),
        ClusterOptions { links: 2, splits_ports: true, ..options(4, 4) },
        ClusterOptions { is_permuted: true, shifts_windows: true, operations: 20, ..options(4, 5) },
        ClusterOptions { mode: 0, has_receive_bytes: false, ..options(4, 6) },
        of(6, Topology::TwoPlane, Program::AllReduce),
        of(4, Topology::AllToAll, Program::AllToAll),
        of(4, Topology::Ring, Program::Mixed),
        of(4, Topology::PipelineBackward, Program::Microbatches),
        ClusterOptions { operations: 4, ..of(8, grid, Program::Microbatches) },
    ];
    for options in all {
        let run = Run::of(&options);
        let cluster = run.join();
        let what = format!("{:?} {:?} of {}", options.topology, options.program, options.devices);
        assert_eq!(run.wrong_links(&cluster), 0, "{what}");
        assert_eq!(cluster.links.len(), expected_links(&run), "{what}: {:?}", cluster.ambiguous);
        assert_eq!(cluster.ledger.violations, 0, "{what}");
        check_bounds(&run, &cluster);
        for row in &cluster.clocks {
            let (error, sigma) = (run.clock_error(&cluster, row.rank), row.sigma_ns.unwrap_or(0.0));
            assert!(
                error <= 3.0 * sigma + 1.0,
                "{what}: rank {} {error} ns, sigma {sigma}",
                row.rank
            );
        }
    }
}

#[test]
fn clocks_are_right_with_data_times_and_with_ends_only() {
    // The window is above 110 ms: drift can be seen.
    let long = ClusterOptions { operations: 40, compute_us: 3000.0, ..options(4, 7) };
    let run = Run::of(&long);
    let cluster = run.join();
    assert!(worst(&run, &cluster) <= 20.0, "{}", worst(&run, &cluster));
    for clock in &cluster.clocks {
        let reference = &run.truth["clocks"][cluster.islands[0].reference as usize];
        let own = &run.truth["clocks"][clock.rank as usize];
        let right = own["b_ppm"].as_f64().unwrap() - reference["b_ppm"].as_f64().unwrap();
        assert!((clock.drift_ppm - right).abs() <= 0.1, "{} {right}", clock.drift_ppm);
    }
    let ends = Run::of(&ClusterOptions { moments: Moments::None, ..options(8, 8) });
    let cluster = ends.join();
    assert_eq!(cluster.ranks[0].times, "ends only");
    assert!(worst(&ends, &cluster) <= 250.0, "{}", worst(&ends, &cluster));
    check_bounds(&ends, &cluster);
    let unequal = Run::of(&ClusterOptions { asymmetry: 0.2, ..options(8, 9) });
    let cluster = unequal.join();
    assert!(worst(&unequal, &cluster) <= 150.0, "{}", worst(&unequal, &cluster));
}

/// A ring over several hosts closes once, so the latencies of its two kinds of links cannot be told apart.
#[test]
fn a_ring_over_hosts_violates_no_order() {
    let run = Run::of(&ClusterOptions { devices_per_host: 4, operations: 4, ..options(24, 24) });
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
    let (topology, program) = (Topology::Pipeline, Program::Microbatches);
    let run = Run::of(&ClusterOptions { topology, program, ..options(3, 10) });
    let cluster = run.join();
    assert_eq!(cluster.links.len(), 2);
    assert!(cluster.clocks.iter().skip(1).any(|c| c.method == "bounds only"));
    check_bounds(&run, &cluster);
}

#[test]
fn operations_have_their_kinds_ranks_and_times() {
    let run = Run::of(&ClusterOptions { program: Program::Mixed, ..options(4, 11) });
    let cluster = run.join();
    let truth = run.truth["operations"].as_array().unwrap();
    assert_eq!(cluster.operations.len(), truth.len());
    for (found, right) in cluster.operations.iter().zip(truth) {
        assert_eq!(found.kind, right["kind"].as_str().unwrap());
        assert_eq!(found.source, "kernel");
        let reference = cluster.islands[0].reference;
        for (own, right) in found.ranks.iter().zip(right["ranks"].as_array().unwrap()) {
            assert_eq!(own.rank, right["rank"].as_u64().unwrap() as u32);
            for (own, key) in [(own.arrival_ns, "arrival_ns"), (own.end_ns, "end_ns")] {
                let right = run.own_time(reference, right[key].as_f64().unwrap());
                assert!((own - right).abs() < 60.0, "{key}: {own} {right}");
            }
        }
    }
    // Without names only what the pattern shows for certain.
    let unnamed = Run::of(&ClusterOptions { is_named: false, mode: 0, ..options(4, 12) });
    let cluster = unnamed.join();
    assert_eq!(cluster.operations.len(), 12);
    assert!(cluster.operations.iter().all(|o| o.kind == "ring" && o.source == "pattern"));
    let wire: u64 = cluster.operations.iter().map(|o| o.wire_bytes).sum();
    assert_eq!(wire, 12 * 4 * 12 * 65_536);
}

/// In three operations of a ring and a broadcast the link that closes the ring has too few bursts: without it the ring is a
/// chain, which is no broadcast.
#[test]
fn a_ring_of_which_a_link_is_open_is_no_broadcast() {
    let run = Run::of(&ClusterOptions {
        program: Program::Mixed,
        operations: 4,
        chunks: 3,
        is_named: false,
        mode: 0,
        ..options(5, 130_050)
    });
    let cluster = run.join();
    assert!(!cluster.ambiguous.is_empty(), "{:?}", cluster.links);
    let kinds: Vec<&str> = cluster.operations.iter().map(|o| o.kind).collect();
    assert_eq!(kinds, ["unknown", "unknown", "broadcast", "unknown"]);
}

#[test]
fn states_add_up_and_waits_are_named() {
    let run = Run::of(&options(4, 13));
    let cluster = run.join();
    for row in &cluster.states {
        let s = &row.states;
        let sum = s.compute_ns
            + s.memory_ns
            + s.link_ns
            + s.wait_late_sender_ns
            + s.wait_late_receiver_ns
            + s.wait_collective_ns
            + s.link_overhead_ns
            + s.sync_ns
            + s.launch_ns
            + s.idle_ns
            + s.not_captured_ns
            + s.lost_ns;
        assert_eq!(sum, row.window_ns, "rank {}", row.rank);
        assert!(s.link_ns > 0 && s.compute_ns > 0);
    }
    assert!(cluster.stragglers.is_empty(), "{:?}", cluster.stragglers);
    assert!(
        cluster.ledger.notes.iter().all(|n| !n.contains("replay")),
        "{:?}",
        cluster.ledger.notes
    );
}

#[test]
fn planted_faults_are_named_first() {
    let planted = |plant, seed| {
        let run = Run::of(&ClusterOptions { plants: vec![plant], ..options(6, seed) });
        let cluster = run.join();
        (run, cluster)
    };
    let (run, cluster) = planted(ClusterPlant::LateRank { rank: 3, factor: 1.25 }, 14);
    let first = cluster.stragglers.first().unwrap();
    assert_eq!((first.rank, first.late), (3, 12));
    // The gain is that of the run without the fault.
    let without = Run::of(&options(6, 14));
    let end = |run: &Run| run.truth["end_ns"].as_f64().unwrap();
    let gain = end(&run) - end(&without);
    assert!((first.gain_ns - gain).abs() <= 0.02 * end(&run), "{} {gain}", first.gain_ns);
    assert_eq!(cluster.operations[5].late_because[0].what, "matmul");
    assert!(cluster.verdict[0].starts_with("Rank 3 is late in 12 of 12"), "{:?}", cluster.verdict);
    let (_, cluster) = planted(ClusterPlant::LateLaunch { rank: 2, us: 60.0 }, 15);
    assert_eq!(cluster.stragglers.first().unwrap().rank, 2);
    assert_eq!(cluster.advice.first().unwrap().id, "late-launch");
    let (_, cluster) = planted(ClusterPlant::SlowLink { from: 1, to: 2, factor: 1.5 }, 16);
    let slow = cluster.operations.iter().filter_map(|o| o.slow_link);
    assert!(slow.clone().count() == 12 && slow.clone().all(|l| (l.from, l.to) == (1, 2)));
    let first = cluster.stragglers.first().unwrap();
    assert_eq!((first.gain_ns, first.inherited_from.as_deref()), (0.0, Some("1>2")));
    let (_, cluster) = planted(ClusterPlant::Retries { from: 4, to: 5 }, 17);
    let bad = cluster.links.iter().filter(|l| l.replays > 0).collect::<Vec<_>>();
    assert_eq!((bad.len(), bad[0].from.rank, bad[0].to.rank), (1, 4, 5));
}

#[test]
fn an_unbalanced_stage_of_a_pipeline_is_named() {
    let (topology, program) = (Topology::PipelineBackward, Program::Microbatches);
    let of = |plants| {
        let run = Run::of(&ClusterOptions { topology, program, plants, ..options(4, 25) });
        run.join()
    };
    let cluster = of(vec![ClusterPlant::LateRank { rank: 2, factor: 1.5 }]);
    let first = cluster.advice.first().unwrap();
    assert_eq!(first.id, "stage-imbalance", "{:?}", cluster.advice);
    assert!(first.text.contains("rank 2") && first.gain_ns.unwrap() > 0.0);
    assert!(of(Vec::new()).advice.iter().all(|a| a.id != "stage-imbalance"));
}

#[test]
fn lost_records_are_skipped_and_a_lost_dump_is_survived() {
    let plants = vec![ClusterPlant::LostRecords { rank: 1, share: 0.02 }];
    let run = Run::of(&ClusterOptions { plants, operations: 30, ..options(4, 18) });
    let cluster = run.join();
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (4, 0));
    assert!(cluster.links.iter().map(|l| l.unpaired_inside).sum::<usize>() > 0);
    assert_eq!(cluster.ledger.violations, 0, "{:?}", cluster.links);
    let plants = vec![ClusterPlant::LostDump { rank: 1 }];
    let run = Run::of(&ClusterOptions { plants, ..options(4, 19) });
    let cluster = run.join_with(&JoinOptions { missing: vec![1], ..JoinOptions::default() });
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (2, 0), "{:?}", cluster.links);
    assert!(cluster.ranks[1].missing && cluster.verdict[0].contains("1 of 4 ranks has no dump"));
}

/// The oldest records are gone, and with them what ties a port to its device's clock: links stay open rather than wrong.
/// A ring moves all alike, and of each operation a record is lost: only the pauses between operations tell which is which.
#[test]
fn records_lost_in_each_burst_leave_the_bursts() {
    let run = Run::of(&ClusterOptions {
        plants: vec![ClusterPlant::LostRecords { rank: 1, share: 0.02 }],
        shifts_windows: true,
        operations: 14,
        chunks: 2,
        compute_us: 50.0,
        seed: 790_098,
        mode: 1,
        ..options(21, 1)
    });
    let cluster = run.join();
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (21, 0));
}

/// All wait for the last stage, or for the late rank: only jitter tells links apart, and to exchange two partners both must
/// fit worse.
#[test]
fn what_a_late_rank_keeps_in_step_is_paired() {
    let with_late_rank = |devices, topology, program, rank| {
        Run::of(&ClusterOptions {
            topology,
            program,
            plants: vec![ClusterPlant::LateRank { rank, factor: 1.3 }],
            operations: 20,
            ..options(devices, 0)
        })
    };
    let run = with_late_rank(6, Topology::Pipeline, Program::Microbatches, 5);
    let cluster = run.join();
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (5, 0), "{:?}", cluster.ambiguous);
    let run = with_late_rank(8, Topology::AllToAll, Program::AllToAll, 3);
    let cluster = run.join();
    assert!(cluster.links.len() >= 54, "{:?}", cluster.ambiguous);
    assert_eq!(run.wrong_links(&cluster), 0);
    // Where a link stays open, a prediction says what it does not know.
    let scales = vec!["rank:3=0.5".parse().unwrap()];
    let cluster = run.join_with(&JoinOptions { scales, ..JoinOptions::default() });
    let is_told = cluster.ledger.notes.iter().any(|note| note.contains("have no partner"));
    assert_eq!(is_told, !cluster.ambiguous.is_empty(), "{:?}", cluster.ledger.notes);
}

/// The stage behind the lost one posts its receives when the stage before it may send again: they fit each other, but for
/// commands that are alone, and no record is lost.
#[test]
fn stages_in_step_are_no_link() {
    let run = Run::of(&ClusterOptions {
        topology: Topology::Pipeline,
        program: Program::Microbatches,
        plants: vec![ClusterPlant::LostDump { rank: 2 }],
        operations: 12,
        microbatches: 3,
        mode: 2,
        ..options(8, 790_090)
    });
    let cluster = run.join();
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (5, 0), "{:?}", cluster.links);
    assert!(cluster.ambiguous.iter().any(|row| row.why.contains("no record is lost")));
}

#[test]
fn a_full_ring_of_records_makes_no_wrong_link() {
    let plants = vec![ClusterPlant::RingFull { rank: 1 }];
    let run = Run::of(&ClusterOptions { plants, operations: 30, ..options(4, 26) });
    let cluster = run.join();
    assert_eq!(run.wrong_links(&cluster), 0, "{:?}", cluster.links);
    assert_eq!(2 * cluster.links.len() + cluster.ambiguous.len(), 8, "{:?}", cluster.ambiguous);
    assert_eq!(cluster.ledger.violations, 0, "{:?}", cluster.links);
    assert!(cluster.ranks[1].lost_records > 0);
    // Data records are not taken for the pair, and the ports' clock is not taken for the device's.
    let is_told =
        |note: &String| note.starts_with("rank 1: ports") && note.contains("no sync pair");
    assert!(cluster.ledger.notes.iter().any(is_told), "{:?}", cluster.ledger.notes);
}

/// One line is fitted to a clock whose drift changes. What that leaves is above the jitter of other links, so that such
/// links may stay open; none is wrong.
#[test]
fn a_drift_that_changes_makes_no_wrong_link() {
    let of = |knot_ppm| {
        let options = options(4, 27);
        Run::of(&ClusterOptions { knot_ppm, compute_us: 3000.0, operations: 40, ..options })
    };
    let run = of(20.0);
    let cluster = run.join();
    assert_eq!(run.wrong_links(&cluster), 0, "{:?}", cluster.links);
    // Each of the four links is accepted, or both its ends are listed.
    assert_eq!(2 * cluster.links.len() + cluster.ambiguous.len(), 8, "{:?}", cluster.ambiguous);
    let run = of(0.0);
    assert_eq!((run.join().links.len(), run.wrong_links(&run.join())), (4, 0));
}

/// The stages of a pipeline in their order, and how long each only waits.
#[test]
fn bubbles_of_a_pipeline_are_by_stage() {
    let (topology, program) = (Topology::PipelineBackward, Program::Microbatches);
    let run = Run::of(&ClusterOptions { topology, program, microbatches: 4, ..options(4, 28) });
    let cluster = run.join();
    let stages: Vec<(usize, usize)> =
        cluster.stages.iter().map(|s| (s.pipeline, s.stage)).collect();
    assert_eq!(stages, [(0, 0), (0, 1), (0, 2), (0, 3)], "{:?}", cluster.stages);
    for (row, state) in cluster.stages.iter().zip(&cluster.states) {
        assert_eq!((row.rank as usize, row.rank), (row.stage, state.rank));
        let waits = state.states.wait_late_sender_ns + state.states.wait_late_receiver_ns;
        assert!(row.bubble_ns == waits && row.bubble_share > 0.05, "{row:?}");
    }
    assert!(cluster.advice.iter().any(|a| a.id == "pipeline-bubble"), "{:?}", cluster.advice);
    assert!(Run::of(&options(4, 29)).join().stages.is_empty());
}

#[test]
fn islands_and_wrong_statements_are_told() {
    let run = Run::of(&ClusterOptions { plants: vec![ClusterPlant::TwoIslands], ..options(6, 20) });
    let cluster = run.join();
    assert_eq!((cluster.islands.len(), run.wrong_links(&cluster)), (2, 0));
    assert!(cluster.verdict[0].contains("2 islands"));
    let run = Run::of(&options(4, 21));
    let right = run.join();
    let given: Vec<(End, End)> = right.links.iter().map(|l| (l.from, l.to)).collect();
    let stated = run.join_with(&JoinOptions { given: given.clone(), ..JoinOptions::default() });
    assert!(stated.links.iter().all(|l| l.how == "given"));
    let wrong: Vec<_> = (0..4).map(|at| (given[at].0, given[(at + 1) % 4].1)).collect();
    let told = run.join_with(&JoinOptions { given: wrong, ..JoinOptions::default() });
    assert!(told.links.iter().all(|l| l.how == "data") && run.wrong_links(&told) == 0);
    assert_eq!(told.ambiguous.iter().filter(|a| a.why.contains("contradicts")).count(), 4);
    // Ranks 0 and 1 with each other's numbers: the ring has another order.
    let mut swapped = run.ranks.clone();
    swapped.iter_mut().filter(|r| r.number < 2).for_each(|r| r.number = 1 - r.number);
    let cluster = join(swapped, &JoinOptions::default()).unwrap().cluster;
    assert!(cluster.ledger.notes.iter().any(|n| n.contains("check the rank table")));
}

#[test]
fn predictions_are_those_of_the_cluster_simulated_again() {
    let run = Run::of(&ClusterOptions { operations: 20, ..options(4, 22) });
    let whatif = run.truth["whatif"].as_array().unwrap();
    let scales = whatif.iter().map(|w| w["scale"].as_str().unwrap().parse().unwrap()).collect();
    let cluster = run.join_with(&JoinOptions { scales, ..JoinOptions::default() });
    let end = run.truth["end_ns"].as_f64().unwrap();
    let mut errors: Vec<f64> = Vec::new();
    for right in whatif {
        let scale = right["scale"].as_str().unwrap();
        let found = cluster.whatif.iter().find(|w| w.scale == scale).unwrap();
        let gain = end - right["end_ns"].as_f64().unwrap();
        errors.push((found.gain_ns - gain).abs() / end);
    }
    errors.sort_by(f64::total_cmp);
    assert!(errors.len() >= 12);
    assert!(errors[errors.len() / 2] <= 0.02 && errors[errors.len() - 1] <= 0.06, "{errors:?}");
}

#[test]
fn parts_and_order_change_nothing() {
    let run = Run::of(&options(4, 23));
    let text = |ranks| {
        serde_json::to_string(&join(ranks, &JoinOptions::default()).unwrap().cluster).unwrap()
    };
    let direct = text(run.ranks.clone());
    let mut ranks = run.ranks.clone();
    ranks.reverse();
    for rank in &mut ranks {
        let bytes = rank.part.encode().unwrap();
        rank.part = Part::decode(&bytes).unwrap();
        // Commands take most of a part without many events.
        assert!(bytes.len() < 100 * rank.part.command_count() + rank.part.events as usize);
    }
    assert_eq!(text(ranks), direct);
    let one = vec![run.ranks[0].clone()];
    assert_eq!(join(one, &JoinOptions::default()).err().unwrap(), JoinError::TooFew(1));
}
