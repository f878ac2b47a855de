//! Predictions held against each other: the same question to two commands has one answer.

use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_machine::DataType;
use serde_json::Value;

use crate::support::run::{fails, say};

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
pub(super) fn json(args: &[&str]) -> Value {
    let said = say(&[args, &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Dumps of fixtures and of real hardware that have parts, with a file of their costs.
fn measured(keep: &Path) -> Vec<(String, String)> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    };
    let fixtures = root().join("fixtures");
    let mut dumps: Vec<PathBuf> =
        entries(&fixtures).iter().map(|fixture| fixture.join("dump")).collect();
    dumps.extend(entries(&fixtures.join("real")));
    dumps.extend(entries(&fixtures.join("writers")).iter().flat_map(|writer| entries(writer)));
    dumps.retain(|dump| dump.join("global.profile").exists());
    dumps.sort();
    let mut measured = Vec::new();
    for dump in dumps {
        let dump = dump.display().to_string();
        let file = keep.join(format!("{}.json", measured.len())).display().to_string();
        if say(&["costs", &dump, "-o", &file]).code == Some(0) {
            measured.push((dump, file));
        }
    }
    measured
}

fn makespan(file: &str, more: &[&str]) -> f64 {
    let one = [
        "pipeline",
        "--schedule",
        "gpipe",
        "--stages",
        "1",
        "--microbatches",
        "1",
        "--costs",
        file,
    ];
    json(&[&one[..], more].concat())["makespan"].as_f64().unwrap()
}

/// The chain of kernels, of layers, of scopes and of phases takes as long as the run; so do a pipeline of one stage and
/// one microbatch, a plan for one device, and the estimate.
#[test]
fn chains_pipelines_plans_and_estimates_take_the_measured_time() {
    let keep = tempfile::tempdir().unwrap();
    let measured = measured(keep.path());
    assert!(measured.len() > 18, "{}", measured.len());
    let mut kinds = std::collections::BTreeSet::new();
    for (dump, file) in &measured {
        let costs: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let wall = costs["sources"][0]["wall_ns"].as_f64().unwrap();
        let near = |what: &str, ns: f64| {
            assert!((ns - wall).abs() <= 1.0, "{dump}: {what}: {ns} of {wall}")
        };
        for kind in ["kernel", "layer"] {
            if costs["parts"].as_array().unwrap().iter().any(|part| part["kind"] == kind) {
                near(kind, makespan(file, &["--parts", kind]));
                kinds.insert(kind);
            }
        }
        let plan = json(&["search", file, "--machine", "1x1", "--microbatches", "1"]);
        near("search", plan["best_ms"].as_f64().unwrap() * 1e6);
        near("one device", plan["one_device_ms"].as_f64().unwrap() * 1e6);
        let chip = costs["sources"][0]["chip"].as_str().unwrap();
        let estimate = json(&["estimate", file, "--on", chip]);
        near("estimate", estimate[0]["total"]["time_ns"].as_f64().unwrap());
        // The chip as it is sold: some of these dumps have another clock. Of other chips links may be unknown, to both.
        for target in [chip, "aks", "bm1688", "cv84x6", "bm1684x"] {
            let [from_costs, replayed] = [file, dump].map(|run| {
                let said = say(&["estimate", run, "--on", target, "--json"]);
                let answer: Option<Value> = serde_json::from_str(&said.stdout).ok();
                answer.map(|answer| answer[1]["total"]["time_ns"].as_f64().unwrap())
            });
            let error = from_costs.zip(replayed).map(|(costs, dump)| (costs - dump).abs() / dump);
            assert_eq!(from_costs.is_some(), replayed.is_some(), "{dump} on {target}");
            // Of runs of some 100 ns each command is rounded.
            let most = if wall < 10_000.0 { 0.05 } else { 0.01 };
            assert!(error.is_none_or(|error| error < most), "{dump} on {target}: {error:?}");
        }
        let scoped = keep.path().join("scoped.json").display().to_string();
        let more = ["--scope", "[a-m].*=one", "--phase-marker", "1", "-o", &scoped];
        if say(&[&["costs", dump][..], &more].concat()).code == Some(0) {
            near("scopes and phases", makespan(&scoped, &["--parts", "scope"]));
            kinds.insert("scope");
        }
        let phased = keep.path().join("phased.json").display().to_string();
        if say(&["costs", dump, "--phase-marker", "1", "-o", &phased]).code == Some(0) {
            let of = |phase| makespan(&phased, &["--phase", phase]);
            near("phases", of("prefill") + of("decode"));
            near("both phases", makespan(&phased, &[]));
            kinds.insert("phase");
        }
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

/// One rule for every file: what one command accepts, all accept; what one refuses, all refuse.
#[test]
fn a_file_of_costs_is_accepted_by_all_or_by_none() {
    let keep = tempfile::tempdir().unwrap();
    let dump = root().join("fixtures/aks-mode1-batch/dump").display().to_string();
    let whole = json(&["costs", &dump]);
    let mut changed: Vec<(Value, bool)> = vec![(whole.clone(), true)];
    let mut change = |key: &str, value: Value, good: bool| {
        let mut file = whole.clone();
        file[key] = value;
        changed.push((file, good));
    };
    change("schema_version", 99.into(), false);
    change("parts", Value::Array(Vec::new()), false);
    change("passes", 0.into(), false);
    change("passes", 2.into(), true);
    change("version", "of another program".into(), true);
    change(
        "parts",
        serde_json::json!([{"name": "k", "step_ns": {"mean": -1}, "kind": "kernel"}]),
        false,
    );
    for (number, (file, good)) in changed.iter().enumerate() {
        let path = keep.path().join("costs.json").display().to_string();
        fs::write(&path, file.to_string()).unwrap();
        let pipeline = [
            "pipeline",
            "--schedule",
            "1f1b",
            "--stages",
            "1",
            "--microbatches",
            "1",
            "--costs",
            &path,
        ];
        let answers = [
            say(&pipeline),
            say(&["search", &path, "--machine", "1x1"]),
            say(&["estimate", &path, "--on", "aks"]),
        ];
        for said in answers {
            assert_eq!(said.code == Some(0), *good, "{number}: {}", said.stderr);
        }
    }
}

/// A search on one device has the time of the estimate on the device, for every data type.
#[test]
fn a_search_on_one_device_takes_the_estimated_time() {
    let models = root().join("crates/model/tests");
    let mut cases: Vec<(String, &[&str])> = [
        ("ff/mlp.ff", &["--input-shape", "32,784"] as &[&str]),
        ("ff/cnn.ff", &["--input-shape", "8,3,224,224"]),
        ("ff/branch.ff", &["--input-shape", "8,3,16,16"]),
        ("ff/transformer_block.ff", &["--input-shape", "2,8"]),
        ("onnx/cnn.onnx", &["--batch", "4"]),
        ("onnx/attention.onnx", &["--batch", "2", "--dim", "seq=6"]),
    ]
    .map(|(model, shapes)| (model.to_owned(), shapes))
    .into();
    // Those that leave no size and no branch open.
    for model in fs::read_dir(models.join("onnx")).unwrap().map(|entry| entry.unwrap().path()) {
        let name = model.file_name().unwrap().to_string_lossy().into_owned();
        let is_closed =
            || say(&["estimate", &model.display().to_string(), "--on", "aks"]).code == Some(0);
        if name.ends_with(".onnx")
            && !["cnn.onnx", "attention.onnx"].contains(&&*name)
            && is_closed()
        {
            cases.push((format!("onnx/{name}"), &[]));
        }
    }
    assert!(cases.len() >= 16, "{cases:?}");
    for (model, shapes) in &cases {
        let path = models.join(model).display().to_string();
        for data_type in DataType::all().map(DataType::name) {
            // One file shows what a machine does with a type; the others, that operators cost the same.
            let machines: &[&str] =
                if model == "ff/mlp.ff" { &["aks", "h100-sxm", "PIM-AI-4chip"] } else { &["aks"] };
            for machine in machines {
                let common = [*shapes, &["--on", machine, "--dtype", data_type]].concat();
                let estimate = json(&[&["estimate", &path][..], &common].concat());
                let one = ["--machine", "1x1", "--budget", "0"];
                let search = json(&[&["search", &path][..], &common, &one].concat());
                // Estimates also send results to the host, where its link is known.
                let total = &estimate[0]["total"];
                let part = |key: &str| total["sum_time_parts_ns"][key].as_f64().unwrap_or(0.0);
                let sent = part("host_to_device") + part("device_to_host");
                let expected = total["time_ns"].as_f64().unwrap() - sent;
                // A search counts whole ps of each operator.
                let rounding = 1e-3 * estimate[0]["ops"].as_array().unwrap().len() as f64;
                for key in ["best_ms", "one_device_ms"] {
                    let found = search[key].as_f64().unwrap() * 1e6;
                    let near = (found - expected).abs() <= 1e-3 * expected.max(1.0) + rounding;
                    assert!(
                        near,
                        "{model} {data_type} {machine} {key}: {found} and not {expected}"
                    );
                }
            }
        }
    }
}

/// One name is one machine for every option that takes one.
#[test]
fn a_machine_is_found_by_one_rule() {
    let keep = tempfile::tempdir().unwrap();
    let dump = root().join("fixtures/real/cdm_profile_data_dev0_bm1690").display().to_string();
    let mlp = root().join("crates/model/tests/ff/mlp.ff").display().to_string();
    let keys = "host_to_device_bw_GBs: 12.8\nhost_to_device_pj_per_bit: 80\ndevice_to_host_bw_GBs: 51.2\n\
                device_to_host_pj_per_bit: 20\nmem_bw_GBs: 409.6\nmem_pj_per_bit: 0.95\ntflops: 20\npj_per_tflop: 0.4e12\n";
    let indented: String = keys.lines().map(|line| format!("  {line}\n")).collect();
    let one = keep.path().join("one.yaml").display().to_string();
    let two = keep.path().join("two.yaml").display().to_string();
    fs::write(&one, keys).unwrap();
    fs::write(&two, format!("a:\n{indented}b:\n{indented}")).unwrap();
    let commands = |name: &str| {
        [
            say(&["estimate", &mlp, "--input-shape", "32,784", "--on", name]),
            say(&["estimate", &dump, "--on", name]),
            say(&[
                "search",
                &mlp,
                "--input-shape",
                "32,784",
                "--on",
                name,
                "--machine",
                "1x1",
                "--budget",
                "0",
            ]),
            say(&["whatif", &dump, "--hw", name]),
            say(&["costs", &dump, "--hw", name]),
        ]
    };
    for name in ["aks", "h100", "H100-SXM", &one] {
        for said in commands(name) {
            assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
        }
    }
    for said in commands("h1000") {
        assert!(
            said.code == Some(1) && said.stderr.contains("the nearest known one is"),
            "{}",
            said.stderr
        );
    }
    // Where one machine is needed, several are no machine.
    for said in &commands(&two)[2..] {
        assert!(
            said.code == Some(1) && said.stderr.contains("describes 2 machines (a, b)"),
            "{}",
            said.stderr
        );
    }
}

/// What a run depends on and is not known ends the prediction with a sentence that names it.
#[test]
fn unknown_rates_end_a_prediction() {
    let keep = tempfile::tempdir().unwrap();
    let mlp = root().join("crates/model/tests/ff/mlp.ff").display().to_string();
    let dump = root().join("fixtures/real/cdm_profile_data_dev0_bm1690").display().to_string();
    let costs = keep.path().join("costs.json").display().to_string();
    assert_eq!(say(&["costs", &dump, "-o", &costs]).code, Some(0));
    let keys = "host_to_device_bw_GBs: 12.8\nhost_to_device_pj_per_bit: 80\ndevice_to_host_bw_GBs: 51.2\n\
                device_to_host_pj_per_bit: 20\nmem_bw_GBs: 409.6\nmem_pj_per_bit: 0.95\ntflops: 20\npj_per_tflop: 0.4e12\n";
    let yaml = keep.path().join("unknown.yaml").display().to_string();
    let json = keep.path().join("unknown.json").display().to_string();
    for key in ["mem_bw_GBs", "tflops"] {
        let pairs: Vec<(&str, &str)> = keys
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name, if name == key { "null" } else { value }))
            .collect();
        let joined = |quote: &str, between: &str| {
            let members =
                pairs.iter().map(|(name, value)| format!("{quote}{name}{quote}: {value}"));
            members.collect::<Vec<_>>().join(between)
        };
        fs::write(&yaml, joined("", "\n")).unwrap();
        fs::write(&json, format!("{{{}}}", joined("\"", ", "))).unwrap();
        for file in [&yaml, &json] {
            let one = ["--machine", "1x1", "--budget", "0", "--input-shape", "32,784"];
            for args in [
                &["estimate", &dump, "--on", file][..],
                &["estimate", &costs, "--on", file],
                &["estimate", &mlp, "--input-shape", "32,784", "--on", file],
                &["whatif", &dump, "--hw", file],
                &[&["search", &mlp, "--on", file][..], &one].concat(),
            ] {
                fails(args, &format!("`{key}` is null"));
            }
        }
    }
    // A run over links between chips, whose bandwidth no source has.
    let linked = root().join("fixtures/aks-mode0-cdma/dump").display().to_string();
    let whatif = ["whatif", &linked, "--hw", "bm1684x"];
    fails(&whatif, "the link bandwidth of AKS, where it was measured, is not known");
}
