//! Which dump results belong to: two hosts are two, another root overwrites nothing, unchanged means the same content.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bigtpu_synth::{Options, write};
use serde_json::Value;

use super::{Fleet, expect_result};
use crate::support::run::{Said, finish, tool, tree};

const UNCHANGED: &str = "3 dumps: 0 analyzed, 3 unchanged, 0 failed; 0 with lost data";

fn batch(root: &Path, out: &Path, args: &[&str]) -> Said {
    finish(tool().arg("batch").arg(root).arg(out).args(["--emit", "events,report"]).args(args))
}

fn dump(seed: u64, path: &Path) {
    write(&Options { launches: 3, seed, ..Options::of_chip("aks").unwrap() }, path).unwrap();
}

fn index(out: &Path) -> Vec<Value> {
    let index: Value = serde_json::from_slice(&fs::read(out.join("index.json")).unwrap()).unwrap();
    index["dumps"].as_array().unwrap().clone()
}

#[test]
fn devices_of_two_hosts_are_two() {
    let dir = tempfile::tempdir().unwrap();
    let (root, out) = (dir.path().join("root"), dir.path().join("out"));
    for (place, seed) in [("node1/run-1", 1), ("node1/run-2", 2), ("node2", 1)] {
        dump(seed, &root.join(place).join("cdm_profile_data_dev0-0"));
    }
    assert_eq!(batch(&root, &out, &[]).code, Some(0));
    let index = index(&out);
    let identities: BTreeSet<String> = index
        .iter()
        .map(|dump| ["host", "run", "device", "call"].map(|key| dump[key].to_string()).join(" "))
        .collect();
    let expected = ["\"node1\" \"run-1\" 0 0", "\"node1\" \"run-2\" 0 0", "\"node2\" null 0 0"];
    assert_eq!(identities.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    let tables: BTreeSet<&str> =
        index.iter().map(|d| d["table"]["name"].as_str().unwrap()).collect();
    assert!(
        tables.iter().next().unwrap().starts_with("events/host=node1/run=run-1/device=0/call=0/")
    );
    // The same content is the same, wherever it lies.
    let content = |at: usize| index[at]["content"].as_str().unwrap();
    assert_eq!(content(0), content(2));
    assert_ne!(content(0), content(1));
}

#[test]
fn results_of_another_root_are_refused_or_merged() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let out = path("out");
    dump(1, &path("a/cdm_profile_data_dev0-0"));
    dump(2, &path("b/cdm_profile_data_dev0-0"));
    dump(3, &path("c/node3/cdm_profile_data_dev0-0"));
    assert_eq!(batch(&path("a"), &out, &[]).code, Some(0));
    let before = tree(&out);
    // The same place, another dump: never overwritten.
    for args in [&[][..], &["--merge"], &["--force"]] {
        let said = batch(&path("b"), &out, args);
        assert_eq!(said.code, Some(1), "{said:?}");
        assert!(
            said.stderr.contains("holds the results of") && said.stderr.contains("host's name"),
            "{said:?}"
        );
    }
    // Another place: refused, because the index would lose the first.
    let said = batch(&path("c"), &out, &[]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("--merge"), "{said:?}");
    assert!(tree(&out) == before);
    // Merged, twice with the same result, and from either root.
    expect_result(
        &batch(&path("c"), &out, &["--merge"]),
        0,
        "1 dumps: 1 analyzed, 0 unchanged, 0 failed; 0 with lost data",
    );
    let merged = tree(&out);
    let names = |out| -> BTreeSet<String> {
        index(out).iter().map(|d| d["dump"].as_str().unwrap().to_owned()).collect()
    };
    let both =
        ["cdm_profile_data_dev0-0", "node3/cdm_profile_data_dev0-0"].map(str::to_owned).into();
    assert_eq!(names(&out), both);
    expect_result(
        &batch(&path("c"), &out, &["--merge"]),
        0,
        "1 dumps: 0 analyzed, 1 unchanged, 0 failed; 0 with lost data",
    );
    assert!(tree(&out) == merged);
    assert_eq!(batch(&path("a"), &out, &["--merge"]).code, Some(0));
    assert_eq!(names(&out), both);
    // A dump that is gone leaves the index, also after a merge.
    fs::remove_dir_all(path("c/node3/cdm_profile_data_dev0-0")).unwrap();
    dump(4, &path("c/node3/cdm_profile_data_dev0-1"));
    assert_eq!(batch(&path("c"), &out, &["--merge"]).code, Some(0));
    let now =
        ["cdm_profile_data_dev0-0", "node3/cdm_profile_data_dev0-1"].map(str::to_owned).into();
    assert_eq!(names(&out), now);
}

#[test]
fn unchanged_means_the_same_content() {
    let fleet = Fleet::new();
    let summary = ["--emit", "summary"];
    assert_eq!(fleet.run(&summary).code, Some(0));
    let results = tree(&fleet.out_dir());
    // Copied: other times, the same content. The notes know the times of the files that they were made of.
    let moved = fleet.dir.path().join("moved");
    for dump in super::DUMPS {
        fs::create_dir_all(moved.join(dump)).unwrap();
        for (name, bytes) in tree(&fleet.root().join(dump)) {
            fs::write(moved.join(dump).join(name), bytes).unwrap();
        }
    }
    fs::remove_dir_all(fleet.root()).unwrap();
    fs::rename(&moved, fleet.root()).unwrap();
    expect_result(&fleet.run(&summary), 0, UNCHANGED);
    assert!(tree(&fleet.out_dir()) == results);
    // Changed, with the old time of the last change and the old size.
    let file = fleet.root().join("host1/cdm_profile_data_dev0-0/global.profile");
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    // The size of the rings: no record is lost by it.
    let other = text.replace("max_record_num=1048576", "max_record_num=1048577");
    assert!(other != text && other.len() == text.len());
    fs::write(&file, other).unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    expect_result(
        &fleet.run(&summary),
        0,
        "3 dumps: 1 analyzed, 2 unchanged, 0 failed; 0 with lost data",
    );
}
