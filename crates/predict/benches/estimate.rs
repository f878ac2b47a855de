//! Estimates: 10 000 operators on 10 machines. `cargo bench -p bigtpu-predict --bench estimate`.
#![allow(missing_docs, clippy::unwrap_used, reason = "benches")]

use bigtpu_machine::{Machine, PresetSet, presets};
use bigtpu_model::{Mapping, Model, Operator, Target, read_op_list};
use bigtpu_predict::estimate::{Estimate, Job, Workload};
use rayon::prelude::*;

const OPERATORS: usize = 10_000;
const TARGETS: usize = 10;

fn main() {
    divan::main();
}

/// A recorded run of a language model, over and over.
fn model() -> Model {
    let text = include_str!("../tests/upmem/llama_tiny_mixed.json");
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
        let workload = Workload::new(&model.operators, &model.settings).unwrap();
        let run = |mapping: &Mapping| {
            let job = Job { workload: &workload, machines: &machines, mapping };
            job.run("target").unwrap()
        };
        mappings.par_iter().map(run).collect::<Vec<Estimate>>()
    });
}
