//! The operators of attention.

use crate::llm::architecture::{Grouped, Heads, Latent, Positions};
use crate::llm::graph::{LlmStep, Pass, Source};
use crate::operator::{Kind, Scores, Shape};

/// The operators of a layer with or without a sliding window.
pub(super) fn steps(pass: &Pass<'_>, window: Option<u64>, steps: &mut Vec<LlmStep>) {
    match pass.model.heads {
        Heads::Grouped(heads) => heads.on_one_of(pass.tensor()).steps(pass, window, steps),
        Heads::Latent(heads) => heads.on_one_of(pass.tensor()).steps(pass, window, steps),
    }
    pass.all_reduce("self_attn", steps);
}

/// The operators of attention to the rows of an encoder, whose keys and values each layer makes once. Heads that store a
/// latent row have no such attention.
pub(super) fn cross_steps(pass: &Pass<'_>, source: Source, steps: &mut Vec<LlmStep>) {
    let Some(heads) = pass.model.heads.grouped() else { return };
    let (tokens, hidden) = (pass.tokens(), pass.model.hidden);
    let Grouped { queries, stored, columns, input_bias, output_bias, .. } =
        heads.on_one_of(pass.tensor());
    let query = [hidden, queries * columns];
    steps.push(pass.linear("cross_attn.q_proj", tokens, query, input_bias));
    if source.is_new {
        let rows = pass.batch.saturating_mul(source.rows);
        let made = [hidden, 2 * stored * columns];
        steps.push(pass.linear("cross_attn.kv_proj", rows, made, input_bias));
    }
    let key = vec![pass.batch, stored, source.rows, columns];
    let row = vec![pass.batch, queries, pass.rows, columns];
    let shapes = [key, Shape::new(), row];
    let mut step = pass.step("Attention", "cross_attn.attention", Kind::Attention, shapes);
    step.operator.scores.stored = Some(pass.types.cache);
    steps.push(step);
    let out = [queries * columns, hidden];
    steps.push(pass.linear("cross_attn.o_proj", tokens, out, output_bias));
    pass.all_reduce("cross_attn", steps);
}

impl Grouped {
    fn steps(&self, pass: &Pass<'_>, window: Option<u64>, steps: &mut Vec<LlmStep>) {
        let (tokens, hidden) = (pass.tokens(), pass.model.hidden);
        let Self { queries, stored, columns, .. } = *self;
        let all = (queries + 2 * stored) * columns;
        steps.push(pass.linear("self_attn.qkv_proj", tokens, [hidden, all], self.input_bias));
        if self.normalized {
            steps.push(pass.norm_of("self_attn.q_norm", tokens.saturating_mul(queries), columns));
            steps.push(pass.norm_of("self_attn.k_norm", tokens.saturating_mul(stored), columns));
        }
        if pass.model.positions == Positions::Rotary {
            steps.push(rotary(pass, queries + stored, columns));
        }
        steps.push(scores(pass, [queries, stored], columns, window, None));
        let out = [queries * columns, hidden];
        steps.push(pass.linear("self_attn.o_proj", tokens, out, self.output_bias));
    }
}

impl Latent {
    fn steps(&self, pass: &Pass<'_>, window: Option<u64>, steps: &mut Vec<LlmStep>) {
        let (tokens, hidden) = (pass.tokens(), pass.model.hidden);
        let Self { queries, query_rank, rank, plain, rotary: turned, value } = *self;
        let query = queries * (plain + turned);
        match query_rank {
            Some(own) => {
                // Latent rows are made on each device.
                steps.push(pass.linear("self_attn.q_a_proj", tokens, [hidden, own], false));
                steps.push(pass.norm_of("self_attn.q_a_layernorm", tokens, own));
                steps.push(pass.linear("self_attn.q_b_proj", tokens, [own, query], false));
            }
            None => steps.push(pass.linear("self_attn.q_proj", tokens, [hidden, query], false)),
        }
        steps.push(pass.linear("self_attn.kv_a_proj", tokens, [hidden, rank + turned], false));
        steps.push(pass.norm_of("self_attn.kv_a_layernorm", tokens, rank));
        steps.push(rotary(pass, queries + 1, turned));
        if pass.cached {
            // The matrix of keys goes to the query, that of values to the result: the latent rows are used as they are
            // stored, by all heads.
            steps.push(by_head(pass, "self_attn.kv_b_proj (keys)", [queries, plain, rank]));
            let row = rank + turned;
            steps.push(scores(pass, [queries, 1], (row + rank).div_ceil(2), window, Some(row)));
            steps.push(by_head(pass, "self_attn.kv_b_proj (values)", [queries, rank, value]));
        } else {
            let made = [rank, queries * (plain + value)];
            steps.push(pass.linear("self_attn.kv_b_proj", tokens, made, false));
            let columns = (plain + turned + value).div_ceil(2);
            steps.push(scores(pass, [queries; 2], columns, window, None));
        }
        let out = [queries * value, hidden];
        steps.push(pass.linear("self_attn.o_proj", tokens, out, false));
    }
}

/// Each head's rows times a matrix of its own, `[heads, in, out]`.
fn by_head(pass: &Pass<'_>, context: &str, [heads, from, to]: [u64; 3]) -> LlmStep {
    let rows = pass.tokens().saturating_mul(heads);
    let shapes = [vec![rows, from], vec![heads, from, to], vec![rows, to]];
    let mut step = pass.step("Linear", context, Kind::Linear, shapes);
    step.operator.weight_type = Some(pass.types.weights);
    step.stored = heads * from * to;
    step
}

fn rotary(pass: &Pass<'_>, heads: u64, columns: u64) -> LlmStep {
    let shape = vec![pass.batch, heads, pass.rows, columns];
    let shapes = [shape.clone(), Shape::new(), shape];
    pass.step("Rotary", "self_attn.rotary", Kind::Rotary, shapes)
}

/// Scores, softmax and their product with the values. `row` is what a stored row has, where that is not two heads' columns.
fn scores(
    pass: &Pass<'_>,
    [queries, stored]: [u64; 2],
    columns: u64,
    window: Option<u64>,
    row: Option<u64>,
) -> LlmStep {
    let key = vec![pass.batch, stored, pass.keys, columns];
    let query = vec![pass.batch, queries, pass.rows, columns];
    let mut step =
        pass.step("Attention", "self_attn.attention", Kind::Attention, [key, Shape::new(), query]);
    // A token sees all rows; several, like those of a prompt, up to their own.
    let causal = pass.causal && (!pass.cached || pass.rows > 1);
    step.operator.scores = Scores { causal, window, row, stored: Some(pass.types.cache) };
    step.grows = pass.cached;
    step
}
