//! What stands before the layers and after them: embedding, and the product with the vocabulary or a pooler.

use crate::llm::architecture::{Positions, Stacks};
use crate::llm::graph::{Exchange, LlmStep, Part, Pass};
use crate::operator::{Kind, Shape};

impl Pass<'_> {
    /// The embedding: of tokens, positions and types.
    pub(super) fn begin(&self, part: &Part, steps: &mut Vec<LlmStep>) {
        if !part.embedding {
            return;
        }
        let slice = self.model.vocabulary.div_ceil(self.tensor());
        steps.push(self.table("embed_tokens", slice));
        if let Positions::Table(rows) = self.model.positions {
            steps.push(self.table("embed_positions", rows));
            steps.push(self.residual("embed_positions"));
        }
        if let Stacks::Encoder { token_types, .. } = self.model.stacks
            && token_types > 0
        {
            steps.push(self.table("embed_token_types", token_types));
            steps.push(self.residual("embed_token_types"));
        }
        self.all_reduce("embed_tokens", steps);
        if !self.model.generates() {
            steps.push(self.norm("embed_norm", self.tokens(), 1));
        }
        if let (Positions::Relative(distances), Some(heads)) =
            (self.model.positions, self.model.heads.grouped())
        {
            let heads = heads.on_one_of(self.tensor()).queries;
            let pairs = self.rows.saturating_mul(self.keys);
            let shapes = [vec![pairs], vec![distances, heads], vec![heads, self.rows, self.keys]];
            let context = "relative_attention_bias";
            let mut step = self.step("Embedding", context, Kind::Embedding, shapes);
            step.stored = distances * heads;
            steps.push(step);
        }
    }

    /// A row of a table for each token.
    fn table(&self, context: &str, rows: u64) -> LlmStep {
        let (tokens, hidden) = (self.tokens(), self.model.hidden);
        let shapes = [vec![tokens], vec![rows, hidden], vec![tokens, hidden]];
        let mut step = self.step("Embedding", context, Kind::Embedding, shapes);
        step.stored = rows.saturating_mul(hidden);
        step
    }

    /// To the devices of the next stage, as often as there is one.
    pub(super) fn send(&self) -> LlmStep {
        let shape = vec![self.tokens(), self.model.hidden];
        let shapes = [shape.clone(), Shape::new(), shape];
        let mut step = self.step("Send", "next stage", Kind::Free, shapes);
        step.times = u64::from(self.split.pipeline - 1);
        step.exchange = Some(Exchange::Send);
        step
    }

    /// The scores of the vocabulary for the last row of each sequence; of an encoder, the pooler of the first one.
    pub(super) fn end(&self, part: &Part, steps: &mut Vec<LlmStep>) {
        if !part.head {
            return;
        }
        let (model, hidden) = (self.model, self.model.hidden);
        if let Stacks::Encoder { pooler, .. } = model.stacks {
            if pooler {
                let mut step = self.linear("pooler", self.batch, [hidden, hidden], true);
                step.operator.weight_type = None;
                steps.push(step);
            }
            return;
        }
        let slice = model.vocabulary.div_ceil(self.tensor());
        let rows = self.batch.saturating_mul(self.scored);
        steps.push(self.norm("norm", rows, 1));
        let shapes = [vec![rows, hidden], vec![hidden, slice], vec![rows, slice]];
        let mut step = self.step("Linear", "lm_head", Kind::Linear, shapes);
        let is_quantized = self.types.head != self.types.activations;
        step.operator.weight_type = is_quantized.then_some(self.types.head);
        // A table that is shared is stored once, on a device that has both, if both have one type.
        let shared = model.tied && part.embedding && !is_quantized;
        step.stored = if shared { 0 } else { slice.saturating_mul(hidden) };
        steps.push(step);
        if self.split.tensor > 1 {
            let shapes = [vec![rows, slice], Shape::new(), vec![rows, model.vocabulary]];
            let mut step = self.step("AllGather", "lm_head", Kind::Free, shapes);
            step.exchange = Some(Exchange::AllGather(self.split.tensor));
            steps.push(step);
        }
    }
}
