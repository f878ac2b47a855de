//! Operations and states.

use bigtpu_synth::{ClusterOptions, ClusterTraffic, Topology};

use crate::options;
use crate::support::Run;

#[test]
fn operations_have_their_kinds_ranks_and_times() {
    let run = Run::make(&ClusterOptions { program: ClusterTraffic::Mixed, ..options(4, 11) });
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
                let own = own.unwrap();
                let right = run.own_time(reference, right[key].as_f64().unwrap());
                assert!((own - right).abs() < 60.0, "{key}: {own} {right}");
            }
        }
    }
    // Without names only what the pattern shows for certain.
    let unnamed = Run::make(&ClusterOptions { is_named: false, mode: 0, ..options(4, 12) });
    let cluster = unnamed.join();
    assert_eq!(cluster.operations.len(), 12);
    assert!(cluster.operations.iter().all(|o| o.kind == "ring" && o.source == "pattern"));
    let wire: u64 = cluster.operations.iter().filter_map(|o| o.wire_bytes).sum();
    assert_eq!(wire, 12 * 4 * 12 * 65_536);
}

/// What the runtime makes of four devices: two planes of two, which look like one ring.
#[test]
fn two_planes_are_known_by_the_bits_and_are_no_ring_in_a_wrong_order() {
    for (devices, pause_spread_ns, links) in [(4, 0.0, 1), (4, 15.0, 2), (6, 15.0, 1), (8, 5.0, 1)]
    {
        let run = Run::make(&ClusterOptions {
            topology: Topology::TwoPlane,
            is_named: false,
            mode: 2,
            pause_spread_ns,
            links,
            ..options(devices, 17)
        });
        let cluster = run.join();
        let kinds: Vec<_> = cluster.operations.iter().map(|o| (o.kind, o.source)).collect();
        let known = kinds.iter().filter(|kind| **kind == ("all_reduce", "reduce bits")).count();
        assert_eq!((kinds.len(), known), (12, 12), "{devices} {kinds:?}");
        // A port's reset comes before all that it does in the call, so that each record has its command.
        assert!(cluster.ranks.iter().all(|rank| rank.lost_records == 0), "{:?}", cluster.ranks);
        let notes = cluster.ledger.notes.english();
        assert!(notes.iter().all(|note| !note.contains("check the rank table")), "{notes:?}");
        assert!(cluster.stragglers.is_empty(), "{:?}", cluster.stragglers);
    }
}

/// In three operations of a ring and a broadcast the link that closes the ring has too few bursts: without it the ring is a
/// chain, which is no broadcast.
#[test]
fn a_ring_of_which_a_link_is_open_is_no_broadcast() {
    let run = Run::make(&ClusterOptions {
        program: ClusterTraffic::Mixed,
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
    // What the open link moved is not known.
    let bytes: Vec<Option<u64>> = cluster.operations.iter().map(|o| o.wire_bytes).collect();
    assert_eq!(bytes, [None, None, Some(4 * 3 * 65_536), None]);
}

#[test]
fn states_add_up_and_waits_are_named() {
    let run = Run::make(&options(4, 13));
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
        cluster.ledger.notes.english().iter().all(|n| !n.contains("replay")),
        "{:?}",
        cluster.ledger.notes.english()
    );
}

/// The stages of a pipeline in their order, and how long each only waits.
#[test]
fn bubbles_of_a_pipeline_are_by_stage() {
    let (topology, program) = (Topology::PipelineBackward, ClusterTraffic::Microbatches);
    let run = Run::make(&ClusterOptions { topology, program, microbatches: 4, ..options(4, 28) });
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
    assert!(Run::make(&options(4, 29)).join().stages.is_empty());
}
