//! Estimates that start from measured parts instead of shapes.

use bigtpu_machine::Machine;
use bigtpu_model::costs::MeasuredPart;
use bigtpu_model::{HOST, Kind, Operator, Phase};

use crate::estimate::across::SpeedRatios;
use crate::estimate::cost::{Cost, EnergyParts, TimeParts, add};
use crate::estimate::expected::Evidence;
use crate::estimate::result::{Estimate, Step};

fn phase(part: &MeasuredPart) -> Phase {
    if part.phase == "decode" { Phase::Generation } else { Phase::Summarization }
}

/// The operator that tables and pages show.
fn operator(part: &MeasuredPart, number: usize) -> Operator {
    let shapes = [Vec::new(), Vec::new(), Vec::new()];
    let kind = Kind::of_name(&part.name).unwrap_or(Kind::Elementwise);
    Operator {
        id: number as u64,
        phase: Some(phase(part)),
        ..Operator::new(&part.kind, &part.name, kind, shapes)
    }
}

/// Cost of all executions of one pass. Arithmetic and the transfers that it hid scale by themselves and overlap as
/// before; exposed transfers scale with the memory; idle time stays.
fn cost(part: &MeasuredPart, ratios: SpeedRatios, machine: &Machine) -> Cost {
    let count = part.times;
    let exposed = part.exposed_ns.min(part.transfer_ns);
    let hidden = part.transfer_ns - exposed;
    let idle = part.idle_ns();
    let compute = part.compute_ns / ratios.compute;
    let memory = hidden / ratios.memory;
    let time_ns = if ratios == SpeedRatios::SAME {
        part.ns
    } else {
        idle + compute.max(memory) + exposed / ratios.memory
    };
    let mut energy = EnergyParts::default();
    let operations = part.operations * count;
    let memory_bytes = part.memory_bytes * count;
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
        mem_transfer: Some(part.transfer_ns / ratios.memory * count),
        launch: Some(idle * count),
        ..TimeParts::default()
    };
    Cost { time_ns: time_ns * count, time, energy, operations, memory_bytes, ..Cost::default() }
}

/// The operators of measured parts, one for each.
#[must_use]
pub fn measured_operators(parts: &[MeasuredPart]) -> Vec<Operator> {
    parts.iter().enumerate().map(|(number, part)| operator(part, number)).collect()
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
    let mut phases = [Cost::default(); 2];
    let mut clock = 0.0;
    let mut steps = Vec::with_capacity(parts.len());
    for part in parts {
        let cost = cost(part, ratios, machine);
        let totals = match phase(part) {
            Phase::Summarization => phases.first_mut(),
            Phase::Generation => phases.last_mut(),
        };
        if let Some(totals) = totals {
            totals.add(&cost);
        }
        let (phase, executions) = (phase(part), part.times.round() as u64);
        steps.push(Step { phase, executions, start_ns: clock, machine: 1, cost });
        clock += cost.time_ns;
    }
    let passes = |phase: Phase| {
        let own = parts.iter().filter(|part| self::phase(part) == phase);
        own.map(|part| part.times.round() as u64).min().unwrap_or(0)
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
        bound_ns: None,
        range_ns: None,
        evidence: Some(Evidence::of_run()),
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
            times: 2.0,
            ns: 100.0,
            compute_ns: 60.0,
            transfer_ns: 50.0,
            exposed_ns: 20.0,
            operations: 1e6,
            memory_bytes: 1e3,
            ..MeasuredPart::default()
        }
    }

    fn time(compute: f64, memory: f64) -> f64 {
        let ratios = SpeedRatios { compute, memory, shared: None };
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
