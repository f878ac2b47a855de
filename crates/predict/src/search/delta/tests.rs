//! Delta simulation against the full one.

use super::*;
use crate::search::full::simulate;
use crate::search::graph_json::read_graph_json;
use crate::search::layout::SearchModel;
use crate::search::rng::Rng;
use crate::search::strategies::{data_parallel, random_config};
use bigtpu_machine::Interconnect;

fn check(
    graph: &crate::search::graph::SearchGraph,
    machine: &Interconnect,
    training: bool,
    moves: u64,
) {
    let layout = Layout::new(graph, machine, SearchModel { training, ..SearchModel::default() });
    let mut rng = Rng::new(7, 0);
    let mut delta = Delta::new(&layout, data_parallel(graph, machine));
    for number in 0..moves {
        let op = rng.next_below(graph.ops.len() as u64) as usize;
        let config = random_config(graph, machine, op, &mut rng);
        let before = delta.ends();
        let outcome = delta.change(op, config, u64::MAX, |_| 0);
        let full = simulate::<u64>(&layout, delta.strategy());
        let ends: Vec<Option<u64>> =
            full.listed.tasks.iter().map(|ran| ran.map(|ran| ran.end)).collect();
        assert_eq!(delta.ends(), ends, "move {number}");
        assert_eq!(outcome, Outcome::Done(full.listed.makespan));
        assert_eq!(delta.count(), full.listed.count);
        if rng.next_below(2) == 0 {
            delta.keep();
        } else {
            delta.take_back();
            assert_eq!(delta.ends(), before, "move {number} taken back");
        }
    }
}

#[test]
fn every_move_gives_what_the_full_simulation_gives() {
    for text in [
        include_str!("../../../tests/data/search/alexnet.json"),
        include_str!("../../../tests/data/search/nmt.json"),
    ] {
        let (graph, machine) = read_graph_json(text, false).unwrap();
        let machine = machine.unwrap();
        check(&graph, &machine.machine(true).unwrap(), false, 150);
        check(&graph, &machine.machine(false).unwrap(), false, 80);
        check(&graph, &machine.machine(false).unwrap(), true, 80);
    }
}
