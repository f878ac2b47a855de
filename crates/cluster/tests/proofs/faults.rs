//! Planted faults, what they cost, and predictions.

use bigtpu_cluster::JoinOptions;
use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Topology};

use crate::options;
use crate::support::Run;

#[test]
fn planted_faults_are_named_first() {
    let planted = |plant, seed| {
        let run = Run::make(&ClusterOptions { plants: vec![plant], ..options(6, seed) });
        let cluster = run.join();
        (run, cluster)
    };
    let (run, cluster) = planted(ClusterPlant::LateRank { rank: 3, factor: 1.25 }, 14);
    let first = cluster.stragglers.first().unwrap();
    assert_eq!((first.rank, first.late), (3, 12));
    // The gain is that of the run without the fault.
    let without = Run::make(&options(6, 14));
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
    let (topology, program) = (Topology::PipelineBackward, ClusterTraffic::Microbatches);
    let of = |plants| {
        let run = Run::make(&ClusterOptions { topology, program, plants, ..options(4, 25) });
        run.join()
    };
    let cluster = of(vec![ClusterPlant::LateRank { rank: 2, factor: 1.5 }]);
    let first = cluster.advice.first().unwrap();
    assert_eq!(first.id, "stage-imbalance", "{:?}", cluster.advice);
    assert!(first.said.text.contains("rank 2") && first.gain_ns.unwrap() > 0.0);
    assert!(of(Vec::new()).advice.iter().all(|a| a.id != "stage-imbalance"));
}

#[test]
fn predictions_are_those_of_the_cluster_simulated_again() {
    let run = Run::make(&ClusterOptions { operations: 20, ..options(4, 22) });
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
