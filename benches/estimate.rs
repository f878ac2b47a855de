//! Estimates: 10 000 operators on 10 machines. `cargo bench --bench estimate`.
#![allow(clippy::unwrap_used)]

use bigtpu_estimate::{Job, Mapping, Model, Operator, Target, read_op_list};
use bigtpu_hardware::{Machine, PresetSet, presets};

const OPERATORS: usize = 10_000;
const TARGETS: usize = 10;

fn main() {
    divan::main();
}

/// A recorded run of a language model, over and over.
fn model() -> Model {
    let text = include_str!("../crates/estimate/tests/upmem/llama_tiny_mixed.json");
    let model = read_op_list(text).unwrap();
    let operators: Vec<Operator> =
        model.operators.iter().cycle().take(OPERATORS).cloned().collect();
    Model { operators, ..model }
}

#[divan::bench]
fn operators_on_10_targets(bencher: divan::Bencher<'_, '_>) {
    let model = model();
    let machines: Vec<Machine> = presets(PresetSet::All).into_iter().take(TARGETS).collect();
    let target = |machine: &Machine| Target { machine: machine.name.clone(), ..Target::default() };
    let mappings: Vec<Mapping> = machines
        .iter()
        .map(|machine| Mapping { rest: Some(target(machine)), ..Mapping::default() })
        .collect();
    bencher.counter(OPERATORS * TARGETS).bench(|| {
        let run = |mapping: &Mapping| {
            let (operators, settings) = (&model.operators, &model.settings);
            let job = Job { operators, machines: &machines, mapping, settings };
            job.run("target").unwrap().time_ns()
        };
        mappings.iter().map(run).sum::<f64>()
    });
}
