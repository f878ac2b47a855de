//! Flows join the host's calls to the kernels that they launched.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::case::case;
use crate::support::run::analyzed;

#[test]
fn calls_are_joined_to_their_kernels() {
    let case = case("aksv-mode2-trace");
    let run = analyzed(&case.dump(), &case.args());
    let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
    let host = &report["host"];
    let expected = host["matched"].as_u64().unwrap() - host["before_call"].as_u64().unwrap();
    let trace = run.trace();
    assert_eq!(trace.problems, Vec::<String>::new());
    let kernels = trace.slices.iter().filter(|slice| slice.arg("Func Scope Id").is_some());
    let ended: Vec<u64> = kernels.flat_map(|slice| slice.ended_flows.clone()).collect();
    assert!(!ended.is_empty());
    assert_eq!(ended.len() as u64, expected);
    let calls = trace.slices.iter().filter(|slice| slice.categories == ["tpudnn"]);
    let started: BTreeSet<u64> = calls.flat_map(|slice| slice.flows.clone()).collect();
    assert!(ended.iter().all(|flow| started.contains(flow)), "{ended:?} {started:?}");
}
