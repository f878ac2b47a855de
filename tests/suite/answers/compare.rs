//! `bigtpuprofile diff`: what changed, and limits as a gate.

use std::fs;

use serde_json::Value;

use super::{Synth, analyze, with};
use crate::support::case::case;
use crate::support::run::{Said, say};

fn compare(before: &std::path::Path, after: &std::path::Path, more: &[&str]) -> Said {
    let paths = [before.to_str().unwrap(), after.to_str().unwrap()];
    say(&[&["diff"], &paths[..], more].concat())
}

#[test]
fn a_planted_change_is_found_and_ends_the_build() {
    let even = Synth::new(&["--cores", "2", "--launches", "11"]);
    let slow = Synth::new(&["--cores", "2", "--launches", "11", "--plant", "slow-kernel=rope:3"]);
    let out = tempfile::tempdir().unwrap();
    let dir = out.path().to_str().unwrap();
    let limits =
        ["--fail-on", "kernel:ro*>+5%", "--fail-on", "kernel:matmul*>+5%", "--fail-on", "loss>0"];
    let said = compare(&even.path(), &slow.path(), &[&["-o", dir], &limits[..]].concat());
    assert_eq!(said.code, Some(4), "{said:?}");
    let line = said.stderr.trim_end();
    assert!(line.starts_with("FAILED: kernel:ro*>+5%: kernel rope: time went from "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(said.stdout.contains("ok: kernel:matmul*>+5% (4 rows)"), "{}", said.stdout);
    let diff: Value =
        serde_json::from_str(&fs::read_to_string(out.path().join("diff.json")).unwrap()).unwrap();
    let rows: Vec<&Value> =
        diff["rows"].as_array().unwrap().iter().filter(|r| r["subject"] == "kernel").collect();
    assert_eq!(rows[0]["name"], "rope", "the greatest change is first");
    let time = with(&rows[0]["changes"], "metric", "time");
    assert!((1.7..=2.0).contains(&time["relative"].as_f64().unwrap()), "{time:#}");
    for (file, text) in
        [("diff.txt", "rope"), ("diff.md", "| rope | "), ("diff.html", "id=\"runs\"")]
    {
        assert!(fs::read_to_string(out.path().join(file)).unwrap().contains(text), "{file}");
    }
}

/// Both cores run the slow kernel, and the run waits for one of them at a time.
#[test]
fn the_part_of_a_change_on_the_critical_path_is_known() {
    let even = Synth::new(&["--cores", "2", "--launches", "11"]);
    let slow = Synth::new(&["--cores", "2", "--launches", "11", "--plant", "slow-kernel=rope:3"]);
    let said = compare(&even.path(), &slow.path(), &["--json"]);
    let diff: Value = serde_json::from_str(&said.stdout).unwrap();
    let rows = diff["rows"].as_array().unwrap();
    let changes = |subject: &str| -> Vec<(&str, f64)> {
        let rows = rows.iter().filter(|row| row["subject"] == subject);
        rows.map(|row| {
            (row["name"].as_str().unwrap(), row["changes"][0]["absolute"].as_f64().unwrap())
        })
        .collect()
    };
    let wall = changes("total")[0].1;
    let pieces = changes("critical_path");
    assert!(pieces[0].0.starts_with("rope "), "{pieces:?}");
    assert_eq!(pieces.iter().map(|(_, ns)| ns).sum::<f64>(), wall, "the pieces are the whole");
    let rope = rows.iter().find(|row| row["subject"] == "kernel" && row["name"] == "rope").unwrap();
    let (all, path) = (&rope["changes"][0], with(&rope["changes"], "metric", "critical_path"));
    let (all, path) = (all["absolute"].as_f64().unwrap(), path["absolute"].as_f64().unwrap());
    assert!((path - wall).abs() < 0.02 * wall && path < 0.6 * all, "{path} of {all}, {wall}");
    let console = compare(&even.path(), &slow.path(), &["--full"]).stdout;
    assert!(console.contains("On the path(us)") && console.contains("Critical path (pieces"));
    let screen = compare(&even.path(), &slow.path(), &[]).stdout;
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines.len() <= 40 && lines.iter().all(|line| line.chars().count() <= 80), "{screen}");
    assert!(lines[0].starts_with("Verdict: ") && lines[0].contains(" us instead of "), "{screen}");
    let verdict = lines[..2].join(" ").replace("  ", "");
    assert!(verdict.contains("rope takes 3.00 times as long for the same"), "{screen}");
    let table = lines.iter().position(|line| *line == "Where the time went");
    assert!(table.is_some() && lines.last().unwrap().ends_with(" more rows: --full"), "{screen}");
    let gate = ["--fail-on", "kernel:rope.critical_path>+10us", "-q"];
    assert_eq!(compare(&even.path(), &slow.path(), &gate).code, Some(4));
}

/// Only dumps have events to draw: the page of two reports is tables.
#[test]
fn the_page_of_two_reports_has_no_timelines() {
    let dump = case("aks-mode2-sync").dump();
    let out = tempfile::tempdir().unwrap();
    let report = out.path().join("before.json");
    fs::write(&report, analyze(&dump).text("report.json")).unwrap();
    let said = compare(&dump, &report, &["-q", "-o", out.path().to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let html = fs::read_to_string(out.path().join("diff.html")).unwrap();
    assert!(html.contains("<h2>The whole run</h2>") && !html.contains("id=\"runs\""), "{html}");
}

#[test]
fn limits_that_hold_and_equal_runs_are_fine() {
    let dump = case("aks-mode2-sync").dump();
    let said = compare(&dump, &dump, &["--fail-on", "total>+0%", "--fail-on", "total<+0%", "-q"]);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (Some(0), "", ""));
}

/// Five runs a side: a slower kernel is distinguished from the spread of equal runs.
#[test]
fn several_runs_a_side_have_an_interval_and_a_verdict() {
    let side = |plant: &[&str]| {
        let dir = tempfile::tempdir().unwrap();
        for seed in ["1", "2", "3", "4", "5"] {
            let synth = Synth::new(&[&["--cores", "2", "--seed", seed], plant].concat());
            fs::rename(synth.path(), dir.path().join(seed)).unwrap();
        }
        dir
    };
    let (even, slow) = (side(&[]), side(&["--plant", "slow-kernel=rope:3"]));
    let out = tempfile::tempdir().unwrap();
    let dir = out.path().to_str().unwrap();
    let limits = ["--fail-on", "kernel:rope>+50%", "--fail-on", "kernel:matmul*>+20%"];
    let said = compare(even.path(), slow.path(), &[&["-o", dir, "--json"], &limits[..]].concat());
    assert_eq!(said.code, Some(4), "{said:?}");
    let diff: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(fs::read_to_string(out.path().join("diff.json")).unwrap(), said.stdout);
    assert_eq!(diff["gate"]["verdict"], "failed");
    let kernels = diff["rows"].as_array().unwrap().iter().filter(|r| r["subject"] == "kernel");
    let rope = kernels.clone().find(|r| r["name"] == "rope").unwrap();
    let time = with(&rope["changes"], "metric", "time");
    assert_eq!((&time["noise"], &time["p_value"]), (&"beyond".into(), &0.004.into()), "{time:#}");
    assert!(time["interval"]["low"].as_f64().unwrap() > 0.0, "{time:#}");
    let junit = fs::read_to_string(out.path().join("diff.junit.xml")).unwrap();
    assert!(junit.contains("tests=\"2\" failures=\"1\""), "{junit}");
    assert!(junit.contains("name=\"kernel:rope&gt;+50%\"><failure message=\"FAILED"), "{junit}");
}

#[test]
fn limits_that_match_nothing_fail_unless_allowed() {
    let dump = case("aks-mode2-sync").dump();
    let limit = ["--fail-on", "kernel:no_such*>+3%", "-q"];
    let said = compare(&dump, &dump, &[&limit[..], &["--allow-missing"]].concat());
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""));
    assert!(said.stderr.starts_with("warning: kernel:no_such*>+3%: matches nothing"), "{said:?}");
    let said = compare(&dump, &dump, &limit);
    assert_eq!(said.code, Some(4));
    assert!(said.stderr.starts_with("FAILED: kernel:no_such*>+3%: matches nothing"), "{said:?}");
}

#[test]
fn reports_and_folders_of_them_are_sides_too() {
    let before = analyze(&case("aks-mode2-sync").dump());
    let after = analyze(&case("aks-graph-des").dump());
    let of_dumps = compare(&case("aks-mode2-sync").dump(), &case("aks-graph-des").dump(), &[]);
    let of_reports = compare(&before.out_dir().join("report.json"), after.out_dir(), &[]);
    let tables = |said: &Said| {
        said.stdout
            .lines()
            .filter(|l| !l.starts_with("before: ") && !l.starts_with("after: "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(of_reports.code, Some(0), "{of_reports:?}");
    assert_eq!(tables(&of_reports), tables(&of_dumps));
    let several = tempfile::tempdir().unwrap();
    for name in ["run1", "run2"] {
        fs::create_dir(several.path().join(name)).unwrap();
        fs::copy(
            before.out_dir().join("report.json"),
            several.path().join(name).join("report.json"),
        )
        .unwrap();
    }
    let said = compare(several.path(), &case("aks-mode2-sync").dump(), &["--full"]);
    assert!(said.stdout.contains("31.432 +-0.000"), "{}", said.stdout);
    assert!(
        said.stdout.contains("noise unknown (fewer than three runs per side)"),
        "{}",
        said.stdout
    );
}

#[test]
fn what_is_no_run_or_limit_is_refused() {
    let dump = case("aks-mode2-sync").dump();
    let empty = tempfile::tempdir().unwrap();
    let said = compare(empty.path(), &dump, &[]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("holds neither a dump nor a report"), "{}", said.stderr);
    fs::write(empty.path().join("report.json"), "{}").unwrap();
    let said = compare(&empty.path().join("report.json"), &dump, &[]);
    assert!(said.stderr.contains("not a report ("), "{}", said.stderr);
    let said = compare(&dump, &dump, &["--fail-on", "speed>1"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.stderr.contains("must start with one of total, critical_path, core"),
        "{}",
        said.stderr
    );
    for limit in ["total>3%", "total>+10usus", "kernel:a.time>>+5%"] {
        assert_eq!(compare(&dump, &dump, &["--fail-on", limit]).code, Some(2), "{limit}");
    }
}

/// Directories name occasions, and pairs are the n-th runs of both sides: numbers in names count as numbers.
#[test]
fn occasions_and_pairs_are_told_by_directories_and_an_option() {
    let side = |places: &[String]| {
        let dir = tempfile::tempdir().unwrap();
        for (seed, place) in (1..).zip(places) {
            let synth =
                Synth::new(&["--cores", "2", "--launches", "2", "--seed", &seed.to_string()]);
            let to = dir.path().join(place);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::rename(synth.path(), to).unwrap();
        }
        dir
    };
    let dated = |days: &[&str]| {
        let runs = days.iter().flat_map(|day| (1..=2).map(move |run| format!("{day}/run-{run}")));
        side(&runs.collect::<Vec<_>>())
    };
    let json = |before: &std::path::Path, after: &std::path::Path, more: &[&str]| -> Value {
        serde_json::from_str(&compare(before, after, &[&["--json"], more].concat()).stdout).unwrap()
    };
    let (before, after) =
        (dated(&["2026-11-20", "2026-11-21", "2026-11-22"]), dated(&["2026-11-23"]));
    let found = json(before.path(), after.path(), &[]);
    assert_eq!((&found["method"], &found["noise_is_known"]), (&"occasions".into(), &true.into()));
    let note = found["warnings"][0].as_str().unwrap();
    assert!(note.starts_with("3 occasions before and 1 after: they differ by "), "{note}");
    let runs: Vec<String> = (1..=11).map(|run| run.to_string()).collect();
    let same = side(&runs);
    let found = json(same.path(), same.path(), &["--pairs"]);
    assert_eq!(found["method"], "pairs");
    let names: Vec<&str> =
        found["before"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(names[1].ends_with("/2") && names[10].ends_with("/11"), "{names:?}");
    let total = &found["rows"][0]["changes"][0];
    assert_eq!((&total["absolute"], &total["noise"]), (&0.0.into(), &"within".into()));
}
