//! The operators of one device, for the prompt and for a token.

use std::ops::Range;

use bigtpu_machine::DataType;

use crate::llm::architecture::{Architecture, FeedForward, LlmLayer, Norm, Stacks};
use crate::llm::split::{LlmLoad, Split, Types};
use crate::llm::{attention, experts, feed_forward};
use crate::operator::{Kind, Operator, Shape};

/// What devices exchange. The input of the step's operator is what each of them has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// The sum of all devices' tensors, on each of them.
    AllReduce(u32),
    /// The pieces of all devices, on each of them; the output is the whole.
    AllGather(u32),
    /// Each device has a piece for each other one.
    AllToAll(u32),
    /// To the devices of the next stage.
    Send,
}

/// An operator of one device, and how often it runs in a pass.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmStep {
    /// Shapes on this device.
    pub operator: Operator,
    /// Executions in a pass: layers that have it.
    pub times: u64,
    /// Elements of its weights that the device keeps, for one execution: of all its experts, not only of those that
    /// work; none where the table of another operator is used.
    pub stored: u64,
    /// Set where the step is no computation.
    pub exchange: Option<Exchange>,
    /// Its keys are those of the cache, one more after each token.
    pub grows: bool,
    /// Whether the step belongs to a layer, not to what stands before and after all layers.
    pub is_of_layer: bool,
}

/// Part of a model that one graph covers: layers, and what goes before and after all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) layers: Range<usize>,
    pub(super) embedding: bool,
    pub(super) head: bool,
}

/// A pass of so many rows of each sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) model: &'a Architecture,
    pub(super) split: Split,
    pub(super) types: Types,
    /// Sequences on this device.
    pub(super) batch: u64,
    /// Sequences on all devices.
    pub(super) all: u64,
    /// Rows of a sequence that go through.
    pub(super) rows: u64,
    /// Rows of keys and values, these included.
    pub(super) keys: u64,
    /// Whether keys and values of earlier rows are stored.
    pub(super) cached: bool,
    /// Whether a row sees only those before it.
    pub(super) causal: bool,
    /// Rows at the end of each sequence that are multiplied with the vocabulary.
    pub(super) scored: u64,
    /// Rows of an encoder that each layer sees, too.
    pub(super) source: Option<Source>,
}

/// Rows of an encoder, seen by a decoder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    /// Rows of a sequence.
    pub(super) rows: u64,
    /// Their keys and values are made in this pass; later they are stored.
    pub(super) is_new: bool,
}

/// The graph of the prompt: all tokens of all sequences at once.
#[must_use]
pub fn prompt(model: &Architecture, request: LlmLoad, split: Split, types: Types) -> Vec<LlmStep> {
    let rows = u64::from(request.context);
    let whole = Part { layers: 0..model.layers.len(), embedding: true, head: true };
    Pass::new(model, request, split, types, rows, rows, false).steps(&whole)
}

/// The graph of so many new rows of each sequence, whose cache holds `past` rows: of one token, or of several that are
/// checked at once.
#[must_use]
pub fn token(
    model: &Architecture,
    request: LlmLoad,
    split: Split,
    types: Types,
    [past, rows]: [u64; 2],
) -> Vec<LlmStep> {
    let whole = Part { layers: 0..model.layers.len(), embedding: true, head: true };
    let mut pass = Pass::new(model, request, split, types, rows, past + rows, true);
    // Each row is checked, so that each needs its scores.
    pass.scored = rows;
    if let Stacks::EncoderDecoder { .. } = model.stacks {
        pass.source = Some(Source { rows: request.context.into(), is_new: false });
    }
    pass.steps(&whole)
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        model: &'a Architecture,
        request: LlmLoad,
        split: Split,
        types: Types,
        rows: u64,
        keys: u64,
        cached: bool,
    ) -> Self {
        let all = u64::from(request.batch);
        let batch = all.div_ceil(u64::from(split.experts.max(1)));
        let causal = model.generates();
        Self {
            model,
            split,
            types,
            batch,
            all,
            rows,
            keys,
            cached,
            causal,
            scored: 1,
            source: None,
        }
    }

    /// Devices that share a matrix.
    pub(super) fn tensor(&self) -> u64 {
        u64::from(self.split.tensor.max(1))
    }

    /// Rows of all sequences of this device.
    pub(super) fn tokens(&self) -> u64 {
        self.batch.saturating_mul(self.rows)
    }

    /// The operators of a part, stack by stack.
    pub(super) fn steps(&self, part: &Part) -> Vec<LlmStep> {
        let model = self.model;
        let layers = model.layers.get(part.layers.clone()).unwrap_or_default();
        let mut steps = Vec::new();
        match &model.stacks {
            Stacks::Decoder | Stacks::Encoder { .. } => {
                self.begin(part, &mut steps);
                self.stack(layers, &mut steps);
                if self.split.pipeline > 1 && part.embedding && part.head {
                    steps.push(self.send());
                }
                self.end(part, &mut steps);
            }
            Stacks::EncoderDecoder { encoder } => {
                if self.source.is_none_or(|source| source.is_new) {
                    let all = Pass { causal: false, source: None, ..*self };
                    all.begin(part, &mut steps);
                    all.stack(encoder, &mut steps);
                    steps.push(all.norm("norm", all.tokens(), 1));
                    name_stack("encoder", &mut steps);
                }
                let mut own = Vec::new();
                let decoder = self.of_decoder();
                decoder.begin(part, &mut own);
                if let Some(table) = own.first_mut() {
                    // Both stacks have one table.
                    table.stored = 0;
                }
                decoder.stack(layers, &mut own);
                decoder.end(part, &mut own);
                name_stack("decoder", &mut own);
                steps.extend(own);
            }
        }
        steps
    }

    /// The pass of the decoder that belongs to a prompt: of one row, behind the encoder's.
    fn of_decoder(&self) -> Self {
        match self.source {
            Some(_) => *self,
            None => {
                let source = Some(Source { rows: self.rows, is_new: true });
                Pass { rows: 1, keys: 1, source, ..*self }
            }
        }
    }

    /// The operators of consecutive layers; equal ones once.
    fn stack(&self, layers: &[LlmLayer], steps: &mut Vec<LlmStep>) {
        for (layer, times, suffix) in groups(layers, &self.model.layers) {
            let mut own = Vec::new();
            self.layer(layer, &mut own);
            for mut step in own {
                step.times = times;
                step.is_of_layer = true;
                step.operator.context.push_str(&suffix);
                steps.push(step);
            }
        }
    }

    fn layer(&self, layer: LlmLayer, steps: &mut Vec<LlmStep>) {
        let tokens = self.tokens();
        let both = self.model.norms > 2;
        steps.push(self.norm("input_layernorm", tokens, 1));
        attention::steps(self, layer.window, steps);
        if both {
            steps.push(self.norm("post_attention_layernorm", tokens, 1));
        }
        steps.push(self.residual("self_attn"));
        if let Some(source) = self.source {
            steps.push(self.norm("cross_attn_layernorm", tokens, 1));
            attention::cross_steps(self, source, steps);
            steps.push(self.residual("cross_attn"));
        }
        let before = if both { "pre_feedforward_layernorm" } else { "post_attention_layernorm" };
        // With one normalization, attention and feed-forward read the same rows.
        if self.model.norms > 1 {
            steps.push(self.norm(before, tokens, 1));
        }
        match layer.feed_forward {
            FeedForward::Dense { inner, bias, gated } => {
                let of = if gated { feed_forward::steps } else { feed_forward::plain_steps };
                of(self, "mlp", inner, bias, steps);
                self.all_reduce("mlp", steps);
            }
            FeedForward::Experts(each) => experts::steps(self, each, steps),
        }
        if both {
            steps.push(self.norm("post_feedforward_layernorm", tokens, 1));
        }
        steps.push(self.residual("mlp"));
    }

    /// A step with weights that are not quantized; the caller sets what is stored.
    pub(super) fn step(
        &self,
        name: &str,
        context: &str,
        kind: Kind,
        shapes: [Shape; 3],
    ) -> LlmStep {
        let mut operator = Operator::new(name, context, kind, shapes);
        operator.data_type = Some(self.types.activations);
        LlmStep::new(operator)
    }

    /// Rows times a matrix of a layer, which may be quantized, and a bias, which is not.
    pub(super) fn linear(&self, context: &str, rows: u64, matrix: [u64; 2], bias: bool) -> LlmStep {
        let [from, to] = matrix;
        let shapes = [vec![rows, from], vec![from, to], vec![rows, to]];
        let mut step = self.step("Linear", context, Kind::Linear, shapes);
        step.operator.weight_type = Some(self.types.weights);
        step.stored = from.saturating_mul(to).saturating_add(if bias { to } else { 0 });
        step
    }

    /// A normalization of rows, in so many pieces of each.
    pub(super) fn norm(&self, context: &str, rows: u64, pieces: u64) -> LlmStep {
        let mut step = self.norm_of(context, rows.saturating_mul(pieces), self.model.hidden);
        if self.model.norm == Norm::Layer {
            step.operator.name = "LayerNorm".to_owned();
            step.operator.kind = Kind::LayerNorm;
            // A factor and an offset.
            step.stored = step.stored.saturating_mul(2);
        }
        step
    }

    pub(super) fn norm_of(&self, context: &str, rows: u64, columns: u64) -> LlmStep {
        let shape = vec![rows, columns];
        let shapes = [shape.clone(), Shape::new(), shape];
        let mut step = self.step("RMSNorm", context, Kind::RmsNorm, shapes);
        step.stored = columns;
        step
    }

    /// The sum with what went around a half of a layer.
    pub(super) fn residual(&self, context: &str) -> LlmStep {
        let shape = vec![self.tokens(), self.model.hidden];
        let shapes = [shape.clone(), shape.clone(), shape];
        self.step("Add", &format!("{context}.residual"), Kind::Elementwise, shapes)
    }

    /// The sum over the devices that share matrices.
    pub(super) fn all_reduce(&self, context: &str, steps: &mut Vec<LlmStep>) {
        if self.split.tensor > 1 {
            let shape = vec![self.tokens(), self.model.hidden];
            let shapes = [shape.clone(), Shape::new(), shape];
            let mut step = self.step("AllReduce", context, Kind::Free, shapes);
            step.exchange = Some(Exchange::AllReduce(self.split.tensor));
            steps.push(step);
        }
    }
}

/// Layers that are equal, with their number and what tells them apart in names from others of the model.
fn groups(own: &[LlmLayer], layers: &[LlmLayer]) -> Vec<(LlmLayer, u64, String)> {
    let mut groups: Vec<(LlmLayer, u64)> = Vec::new();
    for layer in own {
        match groups.iter_mut().find(|(known, _)| known == layer) {
            Some((_, count)) => *count += 1,
            None => groups.push((*layer, 1)),
        }
    }
    let varies = |of: fn(&LlmLayer) -> bool| layers.iter().any(of) && !layers.iter().all(of);
    let by_window = varies(|layer| layer.window.is_some());
    let by_experts = varies(|layer| matches!(layer.feed_forward, FeedForward::Experts(_)));
    let suffix = |layer: &LlmLayer| {
        let mut text = String::new();
        if by_window {
            text.push_str(if layer.window.is_some() { " (window)" } else { " (full)" });
        }
        if by_experts {
            let dense = matches!(layer.feed_forward, FeedForward::Dense { .. });
            text.push_str(if dense { " (dense)" } else { " (experts)" });
        }
        text
    };
    groups.into_iter().map(|(layer, count)| (layer, count, suffix(&layer))).collect()
}

/// Says of which stack operators are.
fn name_stack(stack: &str, steps: &mut [LlmStep]) {
    for step in steps {
        step.operator.context.insert(0, '.');
        step.operator.context.insert_str(0, stack);
    }
}

impl LlmStep {
    /// One execution of an operator without weights.
    #[must_use]
    pub fn new(operator: Operator) -> Self {
        Self { operator, times: 1, stored: 0, exchange: None, grows: false, is_of_layer: false }
    }

    /// Bytes of its weights that a device keeps, for one execution.
    #[must_use]
    pub fn stored_bytes(&self) -> f64 {
        let own = self.operator.weight_type.or(self.operator.data_type);
        self.stored as f64 * own.map_or(0.0, DataType::bytes)
    }
}
