//! Estimates of a language model as JSON.

use bigtpu_messages::Notes;
use bigtpu_model::Operator;
use bigtpu_predict::estimate::llm::{LlmBound, LlmEstimate, TimeByBound};
use bigtpu_predict::estimate::{EnergyParts, EstimateStep, MeasuredEvidence, TimeParts};
use serde::Serialize;

use crate::estimate::llm::LlmComparison;

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    model: &'a str,
    model_type: &'a str,
    parameters: f64,
    target: &'a str,
    setting: Setting,
    first_token_ns: f64,
    token_ns: Option<Token>,
    request_ns: f64,
    tokens_per_s: Option<f64>,
    bound: Bounds,
    range: Ranges,
    evidence: Evidences<'a>,
    memory: Memory,
    speculation: Option<Proposals>,
    energy_pj: Option<f64>,
    mj_per_token: Option<f64>,
    power_w: Option<f64>,
    ops: Vec<Op<'a>>,
    #[serde(flatten)]
    notes: Notes,
}

#[derive(Serialize)]
struct Setting {
    batch: u32,
    context: u32,
    output_tokens: u32,
    tensor_parallel: u32,
    pipeline_parallel: u32,
    expert_parallel: u32,
    devices: u64,
    data_type: &'static str,
    weight_type: &'static str,
    head_type: &'static str,
    cache_type: &'static str,
    link_gbps: Option<f64>,
    link_latency_ns: Option<f64>,
    calibrated: bool,
    offload_weights: f64,
    offload_cache: f64,
}

#[derive(Serialize)]
struct Proposals {
    draft_tokens: u32,
    acceptance: f64,
    tokens_per_step: f64,
    draft_token_ns: f64,
    check_ns: f64,
    plain_token_ns: f64,
}

#[derive(Serialize)]
struct Token {
    mean: f64,
    first: f64,
    last: f64,
}

#[derive(Serialize)]
struct Bounds {
    first_token_ns: f64,
    token_ns: Option<f64>,
    prompt: Shares,
    generation: Shares,
}

#[derive(Serialize)]
struct Ranges {
    first_token_ns: Option<[f64; 2]>,
    token_ns: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct Evidences<'a> {
    first_token: &'a MeasuredEvidence,
    token: &'a MeasuredEvidence,
}

#[derive(Serialize)]
struct Shares {
    most: Option<&'static str>,
    compute_ns: f64,
    memory_ns: f64,
    communication_ns: f64,
}

#[derive(Serialize)]
struct Memory {
    weight_bytes: f64,
    cache_bytes: f64,
    activation_bytes: f64,
    total_bytes: f64,
    device_bytes: Option<u64>,
    fits: Option<bool>,
}

#[derive(Serialize)]
struct Op<'a> {
    name: &'a str,
    context: &'a str,
    phase: &'static str,
    executions: u64,
    bound: Option<&'static str>,
    input: &'a [u64],
    weights: &'a [u64],
    output: &'a [u64],
    time_ns: f64,
    time_parts_ns: &'a TimeParts,
    energy_pj: &'a EnergyParts,
    operations: f64,
    memory_bytes: f64,
}

/// An array with an object for each target and setting.
///
/// # Errors
///
/// A number can't be written, which no estimate holds.
pub fn json(comparison: &LlmComparison<'_>) -> serde_json::Result<String> {
    let all: Vec<Document<'_>> =
        comparison.found.iter().map(|found| document(comparison, found)).collect();
    serde_json::to_string_pretty(&all)
}

fn document<'a>(comparison: &'a LlmComparison<'a>, found: &'a LlmEstimate) -> Document<'a> {
    let estimate = &found.estimate;
    let [first_bound, token_bound] = found.bound_ns;
    let [first_range, token_range] = found.range_ns;
    let [first_token, token] = &found.evidence;
    let [prompt, generation] = &found.by_bound;
    let stored = found.stored;
    let steps = found.operators.iter().zip(&estimate.steps).zip(&found.bounds);
    Document {
        schema_version: SCHEMA_VERSION,
        model: comparison.model.for_library(),
        model_type: comparison.family.for_library(),
        parameters: comparison.parameters,
        target: &estimate.target,
        setting: setting(found),
        first_token_ns: found.first_token_ns(),
        token_ns: found.token_ns.map(|token| Token {
            mean: token.mean,
            first: token.first,
            last: token.last,
        }),
        request_ns: estimate.time_ns(),
        tokens_per_s: estimate.tokens_per_s(),
        bound: Bounds {
            first_token_ns: first_bound,
            token_ns: found.token_ns.map(|_| token_bound),
            prompt: shares(prompt),
            generation: shares(generation),
        },
        range: Ranges { first_token_ns: first_range, token_ns: token_range },
        evidence: Evidences { first_token, token },
        memory: Memory {
            weight_bytes: stored.weights,
            cache_bytes: stored.cache,
            activation_bytes: stored.activations,
            total_bytes: stored.total(),
            device_bytes: found.device_bytes,
            fits: found.fits(),
        },
        speculation: found.speculation.map(|own| Proposals {
            draft_tokens: own.draft_tokens,
            acceptance: own.acceptance,
            tokens_per_step: own.tokens_a_step,
            draft_token_ns: own.draft_ns,
            check_ns: own.check_ns,
            plain_token_ns: own.plain_ns,
        }),
        energy_pj: estimate.energy_pj(),
        mj_per_token: estimate.mj_per_token(),
        power_w: estimate.power_w(),
        ops: steps.map(|((operator, step), bound)| op(operator, step, *bound)).collect(),
        notes: comparison.notes.iter().chain(&estimate.notes).cloned().collect(),
    }
}

fn setting(found: &LlmEstimate) -> Setting {
    let (request, split, types) = (found.request, found.split, found.types);
    Setting {
        batch: request.batch,
        context: request.context,
        output_tokens: request.output_tokens,
        tensor_parallel: split.tensor,
        pipeline_parallel: split.pipeline,
        expert_parallel: split.experts,
        devices: split.devices(),
        data_type: types.activations.name(),
        weight_type: types.weights.name(),
        head_type: types.head.name(),
        cache_type: types.cache.name(),
        link_gbps: found.links.map(|links| links.bytes_per_ns),
        link_latency_ns: found.links.map(|links| links.latency_ns),
        calibrated: found.calibrated,
        offload_weights: found.offload.weights,
        offload_cache: found.offload.cache,
    }
}

fn shares(times: &TimeByBound) -> Shares {
    Shares {
        most: times.most().map(LlmBound::name),
        compute_ns: times.compute,
        memory_ns: times.memory,
        communication_ns: times.communication,
    }
}

fn op<'a>(operator: &'a Operator, step: &'a EstimateStep, bound: Option<LlmBound>) -> Op<'a> {
    Op {
        name: &operator.name,
        context: &operator.context,
        phase: step.phase.short_name(),
        executions: step.executions,
        bound: bound.map(LlmBound::name),
        input: &operator.input,
        weights: &operator.weights,
        output: &operator.output,
        time_ns: step.cost.time_ns,
        time_parts_ns: &step.cost.time,
        energy_pj: &step.cost.energy,
        operations: step.cost.operations,
        memory_bytes: step.cost.memory_bytes,
    }
}
