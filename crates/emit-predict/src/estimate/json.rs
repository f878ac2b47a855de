//! Estimates as JSON. Keys of `total` and `ops` are those of the recorded runs.

use bigtpu_messages::{Language, Notes};
use bigtpu_model::Operator;
use bigtpu_predict::estimate::{
    Cost, EnergyParts, Estimate, EstimateStep, MeasuredEvidence, TimeParts, TransferBytes,
};
use serde::Serialize;

use crate::estimate::ModelEstimates;

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    model: &'a str,
    target: &'a str,
    setting: String,
    total: Total<'a>,
    ops: Vec<Op<'a>>,
    #[serde(flatten)]
    notes: &'a Notes,
}

#[derive(Serialize)]
struct Total<'a> {
    time_ns: f64,
    /// Not of formulas of another tool, whose files stay as they are.
    #[serde(flatten)]
    judged: Option<Judged<'a>>,
    sum_time_ns: f64,
    gen_time_ns: f64,
    passes: u64,
    gen_tokens: u64,
    tokens_per_s: Option<f64>,
    energy_pj: Option<f64>,
    mj_per_token: Option<f64>,
    power_w: Option<f64>,
    sum_time_parts_ns: &'a TimeParts,
    gen_time_parts_ns: &'a TimeParts,
    sum_energy_pj: &'a EnergyParts,
    gen_energy_pj: &'a EnergyParts,
    sum_transfer_bytes: &'a TransferBytes,
    gen_transfer_bytes: &'a TransferBytes,
    sum_memory_bytes: f64,
    gen_memory_bytes: f64,
    sum_operations: f64,
    gen_operations: f64,
}

/// How far the time may be trusted.
#[derive(Serialize)]
struct Judged<'a> {
    expected_ns: f64,
    bound_ns: Option<f64>,
    range_ns: Option<[f64; 2]>,
    evidence: &'a MeasuredEvidence,
}

#[derive(Serialize)]
struct Op<'a> {
    id: u64,
    name: &'a str,
    context: &'a str,
    phase: &'static str,
    device: &'a str,
    start_ns: f64,
    input: &'a [u64],
    weights: &'a [u64],
    output: &'a [u64],
    time_ns: f64,
    time_parts_ns: &'a TimeParts,
    energy_pj: &'a EnergyParts,
    transfer_bytes: &'a TransferBytes,
    operations: f64,
    memory_bytes: f64,
}

/// An array with an object for each target.
///
/// # Errors
///
/// A number can't be written, which no estimate holds.
pub fn json(comparison: &ModelEstimates<'_>) -> serde_json::Result<String> {
    let all: Vec<Document<'_>> =
        comparison.estimates.iter().map(|estimate| document(comparison, estimate)).collect();
    serde_json::to_string_pretty(&all)
}

fn document<'a>(comparison: &'a ModelEstimates<'a>, estimate: &'a Estimate) -> Document<'a> {
    let steps = comparison.operators.iter().zip(&estimate.steps);
    Document {
        schema_version: SCHEMA_VERSION,
        model: comparison.model.for_library(),
        target: &estimate.target,
        setting: comparison.setting.text(Language::English),
        total: total(estimate),
        ops: steps.map(|(operator, step)| op(operator, step, estimate)).collect(),
        notes: &estimate.notes,
    }
}

fn total(estimate: &Estimate) -> Total<'_> {
    let [sum, generation]: &[Cost; 2] = &estimate.phases;
    Total {
        time_ns: estimate.time_ns(),
        judged: estimate.evidence.as_ref().map(|evidence| Judged {
            expected_ns: estimate.time_ns(),
            bound_ns: estimate.bound_ns,
            range_ns: estimate.range_ns,
            evidence,
        }),
        sum_time_ns: sum.time_ns,
        gen_time_ns: generation.time_ns,
        passes: estimate.passes,
        gen_tokens: estimate.gen_tokens,
        tokens_per_s: estimate.tokens_per_s(),
        energy_pj: estimate.energy_pj(),
        mj_per_token: estimate.mj_per_token(),
        power_w: estimate.power_w(),
        sum_time_parts_ns: &sum.time,
        gen_time_parts_ns: &generation.time,
        sum_energy_pj: &sum.energy,
        gen_energy_pj: &generation.energy,
        sum_transfer_bytes: &sum.transfers,
        gen_transfer_bytes: &generation.transfers,
        sum_memory_bytes: sum.memory_bytes,
        gen_memory_bytes: generation.memory_bytes,
        sum_operations: sum.operations,
        gen_operations: generation.operations,
    }
}

fn op<'a>(operator: &'a Operator, step: &'a EstimateStep, estimate: &'a Estimate) -> Op<'a> {
    Op {
        id: operator.id,
        name: &operator.name,
        context: &operator.context,
        phase: step.phase.short_name(),
        device: estimate.machines.get(step.machine).map_or("", String::as_str),
        start_ns: step.start_ns,
        input: &operator.input,
        weights: &operator.weights,
        output: &operator.output,
        time_ns: step.cost.time_ns,
        time_parts_ns: &step.cost.time,
        energy_pj: &step.cost.energy,
        transfer_bytes: &step.cost.transfers,
        operations: step.cost.operations,
        memory_bytes: step.cost.memory_bytes,
    }
}
