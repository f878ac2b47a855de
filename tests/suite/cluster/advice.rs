//! What is said of a planted fault, and the gains that belong to it.

use serde_json::Value;

use super::Cluster;

const EIGHT: [&str; 4] = ["--cluster", "8", "--operations", "12"];

fn answer(more: &[&str]) -> (String, Value) {
    let cluster = Cluster::make(more);
    let said = cluster.cluster("out", &["--emit", "report"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    (said.stdout, cluster.report("out"))
}

fn ids(report: &Value) -> Vec<&str> {
    report["advice"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

/// Without launches a rank that computes longer is not one whose host launches late.
#[test]
fn the_cause_of_a_late_rank_is_what_it_does_longer() {
    for (more, id, cause) in [
        (["--plant", "late-rank=3:1.3", "--mode", "1"], "late-rank", "matmul"),
        (["--plant", "late-rank=3:1.3", "--mode", "0"], "late-rank", "all computation"),
        (["--plant", "late-launch=3:40", "--mode", "1"], "late-launch", "launch gaps"),
        (["--plant", "late-launch=3:40", "--mode", "0"], "late-rank", "all pauses"),
    ] {
        let (stdout, report) = answer(&[&EIGHT[..], &more[..]].concat());
        assert!(stdout.starts_with("Rank 3 is late in 12 of 12 operations: "), "{stdout}");
        assert_eq!(ids(&report).first(), Some(&id), "{more:?}");
        let found = &report["stragglers"][0]["cause"];
        assert_eq!(found["what"], cause, "{more:?}");
        if more[1].starts_with("late-rank") {
            assert!((found["times"].as_f64().unwrap() - 1.3).abs() < 0.02, "{found}");
        }
        assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
    }
}

/// The links behind a slow stage never show by themselves how soon data follow a receiver: those of the kind do.
#[test]
fn a_slow_stage_gains_what_the_run_without_it_takes_less() {
    let pipeline =
        ["--cluster", "6", "--topology", "pipeline-backward", "--operations", "6", "--seed", "4"];
    let (stdout, slow) = answer(&[&pipeline[..], &["--plant", "late-rank=3:1.4"]].concat());
    let (_, even) = answer(&pipeline);
    let window = |report: &Value| report["states"][0]["window_ns"].as_f64().unwrap();
    let truth = window(&slow) - window(&even);
    let gain = slow["stragglers"][0]["gain_ns"].as_f64().unwrap();
    assert_eq!(slow["stragglers"][0]["rank"], 3);
    assert!((gain - truth).abs() < 0.01 * window(&slow), "{gain} {truth}");
    assert_eq!(ids(&slow).first(), Some(&"stage-imbalance"), "{stdout}");
    assert!(!ids(&even).contains(&"stage-imbalance"));
}

/// No overlap is better than work and transfers each alone.
#[test]
fn hidden_communication_gains_at_most_what_is_not_the_longer_of_both() {
    let (_, report) = answer(&["--cluster", "4", "--operations", "12"]);
    let row =
        report["advice"].as_array().unwrap().iter().find(|r| r["id"] == "exposed-communication");
    let gain = row.unwrap()["gain_ns"].as_f64().unwrap();
    let state = &report["states"][0];
    let ns = |name: &str| state[name].as_f64().unwrap();
    assert!(gain > 0.5 * ns("link_ns") && gain <= 1.1 * ns("exposed_ns"), "{gain} {state}");
}

/// What a slow and a retrying link cost comes first.
#[test]
fn links_are_named_with_what_they_cost() {
    let (stdout, report) = answer(&[&EIGHT[..], &["--plant", "slow-link=2>3:2"]].concat());
    assert!(stdout.starts_with("The link from rank 2 to rank 3 has 50% of the"), "{stdout}");
    assert_eq!(ids(&report).first(), Some(&"slow-link"));
    assert!(report["advice"][0]["gain_ns"].as_f64().unwrap() > 1e5);
    let (stdout, report) = answer(&[&EIGHT[..], &["--plant", "retries=1>2"]].concat());
    assert!(stdout.starts_with("The link from rank 1 port"), "{stdout}");
    assert_eq!(ids(&report).first(), Some(&"retrying-link"));
}

/// Where ports have no clear partner, the replay cannot tell what a late rank costs, and no number is made up.
#[test]
fn a_late_rank_is_named_where_its_gain_is_not_known() {
    let few = ["--cluster", "8", "--topology", "alltoall", "--operations", "12"];
    let late = [&few[..], &["--plant", "late-rank=3:1.4"]].concat();
    let (stdout, report) = answer(&[&late[..], &["--unnamed"]].concat());
    assert!(!report["ambiguous"].as_array().unwrap().is_empty(), "{stdout}");
    assert!(stdout.starts_with("Rank 3 is late in 12 of 12 operations: its matmul"), "{stdout}");
    assert!(stdout.contains("is not known"), "{stdout}");
    assert!(report["advice"].as_array().unwrap().iter().all(|row| row["gain_ns"].is_null()));
    // A name says that all wait for all.
    let (stdout, report) = answer(&late);
    assert!(!report["ambiguous"].as_array().unwrap().is_empty(), "{stdout}");
    assert!(report["advice"][0]["gain_ns"].as_f64().is_some_and(|ns| ns > 8e5), "{stdout}");
}
