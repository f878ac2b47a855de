//! What a search says of its best strategy is what an evaluation says; task graphs, strategies as text, bad input.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_machine::Interconnect;
use bigtpu_predict::search::{
    Graph, Model, Moves, Settings, Simulation, Start, evaluate, named, read_graph_json,
    read_strategy, search, start, strategy_text,
};
use bigtpu_sim::{PoolError, pool_schedule};
use serde_json::Value;

fn alexnet() -> (Graph, Interconnect) {
    let (graph, machine) =
        read_graph_json(include_str!("data/search/alexnet.json"), false).unwrap();
    (graph, machine.unwrap().machine(false).unwrap())
}

#[test]
fn the_time_of_the_best_strategy_is_that_of_its_evaluation() {
    let (graph, machine) = alexnet();
    let mut small = machine.clone();
    small.memory_bytes = Some(400 << 20);
    for machine in [&machine, &small] {
        for (training, overlap) in [(false, false), (true, false), (true, true), (false, true)] {
            let model = Model { training, overlap };
            let starts = [start(&graph, machine, Start::DataParallel, 0)];
            let moves = Moves { propagation: training };
            let settings =
                Settings { budget: 400, alpha: 0.2, seed: 5, model, moves, ..Settings::default() };
            let found = search(&graph, machine, &starts, settings).unwrap();
            let whole = evaluate(&graph, machine, model, &found.best).total_ms;
            assert!(
                (whole - found.best_ms).abs() < 1e-9 * whole,
                "{model:?}: {whole} and {}",
                found.best_ms
            );
            assert!(whole <= evaluate(&graph, machine, model, &starts[0]).total_ms);
            // Simulating what changes, and giving up early, change nothing but the time that it takes.
            for simulation in [Simulation::DeltaToTheEnd, Simulation::Full] {
                let other = Settings { simulation, ..settings };
                let other = search(&graph, machine, &starts, other).unwrap();
                assert_eq!((&other.best, &other.log), (&found.best, &found.log), "{model:?}");
            }
        }
    }
}

#[test]
fn task_graphs_run_as_flexflow_train_expects() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("data/search/task_graphs.json")).unwrap();
    for case in &cases {
        let pairs = |key: &str| -> Vec<(u64, u64)> {
            let pairs = case[key].as_array().unwrap().iter();
            pairs.map(|p| (p[0].as_u64().unwrap(), p[1].as_u64().unwrap())).collect()
        };
        let edges: Vec<(u32, u32)> =
            pairs("edges").into_iter().map(|(a, b)| (a as u32, b as u32)).collect();
        let costs: Vec<u64> =
            case["cost"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap()).collect();
        let limit = case["limit"].as_u64().map(|limit| limit as usize);
        assert_eq!(
            pool_schedule(&costs, &edges, limit).unwrap(),
            pairs("expect"),
            "{}",
            case["name"]
        );
    }
    assert!(matches!(pool_schedule(&[1, 1], &[(0, 1), (1, 0)], None), Err(PoolError::Cycle(0))));
}

#[test]
fn strategies_are_read_back_as_text_and_as_json() {
    let (graph, machine) = alexnet();
    let random = start(&graph, &machine, Start::Random, 11);
    let base = start(&graph, &machine, Start::DataParallel, 0);
    let text = strategy_text(&graph, &random);
    let text = text.as_str();
    assert!(text.starts_with("12\nconv1 0 4 1 1 1 "), "{text}");
    assert_eq!(read_strategy(text, &graph, &machine, base.clone()).unwrap(), random);
    let json = serde_json::to_string(&named(&graph, &random)).unwrap();
    assert_eq!(read_strategy(&json, &graph, &machine, base.clone()).unwrap(), random);
    let error =
        |text: &str| read_strategy(text, &graph, &machine, base.clone()).unwrap_err().to_string();
    assert!(error("1 nothing 0 1 1 1 0").contains("nothing"));
    assert!(error("1 conv1 0 1 3 3 0 1 2").contains("options"));
    assert!(error("1 conv1 0 1 2 2 0 9").contains("device 9"));
    assert!(error("2 conv1 0 1 1 1 0").contains("ends"));
}
