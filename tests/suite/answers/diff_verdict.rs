//! `diff` says why the wall time changed: planted causes are named, with their core, kernel and kind, in every output.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::Synth;
use crate::support::case::fixture;
use crate::support::run::say;

/// Runs without pauses, so that what was planted is all that changed.
fn planted(args: &[&str]) -> Synth {
    Synth::new(&[&["--launches", "11", "--launch-gap", "0", "--pipelined"], args].concat())
}

fn compare(before: &Path, after: &Path, more: &[&str]) -> String {
    let paths = [before.to_str().unwrap(), after.to_str().unwrap()];
    let said = say(&[&["diff"], &paths[..], more].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    said.stdout
}

fn verdict(before: &Synth, after: &Synth) -> Value {
    let text = compare(&before.path(), &after.path(), &["--json"]);
    serde_json::from_str::<Value>(&text).unwrap()["verdict"].clone()
}

#[test]
fn planted_causes_are_named_and_explain_the_change() {
    let even = planted(&[]);
    for (plant, kind, cores, owner, words) in [
        ("imbalance=2:1.5", "same_commands", vec![2], None, "Core 2 takes 1.50 times as long for"),
        ("slow-kernel=rope:3", "same_commands", vec![], Some("rope"), "rope takes 3.00 times as"),
        ("small-transfers=6", "commands", vec![], None, "Each core moves its bytes in 3.20 times"),
        (
            "launch-gap=200",
            "pauses",
            vec![],
            None,
            "Between launches passes more time in all_reduce",
        ),
        ("bubble=1:tiu:200", "pauses", vec![1], Some("all_reduce"), "in all_reduce on core 1"),
        ("serialized=100", "overlap", vec![], None, "Less of the same work runs side by side"),
    ] {
        let found = verdict(&even, &planted(&["--plant", plant]));
        let cause = &found["causes"][0];
        assert_eq!(cause["kind"], kind, "{plant}: {found:#}");
        assert_eq!(cause["cores"], serde_json::json!(cores), "{plant}: {found:#}");
        if let Some(owner) = owner {
            assert_eq!(cause["owners"], serde_json::json!([owner]), "{plant}: {found:#}");
        }
        assert!(found["text"].as_str().unwrap().contains(words), "{plant}: {found:#}");
        let (all, part) = (found["ns"].as_f64().unwrap(), cause["ns"].as_f64().unwrap());
        // Engines that take turns also hand over more often, which is a cause of its own.
        let least = if kind == "overlap" { 0.85 } else { 0.9 };
        assert!((least..=1.1).contains(&(part / all)), "{plant}: {part} of {all}");
        assert!(found["rest_ns"].as_f64().unwrap().abs() <= 0.01 * all, "{plant}: {found:#}");
    }
}

#[test]
fn the_verdict_is_the_first_line_of_every_output_and_the_console_is_one_screen() {
    let (even, slow) = (planted(&[]), planted(&["--plant", "imbalance=2:1.5"]));
    let text = verdict(&even, &slow)["text"].as_str().unwrap().to_owned();
    let out = tempfile::tempdir().unwrap();
    let dir = out.path().to_str().unwrap();
    let report = out.path().join("report.json");
    fs::write(&report, super::analyze(&even.path()).text("report.json")).unwrap();
    compare(&report, &slow.path(), &["-o", dir, "-q"]);
    let read = |name: &str| fs::read_to_string(out.path().join(name)).unwrap();
    assert!(read("diff.txt").starts_with(&format!("Verdict: {text}\n")), "{}", read("diff.txt"));
    let markdown = read("diff.md");
    assert!(markdown.starts_with("## TPU profile\n\n- Verdict: 473"), "{markdown}");
    assert!(read("diff.html").contains("</h1>\n<p>Verdict: "));
    for after in [&slow, &planted(&["--plant", "small-transfers=6", "--seed", "2"])] {
        let screen = compare(&even.path(), &after.path(), &[]);
        let lines: Vec<&str> = screen.lines().collect();
        assert!(lines[0].starts_with("Verdict: "), "{screen}");
        assert!(lines.len() <= 40, "{} lines: {screen}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{screen}");
    }
}

/// Several runs a side, several devices, long names: still one screen.
#[test]
fn many_runs_and_devices_fit_a_screen() {
    let sides = ["1", "2"].map(|factor| {
        let side = tempfile::tempdir().unwrap();
        for run in ["1", "2", "3"] {
            let to = side.path().join(run);
            fs::create_dir(&to).unwrap();
            let plant = format!("imbalance=1:{factor}.5");
            for device in ["dev0-0", "dev1-0"] {
                let synth = Synth::new(&["--launches", "4", "--seed", run, "--plant", &plant]);
                fs::rename(synth.path(), to.join(format!("cdm_profile_data_{device}"))).unwrap();
            }
        }
        side
    });
    let screen = compare(sides[0].path(), sides[1].path(), &[]);
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines.len() <= 40, "{} lines: {screen}", lines.len());
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{screen}");
    assert!(lines.iter().any(|line| line.starts_with("Devices and calls (wall")), "{screen}");
}

/// In a static model a cause is in layers.
#[test]
fn layers_of_a_static_model_are_named() {
    let dump = fixture("real").join("bmprofile_data-1_bm1688");
    let out = tempfile::tempdir().unwrap();
    let mut report: Value =
        serde_json::from_str(&super::analyze(&dump).text("report.json")).unwrap();
    // The same run, in which the work of a layer took 100 us more.
    let piece = &mut report["critical_path"]["pieces"][0];
    let (layer, reason) = (piece["layer"].clone(), piece["reason"].clone());
    piece["ns"] = (piece["ns"].as_i64().unwrap() + 100_000).into();
    for row in report["work"].as_array_mut().unwrap() {
        if row["layer"] == layer && row["reason"] == reason {
            row["ns"] = (row["ns"].as_i64().unwrap() + 100_000).into();
        }
    }
    let wall = &mut report["intervals"]["overall"]["wall_ns"];
    *wall = (wall.as_i64().unwrap() + 100_000).into();
    let after = out.path().join("after.json");
    fs::write(&after, report.to_string()).unwrap();
    let found: Value = serde_json::from_str(&compare(&dump, &after, &["--json"])).unwrap();
    let cause = &found["verdict"]["causes"][0];
    assert_eq!(cause["owners"], serde_json::json!([layer]), "{cause:#}");
    assert_eq!((&cause["kind"], &cause["ns"]), (&"same_commands".into(), &100_000.0.into()));
}

/// A kernel that gets slower is named with its run; runs that are known are not added again.
#[test]
fn a_history_names_the_run_since_which_a_kernel_is_slower() {
    let dir = tempfile::tempdir().unwrap();
    let history = dir.path().join("history");
    let add = |seed: usize, plant: &[&str], more: &[&str]| {
        let seed = seed.to_string();
        let synth =
            Synth::new(&[&["--cores", "1", "--launches", "4", "--seed", &seed], plant].concat());
        let (path, label) = (synth.path(), format!("commit-{seed}"));
        let paths = ["diff", "--history", history.to_str().unwrap(), path.to_str().unwrap()];
        say(&[&paths[..], &["--label", &label], more].concat())
    };
    for seed in 1..=8 {
        let said = add(seed, &[], &["--fail-on-slower"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let word = if seed < 7 { "Skipped: " } else { "Verdict: " };
        assert!(said.stdout.starts_with(word), "{seed}: {}", said.stdout);
    }
    let lines = || fs::read_to_string(history.join("history.jsonl")).unwrap().lines().count();
    let junit = || fs::read_to_string(history.join("history.junit.xml")).unwrap();
    assert_eq!(lines(), 16, "each run, and what was said of it");
    assert_eq!(add(8, &[], &[]).code, Some(0));
    assert_eq!(lines(), 16, "the run is there already");
    assert!(junit().contains("failures=\"0\"") && junit().contains("name=\"kernel rope\""));
    let slow = ["--plant", "slow-kernel=rope:3"];
    let codes: Vec<Option<i32>> =
        (9..=12).map(|seed| add(seed, &slow, &["--fail-on-slower"]).code).collect();
    let failed = codes.iter().filter(|code| **code == Some(4)).count();
    assert!((1..=2).contains(&failed) && codes[3] == Some(0), "each time once: {codes:?}");
    let said = add(13, &slow, &["--json"]);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let kernel = found["events"].as_array().unwrap().iter().find(|c| c["name"] == "kernel rope");
    let kernel = kernel.unwrap();
    assert_eq!((&kernel["run"], &kernel["number"]), (&"commit-9".into(), &9.into()), "{found:#}");
    assert!(kernel["relative"].as_f64().unwrap() > 1.5, "{kernel:#}");
    fs::write(history.join("history.jsonl"), "{}\n").unwrap();
    let said = add(14, &[], &[]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("history.jsonl, line 1: is no record of a run"), "{said:?}");
}
