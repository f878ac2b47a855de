//! Links from data alone.

use bigtpu_cluster::report::End;
use bigtpu_cluster::{JoinOptions, join};
use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Topology};

use crate::support::Run;
use crate::{check_bounds, options};

fn expected_links(run: &Run) -> usize {
    let links = run.truth["links"].as_array().unwrap();
    let used = |n: usize| {
        run.truth["pairs"].as_array().unwrap().iter().filter(|p| p["link"] == n).count() >= 8
    };
    (0..links.len()).filter(|&n| used(n)).count()
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
        of(6, Topology::TwoPlane, ClusterTraffic::AllReduce),
        of(4, Topology::AllToAll, ClusterTraffic::AllToAll),
        of(4, Topology::Ring, ClusterTraffic::Mixed),
        of(4, Topology::PipelineBackward, ClusterTraffic::Microbatches),
        ClusterOptions { operations: 4, ..of(8, grid, ClusterTraffic::Microbatches) },
    ];
    for options in all {
        let run = Run::make(&options);
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

/// All wait for the last stage, or for the late rank: only jitter tells links apart, and to exchange two partners both must
/// fit worse.
#[test]
fn what_a_late_rank_keeps_in_step_is_paired() {
    let with_late_rank = |devices, topology, program, rank| {
        Run::make(&ClusterOptions {
            topology,
            program,
            plants: vec![ClusterPlant::LateRank { rank, factor: 1.3 }],
            operations: 20,
            ..options(devices, 0)
        })
    };
    let run = with_late_rank(6, Topology::Pipeline, ClusterTraffic::Microbatches, 5);
    let cluster = run.join();
    assert_eq!((cluster.links.len(), run.wrong_links(&cluster)), (5, 0), "{:?}", cluster.ambiguous);
    let run = with_late_rank(8, Topology::AllToAll, ClusterTraffic::AllToAll, 3);
    let cluster = run.join();
    assert!(cluster.links.len() >= 54, "{:?}", cluster.ambiguous);
    assert_eq!(run.wrong_links(&cluster), 0);
    // Where a link stays open, a prediction says what it does not know: the links' times, not for whom its commands wait.
    for (scale, is_known) in [("rank:3=0.5", true), ("link=2", false)] {
        let scales = vec![scale.parse().unwrap()];
        let cluster = run.join_with(&JoinOptions { scales, ..JoinOptions::default() });
        let is_told =
            cluster.ledger.notes.english().iter().any(|note| note.contains("have no partner"));
        let has_open = !cluster.ambiguous.is_empty();
        assert_eq!(is_told, has_open && !is_known, "{:?}", cluster.ledger.notes.english());
        let of = |key: &str| run.truth[key].as_f64().unwrap();
        let rows = run.truth["whatif"].as_array().unwrap();
        let end = rows.iter().find(|row| row["scale"] == scale).unwrap()["end_ns"].as_f64();
        let said = cluster.whatif.iter().find(|row| row.scale == scale).unwrap().gain_ns;
        let error = (said - (of("end_ns") - end.unwrap())).abs() / of("end_ns");
        assert!(error <= 0.02, "{scale}: {error}");
    }
}

#[test]
fn islands_and_wrong_statements_are_told() {
    let run =
        Run::make(&ClusterOptions { plants: vec![ClusterPlant::TwoIslands], ..options(6, 20) });
    let cluster = run.join();
    assert_eq!((cluster.islands.len(), run.wrong_links(&cluster)), (2, 0));
    // What was found comes first; that something was not found is no cause of anything.
    assert!(!cluster.verdict[0].contains("islands"), "{:?}", cluster.verdict);
    assert!(cluster.verdict.last().unwrap().contains("2 islands"), "{:?}", cluster.verdict);
    let run = Run::make(&options(4, 21));
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
    assert!(cluster.ledger.notes.english().iter().any(|n| n.contains("check the rank table")));
}
