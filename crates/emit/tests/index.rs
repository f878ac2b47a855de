//! The index of several dumps keeps to `docs/dumps.schema.json`, and the schema says no to others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod validate;

use bigtpu_messages::Message;
use std::path::{Path, PathBuf};

use bigtpu_answers::{Alignment, Analysis, DumpIndex, DumpName, DumpRow, TimeLine};
use bigtpu_emit::report::{index_json, read_index};
use bigtpu_timeline::{BuildOptions, Dump, Profile};
use serde_json::{Value, json};
use validate::violations;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn row(case: &str, device: Option<u32>) -> DumpRow {
    let dump = Dump::open(&root().join("fixtures").join(case).join("dump")).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let analysis = Analysis::of_device(&profile);
    let name = DumpName { name: case.into(), directory: case.into(), device, call: device };
    DumpRow::from_report(name, -7, analysis.report(&profile))
}

/// A dump with kernels and one without, with and without numbers.
fn index() -> DumpIndex {
    let time_line = TimeLine::new(Alignment::SharedStart, Message::verbatim("so"));
    let dumps = vec![row("aks-mode2-sync", Some(1)), row("bm1688-bmodel", None)];
    assert!(dumps[0].top_kernel.is_some() && dumps[1].top_kernel.is_none());
    DumpIndex::new(time_line, dumps)
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/dumps.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn an_index_keeps_to_the_schema_and_is_read_back() {
    let index = index();
    let text = index_json(&index);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(violations(&schema(), &value), Vec::<String>::new());
    // The sentence is written; the message that it was made of is not.
    let mut read = read_index(&text).unwrap();
    read.time_line.message = index.time_line.message.clone();
    assert_eq!(read, index);
}

#[test]
fn a_rows_times_fill_the_wall_time() {
    for row in index().dumps {
        assert_eq!(row.work_ns + row.sync_ns + row.idle_ns, row.wall_ns);
        assert_eq!(row.compute_ns + row.exposed_transfer_ns, row.work_ns);
    }
}

#[test]
fn invalid_json_violates_the_schema() {
    let good: Value = serde_json::from_str(&index_json(&index())).unwrap();
    let changes = [
        ("/schema_version", json!(2)),
        ("/time_line/alignment", json!("luck")),
        ("/dumps/0/wall_ns", json!(-1)),
        ("/dumps/1/top_kernel", json!({})),
        ("/dumps/0/device", json!("0")),
    ];
    for (pointer, value) in changes {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        let found = violations(&schema(), &bad);
        assert!(found.iter().any(|v| v.starts_with(pointer)), "{pointer}: {found:?}");
    }
}
