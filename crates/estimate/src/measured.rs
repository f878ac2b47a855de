//! Estimates that start from measured parts instead of shapes.

use bigtpu_hardware::Machine;

use crate::cost::{Cost, EnergyParts, TimeParts, add};
use crate::mapping::HOST;
use crate::operator::{Kind, Operator, Phase};
use crate::result::{Estimate, Step, Totals};

/// A part of a model, measured. Times are those of one execution, in ns.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredPart {
    /// Its name.
    pub name: String,
    /// What it is: kernel, layer, scope.
    pub kind: String,
    /// Phase of the run.
    pub phase: Phase,
    /// Executions.
    pub executions: u64,
    /// How much longer the run takes for it.
    pub time_ns: f64,
    /// The arithmetic engine of a core worked, on average.
    pub compute_ns: f64,
    /// The transfer engines of a core worked, on average.
    pub transfer_ns: f64,
    /// Transfers ran and no arithmetic, a core on average.
    pub exposed_ns: f64,
    /// Operations.
    pub operations: f64,
    /// Bytes of main memory.
    pub memory_bytes: f64,
}

/// How many times as fast the other machine is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeedRatios {
    /// Arithmetic.
    pub compute: f64,
    /// Main memory.
    pub memory: f64,
}

impl SpeedRatios {
    /// The same machine.
    pub const SAME: Self = Self { compute: 1.0, memory: 1.0 };
}

impl MeasuredPart {
    /// The operator that tables and pages show.
    fn operator(&self, number: usize) -> Operator {
        let shapes = [Vec::new(), Vec::new(), Vec::new()];
        let kind = Kind::of_name(&self.name).unwrap_or(Kind::Elementwise);
        Operator {
            id: number as u64,
            phase: Some(self.phase),
            ..Operator::new(&self.kind, &self.name, kind, shapes)
        }
    }

    /// Cost of all executions. Arithmetic and the transfers that it hid scale by themselves and overlap as before;
    /// exposed transfers scale with the memory; idle time stays.
    fn cost(&self, ratios: SpeedRatios, machine: &Machine) -> Cost {
        let count = self.executions as f64;
        let exposed = self.exposed_ns.min(self.transfer_ns);
        let hidden = self.transfer_ns - exposed;
        let idle = (self.time_ns - self.compute_ns.max(hidden) - exposed).max(0.0);
        let compute = self.compute_ns / ratios.compute;
        let memory = hidden / ratios.memory;
        let time_ns = if ratios == SpeedRatios::SAME {
            self.time_ns
        } else {
            idle + compute.max(memory) + exposed / ratios.memory
        };
        let mut energy = EnergyParts::default();
        let operations = self.operations * count;
        let memory_bytes = self.memory_bytes * count;
        let parts = [
            (&mut energy.compute, machine.pj_per_tflop.map(|pj| operations * 1e-12 * pj)),
            (&mut energy.main_mem, machine.memory.pj_per_bit.map(|pj| 8.0 * memory_bytes * pj)),
            (&mut energy.idle, machine.idle_w.map(|watts| watts * time_ns * count * 1e3)),
        ];
        for (part, value) in parts {
            value.into_iter().for_each(|value| add(part, value));
        }
        let time = TimeParts {
            compute: Some(compute * count),
            mem_transfer: Some(self.transfer_ns / ratios.memory * count),
            launch: Some(idle * count),
            ..TimeParts::default()
        };
        Cost { time_ns: time_ns * count, time, energy, operations, memory_bytes, ..Cost::default() }
    }
}

/// The operators of measured parts, one for each.
#[must_use]
pub fn measured_operators(parts: &[MeasuredPart]) -> Vec<Operator> {
    parts.iter().enumerate().map(|(number, part)| part.operator(number)).collect()
}

/// Measured parts on a machine, one step for each with all its executions. `batch` sequences ran together.
#[must_use]
pub fn estimate_measured(
    parts: &[MeasuredPart],
    ratios: SpeedRatios,
    machine: &Machine,
    target: &str,
    batch: u32,
) -> Estimate {
    let mut phases = [Totals::default(); 2];
    let mut clock = 0.0;
    let mut steps = Vec::with_capacity(parts.len());
    for part in parts {
        let cost = part.cost(ratios, machine);
        let totals = match part.phase {
            Phase::Summarization => phases.first_mut(),
            Phase::Generation => phases.last_mut(),
        };
        if let Some(totals) = totals {
            totals.time_ns += cost.time_ns;
            totals.time.add(&cost.time);
            totals.energy.add(&cost.energy);
            totals.operations += cost.operations;
            totals.memory_bytes += cost.memory_bytes;
        }
        let (phase, executions) = (part.phase, part.executions);
        steps.push(Step { phase, executions, start_ns: clock, machine: 1, cost });
        clock += cost.time_ns;
    }
    let passes = |phase: Phase| {
        let own = parts.iter().filter(|part| part.phase == phase);
        own.map(|part| part.executions).min().unwrap_or(0)
    };
    let generated = passes(Phase::Generation);
    Estimate {
        target: target.to_owned(),
        machines: vec![HOST.to_owned(), machine.name.clone()],
        steps,
        phases,
        passes: passes(Phase::Summarization) + generated,
        gen_tokens: generated * u64::from(batch),
        energy_known: machine.energy_is_known(),
        transfers_known: true,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part() -> MeasuredPart {
        MeasuredPart {
            name: "matmul".to_owned(),
            kind: "kernel".to_owned(),
            phase: Phase::Summarization,
            executions: 2,
            time_ns: 100.0,
            compute_ns: 60.0,
            transfer_ns: 50.0,
            exposed_ns: 20.0,
            operations: 1e6,
            memory_bytes: 1e3,
        }
    }

    fn time(compute: f64, memory: f64) -> f64 {
        let ratios = SpeedRatios { compute, memory };
        estimate_measured(&[part()], ratios, &Machine::default(), "x", 1).time_ns()
    }

    #[test]
    fn each_side_scales_and_idle_time_stays() {
        // 20 idle, 60 compute over 30 hidden transfers, 20 exposed.
        assert_eq!(time(1.0, 1.0), 200.0);
        assert_eq!(time(2.0, 1.0), 2.0 * (20.0 + 30.0 + 20.0));
        assert_eq!(time(6.0, 1.0), 2.0 * (20.0 + 30.0 + 20.0));
        assert_eq!(time(1.0, 2.0), 2.0 * (20.0 + 60.0 + 10.0));
        assert_eq!(time(1.0, 0.25), 2.0 * (20.0 + 120.0 + 80.0));
    }

    #[test]
    fn energies_are_those_of_all_executions() {
        let mut machine = Machine { pj_per_tflop: Some(0.4e12), ..Machine::default() };
        machine.memory.pj_per_bit = Some(7.0);
        let estimate = estimate_measured(&[part()], SpeedRatios::SAME, &machine, "x", 1);
        assert_eq!(estimate.energy_pj(), Some(2.0 * (0.4e6 + 8.0 * 1e3 * 7.0)));
        assert_eq!((estimate.passes, estimate.gen_tokens), (2, 0));
    }
}
