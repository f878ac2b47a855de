//! Published strategies (tests/data/search/published, decoded from FlexFlow's files), and how they compare with a search.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_machine::{DataType, Interconnect, Machine};
use bigtpu_model::graph::read_ff;
use bigtpu_predict::search::{
    SearchGraph, SearchModel, SearchSettings, Splits, Start, Strategy, build_graph, evaluate,
    read_graph_json, read_strategy, search, start, strategy_text,
};
use serde_json::{Value, json};

const FILES: [&str; 7] = [
    include_str!("data/search/published/alexnet_data_parallel.json"),
    include_str!("data/search/published/alexnet_optimized.json"),
    include_str!("data/search/published/dlrm_strategy_8embs_8gpus.json"),
    include_str!("data/search/published/dlrm_strategy_16embs_8gpus.json"),
    include_str!("data/search/published/dlrm_strategy_16embs_16gpus.json"),
    include_str!("data/search/published/resnet121_data_parallel.json"),
    include_str!("data/search/published/resnet121_optimized.json"),
];

/// A chain of the operators of a strategy, which may be whole or split as the strategy splits them.
fn chain(strategy: &Value) -> SearchGraph {
    let mut before = Vec::new();
    let ops = strategy["ops"].as_array().unwrap().iter().enumerate().map(|(at, op)| {
        let dims: Vec<u64> =
            op["dims"].as_array().unwrap().iter().rev().map(|n| n.as_u64().unwrap()).collect();
        let shape: Vec<u64> = dims.iter().map(|_| 64).collect();
        let parts: u64 = dims.iter().product();
        let read = std::mem::replace(&mut before, shape.clone());
        let inputs = if at == 0 { json!([]) } else { json!([{"from": at - 1, "shape": read}]) };
        json!({
            "id": at, "name": op["op"], "type": "op", "inputs": inputs, "outputs": [shape],
            "options": [{"dims": [1], "ms": 8.0}, {"dims": dims, "ms": 8.0 / parts as f64}],
        })
    });
    let graph = json!({ "ops": ops.collect::<Vec<Value>>() });
    read_graph_json(&graph.to_string(), false).unwrap_or_else(|error| panic!("{error}")).0
}

#[test]
fn published_strategies_are_read_and_written_back() {
    for text in FILES {
        let file: Value = serde_json::from_str(text).unwrap();
        let graph = chain(&file);
        let ops = file["ops"].as_array().unwrap();
        let most = ops.iter().flat_map(|op| op["devices"].as_array().unwrap());
        let devices = most.map(|device| device.as_u64().unwrap() as u32 + 1).max().unwrap();
        let machine = Interconnect::simple(1, devices);
        let whole = vec![bigtpu_predict::search::Config { option: 0, devices: vec![0] }; ops.len()];
        let strategy = read_strategy(text, &graph, &machine, whole.clone()).unwrap();
        for (config, op) in strategy.iter().zip(ops) {
            assert_eq!(json!(config.devices), op["devices"], "{}: {}", file["source"], op["op"]);
        }
        let written = strategy_text(&graph, &strategy);
        assert_eq!(read_strategy(written.as_str(), &graph, &machine, whole).unwrap(), strategy);
        let split = evaluate(&graph, &machine, SearchModel::default(), &strategy);
        assert!(split.total_ms > 0.0 && split.tasks >= ops.len(), "{}", file["source"]);
    }
}

/// AlexNet on four devices of one node. Rates of a V100: 125 TFLOPS, 900 GB/s.
fn alexnet() -> (SearchGraph, Interconnect) {
    let model = read_ff(include_str!("data/search/alexnet.ff"), &[vec![256, 3, 229, 229]]).unwrap();
    let mut device = Machine { tflops: 125.0, ..Machine::default() };
    device.peaks.insert(DataType::Fp32, 125.0);
    device.memory.gbps = Some(900.0);
    let splits = Splits { parameters: true, ..Splits::default() };
    (build_graph(&model, 4, &device, DataType::Fp32, splits).unwrap(), Interconnect::simple(1, 4))
}

/// The expert's strategy splits convolutions by the batch and the large linear layers by their channels, so that their
/// weights need no synchronisation ("one weird trick").
#[test]
fn the_experts_strategy_beats_data_parallelism_and_the_search_is_no_worse() {
    let (graph, machine) = alexnet();
    let model = SearchModel { training: true, overlap: false };
    let base = start(&graph, &machine, Start::DataParallel, 0);
    let read = |text: &str| read_strategy(text, &graph, &machine, base.clone()).unwrap();
    let ms = |strategy: &Strategy| evaluate(&graph, &machine, model, strategy).total_ms;
    let (data_parallel, expert) = (read(FILES[0]), read(FILES[1]));
    assert_eq!(data_parallel, base, "data parallelism is every operator split by the batch");
    let model_parallel = start(&graph, &machine, Start::ModelParallel, 0);
    assert!(ms(&expert) < 0.5 * ms(&data_parallel), "{} {}", ms(&expert), ms(&data_parallel));
    assert!(ms(&expert) < ms(&model_parallel), "{} {}", ms(&expert), ms(&model_parallel));
    let settings =
        SearchSettings { budget: 5000, alpha: 5.0, seed: 1, model, ..SearchSettings::default() };
    let found = search(&graph, &machine, &[base], settings).unwrap();
    assert!(found.best_ms <= ms(&expert), "{} and not {}", found.best_ms, ms(&expert));
}

/// dense 16, gelu, dense 12, relu, dense 8 on three nodes of three devices: an operator takes 10 ms, a transfer 1 ms.
#[test]
fn a_hundred_proposals_improve_a_chain_of_dense_layers() {
    let ops = (0..5).map(|at| {
        let shape = |at: usize| [9, [16, 16, 12, 12, 8][at]];
        let inputs =
            if at == 0 { json!([]) } else { json!([{"from": at - 1, "shape": shape(at - 1)}]) };
        let shape = shape(at);
        json!({
            "id": at, "name": format!("op{at}"), "type": "linear", "inputs": inputs,
            "outputs": [shape],
            "options": [{"dims": [1], "ms": 10.0}, {"dims": [3], "ms": 10.0 / 3.0},
                        {"dims": [9], "ms": 10.0 / 9.0}],
        })
    });
    let graph = json!({ "ops": ops.collect::<Vec<Value>>() });
    let (graph, _) = read_graph_json(&graph.to_string(), false).unwrap();
    let bytes_per_ms = 9.0 * 16.0 * 4.0;
    let machine = Interconnect::with_bandwidths(3, 3, bytes_per_ms, bytes_per_ms);
    let whole = vec![bigtpu_predict::search::Config { option: 0, devices: vec![0] }; 5];
    for seed in 0..10 {
        let run = |budget| {
            let settings = SearchSettings { budget, alpha: 1.0, seed, ..SearchSettings::default() };
            search(&graph, &machine, std::slice::from_ref(&whole), settings).unwrap().best_ms
        };
        assert!(run(100) < 0.8 * run(1), "seed {seed}: {} of {}", run(100), run(1));
    }
}
