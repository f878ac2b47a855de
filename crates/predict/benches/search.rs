//! Proposals of one and the same search, simulated in three ways: `cargo bench -p bigtpu-predict --bench search`.
#![allow(missing_docs, clippy::unwrap_used, reason = "benches")]

use bigtpu_machine::Interconnect;
use bigtpu_predict::search::{
    SearchGraph, SearchSettings, SimulationPolicy, Start, read_graph_json, search, start,
};
use divan::counter::ItemsCount;

const GRAPHS: [&str; 2] = ["alexnet", "resnet"];

fn main() {
    divan::main();
}

fn graph(name: &str) -> (SearchGraph, Interconnect) {
    let text = match name {
        "alexnet" => include_str!("../tests/data/search/alexnet.json"),
        _ => include_str!("../tests/data/search/resnet.json"),
    };
    let (graph, machine) = read_graph_json(text, false).unwrap();
    (graph, machine.unwrap().machine(true).unwrap())
}

fn proposals(
    bencher: divan::Bencher<'_, '_>,
    name: &str,
    budget: u64,
    simulation: SimulationPolicy,
) {
    let (graph, machine) = graph(name);
    let starts = [start(&graph, &machine, Start::DataParallel, 0)];
    let settings =
        SearchSettings { budget, alpha: 5.0, seed: 1, simulation, ..SearchSettings::default() };
    let count = ItemsCount::new(budget);
    bencher.counter(count).bench(|| search(&graph, &machine, &starts, settings).unwrap());
}

/// What a user gets.
#[divan::bench(args = GRAPHS, sample_count = 5, sample_size = 1)]
fn delta_20000(bencher: divan::Bencher<'_, '_>, name: &str) {
    proposals(bencher, name, 20_000, SimulationPolicy::Delta);
}

/// The first 2000 proposals of a search, simulated in each of the three ways.
#[divan::bench(args = GRAPHS, sample_count = 5, sample_size = 1)]
fn delta_2000(bencher: divan::Bencher<'_, '_>, name: &str) {
    proposals(bencher, name, 2000, SimulationPolicy::Delta);
}

#[divan::bench(args = GRAPHS, sample_count = 3, sample_size = 1)]
fn delta_to_the_end_2000(bencher: divan::Bencher<'_, '_>, name: &str) {
    proposals(bencher, name, 2000, SimulationPolicy::DeltaToTheEnd);
}

#[divan::bench(args = GRAPHS, sample_count = 3, sample_size = 1)]
fn full_2000(bencher: divan::Bencher<'_, '_>, name: &str) {
    proposals(bencher, name, 2000, SimulationPolicy::Full);
}
