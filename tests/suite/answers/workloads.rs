//! Runs know whose they are: programs are never pooled, names may change, limits that check nothing fail.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::Synth;
use crate::support::run::{Said, say};

fn diff(before: &Path, after: &Path, more: &[&str]) -> Said {
    let paths = [before.to_str().unwrap(), after.to_str().unwrap()];
    say(&[&["diff"], &paths[..], more].concat())
}

/// Dumps, each at its place below the directory.
fn side(dumps: &[(&str, &[&str])]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (place, args) in dumps {
        let synth = Synth::new(&[&["--cores", "2"], *args].concat());
        let to = dir.path().join(place);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(synth.path(), to).unwrap();
    }
    dir
}

const RESNET: &[&str] = &["--kernel", "rope", "--launches", "4"];
const SLOW_RESNET: &[&str] =
    &["--kernel", "rope", "--launches", "4", "--plant", "slow-kernel=rope:2"];
const BERT: &[&str] = &["--launches", "11"];
const VIT: &[&str] = &["--launches", "22", "--repeat", "3"];

/// Three programs, one of which is slower: it has a verdict of its own, and the limit fails on it alone.
#[test]
fn different_programs_are_compared_apart() {
    let before = side(&[("resnet", RESNET), ("bert", BERT), ("vit", VIT)]);
    let after = side(&[("resnet", SLOW_RESNET), ("bert", BERT), ("vit", VIT)]);
    let limit = ["--fail-on", "total>+3%"];
    let said = diff(before.path(), after.path(), &limit);
    assert_eq!(said.code, Some(4), "{said:?}");
    let first = said.stdout.lines().next().unwrap();
    assert!(first.starts_with("Failed: 1 of 3 limits: resnet: total>+3%: "), "{first}");
    assert!(said.stderr.lines().filter(|l| l.starts_with("FAILED: resnet: ")).count() == 1);
    let json = diff(before.path(), after.path(), &["--json"]).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let workloads: Vec<&str> =
        json["units"].as_array().unwrap().iter().map(|u| u["workload"].as_str().unwrap()).collect();
    assert_eq!(workloads, ["resnet", "bert", "vit"]);
    // Only the groups.
    let groups = diff(before.path(), after.path(), &["--dry-run"]);
    assert_eq!(groups.code, Some(0), "{groups:?}");
    for text in ["Which runs repeat one another", "resnet", "vit", "bert"] {
        assert!(groups.stdout.contains(text), "{text}: {}", groups.stdout);
    }
    assert!(!groups.stdout.contains("Verdict"), "{}", groups.stdout);
    // A name for all of them does not make them one program.
    let named =
        diff(before.path(), after.path(), &["--workload", "nightly", "--fail-on", "total>+3%"]);
    assert_eq!(named.code, Some(4), "{named:?}");
    assert!(named.stdout.contains("not of the same program"), "{}", named.stdout);
    // A workload that is gone does not pass.
    fs::remove_dir_all(after.path().join("vit")).unwrap();
    fs::remove_dir_all(after.path().join("resnet")).unwrap();
    let gone = diff(before.path(), after.path(), &limit);
    assert_eq!(gone.code, Some(4), "{gone:?}");
    let allowed = diff(before.path(), after.path(), &[&limit[..], &["--allow-missing"]].concat());
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
}

/// Files of other programs lie beside reports: they are left out with a note, not an error.
#[test]
fn files_that_are_no_reports_are_left_out() {
    let runs = side(&[("1", RESNET), ("2", RESNET)]);
    fs::write(runs.path().join("trace.json"), "{\"traceEvents\": []}").unwrap();
    fs::write(runs.path().join("rank_table.json"), "{\"version\": \"1.0\"}").unwrap();
    fs::write(runs.path().join("cluster.json"), "{\"schema_version\": 1}").unwrap();
    fs::write(runs.path().join("broken.json"), "{").unwrap();
    let said = diff(runs.path(), runs.path(), &["--full"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for name in ["trace.json", "rank_table.json", "cluster.json", "broken.json"] {
        assert!(
            said.stdout.contains(&format!("{name}: left out: it is no report")),
            "{name}: {said:?}"
        );
    }
    // Given itself, it is an error.
    let trace = runs.path().join("trace.json");
    assert_eq!(diff(&trace, runs.path(), &[]).code, Some(1));
}

/// Gives the launches of a kernel other names of the same length in all files of a dump, by turns.
fn rename(dump: &Path, from: &[u8], names: &[&str]) -> usize {
    let mut count = 0;
    for file in fs::read_dir(dump).unwrap().map(|entry| entry.unwrap().path()) {
        let mut bytes = fs::read(&file).unwrap();
        let places: Vec<usize> = (0..bytes.len().saturating_sub(from.len()))
            .filter(|at| bytes[*at..].starts_with(from))
            .collect();
        for (at, to) in places.iter().zip(names.iter().cycle()) {
            bytes[*at..*at + to.len()].copy_from_slice(to.as_bytes());
        }
        count += places.len();
        if !places.is_empty() {
            fs::write(&file, bytes).unwrap();
        }
    }
    count
}

/// Four kernels do the same work. All are split at once, fused at once, and get other names at once: each is found again by its place.
#[test]
fn launches_that_were_split_or_fused_are_named() {
    let launches = |launches: &str, repeat: &str, names: &[&str]| {
        let args = ["--kernel", "rope", "--launches", launches, "--repeat", repeat];
        let side = side(&[("run", &args)]);
        assert_eq!(rename(&side.path().join("run"), b"rope", names), 2 * names.len());
        side
    };
    let whole = launches("4", "2", &["ka__", "kb__", "kc__", "kd__"]);
    let halves =
        launches("8", "1", &["ka_1", "ka_2", "kb_1", "kb_2", "kc_1", "kc_2", "kd_1", "kd_2"]);
    let other = launches("4", "2", &["w001", "w002", "w003", "w004"]);
    let causes = |before: &TempDir, after: &TempDir| -> Vec<(String, String)> {
        let said = diff(before.path(), after.path(), &["--json"]);
        let found: Value = serde_json::from_str(&said.stdout).unwrap();
        let text = |cause: &Value, key: &str| cause[key].as_str().unwrap().to_owned();
        let causes = found["verdict"]["causes"].as_array().unwrap();
        let mut causes: Vec<(String, String)> = causes
            .iter()
            .filter(|cause| cause["kind"] != "pauses")
            .map(|cause| {
                let owners = cause["owners"].as_array().unwrap().iter();
                let owners: Vec<&str> = owners.map(|owner| owner.as_str().unwrap()).collect();
                (text(cause, "kind"), owners.join(" "))
            })
            .collect();
        causes.sort();
        causes.dedup();
        causes
    };
    let expected = |kind: &str, sets: [&str; 4]| sets.map(|set| (kind.to_owned(), set.to_owned()));
    let split = ["ka__ ka_1 ka_2", "kb__ kb_1 kb_2", "kc__ kc_1 kc_2", "kd__ kd_1 kd_2"];
    assert_eq!(causes(&whole, &halves), expected("split", split));
    let fused = ["ka_1 ka_2 ka__", "kb_1 kb_2 kb__", "kc_1 kc_2 kc__", "kd_1 kd_2 kd__"];
    assert_eq!(causes(&halves, &whole), expected("fused", fused));
    let renamed = ["ka__ w001", "kb__ w002", "kc__ w003", "kd__ w004"];
    assert_eq!(causes(&whole, &other), expected("renamed", renamed));
    // A limit on a name before follows each.
    let limit = ["--fail-on", "kernel:k*>+5%"];
    assert_eq!(diff(whole.path(), other.path(), &limit).code, Some(0));
}

/// A kernel under another name is compared with itself, and a limit on the old name still counts.
#[test]
fn a_limit_follows_a_kernel_that_was_renamed() {
    let before = side(&[("run", BERT)]);
    let after = side(&[("run", BERT)]);
    let slow = side(&[("run", &["--launches", "11", "--plant", "slow-kernel=rope:2"])]);
    for dir in [&after, &slow] {
        assert!(rename(&dir.path().join("run"), b"rope", &["epor"]) > 0);
    }
    let limit = ["--fail-on", "kernel:rope*>+5%", "--json"];
    let same = diff(before.path(), after.path(), &limit);
    assert_eq!(same.code, Some(0), "{same:?}");
    let found: Value = serde_json::from_str(&same.stdout).unwrap();
    let causes = found["verdict"]["causes"].as_array().unwrap();
    assert!(causes.iter().any(|cause| cause["kind"] == "renamed"), "{causes:#?}");
    let rows = found["rows"].as_array().unwrap();
    let kernel = rows.iter().find(|row| row["old_name"].is_string()).unwrap();
    assert_eq!(kernel["presence"], "both");
    assert_eq!(diff(before.path(), slow.path(), &limit).code, Some(4));
    // What was never there can't be checked.
    let never = diff(before.path(), after.path(), &["--fail-on", "kernel:nosuch>+5%"]);
    assert_eq!(never.code, Some(4), "{never:?}");
    assert!(never.stdout.starts_with("Failed: 1 of 1 limits: kernel:nosuch>+5%: matches nothing"));
}

/// What fails stands first, although the run as a whole is no slower.
#[test]
fn what_failed_stands_first() {
    let before = side(&[("run", BERT)]);
    let after = side(&[("run", &["--launches", "11", "--plant", "slow-kernel=rope:3"])]);
    let out = tempfile::tempdir().unwrap();
    let dir = out.path().to_str().unwrap();
    let said = diff(before.path(), after.path(), &["-o", dir, "--fail-on", "kernel:rope>+50%"]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.stdout.starts_with("Failed: 1 of 1 limits: kernel:rope>+50%: kernel rope: "));
    let comment = fs::read_to_string(out.path().join("diff.md")).unwrap();
    let first = comment.lines().find(|line| line.starts_with("- ")).unwrap();
    assert!(first.contains("FAILED"), "{comment}");
    let text = fs::read_to_string(out.path().join("diff.txt")).unwrap();
    assert!(text.starts_with("FAILED: kernel:rope>+50%"), "{text}");
}

/// Eight simulated nights with labels are eight builds, and the last one, which takes 61 % longer, is found at once.
#[test]
fn simulated_nights_enter_the_history() {
    let models = [("old.bmodel", None), ("new.bmodel", Some("small-transfers=4"))];
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    for (name, plant) in models {
        let (dump, file) = (at(&format!("dump_{name}")), at(name));
        let options =
            ["--style", "bmodel", "--cores", "1", "--launches", "4", "--bmodel", &file, "-q"];
        let mut args = [&["synth", &dump], &options[..]].concat();
        args.extend(plant.iter().flat_map(|plant| ["--plant", plant]));
        assert_eq!(say(&args).code, Some(0));
    }
    let history = at("history");
    let night = |number: usize, model: &str| {
        let out = at(&format!("night{number}"));
        assert_eq!(say(&["simulate", &at(model), &out, "--emit", "report"]).code, Some(0));
        let label = format!("v{number}");
        say(&["diff", "--history", &history, &out, "--label", &label, "--fail-on-slower"])
    };
    for number in 1..=7 {
        assert_eq!(night(number, "old.bmodel").code, Some(0));
    }
    let slow = night(8, "new.bmodel");
    assert_eq!(slow.code, Some(4), "{slow:?}");
    assert!(slow.stdout.starts_with("Slower: since run 8 (v8) the wall time is 60."), "{slow:?}");
    let again = night(9, "new.bmodel");
    assert_eq!(again.code, Some(0), "{again:?}");
    let page = fs::read_to_string(dir.path().join("history/history.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("v8") && page.contains("lang=\"zh\""), "{page}");
    assert!(!page.contains("<script"));
}
