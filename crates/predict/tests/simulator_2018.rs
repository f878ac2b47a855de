//! The 2018 simulator's figures, and search with its budget. Data: tests/data/search/*.json, its graphs and strategies.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_machine::Interconnect;
use bigtpu_predict::search::{
    SearchGraph, SearchSettings, Start, Strategy, evaluate, evaluate_2018, read_graph_json,
    read_strategy, search, start,
};
use serde_json::Value;

struct Case {
    file: Value,
    graph: SearchGraph,
    machine: Interconnect,
}

fn case(text: &str) -> Case {
    let (graph, machine) = read_graph_json(text, false).unwrap();
    let machine = machine.unwrap().machine(true).unwrap();
    Case { file: serde_json::from_str(text).unwrap(), graph, machine }
}

const GRAPHS: [&str; 3] = [
    include_str!("data/search/alexnet.json"),
    include_str!("data/search/nmt.json"),
    include_str!("data/search/resnet.json"),
];

impl Case {
    fn strategy(&self, config: &Value) -> Strategy {
        let base = start(&self.graph, &self.machine, Start::DataParallel, 0);
        read_strategy(&config.to_string(), &self.graph, &self.machine, base).unwrap()
    }

    fn check(&self, expected: &Value) {
        let strategy = self.strategy(&expected["config"]);
        let found = evaluate_2018(&self.graph, &self.machine, &strategy);
        let close = |key: &str, found: f64| {
            let expected = expected[key].as_f64().unwrap();
            assert!(
                (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
                "{key}: {found} and not {expected}"
            );
        };
        close("total_ms", found.total_ms);
        close("compute_and_comm_ms", found.compute_and_comm_ms);
        close("update_ms", found.update_ms);
        assert_eq!(found.tasks as u64, expected["tasks"].as_u64().unwrap());
        // Whole picoseconds differ from 32 bits by their rounding only.
        let whole = evaluate(
            &self.graph,
            &self.machine,
            bigtpu_predict::search::SearchModel::default(),
            &strategy,
        );
        assert!((whole.total_ms - found.total_ms).abs() <= 2e-6 * found.total_ms.abs());
    }
}

#[test]
fn given_strategies_take_the_published_time() {
    for text in GRAPHS {
        let case = case(text);
        for key in ["data_parallel", "model_parallel", "best"] {
            case.check(&case.file[key]);
        }
        assert_eq!(
            case.strategy(&case.file["data_parallel"]["config"]),
            start(&case.graph, &case.machine, Start::DataParallel, 0)
        );
    }
    let hot: Value =
        serde_json::from_str(include_str!("data/search/alexnet_hot_best.json")).unwrap();
    case(GRAPHS[0]).check(&hot["best"]);
}

#[test]
fn search_finds_as_good_a_strategy_with_the_same_budget() {
    for text in GRAPHS {
        let case = case(text);
        let starts = [start(&case.graph, &case.machine, Start::DataParallel, 0)];
        for seed in [1, 2] {
            // The best of ResNet-101 is its start; a short search shows that it is not lost.
            let budget = if case.graph.ops.len() > 100 { 1000 } else { 20_000 };
            let settings = SearchSettings { budget, alpha: 5.0, seed, ..SearchSettings::default() };
            let found = search(&case.graph, &case.machine, &starts, settings).unwrap();
            let best = case.file["best"]["total_ms"].as_f64().unwrap();
            let whole = evaluate_2018(&case.graph, &case.machine, &found.best);
            assert!(
                whole.total_ms <= best * (1.0 + 1e-6),
                "seed {seed}: {} and not {best}",
                whole.total_ms
            );
            assert!((whole.total_ms - found.best_ms).abs() < 1e-5 * best);
        }
    }
}

#[test]
fn the_result_depends_on_the_seed_and_not_on_threads() {
    let case = case(GRAPHS[0]);
    let starts = [Start::DataParallel, Start::ModelParallel, Start::Random]
        .map(|kind| start(&case.graph, &case.machine, kind, 3));
    let settings =
        SearchSettings { budget: 2000, alpha: 5.0, seed: 3, ..SearchSettings::default() };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| search(&case.graph, &case.machine, &starts, settings)).unwrap();
        (found.best, found.best_ms.to_bits(), found.log)
    };
    assert_eq!(with(1), with(3));
}

/// Inception v3 and DenseNet-121 as the 2018 simulator builds them, with the times that it gives for data and model
/// parallelism (8 devices; model parallelism: consecutive operators on a device each, the last one by channels) and the
/// proposals of its longest search, which finds nothing better than data parallelism.
const WITH_CONCATENATIONS: [(&str, usize, [f64; 2], u64); 2] = [
    (include_str!("data/search/inception.json"), 121, [410.892_731, 116_508.29], 20_000),
    (include_str!("data/search/densenet.json"), 185, [192.534_821, 203_696.84], 4000),
];

fn with_concatenations(text: &str) -> (SearchGraph, Interconnect) {
    let (graph, machine) = read_graph_json(text, true).unwrap();
    (graph, machine.unwrap().machine(true).unwrap())
}

#[test]
fn graphs_with_concatenations_take_the_published_time() {
    for (text, ops, [data_parallel, model_parallel], _) in WITH_CONCATENATIONS {
        let (graph, machine) = with_concatenations(text);
        assert_eq!(graph.ops.len(), ops);
        let by_data = start(&graph, &machine, Start::DataParallel, 0);
        let by_model = (0..ops).map(|op| match op + 1 == ops {
            false => serde_json::json!({"op": op, "dims": [1], "devices": [op * 8 / ops]}),
            true => {
                serde_json::json!({"op": op, "dims": [1, 8], "devices": [0, 1, 2, 3, 4, 5, 6, 7]})
            }
        });
        let by_model = Value::Array(by_model.collect()).to_string();
        let by_model = read_strategy(&by_model, &graph, &machine, by_data.clone()).unwrap();
        for (strategy, expected) in [(by_data, data_parallel), (by_model, model_parallel)] {
            let found = evaluate_2018(&graph, &machine, &strategy).total_ms;
            assert!((found - expected).abs() <= 1e-6 * expected, "{found} and not {expected}");
        }
        assert!(read_graph_json(text, false).is_err());
    }
}

#[test]
fn search_of_graphs_with_concatenations_is_as_good_with_the_same_budget() {
    for (text, _, [data_parallel, _], budget) in WITH_CONCATENATIONS {
        let (graph, machine) = with_concatenations(text);
        let starts = [start(&graph, &machine, Start::DataParallel, 0)];
        for seed in [1, 2] {
            let settings = SearchSettings { budget, alpha: 5.0, seed, ..SearchSettings::default() };
            let found = search(&graph, &machine, &starts, settings).unwrap();
            assert!(
                found.best_ms <= data_parallel * (1.0 + 1e-6),
                "seed {seed}: {}",
                found.best_ms
            );
        }
    }
}

/// The 2018 simulator's concatenation keeps the owner of its first input: consumers name that operator and the
/// concatenated shape.
#[test]
fn consumers_of_a_concatenation_name_its_first_input() {
    let op = |id: i64, from: i64, made: [u64; 4], read: [u64; 4]| {
        let inputs = if from < 0 {
            serde_json::json!([])
        } else {
            serde_json::json!([{"from": from, "shape": read}])
        };
        serde_json::json!({"id": id, "name": format!("op{id}"), "type": "conv2d", "inputs": inputs, "outputs": [made],
            "options": [{"dims": [1], "ms": 1.0}, {"dims": [2], "ms": 0.5}]})
    };
    let (small, whole) = ([8, 16, 4, 4], [8, 32, 4, 4]);
    let graph = serde_json::json!({
        "machine": {"nodes": 1, "workers_per_node": 2, "intra_bytes_per_ms": 1e6, "cross_bytes_per_ms": 1e6},
        "ops": [op(0, -1, small, small), op(1, 0, small, small), op(2, 0, whole, whole)],
    })
    .to_string();
    let error = read_graph_json(&graph, false).unwrap_err().to_string();
    assert!(error.contains("op2") && error.contains("make them equal"), "{error}");
    let (graph, machine) = read_graph_json(&graph, true).unwrap();
    let machine = machine.unwrap().machine(true).unwrap();
    let strategy = start(&graph, &machine, Start::DataParallel, 0);
    assert!(evaluate_2018(&graph, &machine, &strategy).total_ms > 0.0);
}
