//! Many dumps at once.

mod archives;
mod containers;
mod data_set;
mod identity;
mod overview;

use std::fs;
use std::path::PathBuf;

use bigtpu_synth::{Options, write};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::run::{Said, analyzed, files, finish, tool};
use crate::support::validate::violations;

/// Three dumps at various depths, and where their results go.
struct Fleet {
    dir: TempDir,
}

const DUMPS: [&str; 3] =
    ["host1/cdm_profile_data_dev0-0", "host1/cdm_profile_data_dev0-1", "host2/run/model"];

impl Fleet {
    fn new() -> Self {
        let fleet = Self { dir: tempfile::tempdir().unwrap() };
        for (dump, seed) in DUMPS.iter().zip(0..) {
            let chip = ["aksv", "bm1688", "cv84x6"][seed as usize];
            let options = Options { launches: 3, seed, ..Options::of_chip(chip).unwrap() };
            write(&options, &fleet.root().join(dump)).unwrap();
        }
        fleet
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn out_dir(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn run(&self, args: &[&str]) -> Said {
        finish(tool().arg("batch").arg(self.root()).arg(self.out_dir()).args(args))
    }

    /// The index, which keeps to its schema.
    fn index(&self) -> Value {
        let index = serde_json::from_slice(&fs::read(self.out_dir().join("index.json")).unwrap());
        let index = index.unwrap();
        assert_eq!(violations(&schema(), &index), Vec::<String>::new());
        index
    }

    /// `status` of each dump of the index.
    fn statuses(&self) -> Vec<String> {
        let index = self.index();
        let dumps = index["dumps"].as_array().unwrap().iter();
        dumps.map(|dump| dump["status"].as_str().unwrap().to_owned()).collect()
    }
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../docs/index.schema.json")).unwrap()
}

#[track_caller]
fn expect_result(said: &Said, code: i32, first: &str) {
    assert_eq!(said.code, Some(code), "{said:?}");
    assert_eq!(said.stdout.lines().next(), Some(first), "{said:?}");
}

const ALL: &str = "3 dumps: 3 analyzed, 0 unchanged, 0 failed; 0 with lost data";

#[test]
fn every_dump_gets_its_own_results_and_an_index_row() {
    let fleet = Fleet::new();
    expect_result(&fleet.run(&["--emit", "text,report,trace,summary"]), 0, ALL);
    for dump in DUMPS {
        let alone =
            analyzed(&fleet.root().join(dump), &["--emit", "text,report,trace,summary"]).files();
        let mut together = files(&fleet.out_dir().join(dump));
        assert!(together.remove("batch.json").is_some());
        assert!(together == alone, "{dump}: {:?}", together.keys());
    }
    let index = fleet.index();
    let dumps = index["dumps"].as_array().unwrap();
    let names: Vec<_> = dumps.iter().map(|dump| dump["dump"].as_str().unwrap()).collect();
    assert_eq!(names, DUMPS);
    assert_eq!((&dumps[1]["device"], &dumps[1]["call"]), (&0.into(), &1.into()));
    assert_eq!(dumps[2]["device"], Value::Null);
    assert!(dumps.iter().all(|dump| dump["duration_us"].as_f64().unwrap() > 1.0));
    let table = fs::read_to_string(fleet.out_dir().join("index.md")).unwrap();
    assert_eq!(table.lines().count(), 2 + DUMPS.len());
    assert!(table.contains("| host1/cdm_profile_data_dev0-1 | BM1688 | 2 | 0 | "), "{table}");
}

/// A schema that lets everything pass would pass the other tests.
#[test]
fn an_invalid_index_violates_the_schema() {
    let fleet = Fleet::new();
    expect_result(&fleet.run(&["--emit", "summary,events"]), 0, ALL);
    let good = fleet.index();
    let changes = [
        ("/schema_version", json!(2)),
        ("/dumps/0/status", json!("fine")),
        ("/dumps/0/events", json!(-1)),
        ("/dumps/1/notes", json!("none")),
        ("/dumps/1/table", json!({"name": "x"})),
        ("/dumps/2/device", json!("0")),
        ("/skipped", json!(null)),
    ];
    for (at, value) in changes {
        let mut bad = good.clone();
        *bad.pointer_mut(at).unwrap() = value;
        assert!(!violations(&schema(), &bad).is_empty(), "{at}");
    }
}

#[test]
fn unchanged_dumps_with_results_are_skipped() {
    let fleet = Fleet::new();
    let summary = ["--emit", "summary"];
    expect_result(&fleet.run(&summary), 0, ALL);
    let before = files(&fleet.out_dir());
    let unchanged = "3 dumps: 0 analyzed, 3 unchanged, 0 failed; 0 with lost data";
    expect_result(&fleet.run(&summary), 0, unchanged);
    assert!(files(&fleet.out_dir()) == before, "the index is another one");
    expect_result(&fleet.run(&["--emit", "summary", "--force"]), 0, ALL);
    // A changed input, a missing result: each is done again, and nothing else.
    let changed = fleet.root().join(DUMPS[0]).join("global.profile");
    fs::write(&changed, fs::read_to_string(&changed).unwrap() + "tail_offset_ns=5\n").unwrap();
    fs::remove_file(fleet.out_dir().join(DUMPS[1]).join("summary.txt")).unwrap();
    let some = "3 dumps: 2 analyzed, 1 unchanged, 0 failed; 0 with lost data";
    expect_result(&fleet.run(&summary), 0, some);
    // Other options: all anew, and what they do not write is gone.
    expect_result(&fleet.run(&["--emit", "trace"]), 0, ALL);
    for dump in DUMPS {
        let names: Vec<_> = files(&fleet.out_dir().join(dump)).into_keys().collect();
        assert_eq!(names, ["batch.json", "perfetto.pftrace"]);
    }
}

#[test]
fn a_broken_dump_does_not_stop_the_others() {
    let fleet = Fleet::new();
    let broken = fleet.root().join(DUMPS[0]).join("global.profile");
    fs::write(&broken, "core_num=1\n").unwrap();
    let said = fleet.run(&["--emit", "summary"]);
    expect_result(&said, 1, "3 dumps: 2 analyzed, 0 unchanged, 1 failed; 0 with lost data");
    let line = said.stderr.strip_prefix("error: ").unwrap();
    assert!(line.contains(DUMPS[0]) && line.contains("arch="), "{line}");
    assert_eq!(fleet.statuses(), ["failed", "whole", "whole"]);
    assert!(fleet.index()["dumps"][0]["error"].is_string());
    // It is tried again, the others are not.
    fs::write(&broken, "arch=AKSV\n").unwrap();
    let said = fleet.run(&["--emit", "summary"]);
    expect_result(&said, 0, "3 dumps: 1 analyzed, 2 unchanged, 0 failed; 0 with lost data");
}

#[test]
fn losses_are_reported_and_fail_with_strict() {
    let fleet = Fleet::new();
    let core = fleet.root().join(DUMPS[1]).join("cdmlib0_1.profile");
    let whole = fs::read(&core).unwrap();
    fs::write(&core, &whole[..whole.len() / 2]).unwrap();
    let lost = "3 dumps: 3 analyzed, 0 unchanged, 0 failed; 1 with lost data";
    expect_result(&fleet.run(&["--emit", "summary"]), 0, lost);
    assert_eq!(fleet.statuses(), ["lost", "whole", "whole"]);
    // Also when all is done already.
    let lost = "3 dumps: 0 analyzed, 3 unchanged, 0 failed; 1 with lost data";
    expect_result(&fleet.run(&["--emit", "summary", "--strict"]), 3, lost);
    let index = fleet.index();
    let notes = index["dumps"][0]["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().starts_with("lost: cdmlib0_1.profile")));
}

#[test]
fn results_do_not_depend_on_threads() {
    let fleet = Fleet::new();
    let all = |jobs: &str| {
        expect_result(&fleet.run(&["--emit", "trace,text", "--force", "-j", jobs]), 0, ALL);
        DUMPS.map(|dump| files(&fleet.out_dir().join(dump)))
    };
    assert!(all("1") == all("5"));
}

#[test]
fn a_root_without_dumps_is_an_error() {
    let fleet = Fleet::new();
    let said = finish(tool().arg("batch").arg(fleet.dir.path().join("none")).arg(fleet.out_dir()));
    assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""));
    assert!(said.stderr.contains("no such directory"), "{}", said.stderr);
    fs::create_dir(fleet.dir.path().join("empty")).unwrap();
    let said = finish(tool().arg("batch").arg(fleet.dir.path().join("empty")).arg(fleet.out_dir()));
    assert!(said.stderr.contains("no dump below it"), "{}", said.stderr);
    assert!(!fleet.out_dir().exists());
}

#[test]
fn roofs_can_be_replaced_and_are_part_of_what_results_depend_on() {
    let fleet = Fleet::new();
    let file = fleet.dir.path().join("hw.json");
    let args = ["--emit", "report", "--hw", file.to_str().unwrap()];
    for gbps in [12.5, 25.0] {
        fs::write(&file, format!(r#"{{"ddr_gbps": {gbps}}}"#)).unwrap();
        expect_result(
            &fleet.run(&args),
            0,
            "3 dumps: 3 analyzed, 0 unchanged, 0 failed; 0 with lost data",
        );
        let report = fs::read(fleet.out_dir().join(DUMPS[0]).join("report.json")).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        assert_eq!(report["roofline"]["hardware"]["ddr_gbps"].as_f64(), Some(gbps));
    }
    expect_result(
        &fleet.run(&args),
        0,
        "3 dumps: 0 analyzed, 3 unchanged, 0 failed; 0 with lost data",
    );
}
