//! Comparisons of fixtures keep to `docs/diff.schema.json`, and the schema says no to others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../emit/tests/validate/mod.rs"]
mod validate;

use std::path::{Path, PathBuf};

use bigtpu_answers::{Analysis, Compared, Gate, GateOptions, SourcedRun, Unit, compare};
use bigtpu_timeline::{BuildOptions, Dump, Profile};
use serde_json::{Value, json};
use validate::violations;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/diff.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn run(case: &str, device: Option<u32>) -> SourcedRun {
    let dump = Dump::open(&root().join("fixtures").join(case).join("dump")).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let analysis = Analysis::of_device(&profile);
    let report = Compared::from_report(analysis.report(&profile));
    SourcedRun {
        name: case.into(),
        unit: Unit { device, ..Unit::default() },
        occasion: None,
        report,
    }
}

/// Both sides' runs, with limits that fail, hold and match nothing.
fn compared(before: &[&str], after: &[&str]) -> Value {
    let side = |cases: &[&str]| cases.iter().map(|case| run(case, None)).collect::<Vec<_>>();
    checked(side(before), side(after))
}

fn checked(before: Vec<SourcedRun>, after: Vec<SourcedRun>) -> Value {
    let comparison = compare(before, after, false).unwrap();
    let limits = ["total>1ns", "total>9s", "kernel:nothing>+1%"].map(|l| l.parse().unwrap());
    let gate = Gate::check(&limits, GateOptions::default(), &comparison);
    serde_json::from_str(&bigtpu_emit_text::diff::json(&comparison, &gate)).unwrap()
}

#[test]
fn comparisons_of_several_devices_keep_to_the_schema() {
    let side = |devices: &[u32]| {
        devices.iter().map(|d| run("aks-mode2-sync", Some(*d))).collect::<Vec<_>>()
    };
    let found = checked(side(&[0, 1, 2]), side(&[0, 1]));
    assert_eq!(violations(&schema(), &found), Vec::<String>::new());
    let names = |of: &Value| -> Vec<String> {
        of.as_array()
            .unwrap()
            .iter()
            .map(|unit| unit["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&found["units"]), ["dev0", "dev1"]);
    assert_eq!(found["gate"]["unpaired"][0]["unit"]["device"], 2);
    assert!(found["rows"].as_array().unwrap().iter().all(|row| row["unit"].is_string()));
}

#[test]
fn comparisons_keep_to_the_schema() {
    let schema = schema();
    let one = compared(&["aks-mode2-sync"], &["aks-graph-des"]);
    assert_eq!(violations(&schema, &one), Vec::<String>::new());
    let again = ["aksv-mode2-cdma", "aksv-mode2-trace", "aksv-mode2-cdma"];
    let several = compared(&again, &again);
    assert_eq!(violations(&schema, &several), Vec::<String>::new());
    assert_eq!(several["gate"]["verdict"], "failed");
    let results: Vec<&Value> =
        several["gate"]["limits"].as_array().unwrap().iter().map(|l| &l["result"]).collect();
    assert_eq!(results, ["failed", "ok", "unmatched"]);
}

/// A schema that lets everything pass would pass the test above.
#[test]
fn invalid_json_violates_the_schema() {
    let schema = schema();
    let good = compared(&["aks-mode2-sync"], &["aks-graph-des"]);
    let changes: [(&str, Value); 6] = [
        ("/schema_version", json!(1)),
        ("/rows/0/presence", json!("lost")),
        ("/rows/0/changes/0/noise", json!(true)),
        ("/rows/0/changes/0/before/runs", json!(-1)),
        ("/gate/verdict", json!("passed")),
        ("/gate/limits/0/rows", json!("3")),
    ];
    for (at, value) in changes {
        let mut bad = good.clone();
        *bad.pointer_mut(at).unwrap() = value;
        assert!(!violations(&schema, &bad).is_empty(), "{at}");
    }
}
