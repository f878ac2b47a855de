//! Records, dumps and clocks that are not whole: links stay open rather than wrong.

use bigtpu_cluster::JoinOptions;
use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Topology};

use crate::options;
use crate::support::Run;

#[test]
fn lost_records_are_skipped_and_a_lost_dump_is_survived() {
    let plants = vec![ClusterPlant::LostRecords { rank: 1, share: 0.02 }];
    let run = Run::make(&ClusterOptions { plants, operations: 30, ..options(4, 18) });
    let cluster = run.join();
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (4, 0));
    assert!(cluster.links.iter().map(|l| l.unpaired_inside).sum::<usize>() > 0);
    assert_eq!(cluster.ledger.violations, 0, "{:?}", cluster.links);
    let plants = vec![ClusterPlant::LostDump { rank: 1 }];
    let run = Run::make(&ClusterOptions { plants, ..options(4, 19) });
    let cluster = run.join_with(&JoinOptions { missing: vec![1], ..JoinOptions::default() });
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (2, 0), "{:?}", cluster.links);
    assert!(cluster.ranks[1].missing && cluster.verdict[0].contains("1 of 4 ranks has no dump"));
}

/// The record in which ids begin anew may be lost, and others may be given commands of another call: operations are those of the
/// ranks that lost nothing.
#[test]
fn lost_records_do_not_join_operations() {
    for (ranks, topology, seed) in [
        (8, Topology::Ring, 0),
        (8, Topology::Ring, 1),
        (4, Topology::Ring, 2),
        (2, Topology::Pair, 3),
        (4, Topology::AllToAll, 4),
        (6, Topology::TwoPlane, 5),
    ] {
        let plants = vec![ClusterPlant::LostRecords { rank: 1, share: 0.02 }];
        let run =
            Run::make(&ClusterOptions { plants, topology, operations: 20, ..options(ranks, seed) });
        let cluster = run.join();
        assert!(cluster.ranks[1].lost_records > 0);
        assert_eq!(cluster.operations.len(), 20, "{topology:?} {seed}");
        assert!(cluster.operations.iter().all(|o| o.ranks.len() == ranks as usize));
    }
}

/// A ring moves all alike, and of each operation a record is lost: only the pauses between operations tell which is which.
#[test]
fn records_lost_in_each_burst_leave_the_bursts() {
    let run = Run::make(&ClusterOptions {
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

/// The stage behind the lost one posts its receives when the stage before it may send again: they fit each other, but for
/// commands that are alone, and no record is lost.
#[test]
fn stages_in_step_are_no_link() {
    let run = Run::make(&ClusterOptions {
        topology: Topology::Pipeline,
        program: ClusterTraffic::Microbatches,
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

/// The oldest records are gone, and with them what ties a port to its device's clock: links stay open rather than wrong.
#[test]
fn a_full_ring_of_records_makes_no_wrong_link() {
    let plants = vec![ClusterPlant::RingFull { rank: 1 }];
    let run = Run::make(&ClusterOptions { plants, operations: 30, ..options(4, 26) });
    let cluster = run.join();
    assert_eq!(run.wrong_links(&cluster), 0, "{:?}", cluster.links);
    assert_eq!(2 * cluster.links.len() + cluster.ambiguous.len(), 8, "{:?}", cluster.ambiguous);
    assert_eq!(cluster.ledger.violations, 0, "{:?}", cluster.links);
    assert!(cluster.ranks[1].lost_records > 0);
    // Data records are not taken for the pair, and the ports' clock is not taken for the device's.
    let is_told =
        |note: &String| note.starts_with("rank 1: ports") && note.contains("no sync pair");
    assert!(
        cluster.ledger.notes.english().iter().any(is_told),
        "{:?}",
        cluster.ledger.notes.english()
    );
}

/// One line is fitted to a clock whose drift changes. What that leaves is above the jitter of other links, so that such
/// links may stay open; none is wrong.
#[test]
fn a_drift_that_changes_makes_no_wrong_link() {
    let of = |knot_ppm| {
        let options = options(4, 27);
        Run::make(&ClusterOptions { knot_ppm, compute_us: 3000.0, operations: 40, ..options })
    };
    let run = of(20.0);
    let cluster = run.join();
    assert_eq!(run.wrong_links(&cluster), 0, "{:?}", cluster.links);
    // Each of the four links is accepted, or both its ends are listed.
    assert_eq!(2 * cluster.links.len() + cluster.ambiguous.len(), 8, "{:?}", cluster.ambiguous);
    let run = of(0.0);
    assert_eq!((run.join().links.len(), run.wrong_links(&run.join())), (4, 0));
}

/// Sends and receives come in turn, each in a call of its own. Behind a lost record the others may be joined to the command
/// of the call before or behind them: their threads still say which way data went, and their moments count.
#[test]
fn moments_of_data_outlive_lost_records() {
    for seed in 0..4 {
        let run = Run::make(&ClusterOptions {
            topology: Topology::PipelineBackward,
            program: ClusterTraffic::Microbatches,
            plants: vec![ClusterPlant::LostRecords { rank: 1, share: 0.02 }],
            mode: 2,
            microbatches: 7,
            has_messages: seed % 2 > 0,
            ..options(4, seed)
        });
        let threads = run.ranks.iter().flat_map(|rank| &rank.part.threads);
        let ends_only = threads.filter(|thread| !thread.has_moments).count();
        assert_eq!(ends_only, 0, "seed {seed}");
        assert_eq!(run.wrong_links(&run.join()), 0, "seed {seed}");
    }
}

/// A rank whose ports have a time of their own is late: its partners' clocks show when it came. What it waited for on its
/// device is not known, so that nothing is predicted.
#[test]
fn a_late_rank_with_a_full_ring_is_named_without_a_gain() {
    let plants =
        vec![ClusterPlant::RingFull { rank: 1 }, ClusterPlant::LateRank { rank: 1, factor: 1.3 }];
    let run = Run::make(&ClusterOptions { plants, operations: 30, ..options(4, 26) });
    let cluster = run.join();
    let clock = &cluster.clocks[1];
    assert_eq!(
        (clock.method, clock.sigma_ns, clock.bound_low_ns),
        ("ports not placed", None, None)
    );
    let first = cluster.stragglers.first().unwrap();
    assert_eq!((first.rank, first.gain_ns), (1, 0.0));
    assert!(first.late >= 20, "{first:?}");
    assert!(cluster.whatif.is_empty() && cluster.critical_path.is_none(), "{:?}", cluster.whatif);
    let truth = run.truth["operations"].as_array().unwrap();
    let reference = cluster.islands[0].reference;
    let mut seen = 0;
    for found in cluster.operations.iter().filter(|o| o.ranks.len() == 4).skip(1) {
        let time = |right: &serde_json::Value| {
            run.own_time(reference, right["ranks"][1]["arrival_ns"].as_f64().unwrap())
        };
        let own = found.ranks[1].arrival_ns.unwrap();
        let off = truth.iter().map(|right| (time(right) - own).abs()).fold(f64::INFINITY, f64::min);
        assert!(off < 1000.0, "{off}");
        seen += 1;
    }
    assert!(seen >= 20, "{seen}");
}

/// All ranks' rings were full: their ports pair, and nothing relates their times.
#[test]
fn full_rings_of_all_ranks_show_no_times() {
    let plants = (0..4).map(|rank| ClusterPlant::RingFull { rank }).collect();
    let run = Run::make(&ClusterOptions { plants, operations: 30, ..options(4, 26) });
    let cluster = run.join();
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (4, 0));
    assert!(cluster.operations.is_empty() && cluster.whatif.is_empty());
    assert!(cluster.verdict[0].contains("not on their devices' clocks"), "{:?}", cluster.verdict);
}
