//! `bigtpuprofile estimate --hf`: language models.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::suite::docs::page_explains_its_numbers;
use crate::support::run::{finish, say, tool};

fn config(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("crates/model/tests/llm").join(format!("{name}.json")).display().to_string()
}

#[track_caller]
fn json(model: &str, more: &[&str]) -> Value {
    let said = say(&[&["estimate", "--hf", model, "--json"], more].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

#[track_caller]
fn fails(args: &[&str], parts: &[&str]) {
    let said = say(&[&["estimate", "--hf"], args].concat());
    assert_eq!(said.code, Some(1), "{args:?}: {}", said.stdout);
    assert_eq!(said.stderr.trim_end().lines().count(), 1, "{}", said.stderr);
    for part in parts {
        assert!(said.stderr.contains(part), "{part} is not in: {}", said.stderr);
    }
}

/// Computed by hand: an H100 of 3 350 GB/s reads 13.2 GB of matrices and 0.54 GB of keys and values for a token.
#[test]
fn llama_7b_takes_what_is_computed_by_hand() {
    let model = config("llama-7b");
    let found = &json(&model, &["--on", "h100-sxm", "--output-tokens", "2"])[0];
    assert_eq!(found["parameters"], 6_738_415_616.0);
    assert_eq!(found["memory"]["weight_bytes"], 13_476_831_232.0);
    assert_eq!(found["memory"]["cache_bytes"], 1025.0 * 524_288.0);
    assert_eq!(found["memory"]["fits"], true);
    assert_eq!(found["bound"]["generation"]["most"], "memory");
    assert_eq!(found["bound"]["prompt"]["most"], "compute");
    let token = found["token_ns"]["mean"].as_f64().unwrap();
    let by_hand = (13_476_831_232.0 - 2.0 * 32_000.0 * 4096.0 + 1025.0 * 524_288.0) / 3350.0;
    assert!(token > by_hand && token < 1.003 * by_hand, "{token} {by_hand}");
    assert_eq!(found["tokens_per_s"].as_f64().unwrap(), 1e9 / token);
    // Matrices of the layers: two operations for each of their parameters and of 1 024 tokens.
    let prompt = found["bound"]["prompt"]["compute_ns"].as_f64().unwrap();
    let by_hand = 1024.0 * 2.0 * 6_476_005_376.0 / 989_400.0;
    assert!((prompt / by_hand - 1.0).abs() < 1e-9, "{prompt} {by_hand}");
}

#[test]
fn targets_and_settings_are_side_by_side() {
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out").display().to_string();
    let model = config("llama-3-8b");
    let args = [
        "estimate",
        "--hf",
        &model,
        "--on",
        "h100-sxm,aks",
        "--tensor-parallel",
        "1,2",
        "--weight-dtype",
        "bf16,int4",
        "--link-gbps",
        "100",
        "--link-latency",
        "1500",
        "-o",
        &out,
    ];
    let said = say(&args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for part in
        ["H100-SXM, int4", "2 (TP 2)", "TP 2", "KV cache", "energy is unknown", "Lower bound"]
    {
        assert!(said.stdout.contains(part), "{part} is not in: {}", said.stdout);
    }
    let page = fs::read_to_string(Path::new(&out).join("llm.html")).unwrap();
    page_explains_its_numbers(&page, 5);
    assert!(
        page.contains("<svg") && page.contains("links between devices") && page.contains("TP 2")
    );
    let all: Value =
        serde_json::from_slice(&fs::read(Path::new(&out).join("llm.json")).unwrap()).unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 8);
    let weights = |found: &Value| found["memory"]["weight_bytes"].as_f64().unwrap();
    assert!(weights(&all[1]) < 0.4 * weights(&all[0]));
    assert_eq!(all[2]["setting"]["link_latency_ns"], 1500.0);
    // The directory of a model has the file.
    fs::copy(&model, keep.path().join("config.json")).unwrap();
    let folder = keep.path().display().to_string();
    let same = json(&folder, &["--on", "aks"]);
    assert_eq!(same[0]["parameters"], 8_030_261_248.0);
}

/// Rows of one's own move the times of both phases, and make their ranges; other machines stay as they are.
#[test]
fn measured_rows_of_language_models_are_followed() {
    let keep = tempfile::tempdir().unwrap();
    let rows = keep.path().join("rows.json");
    let path = rows.display().to_string();
    let seconds = |model: &str, length: &str| {
        let asked = ["--on", "bm1684x", "--dtype", "fp16", "--weight-dtype", "int4"];
        let own =
            json(model, &[&asked[..], &["--context", length, "--output-tokens", "2"]].concat());
        let ns = |value: &Value| value.as_f64().unwrap() / 1e9;
        [ns(&own[0]["first_token_ns"]), ns(&own[0]["token_ns"]["mean"])]
    };
    // Three lengths, whose prompts took 1.5 times and whose tokens took twice as long as they are expected to.
    let model = config("llama-7b");
    let row = |length: &str| {
        let [first, token] = seconds(&model, length);
        serde_json::json!({"chip": "BM1684X", "hf": model, "weight_dtype": "int4", "seq_length": length.parse::<u32>().unwrap(),
            "first_token_s": 1.5 * first, "tokens_per_s": 0.5 / token})
    };
    let list: Vec<Value> = ["512", "1024", "2048"].map(row).into();
    fs::write(&rows, serde_json::to_string(&list).unwrap()).unwrap();
    let other = config("llama-3-8b");
    let asked = ["--on", "bm1684x,h100", "--dtype", "fp16"];
    let plain = json(&other, &asked);
    let own = json(&other, &[&asked[..], &["--calibrate", &path]].concat());
    let ratio = |found: &dyn Fn(&Value) -> f64| found(&own[0]) / found(&plain[0]);
    let first = ratio(&|found| found["first_token_ns"].as_f64().unwrap());
    let token = ratio(&|found| found["token_ns"]["mean"].as_f64().unwrap());
    assert!((first - 1.5).abs() < 1e-6 && (token - 2.0).abs() < 1e-6, "{first} {token}");
    assert_eq!(own[0]["evidence"]["first_token"]["source"], "--calibrate");
    assert_eq!(own[0]["evidence"]["token"]["rows"], 3);
    assert!(own[0]["range"]["token_ns"][0].is_number());
    assert!(own[0]["notes"].to_string().contains("rows of your own"), "{}", own[0]["notes"]);
    assert_eq!(
        (&own[1]["first_token_ns"], &own[1]["notes"]),
        (&plain[1]["first_token_ns"], &plain[1]["notes"])
    );
    fails(
        &[&other, "--on", "bm1684x", "--calibrate", &config("llama-7b")],
        &["no list of measured rows"],
    );
    fs::write(&rows, r#"[{"chip": "BM1684X", "hf": "x.json", "seq_length": 1}]"#).unwrap();
    fails(&[&other, "--on", "bm1684x", "--calibrate", &path], &["x.json"]);
    fs::write(&rows, "[]").unwrap();
    fails(&[&other, "--on", "bm1684x", "--calibrate", &path], &["rows.json", "at least 3"]);
}

#[test]
fn a_measured_run_of_the_chip_makes_times_longer() {
    let keep = tempfile::tempdir().unwrap();
    let dump = keep.path().join("demo").display().to_string();
    assert_eq!(say(&["synth", &dump]).code, Some(0));
    let model = config("llama-7b");
    let plain = json(&model, &["--on", "aks,h100"]);
    let measured = json(&model, &["--on", "aks,h100", "--calibrate", &dump]);
    let token = |found: &Value| found["token_ns"]["mean"].as_f64().unwrap();
    assert!(token(&measured[0]) > 1.2 * token(&plain[0]));
    assert_eq!(token(&measured[1]), token(&plain[1]));
    assert_eq!(measured[0]["setting"]["calibrated"], true);
    let notes = measured[0]["notes"].to_string();
    assert!(notes.contains("measured shares of the roofs: matrix products"), "{notes}");
    // Without full bits, nothing is known of operations.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bare = root.join("fixtures/aks-mode0-cdma/dump").display().to_string();
    fails(&[&model, "--on", "aks", "--calibrate", &bare], &["nothing can be calibrated"]);
}

#[test]
fn what_is_not_known_is_refused_in_a_sentence() {
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("config.json");
    let model = config("llama-7b");
    let text = fs::read_to_string(&model).unwrap();
    let path = file.display().to_string();
    fs::write(&file, text.replace("intermediate_size", "inner")).unwrap();
    fails(&[&path, "--on", "aks"], &["config.json", "`intermediate_size` is missing"]);
    fs::write(&file, text.replace("torch_dtype", "x")).unwrap();
    fails(&[&path, "--on", "aks"], &["`torch_dtype` is missing", "--dtype"]);
    fs::write(&file, text.replace("\"llama\"", "\"whisper\"")).unwrap();
    fails(&[&path, "--on", "aks"], &["`whisper`, whose operators are not known"]);
    fs::write(&file, text.replace("\"llama\"", "\"mamba\"")).unwrap();
    fails(&[&path, "--on", "aks"], &["`mamba`", "keep a state instead of keys and values"]);
    fails(&["missing.json", "--on", "aks"], &["missing.json"]);
    fails(&[&model], &["no target"]);
    fails(
        &[&model, "--on", "aks", "--tensor-parallel", "2"],
        &["links between devices of AKS", "--link-gbps"],
    );
    fails(
        &[&model, "--on", "aks", "--tensor-parallel", "2", "--link-gbps", "0"],
        &["--link-gbps must be above 0"],
    );
    fails(
        &[&model, "--on", "h100-sxm", "--tensor-parallel", "3"],
        &["--tensor-parallel 3: 32 heads"],
    );
    fails(&[&model, "--on", "h100-sxm", "--expert-parallel", "2"], &["the model has no experts"]);
    fails(&[&model, "other.onnx", "--on", "aks"], &["other.onnx", "leave this file out"]);
    let usage = |args: &[&str]| finish(tool().arg("estimate").args(args)).code;
    assert_eq!(usage(&["ops.json", "--on", "aks", "--context", "5"]), Some(2));
    assert_eq!(usage(&["--hf", &model, "--on", "aks", "--map", "a:b"]), Some(2));
}

/// An H100 loads half of its weights over the link of its description.
#[test]
fn proposals_and_the_host_change_what_a_token_takes() {
    let model = config("llama-7b");
    let on = ["--on", "h100-sxm", "--output-tokens", "2"];
    let plain = &json(&model, &on)[0];
    let token = |found: &Value| found["token_ns"]["mean"].as_f64().unwrap();
    assert!(plain["speculation"].is_null());
    let proposed = ["--draft", &model, "--acceptance", "0.5", "--draft-tokens", "2"];
    let found = &json(&model, &[&on[..], &proposed].concat())[0];
    let own = &found["speculation"];
    assert_eq!(own["tokens_per_step"], 1.75);
    assert_eq!(own["plain_token_ns"].as_f64().unwrap(), token(plain));
    let part = |name: &str| own[name].as_f64().unwrap();
    let by_hand = (2.0 * part("draft_token_ns") + part("check_ns")) / 1.75;
    assert!((token(found) / by_hand - 1.0).abs() < 1e-9);
    assert!(found["notes"].to_string().contains("1.75 tokens a step"), "{}", found["notes"]);
    // Both are the same model here.
    let weights = |found: &Value| found["memory"]["weight_bytes"].as_f64().unwrap();
    assert_eq!(weights(found), 2.0 * weights(plain));

    let kept = ["--offload-weights", "0.5", "--host-gbps", "50"];
    let found = &json(&model, &[&on[..], &kept].concat())[0];
    let layers = 13_476_831_232.0 - 2.0 * (2.0 * 32_000.0 * 4096.0 + 4096.0);
    assert!((token(found) / (layers / 2.0 / 50.0) - 1.0).abs() < 1e-6, "{}", token(found));
    assert_eq!(found["bound"]["generation"]["most"], "communication");
    assert!(weights(found) < 0.6 * weights(plain));
    let stages = ["--pipeline-parallel", "2", "--link-gbps", "50"];
    fails(&[&[&model[..]][..], &on, &kept, &stages].concat(), &["estimated for one stage"]);
    fails(&[&model, "--on", "h100-sxm", "--host-gbps", "9"], &["--host-gbps has no effect"]);
    let other = config("qwen2-7b");
    let draft = ["--draft", &other, "--acceptance", "0.5"];
    fails(&[&[&model[..]][..], &on, &draft].concat(), &["--draft", "the same tokenizer"]);
    let usage = |args: &[&str]| {
        finish(tool().args(["estimate", "--hf", &model, "--on", "aks"]).args(args)).code
    };
    assert_eq!(usage(&["--draft", &other]), Some(2));
    assert_eq!(usage(&["--draft", &other, "--acceptance", "1.5"]), Some(2));
}

#[test]
fn encoders_are_estimated() {
    let bert = &json(&config("bert-base"), &["--on", "h100-sxm", "--context", "384"])[0];
    assert_eq!(bert["parameters"], 109_482_240.0);
    assert!(bert["token_ns"].is_null() && bert["tokens_per_s"].is_null());
    assert_eq!(bert["setting"]["output_tokens"], 0);
    assert_eq!(bert["memory"]["cache_bytes"], 0.0);
    assert_eq!(bert["request_ns"], bert["first_token_ns"]);
    fails(
        &[&config("bert-base"), "--on", "h100-sxm", "--output-tokens", "3"],
        &["--output-tokens 3", "generates no tokens"],
    );
    let t5 = &json(&config("mt5-small"), &["--on", "h100-sxm", "--context", "384"])[0];
    assert_eq!(t5["parameters"], 300_176_768.0);
    // Layers x (rows of the encoder and of the decoder) x 2 x heads x columns x bytes.
    assert_eq!(t5["memory"]["cache_bytes"], 8.0 * (384.0 + 128.0) * f64::from(2 * 6 * 64 * 2));
    fails(
        &[&config("mt5-small"), "--on", "h100-sxm", "--pipeline-parallel", "2", "--link-gbps", "9"],
        &["--pipeline-parallel 2", "an encoder and a decoder"],
    );
}
