//! Parameters of a model, and the bytes that a device keeps.

use crate::llm::architecture::{Architecture, Heads, Stacks};
use crate::llm::graph::{LlmStep, Part, Pass};
use crate::llm::split::{LlmLoad, Split, Types};
use crate::operator::elements;

/// Bytes of one device, the fullest of all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StoredBytes {
    /// Weights.
    pub weights: f64,
    /// Keys and values of all sequences at their full length.
    pub cache: f64,
    /// The stream between layers, with input and output of the operator that has most of both, in the prompt.
    pub activations: f64,
}

impl StoredBytes {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.weights + self.cache + self.activations
    }
}

/// Parameters of the whole model.
#[must_use]
pub fn parameters(model: &Architecture, types: Types) -> f64 {
    let one = LlmLoad { batch: 1, context: 1, output_tokens: 1 };
    let steps = super::graph::prompt(model, one, Split::default(), types);
    steps.iter().map(|step| step.stored as f64 * step.times as f64).sum()
}

/// Bytes on the fullest device.
#[must_use]
pub fn stored_bytes(
    model: &Architecture,
    request: LlmLoad,
    split: Split,
    types: Types,
) -> StoredBytes {
    let rows = u64::from(request.context);
    let pass = Pass::new(model, request, split, types, rows, rows, false);
    let layers = model.layers.len();
    let of_stage = |stage: u32| {
        let part = Part {
            layers: split.stage(layers, stage),
            embedding: stage == 0,
            head: stage + 1 == split.pipeline.max(1),
        };
        let steps = pass.steps(&part);
        let weights = steps.iter().map(|step| step.stored_bytes() * step.times as f64).sum();
        let stream = elements(&[pass.tokens(), model.hidden]) * types.activations.bytes();
        let most = steps.iter().map(|step| working(step, types)).fold(0.0, f64::max);
        StoredBytes { weights, cache: cache(&pass, request, &part), activations: stream + most }
    };
    let stages = (0..split.pipeline.max(1)).map(of_stage);
    stages
        .reduce(|one, other| if other.total() > one.total() { other } else { one })
        .unwrap_or_default()
}

/// Input and output of an operator.
fn working(step: &LlmStep, types: Types) -> f64 {
    let operator = &step.operator;
    (elements(&operator.input) + elements(&operator.output)) * types.activations.bytes()
}

/// Keys and values of the layers of a part.
fn cache(pass: &Pass<'_>, request: LlmLoad, part: &Part) -> f64 {
    let row = match pass.model.heads {
        Heads::Grouped(heads) => 2 * heads.on_one_of(pass.tensor()).stored * heads.columns,
        Heads::Latent(heads) => heads.rank + heads.rotary,
    };
    if !pass.model.generates() {
        return 0.0;
    }
    let context = u64::from(request.context);
    // The last token that is generated goes through no pass of its own.
    let generated = u64::from(request.output_tokens).saturating_sub(1);
    let length = pass.model.rows_after_prompt(context) + generated;
    let layers = pass.model.layers.get(part.layers.clone()).unwrap_or_default();
    // Each layer behind an encoder has keys and values of its rows, too.
    let more = if let Stacks::EncoderDecoder { .. } = pass.model.stacks { context } else { 0 };
    let own = |window: Option<u64>| window.map_or(length, |rows| rows.min(length)) + more;
    let rows: f64 = layers.iter().map(|layer| own(layer.window) as f64).sum();
    pass.batch as f64 * rows * row as f64 * pass.types.cache.bytes()
}
