//! What a search says of its best strategy is what an evaluation says; task graphs, strategies as text, bad input.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_machine::Interconnect;
use bigtpu_predict::Links;
use bigtpu_predict::search::{
    Config, Moves, Search, SearchGraph, SearchModel, SearchSettings, SimulationPolicy, Start,
    Strategy, best_by_dynamic_programming, evaluate, named, read_graph_json, read_strategy,
    read_strategy_file, search, start, strategy_text,
};
use bigtpu_sim::{PoolError, pool_schedule};
use serde_json::Value;

fn alexnet() -> (SearchGraph, Interconnect) {
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
            let model = SearchModel { training, overlap };
            let starts = [start(&graph, machine, Start::DataParallel, 0)];
            let moves = Moves { propagation: training };
            let settings = SearchSettings {
                budget: 400,
                alpha: 0.2,
                seed: 5,
                model,
                moves,
                ..SearchSettings::default()
            };
            let found = search(&graph, machine, &starts, settings).unwrap();
            let whole = evaluate(&graph, machine, model, &found.best).total_ms;
            assert!(
                (whole - found.best_ms).abs() < 1e-9 * whole,
                "{model:?}: {whole} and {}",
                found.best_ms
            );
            assert!(whole <= evaluate(&graph, machine, model, &starts[0]).total_ms);
            // Simulating what changes, and giving up early, change nothing but the time that it takes.
            for simulation in [SimulationPolicy::DeltaToTheEnd, SimulationPolicy::Full] {
                let other = SearchSettings { simulation, ..settings };
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

/// Operators of some milliseconds with 1, 2 and 4 parts, in a chain or with branches; each joins what `inputs` names.
fn small(times: &[f64], inputs: &[&[usize]], parts: &[u32]) -> SearchGraph {
    let ops = times.iter().zip(inputs).enumerate().map(|(at, (ms, inputs))| {
        let inputs = inputs.iter().map(|from| serde_json::json!({"from": from, "shape": [8, 64]}));
        // Parts are a little slower than their share.
        let options = parts.iter().map(|&n| {
            let ms = ms / f64::from(n) * (1.0 + 0.05 * f64::from(n - 1));
            serde_json::json!({"dims": [n], "ms": ms})
        });
        serde_json::json!({
            "id": at, "name": format!("op{at}"), "type": "linear", "param_group": at, "weight_bytes": 40_000,
            "inputs": inputs.collect::<Vec<_>>(), "outputs": [[8, 64]],
            "options": options.collect::<Vec<_>>(),
        })
    });
    let file = serde_json::json!({"ops": ops.collect::<Vec<_>>()});
    read_graph_json(&file.to_string(), false).unwrap().0
}

/// The least time of all strategies, each tried. Devices are alike: the first that is used is device 0, the next new one is
/// device 1, and so on.
fn by_brute_force(graph: &SearchGraph, machine: &Interconnect, model: SearchModel) -> f64 {
    let mut best = f64::INFINITY;
    extend(graph, machine, model, (&mut Vec::new(), 0), &mut best);
    best
}

fn extend(
    graph: &SearchGraph,
    machine: &Interconnect,
    model: SearchModel,
    (so_far, used): (&mut Strategy, u32),
    best: &mut f64,
) {
    let Some(op) = graph.ops.get(so_far.len()) else {
        *best = best.min(evaluate(graph, machine, model, so_far).total_ms);
        return;
    };
    for (option, split) in op.options.iter().enumerate() {
        let mut placements = vec![(Vec::new(), used)];
        for _ in 0..split.parts() {
            let more = placements.iter().flat_map(|(placed, used)| {
                (0..machine.devices().min(used + 1)).map(move |device| {
                    let placed: Vec<u32> = placed.iter().copied().chain([device]).collect();
                    (placed, (*used).max(device + 1))
                })
            });
            placements = more.collect();
        }
        for (devices, used) in placements {
            so_far.push(Config { option, devices });
            extend(graph, machine, model, (so_far, used), best);
            so_far.pop();
        }
    }
}

fn searched(graph: &SearchGraph, machine: &Interconnect, model: SearchModel, seed: u64) -> Search {
    let kinds = [Start::OneDevice, Start::DataParallel, Start::ModelParallel];
    let mut starts: Vec<Strategy> =
        kinds.iter().map(|&kind| start(graph, machine, kind, 0)).collect();
    starts.push(best_by_dynamic_programming(graph, machine, model).unwrap());
    let least = starts.iter().map(|s| evaluate(graph, machine, model, s).total_ms);
    let alpha = 50.0 / least.fold(f64::INFINITY, f64::min);
    let settings = SearchSettings { budget: 2000, alpha, seed, model, ..SearchSettings::default() };
    search(graph, machine, &starts, settings).unwrap()
}

const CHAIN: &[&[usize]] = &[&[], &[0], &[1], &[2], &[3], &[4]];
const DIAMOND: &[&[usize]] = &[&[], &[0], &[0], &[1, 2], &[3], &[3]];

/// Operators, devices, parts, bandwidth in GB/s: messages of 1 KiB take 0.02 to 2 ms.
type SmallCase<'a> = (usize, u32, &'a [u32], f64);

fn is_searched_as_by_brute_force((ops, devices, parts, gbps): SmallCase<'_>, training: bool) {
    let times = [1.0, 0.3, 2.0, 0.7, 0.1, 1.4];
    for inputs in [CHAIN, DIAMOND] {
        let graph = small(&times[..ops], &inputs[..ops], parts);
        let machine = Interconnect::uniform(1, devices, gbps, 1000.0);
        let model = SearchModel { training, overlap: false };
        let least = by_brute_force(&graph, &machine, model);
        let found = searched(&graph, &machine, model, 1);
        let place = format!("{ops} operators on {devices} devices, training: {training}");
        assert!(
            (found.best_ms - least).abs() < 1e-9 * least,
            "{place}: {} and {least}",
            found.best_ms
        );
        assert!(found.bound_ms.unwrap() <= least * (1.0 + 1e-12), "{place}");
    }
}

#[test]
fn small_graphs_are_searched_as_by_brute_force() {
    let cases: [SmallCase<'_>; 7] = [
        (6, 2, &[1, 2], 1e-5),
        (4, 3, &[1, 2], 5e-5),
        (3, 4, &[1, 2], 1e-6),
        (4, 4, &[1, 2], 1e-5),
        (6, 4, &[1], 1e-5),
        (2, 4, &[1, 2, 4], 1e-5),
        (5, 2, &[1, 2], 1e-6),
    ];
    for case in cases {
        for training in [false, true] {
            is_searched_as_by_brute_force(case, training);
        }
    }
}

#[test]
#[ignore = "tries some millions of strategies, which takes minutes"]
fn six_operators_on_four_devices_are_searched_as_by_brute_force() {
    for gbps in [1e-5, 1e-6] {
        for training in [false, true] {
            is_searched_as_by_brute_force((6, 4, &[1, 2], gbps), training);
        }
    }
}

#[test]
fn nothing_is_worse_than_a_row_of_its_own_table() {
    let (graph, _) = alexnet();
    for devices in [2, 4, 8] {
        let machine = Interconnect::uniform(1, devices, 20.0, 1500.0);
        for training in [false, true] {
            let model = SearchModel { training, overlap: false };
            let times: Vec<f64> =
                (1..=3).map(|seed| searched(&graph, &machine, model, seed).best_ms).collect();
            let (least, most) = times
                .iter()
                .fold((f64::INFINITY, 0.0_f64), |(least, most), &ms| (least.min(ms), most.max(ms)));
            // With 2000 proposals, a tenth of the usual number: 2.04 % were measured on 4 devices.
            assert!(most <= 1.03 * least, "seeds give {times:?} on {devices} devices");
            for kind in [Start::OneDevice, Start::DataParallel, Start::ModelParallel] {
                let row = evaluate(&graph, &machine, model, &start(&graph, &machine, kind, 0));
                assert!(most <= row.total_ms, "{kind:?} on {devices} devices");
            }
        }
    }
}

#[test]
fn inference_updates_no_weights() {
    let (graph, machine) = alexnet();
    let strategy = start(&graph, &machine, Start::DataParallel, 0);
    let update = |training| {
        evaluate(&graph, &machine, SearchModel { training, overlap: false }, &strategy).update_ms
    };
    assert_eq!(update(false).to_bits(), 0.0_f64.to_bits());
    assert!(update(true) > 0.0);
}

#[test]
fn updates_are_the_rings_of_all_planning() {
    let graph = small(&[1.0], &[&[]], &[1, 2, 4]);
    let machine = Interconnect::uniform(1, 4, 50.0, 1000.0);
    let links = Links { bytes_per_ns: 50.0, latency_ns: 1000.0 };
    let model = SearchModel { training: true, overlap: false };
    for (option, devices) in [(0, 1_u32), (1, 2), (2, 4)] {
        let strategy = vec![Config { option, devices: (0..devices).collect() }];
        let ms = evaluate(&graph, &machine, model, &strategy).update_ms;
        assert!((ms - links.all_reduce(40_000.0, devices) * 1e-6).abs() < 1e-12, "{devices}: {ms}");
    }
}

/// A strategy in the forms that FlexFlow wrote until v1 and later: name, kind of device, dims, devices.
#[test]
fn strategies_of_flexflow_as_protocol_buffers_are_read() {
    let (graph, machine) = alexnet();
    let base = start(&graph, &machine, Start::DataParallel, 0);
    let op = |fields: &[(u8, &[u8])]| {
        let mut inner = vec![0x0a, 5];
        inner.extend(b"conv1");
        for (field, numbers) in fields {
            inner.extend(numbers.iter().flat_map(|&number| [field << 3, number]));
        }
        [&[0x0a, inner.len() as u8][..], &inner].concat()
    };
    let early = op(&[(2, &[1, 1, 1, 2]), (3, &[3, 5])]);
    let later = op(&[(2, &[0]), (3, &[1, 1, 1, 2]), (4, &[3, 5]), (5, &[0, 0])]);
    for bytes in [early, later] {
        let strategy = read_strategy_file(&bytes, &graph, &machine, base.clone()).unwrap();
        assert_eq!(strategy[0].devices, [3, 5]);
        assert_eq!(graph.ops[0].options[strategy[0].option].dims[0], 2);
        assert_eq!(strategy[1..], base[1..]);
    }
    let text = strategy_text(&graph, &base);
    let read = read_strategy_file(text.as_str().as_bytes(), &graph, &machine, base.clone());
    assert_eq!(read.unwrap(), base);
    let error = read_strategy_file(&[0x0a, 9, 1], &graph, &machine, base).unwrap_err();
    assert!(error.to_string().contains("protocol buffer"), "{error}");
}
