//! A `.bmodel` where a dump is expected, and the layers beside one.

use std::fs;

use serde_json::{Value, json};

use crate::support::run::{fails, say};

/// The commands of a synthetic static model as a `.bmodel`, in a directory of its own.
fn model() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let file = path("model.bmodel");
    let args = ["synth", &path("dump"), "--style", "bmodel", "--launches", "2", "--cores", "2"];
    let said = say(&[&args[..], &["--bmodel", &file, "-q"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    (dir, file)
}

#[test]
fn commands_that_need_times_say_what_predicts_them() {
    let (dir, file) = model();
    let out = dir.path().join("out");
    let simulate = format!("bigtpuprofile simulate {file}");
    for args in [&[&file, out.to_str().unwrap()][..], &["info", &file], &["costs", &file]] {
        fails(args, &simulate);
    }
    fails(&["whatif", &file], &simulate);
    fails(&["estimate", &file, "--on", "aks"], "bigtpuprofile simulate");
    assert!(!out.exists());
}

#[test]
fn a_model_beside_its_description_has_layers() {
    let (dir, file) = model();
    let entry = |opcode: &str, core: u32, before: [u64; 2], after: [u64; 2]| {
        json!({
            "file-line": 3, "subnet_id": 0, "core_id": core, "opcode": opcode, "is_local": false,
            "tiu_dma_id(before)": before, "tiu_dma_id(after)": after, "operands": [],
            "results": [{
                "address": 0, "layout": "continuous", "memory_type": "<2x34xf16>", "name": "y",
                "reshape": "", "shape": [16, 34], "slice": "[...]", "type": "tensor<16x34xf16>"
            }],
        })
    };
    let entries = json!([
        entry("tpu.Cast", 0, [0, 0], [2, 3]),
        entry("tpu.Cast", 1, [0, 0], [2, 3]),
        entry("tpu.MatMul", 0, [2, 3], [6, 8]),
        entry("tpu.MatMul", 1, [2, 3], [6, 8]),
    ]);
    fs::write(dir.path().join("tensor_location.json"), entries.to_string()).unwrap();
    let module =
        "module @net attributes {module.FLOPs = 34816 : i64, module.mode = \"F16\"} {\n}\n";
    fs::write(dir.path().join("final.mlir"), module).unwrap();
    let out = dir.path().join("out");
    let said = say(&["simulate", &file, out.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let report: Value =
        serde_json::from_str(&fs::read_to_string(out.join("report.json")).unwrap()).unwrap();
    let number = |layer: &Value, key: &str| layer[key].as_u64().unwrap();
    let layers: Vec<(&str, u64, u64)> = report["layers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|layer| {
            let operation = layer["operation"].as_str().unwrap();
            (operation, number(layer, "core"), number(layer, "events"))
        })
        .collect();
    // Ids are those of each engine, from 1; both launches have the same ones.
    assert_eq!(
        layers,
        [("Cast", 0, 2 * 5), ("Cast", 1, 2 * 5), ("MatMul", 0, 2 * 9), ("MatMul", 1, 2 * 9)]
    );
}
