//! Estimates that start from measured parts instead of shapes.

use bigtpu_machine::Machine;
use bigtpu_messages::Notes;
use bigtpu_model::costs::MeasuredPart;
use bigtpu_model::{HOST, Kind, LlmPhase, Operator};

use crate::estimate::across::SpeedRatios;
use crate::estimate::cost::{Cost, EnergyParts, TimeParts, add};
use crate::estimate::expected::MeasuredEvidence;
use crate::estimate::result::{Estimate, EstimateStep};

fn phase(part: &MeasuredPart) -> LlmPhase {
    if part.phase == "decode" { LlmPhase::Generation } else { LlmPhase::Summarization }
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

/// What the engines of a core do in an execution, in ns, divided by what hides it.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    compute: f64,
    /// Transfers beside arithmetic of this or another part.
    hidden: f64,
    /// Transfers beside no arithmetic.
    exposed: f64,
}

impl Load {
    /// On the measured machine, and on one that is so many times as fast.
    fn on_both(part: &MeasuredPart, ratios: &SpeedRatios) -> [Self; 2] {
        let [hidden, exposed] = part.hidden_and_exposed_ns();
        let own = Self { compute: part.compute_ns, hidden, exposed };
        let transfers = transfer_ns(part, ratios);
        let factor = if part.transfer_ns > 0.0 { transfers / part.transfer_ns } else { 1.0 };
        let other = Self {
            compute: own.compute / ratios.compute,
            hidden: own.hidden * factor,
            exposed: own.exposed * factor,
        };
        [own, other]
    }

    /// Transfers that arithmetic hides take no time of their own.
    fn ns(self) -> f64 {
        self.compute.max(self.hidden) + self.exposed
    }

    fn add(&mut self, other: Self, times: f64) {
        self.compute += other.compute * times;
        self.hidden += other.hidden * times;
        self.exposed += other.exposed * times;
    }
}

/// Time of a part's transfers: what depends on a bandwidth scales with that of what bounds it, and latency stays. Where the file does not
/// show how they divide, all of it scales with the memory.
fn transfer_ns(part: &MeasuredPart, ratios: &SpeedRatios) -> f64 {
    let Some(ns) = part.bandwidth_ns else { return part.transfer_ns / ratios.memory };
    let moving = ns.ddr / ratios.memory
        + ns.l2m / ratios.shared.unwrap_or(ratios.memory)
        + ns.link / ratios.link.unwrap_or(1.0);
    (part.transfer_ns - ns.total()).max(0.0) + moving
}

/// Time of an execution on the other machine, as far as the part by itself shows it. Work that runs beside other parts moves the end of
/// the run by a share of its time, and does so there, too; idle time stays.
fn own_ns(part: &MeasuredPart, ratios: &SpeedRatios) -> f64 {
    let [own, other] = Load::on_both(part, ratios).map(Load::ns);
    let share = if own > part.ns { part.ns / own } else { 1.0 };
    part.ns - share * own + share * other
}

/// Time of all parts of a phase on the other machine. Here transfers that arithmetic of another part hides are seen: they can't become
/// shorter than they are where this arithmetic does.
fn phase_ns<'p>(parts: impl Iterator<Item = &'p MeasuredPart>, ratios: &SpeedRatios) -> f64 {
    let (mut measured, mut loads) = (0.0, [Load::default(); 2]);
    for part in parts {
        measured += part.pass_ns();
        for (sum, load) in loads.iter_mut().zip(Load::on_both(part, ratios)) {
            sum.add(load, part.times);
        }
    }
    let [own, other] = loads.map(Load::ns);
    (measured - own).max(0.0) + other
}

/// Cost of all executions of one pass, one of which takes `time_ns`.
fn cost(part: &MeasuredPart, ratios: &SpeedRatios, time_ns: f64, machine: &Machine) -> Cost {
    let count = part.times;
    let [_, load] = Load::on_both(part, ratios);
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
        compute: Some(load.compute * count),
        mem_transfer: Some((load.hidden + load.exposed) * count),
        launch: Some(part.idle_ns() * count),
        ..TimeParts::default()
    };
    Cost { time_ns: time_ns * count, time, energy, operations, memory_bytes, ..Cost::default() }
}

/// The operators of measured parts, one for each.
#[must_use]
pub fn measured_operators(parts: &[MeasuredPart]) -> Vec<Operator> {
    parts.iter().enumerate().map(|(number, part)| operator(part, number)).collect()
}

/// Measured parts on a machine, one step for each with all its executions. `time_factor`: the time of the run there over the measured one,
/// where it is known better than the parts show it; `batch` sequences ran together.
#[must_use]
pub fn estimate_measured(
    parts: &[MeasuredPart],
    ratios: SpeedRatios,
    time_factor: Option<f64>,
    machine: &Machine,
    target: &str,
    batch: u32,
) -> Estimate {
    let mut phases = [Cost::default(); 2];
    // What the parts by themselves do not show is spread over them.
    let alone_ns = |part: &MeasuredPart| own_ns(part, &ratios) * part.times;
    let spread = [LlmPhase::Summarization, LlmPhase::Generation].map(|phase| {
        let own = || parts.iter().filter(|part| self::phase(part) == phase);
        let (alone, ns): (f64, f64) = match time_factor {
            Some(factor) => {
                let measured: f64 = parts.iter().map(MeasuredPart::pass_ns).sum();
                (parts.iter().map(alone_ns).sum(), measured * factor)
            }
            None => (own().map(alone_ns).sum(), phase_ns(own(), &ratios)),
        };
        if alone > 0.0 && !ratios.is_same() { ns / alone } else { 1.0 }
    });
    let mut clock = 0.0;
    let mut steps = Vec::with_capacity(parts.len());
    for part in parts {
        let spread = spread[usize::from(phase(part) == LlmPhase::Generation)];
        let cost = cost(part, &ratios, own_ns(part, &ratios) * spread, machine);
        let totals = match phase(part) {
            LlmPhase::Summarization => phases.first_mut(),
            LlmPhase::Generation => phases.last_mut(),
        };
        if let Some(totals) = totals {
            totals.add(&cost);
        }
        let (phase, executions) = (phase(part), part.times.round() as u64);
        steps.push(EstimateStep { phase, executions, start_ns: clock, machine: 1, cost });
        clock += cost.time_ns;
    }
    let passes = |phase: LlmPhase| {
        let own = parts.iter().filter(|part| self::phase(part) == phase);
        own.map(|part| part.times.round() as u64).min().unwrap_or(0)
    };
    let generated = passes(LlmPhase::Generation);
    Estimate {
        target: target.to_owned(),
        machines: vec![HOST.to_owned(), machine.name.clone()],
        steps,
        phases,
        passes: passes(LlmPhase::Summarization) + generated,
        gen_tokens: generated * u64::from(batch),
        energy_known: machine.energy_is_known(),
        transfers_known: true,
        bound_ns: None,
        range_ns: None,
        evidence: Some(MeasuredEvidence::of_run()),
        notes: Notes::default(),
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
        let ratios = SpeedRatios { compute, memory, ..SpeedRatios::SAME };
        estimate_measured(&[part()], ratios, None, &Machine::default(), "x", 1).time_ns()
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
    fn parts_sum_to_the_time_of_the_run() {
        let mut decode = part();
        (decode.phase, decode.times) = ("decode".to_owned(), 1.0);
        let ratios = SpeedRatios { compute: 2.0, ..SpeedRatios::SAME };
        let estimate = |parts: &[MeasuredPart]| {
            estimate_measured(parts, ratios, Some(0.5), &Machine::default(), "x", 1)
        };
        assert_eq!(estimate(&[part()]).time_ns(), 100.0);
        let both = estimate(&[part(), decode]);
        assert_eq!((both.time_ns(), both.steps[1].cost.time_ns), (150.0, 50.0));
    }

    #[test]
    fn energies_are_those_of_all_executions() {
        let mut machine = Machine { pj_per_tflop: Some(0.4e12), ..Machine::default() };
        machine.memory.pj_per_bit = Some(7.0);
        let estimate = estimate_measured(&[part()], SpeedRatios::SAME, None, &machine, "x", 1);
        assert_eq!(estimate.energy_pj(), Some(2.0 * (0.4e6 + 8.0 * 1e3 * 7.0)));
        assert_eq!((estimate.passes, estimate.gen_tokens), (2, 0));
    }
}
