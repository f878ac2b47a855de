//! How a run of several dumps ends, and what it says.

use std::fs;

use super::{FOUR, Fleet, whole};
use crate::support::run::{say, tree};

#[test]
fn a_dump_that_cannot_be_analyzed_ends_the_run_before_anything_is_written() {
    let fleet = Fleet::copy(&FOUR);
    fs::write(fleet.dump(FOUR[2].1).join("global.profile"), "core_num=1\n").unwrap();
    let said = fleet.run(&["--perfetto"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""));
    assert!(said.stderr.contains(FOUR[2].1) && said.stderr.contains("arch="), "{}", said.stderr);
    assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
    assert!(!fleet.out_dir().exists());
}

#[test]
fn a_loss_in_any_dump_is_reported_with_its_name_and_counts_with_strict() {
    let fleet = Fleet::copy(&FOUR);
    assert_eq!(fleet.run(&["--emit", "summary", "--strict"]).code, Some(0));
    let core = fleet.dump(FOUR[1].1).join("cdmlib0_1.profile");
    let bytes = fs::read(&core).unwrap();
    fs::write(&core, &bytes[..bytes.len() / 2]).unwrap();
    let said = fleet.run(&["--emit", "summary,report", "--strict"]);
    assert_eq!(said.code, Some(3));
    let told = "dev0-1: lost: cdmlib0_1.profile";
    let summary = fs::read_to_string(fleet.out_dir().join("summary.txt")).unwrap();
    assert!(said.stderr.contains(told) && summary.contains(&format!("- {told}")), "{said:?}");
    let losses: Vec<u64> = fleet.fields("losses").iter().map(|n| n.as_u64().unwrap()).collect();
    assert!(losses[1] > 0 && losses[0] + losses[2] + losses[3] == 0, "{losses:?}");
}

#[test]
fn results_do_not_depend_on_threads() {
    let fleet = Fleet::copy(&FOUR);
    let all = |jobs| whole(&fleet.run(&["--perfetto", "-j", jobs]), &fleet.out_dir());
    assert!(all("1") == all("5"));
}

#[test]
fn the_index_is_json_and_quiet_prints_nothing() {
    let fleet = Fleet::copy(&FOUR);
    let printed = fleet.done(&["--json"]);
    assert_eq!(printed, fs::read_to_string(fleet.out_dir().join("report.json")).unwrap());
    assert_eq!(fleet.fields("device"), [0, 0, 1, 1]);
    assert_eq!(fleet.fields("call"), [0, 1, 0, 1]);
    let said = fleet.run(&["-q"]);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (Some(0), "", ""));
    // Its directory has the reports of the dumps; the index itself is no report to compare.
    let out = fleet.out_dir();
    let said = say(&["diff", out.to_str().unwrap(), out.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.starts_with("Verdict: dev0 call 0: "), "{said:?}");
    assert!(said.stdout.contains("\n4 devices and calls, each compared with itself"), "{said:?}");
    let index = out.join("report.json");
    let said = say(&["diff", index.to_str().unwrap(), index.to_str().unwrap()]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("lists several dumps"), "{}", said.stderr);
}

#[test]
fn full_lists_every_file() {
    let fleet = Fleet::copy(&FOUR[..2]);
    let brief = fleet.done(&["--emit", "text,trace"]);
    let full = fleet.done(&["--emit", "text,trace", "--full"]);
    let files =
        tree(&fleet.out_dir()).into_keys().filter(|name| fleet.out_dir().join(name).is_file());
    for name in files {
        let path = fleet.out_dir().join(name).display().to_string();
        assert!(full.contains(&path), "{path} is not in {full}");
    }
    assert!(brief.contains("and 1 more: files of each dump (10 files, "), "{brief}");
}
