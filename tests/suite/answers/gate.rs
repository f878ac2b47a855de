//! `bigtpuprofile diff` as a gate over devices, hosts and calls, and with stored reports of older versions.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::Synth;
use crate::support::case::{case, fixture};
use crate::support::run::{Said, say};

fn compare(before: &Path, after: &Path, more: &[&str]) -> Said {
    let paths = [before.to_str().unwrap(), after.to_str().unwrap()];
    say(&[&["diff"], &paths[..], more].concat())
}

/// A fleet of dumps: each at its place below the directory.
fn fleet(dumps: &[(&str, &[&str])]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (place, args) in dumps {
        let synth = Synth::new(&[&["--cores", "2", "--launches", "3"], *args].concat());
        let to = dir.path().join(place);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(synth.path(), to).unwrap();
    }
    dir
}

const SLOW: &[&str] = &["--plant", "imbalance=0:3"];

/// The median of eight devices does not show that one of them is 2.8 times slower.
#[test]
fn one_slow_device_among_eight_fails() {
    let names: Vec<String> = (0..8).map(|d| format!("cdm_profile_data_dev{d}-0")).collect();
    let with = |slow: Option<usize>| {
        let args = |d| if slow == Some(d) { SLOW } else { &[][..] };
        fleet(&names.iter().enumerate().map(|(d, n)| (n.as_str(), args(d))).collect::<Vec<_>>())
    };
    let (before, after) = (with(None), with(Some(3)));
    let out = tempfile::tempdir().unwrap();
    let dir = out.path().to_str().unwrap();
    let limit = ["--fail-on", "total>+3%"];
    let said = compare(before.path(), after.path(), &[&["-o", dir], &limit[..]].concat());
    assert_eq!(said.code, Some(4), "{said:?}");
    let failed: Vec<&str> = said.stderr.lines().filter(|l| l.starts_with("FAILED")).collect();
    assert_eq!(failed.len(), 1, "{}", said.stderr);
    assert!(failed[0].starts_with("FAILED: dev3 call 0: total>+3%: total: time went from "));
    assert!(said.stdout.contains("8 devices and calls, each compared with itself"), "{said:?}");
    let diff: Value =
        serde_json::from_str(&fs::read_to_string(out.path().join("diff.json")).unwrap()).unwrap();
    assert_eq!(diff["units"].as_array().unwrap().len(), 8);
    assert_eq!(diff["units"][0]["name"], "dev3 call 0");
    assert_eq!(diff["rows"][0]["unit"], "dev3 call 0");
    let junit = fs::read_to_string(out.path().join("diff.junit.xml")).unwrap();
    assert!(junit.contains("tests=\"8\" failures=\"1\""), "{junit}");
    assert!(junit.contains("classname=\"bigtpuprofile.diff.dev3 call 0\""), "{junit}");
    let page = fs::read_to_string(out.path().join("diff.html")).unwrap();
    assert!(page.contains("cdm_profile_data_dev3-0"), "the slow device is drawn");
    // With its limits the comparison is one screen; --full has them all.
    let many = ["--fail-on", "total>+3%", "--fail-on", "kernel:*>+5%"];
    let short = compare(before.path(), after.path(), &many);
    let lines = short.stdout.lines().count() + short.stderr.lines().count();
    assert!(lines <= 40, "{lines} lines: {short:?}");
    let full = compare(before.path(), after.path(), &[&many[..], &["--full"]].concat());
    let count = |text: &str| text.lines().filter(|l| l.starts_with("FAILED")).count();
    let (shown, all) = (count(&short.stderr), count(&full.stderr));
    let more = format!("{} more limits FAILED or not checked: --full", all - shown);
    assert!(all == shown || short.stderr.contains(&more), "{all}, {shown}: {}", short.stderr);
    // Only where it is asked for are the devices taken as repetitions of each other.
    let pooled =
        compare(before.path(), after.path(), &[&["--pool", "device"], &limit[..]].concat());
    assert_eq!(pooled.code, Some(0), "{pooled:?}");
}

#[test]
fn hosts_calls_and_repetitions_are_told_apart() {
    let places = ["hostA/1/cdm_profile_data_dev0-0", "hostA/2/cdm_profile_data_dev0-0"];
    let others = ["hostB/1/cdm_profile_data_dev0-0", "hostB/2/cdm_profile_data_dev0-0"];
    let with = |slow: &'static [&'static str]| {
        let even = places.map(|place| (place, &[][..]));
        fleet(&[&even[..], &others.map(|place| (place, slow))[..]].concat())
    };
    let (before, after) = (with(&[]), with(SLOW));
    let said = compare(before.path(), after.path(), &["--json", "--fail-on", "total>+3%"]);
    assert_eq!(said.code, Some(4), "{said:?}");
    let diff: Value = serde_json::from_str(&said.stdout).unwrap();
    let units: Vec<(&str, usize)> = diff["units"]
        .as_array()
        .unwrap()
        .iter()
        .map(|u| (u["name"].as_str().unwrap(), u["before"].as_array().unwrap().len()))
        .collect();
    assert_eq!(units, [("hostB dev0 call 0", 2), ("hostA dev0 call 0", 2)]);
    // A host that is missing after the change is not silently left out.
    fs::remove_dir_all(after.path().join("hostB")).unwrap();
    let limits = ["--pool", "host", "--fail-on", "total>+3%", "-q"];
    assert_eq!(compare(before.path(), after.path(), &limits).code, Some(0));
    let limits = ["--fail-on", "total>+3%", "--fail-on-unmatched"];
    let said = compare(before.path(), after.path(), &limits);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.stderr.contains("hostB dev0 call 0 has runs only before the change"), "{said:?}");
}

/// A baseline outlives the version that wrote it.
#[test]
fn stored_reports_of_older_versions_are_compared() {
    let dump = case("aks-mode2-sync").dump();
    for stored in ["v1.json", "v2.json"] {
        let stored = fixture("stored-reports").join(stored);
        let limits = ["total", "kernel:*", "engine:*", "core:*", "kernel:*.bandwidth"];
        let limits: Vec<String> = limits
            .iter()
            .flat_map(|l| {
                ["--fail-on".into(), format!("{l}>+0%"), "--fail-on".into(), format!("{l}<-0%")]
            })
            .collect();
        let limits: Vec<&str> = limits.iter().map(String::as_str).collect();
        let said =
            compare(&stored, &dump, &[&["--json", "--fail-on-unmatched"], &limits[..]].concat());
        assert_eq!(said.code, Some(0), "{}: {}", stored.display(), said.stderr);
        let diff: Value = serde_json::from_str(&said.stdout).unwrap();
        for row in diff["rows"].as_array().unwrap() {
            // What the old report does not have at all is new; what it has only in part is not compared.
            if row["presence"] == "both" {
                for change in row["changes"].as_array().unwrap() {
                    let is_known = !change["before"].is_null();
                    assert!(is_known || change["absolute"] == 0.0, "{}: {row:#}", stored.display());
                }
            }
        }
    }
}

/// Every number of a report of today is compared: none is misspelled.
#[test]
fn no_number_of_a_report_is_missing() {
    let synth = Synth::new(&["--cores", "2", "--launches", "22", "--mode", "2"]);
    let said = compare(&synth.path(), &synth.path(), &["--json"]);
    let diff: Value = serde_json::from_str(&said.stdout).unwrap();
    let mut subjects = std::collections::BTreeSet::new();
    for row in diff["rows"].as_array().unwrap() {
        subjects.insert(row["subject"].as_str().unwrap().to_owned());
        for change in row["changes"].as_array().unwrap() {
            assert!(change["before"].is_object() && change["after"].is_object(), "{row:#}");
        }
    }
    assert_eq!(subjects.len(), 12, "{subjects:?}");
}

#[test]
fn a_report_of_a_newer_version_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(fixture("stored-reports/v2.json")).unwrap();
    let newer = dir.path().join("newer.json");
    fs::write(&newer, text.replace("\"schema_version\": 2", "\"schema_version\": 99")).unwrap();
    let said = compare(&newer, &case("aks-mode2-sync").dump(), &[]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("a report of schema_version 99"), "{}", said.stderr);
}
