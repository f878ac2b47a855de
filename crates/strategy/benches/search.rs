//! Proposals of a search by delta simulation, with and without giving up early, next to full simulations:
//! `cargo bench -p bigtpu-strategy`.
#![allow(missing_docs, clippy::unwrap_used, reason = "benches")]

use bigtpu_strategy::{
    Graph, Machine, Model, Settings, Start, evaluate, read_graph_json, search, start,
};
use divan::counter::ItemsCount;

const GRAPHS: [&str; 2] = ["alexnet", "resnet"];

fn main() {
    divan::main();
}

fn graph(name: &str) -> (Graph, Machine) {
    let text = match name {
        "alexnet" => include_str!("../tests/data/alexnet.json"),
        _ => include_str!("../tests/data/resnet.json"),
    };
    let (graph, machine) = read_graph_json(text).unwrap();
    (graph, machine.unwrap().machine(true).unwrap())
}

fn proposals(bencher: divan::Bencher<'_, '_>, name: &str, budget: u64, patient: bool) {
    let (graph, machine) = graph(name);
    let starts = [start(&graph, &machine, Start::DataParallel, 0)];
    let settings = Settings { budget, alpha: 5.0, seed: 1, patient, ..Settings::default() };
    let count = ItemsCount::new(budget);
    bencher.counter(count).bench(|| search(&graph, &machine, &starts, settings).unwrap());
}

#[divan::bench(args = GRAPHS, sample_count = 3, sample_size = 1)]
fn delta_that_gives_up_early(bencher: divan::Bencher<'_, '_>, name: &str) {
    proposals(bencher, name, 20_000, false);
}

#[divan::bench(args = GRAPHS, sample_count = 3, sample_size = 1)]
fn delta_to_the_end(bencher: divan::Bencher<'_, '_>, name: &str) {
    proposals(bencher, name, 1000, true);
}

#[divan::bench(args = GRAPHS, sample_count = 20)]
fn full(bencher: divan::Bencher<'_, '_>, name: &str) {
    let (graph, machine) = graph(name);
    let strategy = start(&graph, &machine, Start::DataParallel, 0);
    let count = ItemsCount::new(1_u32);
    bencher.counter(count).bench(|| evaluate(&graph, &machine, Model::default(), &strategy));
}
