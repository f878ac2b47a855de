//! What a dump directory may hold instead of files.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::analyze_within_bounds;
use crate::support::case::case;
use crate::support::dump::DumpCopy;
use crate::support::run::{finish, tree};

const CASE: &str = "aks-mode2-sync";

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Something that can be in the place of a file: what it is, and how it gets there.
type Replacement = (&'static str, fn(&Path));

fn replacements() -> [Replacement; 5] {
    [
        ("a pipe without a writer", fifo),
        ("a link to a device", |path| symlink("/dev/zero", path).unwrap()),
        ("a link to itself", |path| symlink(path, path).unwrap()),
        ("a broken link", |path| symlink("nowhere", path).unwrap()),
        ("a directory", |path| fs::create_dir(path).unwrap()),
    ]
}

#[test]
fn special_files_are_left_out() {
    for (what, put) in replacements() {
        let dump = DumpCopy::copy(CASE);
        let name = "cdmlib0_1.profile";
        dump.remove(name);
        put(&dump.file(name));
        let out = dump.parent().join("out");
        let said = analyze_within_bounds(&dump.path(), &out, &["--strict", "--verbose"]);
        assert_eq!(said.code, Some(3), "{what}: {}", said.stderr);
        let line = format!("lost: {name}: left out: ");
        assert!(said.stderr.lines().any(|l| l.starts_with(&line)), "{what}: {}", said.stderr);
        assert!(out.join("tiuRegInfo_0.txt").is_file(), "{what}");
    }
}

#[test]
fn a_special_file_as_global_profile_is_an_error() {
    for (what, put) in replacements() {
        let dump = DumpCopy::copy(CASE);
        dump.remove("global.profile");
        put(&dump.file("global.profile"));
        let out = dump.parent().join("out");
        let said = analyze_within_bounds(&dump.path(), &out, &[]);
        assert_eq!(said.code, Some(1), "{what}: {}", said.stderr);
        let says = "global.profile: cannot be read (not a regular file";
        assert!(said.stderr.contains(says), "{what}: {}", said.stderr);
        assert!(!out.exists(), "{what}");
    }
}

/// Results of an earlier run are read back: what stands in their place is not waited for.
#[test]
fn pipes_in_the_place_of_results_are_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    fs::create_dir_all(at("dumps/one")).unwrap();
    for file in fs::read_dir(case(CASE).dump()).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), dir.path().join("dumps/one").join(file.file_name())).unwrap();
    }
    let run = |args: &[&str]| {
        let mut command = Command::new("timeout");
        command.arg("60").arg(env!("CARGO_BIN_EXE_bigtpuprofile")).args(args);
        finish(&mut command)
    };
    let batch = || run(&["batch", &at("dumps"), &at("out"), "--emit", "summary,report"]);
    assert_eq!(batch().code, Some(0));
    for name in ["out/index.json", "out/one/batch.json"] {
        fs::remove_file(at(name)).unwrap();
        fifo(Path::new(&at(name)));
        let said = batch();
        assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
        assert!(fs::metadata(at(name)).unwrap().is_file(), "{name} is written anew");
    }
    fs::create_dir(at("other")).unwrap();
    fifo(Path::new(&at("other/report.json")));
    let said = run(&["diff", &at("out/one"), &at("other")]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    fs::create_dir(at("history")).unwrap();
    fifo(Path::new(&at("history/history.jsonl")));
    let said = run(&["diff", "--history", &at("history"), &at("out/one")]);
    assert_ne!(said.code, Some(124), "it waits");
    assert!(said.stderr.lines().any(|line| line.starts_with("error: ")), "{}", said.stderr);
}

#[test]
fn links_to_files_are_read() {
    let sound = case(CASE).dump();
    let dir = tempfile::tempdir().unwrap();
    let dump = dir.path().join("dump");
    fs::create_dir(&dump).unwrap();
    for entry in fs::read_dir(&sound).unwrap() {
        let file = entry.unwrap();
        symlink(file.path(), dump.join(file.file_name())).unwrap();
    }
    let [linked, plain] = [dump, sound].map(|dump| {
        let out = tempfile::tempdir().unwrap();
        let said = analyze_within_bounds(&dump, out.path(), &["--strict"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        tree(out.path())
    });
    assert!(linked == plain);
}

#[test]
fn file_names_are_escaped_on_a_terminal() {
    let dump = DumpCopy::copy(CASE);
    let name = "cdmlib\u{1b}[2J\n_x.profile";
    dump.write(name, "x");
    let out = dump.parent().join("out");
    let said = analyze_within_bounds(&dump.path(), &out, &["--verbose"]);
    assert!(
        !said.stderr.contains('\u{1b}') && said.stderr.contains(r"cdmlib\u{1b}[2J\u{a}_x"),
        "{}",
        said.stderr
    );
}

#[test]
fn values_of_global_profile_are_escaped_on_a_terminal() {
    let dump = DumpCopy::copy(CASE);
    dump.edit_global(|text| format!("{text}core_num=\u{1b}[2J\u{202e}{}\n", "9".repeat(1 << 20)));
    let out = dump.parent().join("out");
    let said = analyze_within_bounds(&dump.path(), &out, &["--verbose"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains(r"core_num=\u{1b}[2J\u{202e}9999"), "{}", said.stderr);
    assert!(!said.stderr.contains(['\u{1b}', '\u{202e}']) && said.stderr.len() < 1000);
    dump.edit_global(|_| format!("arch=\u{1b}[2J{}\n", "9".repeat(1 << 20)));
    let said = analyze_within_bounds(&dump.path(), &out, &[]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(!said.stderr.contains('\u{1b}') && said.stderr.len() < 1000, "{}", said.stderr);
}

/// Man pages and completions of a package take the place of links, and do not follow them.
#[test]
fn pages_of_a_package_are_written_through_no_link() {
    let dir = tempfile::tempdir().unwrap();
    let (target, victim) = (dir.path().join("target"), dir.path().join("victim"));
    fs::create_dir_all(target.join("man")).unwrap();
    fs::write(&victim, "kept").unwrap();
    symlink(&victim, target.join("man/bigtpuprofile.1")).unwrap();
    let generate = || {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/generate.sh");
        let mut command = Command::new("bash");
        command.arg(script).arg(env!("CARGO_BIN_EXE_bigtpuprofile")).arg(&target);
        command.output().unwrap().status.success()
    };
    assert!(generate() && generate(), "a second run replaces the files of the first");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "kept");
    assert!(!target.join("man/bigtpuprofile.1").is_symlink());
    for page in ["open", "simulate", "cluster"] {
        assert!(target.join(format!("man/bigtpuprofile-{page}.1")).is_file(), "{page}");
    }
    fs::remove_dir_all(target.join("man")).unwrap();
    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, target.join("man")).unwrap();
    assert!(!generate());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}
