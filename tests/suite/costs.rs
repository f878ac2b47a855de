//! `bigtpuprofile costs`, and what starts from its file.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::run::{fails, say};
use crate::support::validate::violations;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn fixture(name: &str) -> String {
    root().join("fixtures").join(name).join("dump").display().to_string()
}

#[track_caller]
fn costs(args: &[&str]) -> Value {
    let said = say(&[&["costs"], args, &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

fn synth(dir: &Path, args: &[&str]) -> String {
    let path = dir.display().to_string();
    let all = ["synth", &path, "--quiet", "--repeat", "4"];
    assert_eq!(say(&[&all[..], args].concat()).code, Some(0));
    path
}

fn parts<'a>(costs: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    costs["parts"].as_array().unwrap().iter().filter(move |part| part["kind"] == kind)
}

fn part<'a>(costs: &'a Value, name: &str) -> &'a Value {
    let all = costs["parts"].as_array().unwrap();
    all.iter().find(|part| part["name"] == name).unwrap_or_else(|| panic!("no part {name}"))
}

/// Steps of all executions of a kind.
fn steps(costs: &Value, kind: &str) -> f64 {
    let step = |part: &Value| {
        let count = |key: &str| part[key].as_f64().unwrap_or(0.0);
        part["step_ns"]["mean"].as_f64().unwrap()
            * (count("executions") + count("warmup_executions"))
    };
    parts(costs, kind).map(step).sum()
}

#[test]
fn costs_of_every_fixture_keep_to_the_schema() {
    let text = fs::read_to_string(root().join("docs/costs.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let mut measured = 0;
    let mut without = 0;
    for entry in fs::read_dir(root().join("fixtures")).unwrap() {
        let dump: PathBuf = entry.unwrap().path().join("dump");
        if !dump.join("global.profile").exists() {
            continue;
        }
        let said = say(&["costs", &dump.display().to_string(), "--json"]);
        if said.code != Some(0) {
            assert!(said.stderr.contains("no kernel and no layer"), "{}", said.stderr);
            without += 1;
            continue;
        }
        let value: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(violations(&schema, &value), Vec::<String>::new(), "{}", dump.display());
        // Kernels and layers each show their whole part of the run.
        let wall = value["sources"][0]["wall_ns"].as_f64().unwrap();
        for kind in ["kernel", "layer"] {
            if parts(&value, kind).next().is_some() {
                let steps = steps(&value, kind);
                assert!((steps - wall).abs() < 1.0, "{}: {kind} {steps} {wall}", dump.display());
            }
        }
        measured += 1;
    }
    assert!(measured > 15 && without > 0, "{measured} {without}");
}

#[test]
fn a_slow_kernel_costs_as_much_more() {
    let keep = tempfile::tempdir().unwrap();
    let usual = costs(&[&synth(&keep.path().join("a"), &[])]);
    let plant = ["--plant", "slow-kernel=rope:3"];
    let slow = costs(&[&synth(&keep.path().join("b"), &plant)]);
    let busy = |costs: &Value| part(costs, "rope")["engines"]["TIU"]["busy_ns"].as_f64().unwrap();
    let ratio = busy(&slow) / busy(&usual);
    assert!((ratio - 3.0).abs() < 0.05, "{ratio}");
    let other = |costs: &Value| part(costs, "rms_norm")["engines"]["TIU"]["ops"].as_f64().unwrap();
    assert_eq!(other(&slow), other(&usual));
}

#[test]
fn executions_of_several_dumps_count_together() {
    let keep = tempfile::tempdir().unwrap();
    let dump = synth(&keep.path().join("a"), &[]);
    let (once, twice) = (costs(&[&dump]), costs(&[&dump, &dump]));
    let all = twice["parts"].as_array().unwrap().iter().zip(once["parts"].as_array().unwrap());
    for (twice, once) in all {
        assert_eq!(twice["executions"].as_u64(), once["executions"].as_u64().map(|n| 2 * n));
        assert_eq!(twice["wall_ns"]["p95"], once["wall_ns"]["p95"]);
    }
    assert_eq!(twice["sources"].as_array().unwrap().len(), 2);
}

#[test]
fn scopes_phases_and_warmup() {
    let keep = tempfile::tempdir().unwrap();
    let dump = synth(&keep.path().join("a"), &[]);
    let plain = costs(&[&dump]);
    let first = plain["parts"][0]["name"].as_str().unwrap().to_owned();
    let scoped = costs(&[&dump, "--scope", "matmul.*=matrix", "--scope", ".*=rest"]);
    let named: Vec<&str> = parts(&scoped, "scope").map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(named.len(), 2, "{named:?}");
    assert!((steps(&scoped, "scope") - steps(&plain, "kernel")).abs() < 1.0);
    let executions = |costs: &Value, phase: &str| -> u64 {
        let own = costs["parts"].as_array().unwrap().iter().filter(|p| p["phase"] == phase);
        own.map(|p| p["executions"].as_u64().unwrap()).sum()
    };
    let split = costs(&[&dump, "--phase-marker", "5"]);
    assert_eq!((executions(&split, "prefill"), executions(&split, "decode")), (5, 17));
    let after = costs(&[&dump, "--phase-marker", &format!("after:{first}")]);
    assert_eq!((executions(&after, "prefill"), executions(&after, "decode")), (1, 21));
    let warm = costs(&[&dump, "--drop-warmup", "1"]);
    let count = |costs: &Value| -> u64 {
        parts(costs, "kernel").map(|p| p["executions"].as_u64().unwrap()).sum()
    };
    let kinds = parts(&plain, "kernel").count() as u64;
    let outside =
        parts(&plain, "kernel").filter(|p| p["name"] == "(outside of parts)").count() as u64;
    assert_eq!(count(&warm), count(&plain) - kinds + outside);
    // What was left out still counts where the run is put together.
    let passes = |costs: &Value| costs["passes"].as_u64().unwrap();
    assert_eq!((passes(&warm), passes(&costs(&[&dump, "--passes", "4"]))), (1, 4));
    // Parts that no rule is for are a scope, too.
    let one_rule = costs(&[&dump, "--scope", "matmul.*=matrix"]);
    assert!((steps(&one_rule, "scope") - steps(&plain, "kernel")).abs() < 1.0);
    let said = say(&["costs", &dump, "--scope", "matmul.*=matrix"]);
    assert!(said.stderr.contains("match no --scope rule"), "{}", said.stderr);
    fails(&["costs", &dump, "--scope", "nothing=x"], "no part matches --scope");
    fails(&["costs", &dump, "--phase-marker", "nothing"], "nothing matches --phase-marker");
    fails(&["costs", &dump, "--drop-warmup", "1000"], "use a smaller number");
}

#[test]
fn energies_follow_from_operations_and_bytes() {
    let keep = tempfile::tempdir().unwrap();
    let dump = synth(&keep.path().join("a"), &[]);
    let value = costs(&[&dump, "--hw", "PIM-AI-4chip"]);
    for part in parts(&value, "kernel") {
        let engines = part["engines"].as_object().unwrap();
        let sum = |key: &str| engines.values().map(|e| e[key].as_f64().unwrap()).sum::<f64>();
        let energy = |key: &str| part["energy_pj"][key].as_f64();
        let total = energy("compute").unwrap() + energy("main_mem").unwrap();
        assert!((energy("total").unwrap() - total).abs() <= 1e-9 * total, "{part}");
        assert!(energy("compute").unwrap() > 0.0 || sum("ops") == 0.0);
    }
}

/// A fixture dump to a picture, through each of the three predictions.
#[test]
fn a_fixture_becomes_a_pipeline_a_plan_and_an_estimate() {
    let keep = tempfile::tempdir().unwrap();
    let at = |name: &str| keep.path().join(name).display().to_string();
    let file = at("costs.json");
    let dump = fixture("aks-mode1-batch");
    let said = say(&["costs", &dump, "-o", &file]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let measured: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let wall = measured["sources"][0]["wall_ns"].as_f64().unwrap();

    let one = say(&[
        "pipeline",
        "--schedule",
        "gpipe",
        "--costs",
        &file,
        "--stages",
        "1",
        "--microbatches",
        "1",
        "--json",
    ]);
    let one: Value = serde_json::from_str(&one.stdout).unwrap();
    let makespan = one["makespan"].as_f64().unwrap();
    assert!((makespan - wall).abs() <= 1.0, "{makespan} {wall}");

    let dir = at("pipeline");
    let said = say(&[
        "pipeline",
        "--schedule",
        "1f1b",
        "--costs",
        &file,
        "--stages",
        "2",
        "--microbatches",
        "4",
        "-o",
        &dir,
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let dir = at("search");
    let said = say(&[
        "search",
        &file,
        "--machine",
        "1x2",
        "--link-gbps",
        "50",
        "--handed-bytes",
        "4096",
        "--ignore-memory",
        "-o",
        &dir,
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for name in ["pipeline", "search"] {
        for picture in ["pipeline.svg", "pipeline.html", "pipeline.pftrace"] {
            let path = keep.path().join(name).join(picture);
            assert!(fs::metadata(&path).unwrap().len() > 100, "{}", path.display());
        }
    }
    for (name, input) in [("of_dump", dump.as_str()), ("of_costs", file.as_str())] {
        let dir = at(name);
        let said = say(&["estimate", input, "--on", "aksv,h100-sxm", "-o", &dir]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let text = fs::read_to_string(keep.path().join(name).join("estimate.json")).unwrap();
        let all: Value = serde_json::from_str(&text).unwrap();
        let time = |at: usize| all[at]["total"]["time_ns"].as_f64().unwrap();
        assert_eq!(all.as_array().unwrap().len(), 3);
        assert!((time(0) - wall).abs() < 1.0, "{name}: {} {wall}", time(0));
        assert!(time(2) < time(0), "{name}: a machine that is faster takes longer");
        assert!(keep.path().join(name).join("estimate.html").exists());
    }
}

#[test]
fn the_measured_chip_takes_the_measured_time() {
    let keep = tempfile::tempdir().unwrap();
    let dump = synth(&keep.path().join("a"), &[]);
    let said = say(&["estimate", &dump, "--on", "aks", "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let all: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(all[0]["total"]["time_ns"], all[1]["total"]["time_ns"]);
    fails(&["estimate", &dump], "no target");
    fails(&["estimate", &dump, "--on", "aks", "--map", "a:aks"], "--map and --compat");
}
