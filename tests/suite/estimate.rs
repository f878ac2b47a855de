//! `bigtpuprofile estimate`: models on other hardware.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::suite::docs::page_explains_its_numbers;
use crate::support::run::{finish, say, tool};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")
}

fn recorded(name: &str) -> String {
    crates().join("predict/tests/upmem").join(name).display().to_string()
}

fn graph(name: &str) -> String {
    crates().join("model/tests").join(name).display().to_string()
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    let said = say(&[&["estimate"], args, &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Exit code 1 and one sentence that holds all of `parts`.
#[track_caller]
fn fails(args: &[&str], parts: &[&str]) {
    let said = say(&[&["estimate"], args].concat());
    assert_eq!(said.code, Some(1), "{args:?}: {}", said.stdout);
    assert_eq!(said.stderr.trim_end().lines().count(), 1, "{}", said.stderr);
    for part in parts {
        assert!(said.stderr.contains(part), "{part} is not in: {}", said.stderr);
    }
}

#[test]
fn compatible_totals_are_those_of_the_recorded_run() {
    let found = &json(&[&recorded("llama_tiny_mixed.json"), "--compat", "upmem"])[0];
    let time = found["total"]["time_ns"].as_f64().unwrap();
    assert!((time / 6886.1112 - 1.0).abs() < 1e-7, "{time}");
    assert_eq!(found["total"]["passes"], 6);
    assert_eq!(found["ops"].as_array().unwrap().len(), 156);
    // A preset of that tool needs no file.
    let bare = json(&[&recorded("arch_H100_noT_b1_s1.json"), "--compat", "upmem", "--on", "H100"]);
    let file = json(&[&recorded("arch_H100_noT_b1_s1.json"), "--compat", "upmem"]);
    assert_eq!(bare[0]["total"], file[0]["total"]);
}

/// Headers are the same in both languages, cells are not; a network has no phases.
#[test]
fn cells_of_tables_are_in_the_language_of_the_sentences() {
    let dump =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/real/cdm_profile_data_dev0_bm1690");
    let dump = dump.display().to_string();
    let said = say(&["estimate", &dump, "--on", "bm1688", "--lang", "zh"]).stdout;
    let cells = |first: &str| {
        let line = said.lines().find(|line| line.starts_with(&format!("| {first} ")));
        line.unwrap_or_else(|| panic!("no {first} in {said}")).to_owned()
    };
    assert!(cells("Target").contains("Range (us) |") && cells("实测").contains("未知"), "{said}");
    assert!(cells("BM1688").contains(" 至 ") && !cells("Operator").contains("Phase"), "{said}");
}

#[test]
fn several_targets_are_compared() {
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out").display().to_string();
    let model = graph("onnx/cnn.onnx");
    let args = [
        "estimate",
        &model,
        "--on",
        "aks,h100-sxm,bm1688",
        "--batch",
        "4",
        "--dtype",
        "int8",
        "-o",
        &out,
    ];
    let said = say(&args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for name in ["AKS", "H100-SXM", "BM1688", "conv1", "energy is unknown"] {
        assert!(said.stdout.contains(name), "{name} is not in: {}", said.stdout);
    }
    let page = fs::read_to_string(Path::new(&out).join("estimate.html")).unwrap();
    // Pictures have names, and each word is there in both languages.
    assert!(
        page.contains("role=\"img\"><title>Time on each target / 各目标上的时间</title>"),
        "{page}"
    );
    let both = |english: &str, chinese: &str| {
        page.contains(&format!(
            "<span lang=\"en\">{english}</span><span lang=\"zh\">{chinese}</span>"
        ))
    };
    assert!(both("Operators by time", "按时间排列的算子") && both("unknown", "未知"), "{page}");
    let notes: Vec<&str> = page.lines().filter(|line| line.starts_with("<li>")).collect();
    assert!(notes.iter().all(|note| note.contains("lang=\"zh\"")), "{notes:?}");
    assert!(page.contains("H100-SXM"));
    page_explains_its_numbers(&page, 4);
    let all: Value =
        serde_json::from_slice(&fs::read(Path::new(&out).join("estimate.json")).unwrap()).unwrap();
    let targets: Vec<_> = all.as_array().unwrap().iter().map(|one| one["target"].clone()).collect();
    assert_eq!(targets, ["AKS", "H100-SXM", "BM1688"]);
    assert_eq!(all[0]["total"]["energy_pj"], Value::Null);
    // The same bytes again.
    let again = say(&args);
    assert_eq!(again.stdout, said.stdout);
}

#[test]
fn every_form_of_a_model_is_read() {
    let ff = json(&[&graph("ff/mlp.ff"), "--input-shape", "32,784", "--on", "aks"]);
    assert_eq!(ff[0]["ops"][0]["operations"], 2.0 * 32.0 * 784.0 * 512.0);
    let onnx =
        json(&[&graph("onnx/attention.onnx"), "--batch", "2", "--dim", "seq=6", "--on", "cv84x6"]);
    assert!(onnx[0]["total"]["time_ns"].as_f64().unwrap() > 0.0);
    let keep = tempfile::tempdir().unwrap();
    let trace = keep.path().join("trace.json");
    fs::write(
        &trace,
        r#"{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 1, "dur": 5,
            "args": {"Input Dims": [[2, 8, 256], [1024, 256], [1024]], "Input type": ["float", "float", "float"]}}]}"#,
    )
    .unwrap();
    let torch = json(&[&trace.display().to_string(), "--on", "h100-sxm"]);
    assert_eq!(torch[0]["ops"][0]["weights"], serde_json::json!([256, 1024]));
    assert_eq!(torch[0]["setting"], "data types as recorded, batch 1");
}

#[test]
fn a_machine_of_a_file() {
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("my_pim.yaml").display().to_string();
    let keys = "host_to_device_bw_GBs: 12.8\nhost_to_device_pj_per_bit: 80\ndevice_to_host_bw_GBs: 51.2\n\
                device_to_host_pj_per_bit: 20\nmem_bw_GBs: 409.6\nmem_pj_per_bit: 0.95\ntflops: 20\npj_per_tflop: 0.4e12\n";
    fs::write(&file, keys).unwrap();
    let found = json(&[&recorded("sumgen_H100.json"), "--on", &file]);
    assert_eq!(found[0]["target"], "my-pim");
    assert_eq!(found[0]["total"]["gen_tokens"], 10);
    assert!(found[0]["total"]["mj_per_token"].as_f64().unwrap() > 0.0);
    fs::write(&file, keys.replace("mem_bw_GBs", "mem_bw_gb")).unwrap();
    fails(
        &[&recorded("sumgen_H100.json"), "--on", &file],
        &["my_pim.yaml", "`mem_bw_gb`", "`mem_bw_GBs`"],
    );
}

#[test]
fn bad_input_ends_with_one_sentence_that_names_the_node() {
    let keep = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = keep.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let unfit = file(
        "a.json",
        r#"{"ops": [{"name": "Linear", "context": "fc", "input": [1, 3], "weights": [4, 5], "output": [1, 5]}]}"#,
    );
    fails(&[&unfit, "--on", "aks"], &["operator 0 `fc (Linear)`", "do not fit together"]);
    let negative = file(
        "b.json",
        r#"{"ops": [{"name": "Linear", "context": "fc", "input": [-1, 3], "output": [1, 5]}]}"#,
    );
    fails(&[&negative, "--on", "aks"], &["operator 0 `fc`"]);
    let huge = file(
        "c.json",
        r#"{"ops": [{"name": "relu", "context": "r", "input": [4000000000, 4000000000], "output": [1]}]}"#,
    );
    fails(&[&huge, "--on", "aks"], &["`r (relu)`", "1e15"]);
    let cycle = file("d.ff", "x; ; a,; INPUT\na; x,b,; b,; ADD\nb; a,; a,; RELU\n");
    fails(&[&cycle, "--on", "aks", "--input-shape", "1,2"], &["cycle", "`a`"]);
    fails(&[&graph("ff/mlp.ff"), "--on", "aks"], &["node `x` (INPUT)"]);
    fails(&[&file("empty.json", r#"{"ops":[]}"#), "--on", "aks"], &["'ops' is empty"]);
    fails(&[&graph("onnx/attention.onnx"), "--on", "aks"], &["node `ids`", "--dim"]);
    let model = recorded("sumgen_H100.json");
    fails(&[&model, "--on", "h1000"], &["`h1000` is unknown", "nearest"]);
    fails(&[&model, "--on", "h100", "--map", "lm_head"], &["--map lm_head"]);
    fails(&[&file("e.json", "{}"), "--on", "aks"], &["e.json", "ops"]);
    fails(&["missing.onnx", "--on", "aks"], &["missing.onnx"]);
    let usage = finish(tool().args(["estimate", &model, "--dtype", "float7"]));
    assert_eq!(usage.code, Some(2));
}

#[test]
fn the_list_shows_sources() {
    let said = say(&["estimate", "--list"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("H100-SXM") && said.stdout.contains("data sheet"));
    for more in [&["model.onnx"][..], &["--on", "aks"], &["--json"]] {
        assert_eq!(say(&[&["estimate", "--list"], more].concat()).code, Some(2), "{more:?}");
    }
}

fn measured(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/measured").join(name).display().to_string()
}

/// An expected time with a range and what stands behind it, and a bound, on chips that were measured; no range elsewhere.
#[test]
fn a_network_has_an_expected_time_a_range_and_a_bound() {
    let model = measured("models/yolov8s_b1.onnx.gz");
    let on = ["--on", "bm1684x,bm1688:1,cv186x,bm1688,aks,h100-sxm", "--dtype", "fp16"];
    let all = json(&[&[model.as_str()][..], &on].concat());
    let total = |at: usize| &all[at]["total"];
    let number = |at: usize, key: &str| total(at)[key].as_f64().unwrap();
    for at in 0..5 {
        let range = |side: usize| total(at)["range_ns"][side].as_f64().unwrap();
        assert_eq!(number(at, "expected_ns"), number(at, "time_ns"));
        assert!(number(at, "bound_ns") <= range(0) && range(0) < range(1));
        assert!(range(0) < number(at, "time_ns") && number(at, "time_ns") < range(1), "{at}");
        let sum: f64 = all[at]["ops"]
            .as_array()
            .unwrap()
            .iter()
            .map(|op| op["time_ns"].as_f64().unwrap())
            .sum();
        assert!(
            (sum / number(at, "time_ns") - 1.0).abs() < 1e-9,
            "times of operators sum to the whole"
        );
    }
    assert!(total(0)["evidence"]["rows"].as_u64().unwrap() > 20);
    assert_eq!(total(4)["evidence"]["rows"], 0);
    assert_eq!(number(1, "time_ns"), number(2, "time_ns"));
    assert!(number(3, "time_ns") < number(1, "time_ns"));
    assert_eq!(
        (&total(5)["range_ns"], &total(5)["evidence"]["rows"]),
        (&Value::Null, &Value::from(0))
    );
    // What the README says.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ms = |ns: f64| format!("{:.1}", ns / 1e6);
    let range = |side: usize| ms(total(0)["range_ns"][side].as_f64().unwrap());
    let line = format!("expected {} ms ({} to {})", ms(number(0, "time_ns")), range(0), range(1));
    assert!(fs::read_to_string(root.join("README.md")).unwrap().contains(&line), "{line}");
    fails(&[&model, "--on", "bm1688:3"], &["BM1688 has 2 cores"]);
}

/// Rows of one's own move the times, and make the range.
#[test]
fn measured_rows_of_ones_own_are_followed() {
    let model = measured("models/resnet50_b1.onnx.gz");
    let keep = tempfile::tempdir().unwrap();
    let rows = keep.path().join("rows.json");
    let plain = json(&[&model, "--on", "bm1684x", "--dtype", "fp16"])[0]["total"]["time_ns"]
        .as_f64()
        .unwrap();
    // Three networks that took twice as long as they are expected to.
    let row = |name: &str| {
        let file = measured(&format!("models/{name}.onnx.gz"));
        let own = json(&[&file, "--on", "bm1684x", "--dtype", "fp16"]);
        let ms = own[0]["total"]["time_ns"].as_f64().unwrap() / 1e6 * 2.0;
        serde_json::json!({"chip": "BM1684X", "model_file": file, "dtype": "fp16", "ms": ms, "family": name})
    };
    let list: Vec<Value> = ["resnet18_b1", "resnet34_b1", "yolov8s_b1"].map(row).into();
    fs::write(&rows, serde_json::to_string(&list).unwrap()).unwrap();
    let path = rows.display().to_string();
    let own = json(&[&model, "--on", "bm1684x", "--dtype", "fp16", "--calibrate", &path]);
    let total = &own[0]["total"];
    assert!(total["time_ns"].as_f64().unwrap() > 1.3 * plain, "{total}");
    assert_eq!(
        (&total["evidence"]["rows"], &total["evidence"]["source"]),
        (&Value::from(3), &Value::from("--calibrate"))
    );
    fs::write(&rows, r#"[{"chip": "H100", "model_file": "x.onnx", "dtype": "fp16", "ms": 1}]"#)
        .unwrap();
    fails(&[&model, "--on", "bm1684x", "--calibrate", &path], &["x.onnx"]);
    fs::write(&rows, "[]").unwrap();
    fails(&[&model, "--on", "bm1684x", "--calibrate", &path], &["rows.json", "at least 3"]);
}

const OPS: &str = r#"{"schema_version": 1, "ops": [
  {"name": "Linear", "context": "linear1", "input": [100], "weights": [100, 200], "output": [200]},
  {"name": "ReLU", "context": "activation", "input": [200], "weights": [], "output": [200]},
  {"name": "Linear", "context": "linear2", "input": [200], "weights": [200, 10], "output": [10]},
  {"name": "softmax", "context": "softmax", "input": [10], "weights": [], "output": [10]}],
  "mapping": {"linear1": "PIM-AI-1chip", "linear2": "PIM-AI-1chip"}, "start": {"last_layer": "linear2"}}"#;

#[test]
fn names_of_a_mapping_that_match_nothing_are_refused() {
    let keep = tempfile::tempdir().unwrap();
    let path = keep.path().join("ops.json").display().to_string();
    fs::write(&path, OPS).unwrap();
    let names = "it has linear1, activation, linear2, softmax";
    fails(&[&path, "--map", "linaer1:h100-sxm"], &["--map linaer1", names]);
    fails(&[&path, "--on", "aks", "--last-layer", "nosuch"], &["--last-layer nosuch", names]);
    // Each of the names that the sentences give works.
    for name in ["linear1", "activation", "linear2", "softmax", "Linear"] {
        json(&[&path, "--map", &format!("{name}:h100-sxm")]);
    }
    json(&[&path, "--on", "aks", "--last-layer", "linear1"]);
}

#[test]
fn a_class_is_a_layer_with_and_without_its_prefix() {
    let keep = tempfile::tempdir().unwrap();
    let time = |name: &str, text: &str| {
        let path = keep.path().join(name).display().to_string();
        fs::write(&path, text).unwrap();
        json(&[&path, "--compat", "upmem"])[0]["total"]["time_ns"].as_f64().unwrap()
    };
    let plain = time("ops.json", OPS);
    let prefixed = time("prefixed.json", &OPS.replace("\"Linear\"", "\"UPM_Linear\""));
    assert_eq!(plain, prefixed);
    assert!((plain - 480.6).abs() < 0.1, "{plain}");
}

/// A name in the model's own file that nothing has is no error, and not silent either.
#[test]
fn names_in_the_file_that_match_nothing_are_told() {
    let keep = tempfile::tempdir().unwrap();
    let path = keep.path().join("model.json");
    let list = |context: &str, last: &str| {
        format!(
            r#"{{"schema_version": 1,
            "ops": [{{"name": "Linear", "context": "linear1", "input": [1, 100], "weights": [100, 200], "output": [1, 200]}}],
            "mapping": {{"{context}": "H100"}}, "start": {{"last_layer": "{last}"}}}}"#
        )
    };
    let notes = |context: &str, last: &str| {
        fs::write(&path, list(context, last)).unwrap();
        let said = say(&["estimate", &path.display().to_string()]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        said.stdout
    };
    let both = notes("nosuch", "neither");
    assert!(both.contains("the mapping in the file names nosuch: no operator"), "{both}");
    assert!(both.contains("start.last_layer is `neither`"), "{both}");
    let known = notes("Linear", "linear1");
    assert!(!known.contains("no operator") && !known.contains("start."), "{known}");
}

/// FlexFlow's exporter writes one window for all adaptive poolings, so that sizes after it may differ from those of the model.
#[test]
fn an_adaptive_pooling_of_an_ff_graph_is_told() {
    let keep = tempfile::tempdir().unwrap();
    let path = keep.path().join("model.ff");
    let notes = |size: u32| {
        let text = "x; ; ap,; INPUT\nap; x,; flat,; POOL2D; 3; 1; 0; 31; 10\n\
                    flat; ap,; fc,; FLAT\nfc; flat,; out,; LINEAR; 10; 10; 1\nout; fc,; ; OUTPUT\n";
        fs::write(&path, text).unwrap();
        let shape = format!("1,8,{size},{size}");
        let path = path.display().to_string();
        let said = say(&["estimate", &path, "--input-shape", &shape, "--on", "H100"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        said.stdout
    };
    let large = notes(7);
    assert!(large.contains("node `ap` (POOL2D)") && large.contains("5 x 5"), "{large}");
    assert!(!notes(3).contains("(POOL2D)"));
}
