//! Layers of a static model where other dumps have kernels: balance between cores, and gaps.

use serde_json::{Value, json};

use crate::support::dump::DumpCopy;

/// The first commands of both cores are those of one layer.
fn report_and_summary() -> (Value, String) {
    let dump = DumpCopy::copy("bm1688-bmodel");
    let tensor = json!({"name": "x.1_Conv", "memory_type": "<1x4x6x6xf16>", "address": 4096});
    let layers = [0, 1].map(|core| {
        json!({"opcode": "tpu.Conv2D", "core_id": core, "tiu_dma_id(before)": [0, 0], "tiu_dma_id(after)": [3, 3],
            "operands": [], "results": [tensor]})
    });
    dump.write("tensor_location.json", json!(layers).to_string());
    dump.write("final.mlir", "module @net attributes {}");
    let run = dump.analyze(&["--emit", "report,summary"]);
    (super::report(&run), run.text("summary.txt"))
}

#[test]
fn a_layer_of_several_cores_has_a_balance() {
    let (report, summary) = report_and_summary();
    let [shared] = report["balance"]["layers"].as_array().unwrap().as_slice() else {
        panic!("{:#}", report["balance"]);
    };
    assert_eq!((&shared["kernel"], &shared["cores"]), (&json!("x.1_Conv (Conv2D)"), &json!(2)));
    let busy: Vec<i64> = shared["core_ns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|core| core[1].as_i64().unwrap())
        .collect();
    let mean = busy.iter().sum::<i64>() as f64 / 2.0;
    assert!(busy.iter().all(|ns| *ns > 0), "{shared}");
    let most = *busy.iter().max().unwrap();
    assert_eq!(shared["slowest_ns"], most);
    assert!((shared["imbalance"].as_f64().unwrap() - (most as f64 / mean - 1.0)).abs() < 1e-4);
    let table = summary.split("Balance between cores").nth(1).unwrap();
    assert!(table.lines().take(6).any(|line| line.contains("x.1_Conv")), "{table}");
}

#[test]
fn gaps_name_the_layers_at_their_edges() {
    let (report, summary) = report_and_summary();
    let gaps = report["gaps"]["longest"].as_array().unwrap();
    let edges = gaps.iter().flat_map(|gap| [&gap["before"], &gap["after"]]);
    let mut named = 0;
    for edge in edges.filter(|edge| !edge.is_null()) {
        // The layer has the first three commands of each engine.
        let is_own = edge["event"].as_u64().unwrap() < 3;
        assert_eq!(edge.get("layer_id").is_some(), is_own, "{edge}");
        if is_own {
            assert_eq!(edge["layer"], "x.1_Conv (Conv2D)");
            named += 1;
        }
    }
    assert!(named > 0, "{gaps:#?}");
    assert!(summary.contains(", layer 1 x.1_Conv (Conv2D))"), "{summary}");
}
