//! Iterations, and what a host trace adds to the report.

use serde_json::Value;

use super::gaps::csv;
use super::{Synth, analyze, report};
use crate::suite::golden::head_of_page;
use crate::support::case::case;
use crate::support::run::{analyzed, say};
use crate::support::workbook;

/// Kernels of a synthetic iteration.
fn per_step(report: &Value) -> usize {
    report["kernels"].as_array().unwrap().len()
}

#[test]
fn iterations_are_found_and_a_slow_one_stands_out() {
    for chip in ["aks", "bm1688", "cv84x6"] {
        let launches = "64";
        let plant = ["--chip", chip, "--launches", launches, "--plant", "bubble=0:tiu:3000"];
        let report = Synth::new(&plant).report();
        let n = per_step(&report);
        let steps = &report["steps"];
        assert_eq!(steps["source"], "repetition", "{chip}");
        assert_eq!(steps["times"]["count"], 64 / n, "{chip}");
        let all = steps["steps"].as_array().unwrap();
        let outliers: Vec<&Value> = all.iter().filter(|s| s["is_outlier"] == true).collect();
        // The bubble is in launch 32.
        assert!(outliers.iter().any(|s| s["number"] == 32 / n), "{chip}: {outliers:?}");
        for step in all {
            let ns = |key: &str| step[key].as_i64().unwrap();
            let phases =
                ["compute_only_ns", "overlapped_ns", "transfer_only_ns", "sync_ns", "idle_ns"];
            let sum: i64 = phases.iter().map(|key| ns(key)).sum();
            assert_eq!(sum, ns("end_ns") - ns("start_ns"), "{chip}: {step}");
        }
    }
}

/// The workbook has a row for each step; without steps it has no such sheet.
#[test]
fn the_workbook_shows_steps() {
    let synth = Synth::new(&["--launches", "64", "--plant", "bubble=0:tiu:3000"]);
    let run = analyzed(&synth.path(), &["--emit", "workbook,report"]);
    let steps = report(&run)["steps"]["steps"].as_array().unwrap().clone();
    let rows = workbook::rows(run.out_dir(), "Steps");
    let head = rows.iter().position(|row| row[0] == "Step").unwrap();
    let lines = &rows[head + 1..];
    assert_eq!(lines.len(), steps.len());
    for (line, step) in lines.iter().zip(&steps) {
        let ns = step["end_ns"].as_i64().unwrap() - step["start_ns"].as_i64().unwrap();
        let shown: f64 = line[2].parse().unwrap();
        assert!((shown - ns as f64 / 1000.0).abs() < 0.001, "{line:?} {step}");
        assert_eq!(line[10].starts_with("outlier"), step["is_outlier"] == true, "{line:?}");
    }
    let without = analyzed(&Synth::new(&["--launches", "2"]).path(), &["--emit", "workbook"]);
    assert!(!workbook::names(without.out_dir()).contains(&"Steps".to_owned()));
}

/// What the commands that start in a step did is the same in the report, in the events, in the workbook, in the trace, and on the page.
#[test]
fn steps_tell_what_their_commands_did() {
    for options in [
        &["--launches", "44", "--cores", "2"][..],
        &["--chip", "bm1688", "--launches", "33", "--seed", "5"],
        &["--chip", "cv84x6", "--style", "rvt", "--launches", "22", "--mode", "1"],
        &["--cdma", "2", "--launches", "22", "--loss", "0.01"],
    ] {
        let synth = Synth::new(options);
        let run = analyzed(&synth.path(), &["--emit", "report,csv,workbook,trace,page"]);
        let report = report(&run);
        let steps = report["steps"]["steps"].as_array().unwrap();
        assert!(steps.len() >= 2, "{options:?}");
        let mut events = csv(&run.text("events.csv"));
        let titles = events.remove(0);
        let at = |title: &str| titles.iter().position(|own| own == title).unwrap();
        let int = |value: &Value| value.as_i64().unwrap();
        let rows = workbook::rows(run.out_dir(), "Steps");
        let head = rows.iter().position(|row| row[0] == "Step").unwrap();
        let page: Value =
            serde_json::from_str(head_of_page(&run.text("PerfWeb/result.html"))).unwrap();
        let columns: Vec<&str> = page["stepColumns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["id"].as_str().unwrap())
            .collect();
        let trace = run.trace();
        let mut path_ns = 0;
        for (number, step) in steps.iter().enumerate() {
            let (from, to) = (int(&step["start_ns"]), int(&step["end_ns"]));
            let own: Vec<&Vec<String>> = events
                .iter()
                .filter(|row| (from..to).contains(&row[at("start_ns")].parse::<i64>().unwrap()))
                .collect();
            assert_eq!(int(&step["events"]), own.len() as i64, "{options:?} {number}");
            let work = || own.iter().filter(|row| row[at("activity")] == "work");
            let bytes: i64 = work().filter_map(|row| row[at("bytes")].parse::<i64>().ok()).sum();
            let moved = int(&step["ddr_bytes"]) + int(&step["other_bytes"]);
            assert_eq!(moved, bytes, "{options:?} {number}");
            let tiu = work().filter(|row| row[at("engine")] == "TIU");
            let tiu: i64 = tiu.map(|row| row[at("duration_ns")].parse::<i64>().unwrap()).sum();
            assert_eq!(int(&step["busy_ns"][0]), tiu, "{options:?} {number}");
            path_ns += int(&step["path_ns"]);

            let row = &rows[head + 1 + number];
            let title = |title: &str| rows[head].iter().position(|own| own == title).unwrap();
            assert_eq!(row[title("DDR Bytes")], step["ddr_bytes"].to_string(), "{options:?}");
            let cell = columns.iter().position(|id| *id == "bytes").unwrap();
            assert_eq!(page["steps"][number]["cells"][cell], moved, "{options:?}");
            let slice = trace
                .slices
                .iter()
                .find(|slice| slice.track == "Steps" && slice.name == format!("Step {number}"));
            let slice = slice.unwrap_or_else(|| panic!("{options:?}: Step {number}"));
            let ddr = slice.arg("DDR Bytes").and_then(|ddr| ddr.int());
            assert_eq!(ddr, Some(i128::from(int(&step["ddr_bytes"]))), "{options:?}");
        }
        let wall = int(&report["intervals"]["overall"]["wall_ns"]);
        assert!(path_ns <= wall, "{options:?}: {path_ns} of {wall}");
        let is_replayed = !report["critical_path"]["pieces"].as_array().unwrap().is_empty();
        assert_eq!(path_ns > wall / 2, is_replayed, "{options:?}: {path_ns} of {wall}");
    }
}

#[test]
fn a_kernels_name_begins_steps() {
    let synth = Synth::new(&["--launches", "24"]);
    let first =
        report(&analyze(&synth.path()))["steps"]["first_kernel"].as_str().unwrap().to_owned();
    let pattern = format!("^{first}$");
    let run = analyzed(&synth.path(), &["--emit", "report", "--step", &pattern]);
    let steps = &report(&run)["steps"];
    assert_eq!((&steps["source"], &steps["first_kernel"]), (&"kernel".into(), &first.into()));
    let nothing = analyzed(&synth.path(), &["--emit", "report", "--step", "nothing"]);
    assert!(nothing.said.stderr.contains("--step nothing"), "{}", nothing.said.stderr);
    assert_eq!(report(&nothing)["steps"], Value::Null);
    let path = synth.path();
    let bad = say(&[path.to_str().unwrap(), "--step", "("]);
    assert_eq!(bad.code, Some(2), "{bad:?}");
}

#[test]
fn slower_steps_are_found_by_a_comparison() {
    let before = Synth::new(&["--launches", "40"]);
    let after = Synth::new(&["--launches", "40", "--plant", "imbalance=1:1.5"]);
    let (a, b) = (before.path(), after.path());
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let said = say(&["diff", a, b, "--fail-on", "steps>+3%", "--fail-on", "step:0>+3%"]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(
        said.stderr.contains("FAILED: steps>+3%: ") && said.stderr.contains("FAILED: step:0>+3%: "),
        "{said:?}"
    );
    assert_eq!(say(&["diff", a, a, "--fail-on", "steps>+3%"]).code, Some(0));
}

#[test]
fn a_host_trace_adds_a_part_of_its_own_and_changes_nothing_else() {
    let case = case("aksv-mode2-trace");
    let host = case.host_trace().unwrap();
    let alone = report(&analyze(&case.dump()));
    let args = ["--disable_doc", "--disable_web", "--trace_file", host.to_str().unwrap()];
    let run = analyzed(&case.dump(), &args);
    let mut with_host = report(&run);
    let part = with_host.as_object_mut().unwrap().remove("host").unwrap();
    assert_eq!(with_host, alone);
    assert_eq!(part["alignment"], "disable_profile");
    assert_eq!(part["calls"], 4);
    let idle = |key: &str| part["idle"][key].as_i64().unwrap();
    assert_eq!(idle("host_bound_ns") + idle("device_bound_ns"), idle("idle_ns"));
    let overall = &alone["intervals"]["overall"];
    assert_eq!(part["idle"]["idle_ns"], overall["idle_ns"]);
    assert!(run.said.stdout.contains("launch latency p50"), "{}", run.said.stdout);
}
