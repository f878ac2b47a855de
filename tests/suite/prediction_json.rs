//! What predictions print as JSON keeps to the schemas in `docs/`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::run::say;
use crate::support::validate::violations;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn path_of(path: &str) -> String {
    root().join(path).display().to_string()
}

fn schema(name: &str) -> Value {
    let path = root().join("docs").join(format!("{name}.schema.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[track_caller]
fn printed(args: &[&str]) -> Value {
    let said = say(&[args, &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// The output keeps to the schema; without `key` it does not.
#[track_caller]
fn keeps(name: &str, key: &str, args: &[&str]) {
    let schema = schema(name);
    let mut value = printed(args);
    assert_eq!(violations(&schema, &value), Vec::<String>::new(), "{args:?}");
    let first = if value.is_array() { &mut value[0] } else { &mut value };
    assert!(first.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    assert!(!violations(&schema, &value).is_empty(), "{name} says yes to everything");
}

#[test]
fn whatif_keeps_to_its_schema() {
    for fixture in ["aks-mode2-sync", "aksv-rvt", "bm1688-mode1", "cv84x6-bmodel", "aks-mode0-cdma"]
    {
        let dump = path_of(&format!("fixtures/{fixture}/dump"));
        keeps("whatif", "confidence", &["whatif", &dump]);
        keeps("whatif", "by_kernel", &["whatif", &dump, "--scale", "tiu=2"]);
    }
}

#[test]
fn simulations_keep_to_their_schema() {
    let dump = path_of("fixtures/real/bmprofile_data_bm1688_2core");
    keeps("simulate", "marks", &["simulate", &dump]);
}

#[test]
fn pipelines_keep_to_their_schema() {
    let sizes = ["pipeline", "--stages", "2", "--microbatches", "4", "--fwd", "3", "--bwd", "5"];
    keeps("pipeline", "events", &[&sizes[..], &["--schedule", "all"]].concat());
    let more = ["--schedule", "1f1b", "--compat", "perflow"];
    keeps("pipeline", "makespan", &[&sizes[..], &more].concat());
}

#[test]
fn searches_keep_to_their_schema() {
    let graph = path_of("crates/predict/tests/data/search/alexnet.json");
    let few = ["--budget", "50", "--starts", "data-parallel,random"];
    keeps("search", "best", &[&["search", &graph][..], &few].concat());
    let costs = path_of("crates/predict/tests/data/pipeline/costs.json");
    let devices = ["--machine", "1x4", "--link-gbps", "50", "--memory", "1000000000"];
    keeps("search", "stages", &[&["search", &costs][..], &devices].concat());
}

#[test]
fn estimates_keep_to_their_schema() {
    let dump = path_of("fixtures/aks-mode2-sync/dump");
    keeps("estimate", "total", &["estimate", &dump, "--on", "aks,h100-sxm"]);
    let graph = path_of("crates/model/tests/ff/mlp.ff");
    let shape = ["--input-shape", "4,1024", "--on", "h100"];
    keeps("estimate", "ops", &[&["estimate", &graph][..], &shape].concat());
}

#[test]
fn language_models_keep_to_their_schema() {
    let model = path_of("crates/model/tests/llm/mixtral-8x7b.json");
    let both = ["--on", "h100-sxm,aks", "--link-gbps", "50", "--tensor-parallel", "1,2"];
    keeps("llm", "memory", &[&["estimate", "--hf", &model][..], &both].concat());
    let one = ["--on", "h100", "--output-tokens", "1", "--memory", "80000000000"];
    keeps("llm", "bound", &[&["estimate", "--hf", &model][..], &one].concat());
    let proposed = ["--on", "h100-sxm", "--draft", &model, "--acceptance", "0.7"];
    keeps("llm", "speculation", &[&["estimate", "--hf", &model][..], &proposed].concat());
    let encoder = path_of("crates/model/tests/llm/bert-base.json");
    keeps("llm", "speculation", &["estimate", "--hf", &encoder, "--on", "h100-sxm"]);
}
