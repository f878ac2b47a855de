//! The time that no machine can be faster than.
//!
//! The greater of operations of convolutions and products at the peak, and bytes of weights, inputs and outputs at the
//! bandwidth of main memory. What may stay on the chip, or be folded into something else, is not counted: each of the
//! measured networks took longer (`docs/prediction/measured.md`).

use std::collections::BTreeSet;

use bigtpu_machine::{DataType, Machine};
use bigtpu_model::{Attention, Kind, Operator, elements, work};

/// Sums of one machine.
#[derive(Debug, Default)]
pub(crate) struct Bound<'a> {
    compute_ns: f64,
    memory_ns: f64,
    /// Weights that were counted: an operator that runs several times may keep them.
    seen: BTreeSet<(u64, &'a str, &'a str)>,
}

impl<'a> Bound<'a> {
    /// Adds an operator that runs here.
    pub(crate) fn add(&mut self, operator: &'a Operator, machine: &Machine, data_type: DataType) {
        let bytes = data_type.bytes();
        let mut moved =
            bytes * (operator.flow.from_outside as f64 + operator.flow.to_outside as f64);
        if matches!(operator.kind, Kind::Linear | Kind::Conv2d | Kind::MatMul | Kind::Attention) {
            let operations = match operator.kind {
                // Scores and their product with the values, without the softmax between them.
                Kind::Attention => products(operator),
                _ => work(operator, bytes, Attention::default(), None).operations,
            };
            self.compute_ns += operations / most_operations_a_ns(machine, data_type);
            let key = (operator.id, operator.name.as_str(), operator.context.as_str());
            if matches!(operator.kind, Kind::Linear | Kind::Conv2d) && self.seen.insert(key) {
                moved += work(operator, bytes, Attention::default(), None).weight_bytes;
            }
        }
        self.memory_ns += moved / machine.memory.gbps.unwrap_or(f64::INFINITY);
    }

    /// The longer time, in ns, of all operations and of all bytes that were added.
    pub(crate) fn ns(&self) -> f64 {
        self.compute_ns.max(self.memory_ns)
    }
}

/// Operations a ns that nothing exceeds: those of the peak, or of the units where their sizes say more (those of CV84X6).
pub(crate) fn most_operations_a_ns(machine: &Machine, data_type: DataType) -> f64 {
    let cores = f64::from(machine.cores) * f64::from(machine.chips.max(1));
    let of_units =
        machine.array.map_or(0.0, |array| array.operations_a_ns(data_type.bits()) * cores);
    (machine.peak(data_type).0 * 1e3).max(of_units)
}

fn products(operator: &Operator) -> f64 {
    let keys = operator.input.iter().rev().nth(1).map_or(1.0, |&rows| rows as f64);
    let seen = if operator.scores.causal { (keys + 1.0) / 2.0 } else { keys };
    let seen = operator.scores.window.map_or(seen, |window| seen.min(window as f64));
    4.0 * elements(&operator.output) * seen
}
