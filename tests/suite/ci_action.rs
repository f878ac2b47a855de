//! The script of the GitHub Action: analysis, comparison, baseline.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::case::fixture;
use crate::support::run::{Said, finish};

/// Runs the script on the dumps in `profiles`, with the built program in front of `PATH`.
fn compare(here: &Path, limits: &str) -> Said {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/action/compare.sh");
    let program = Path::new(env!("CARGO_BIN_EXE_bigtpuprofile")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.arg(script).args(["profiles", "results"]).current_dir(here);
    command.env("PATH", path).env("LIMITS", limits).env("GITHUB_OUTPUT", here.join("outputs"));
    finish(&mut command)
}

fn dump(here: &Path, case: &str) {
    let to = here.join("profiles/run");
    let _ = fs::remove_dir_all(&to);
    fs::create_dir_all(&to).unwrap();
    for file in fs::read_dir(fixture(case).join("dump")).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

fn outputs(here: &Path) -> String {
    let text = fs::read_to_string(here.join("outputs")).unwrap();
    fs::remove_file(here.join("outputs")).unwrap();
    text
}

#[test]
fn the_first_run_is_ok_and_later_ones_are_compared_with_it() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    dump(here, "aks-mode2-sync");
    let first = compare(here, "total>+3%\n  loss>0  \n\n");
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.stdout.contains("There is no baseline yet"), "{first:?}");
    assert_eq!(outputs(here), "exit-code=0\nreport=results/diff\n");
    let comparison = fs::read_to_string(here.join("results/diff/diff.md")).unwrap();
    assert!(comparison.starts_with("> There is no baseline yet"), "{comparison}");

    // What the action saves on the main branch.
    fs::rename(here.join("results/reports"), here.join("results/baseline")).unwrap();
    let same = compare(here, "total>+3%");
    assert_eq!(
        (same.code, outputs(here).as_str()),
        (Some(0), "exit-code=0\nreport=results/diff\n")
    );
    dump(here, "aks-mode1-batch");
    let other = compare(here, "total.events>1");
    assert_eq!(other.code, Some(0), "{other:?}");
    assert_eq!(outputs(here), "exit-code=4\nreport=results/diff\n");
}

#[test]
fn a_misspelled_limit_is_found_in_the_first_run() {
    let here = tempfile::tempdir().unwrap();
    dump(here.path(), "aks-mode2-sync");
    let said = compare(here.path(), "tota>+3%");
    assert_eq!(said.code, Some(2), "{said:?}");
}
