//! Every fixture's report keeps to `docs/report.schema.json`, and the schema says no to others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod validate;

use std::path::{Path, PathBuf};

use bigtpu_answers::Analysis;
use bigtpu_emit::report::{json, read_json};
use bigtpu_timeline::{BuildOptions, Dump, Profile};
use serde_json::{Value, json};
use validate::violations;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/report.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn report(dump: &Path) -> String {
    let dump = Dump::open(dump).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    json(Analysis::of_device(&profile).report(&profile))
}

#[test]
fn every_fixture_keeps_to_the_schema() {
    let schema = schema();
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("fixtures")).unwrap() {
        let dump = entry.unwrap().path().join("dump");
        if !dump.join("global.profile").exists() {
            continue;
        }
        let text = report(&dump);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(violations(&schema, &value), Vec::<String>::new(), "{}", dump.display());
        assert_eq!(json(&read_json(&text).unwrap()), text, "{}", dump.display());
        seen += 1;
    }
    assert!(seen > 30, "{seen}");
}

/// A schema that lets everything pass would pass the test above.
#[test]
fn invalid_json_violates_the_schema() {
    let schema = schema();
    let good: Value =
        serde_json::from_str(&report(&root().join("fixtures/aks-mode2-sync/dump"))).unwrap();
    let changes: [(&str, Value, &str); 7] = [
        ("/schema_version", json!(1), "/schema_version"),
        ("/dump/events", json!(-1), "/dump/events"),
        ("/dump/chip", json!(7), "/dump/chip"),
        ("/kernels/0/busy_ns", json!([1, 2, 3]), "/kernels/0/busy_ns"),
        ("/roofline/overall/bound", json!("luck"), "/roofline/overall/bound"),
        ("/gaps/longest/0/waited_for", json!(["TIU", "x"]), "/gaps/longest/0/waited_for"),
        ("/advice", json!([{}]), "/advice/0"),
    ];
    for (pointer, value, expected) in changes {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        let found = violations(&schema, &bad);
        assert!(found.iter().any(|v| v.starts_with(expected)), "{pointer}: {found:?}");
    }
    let mut more = good;
    more["extra"] = json!(1);
    assert_eq!(violations(&schema, &more), ["/extra: not in the schema"]);
}
