//! Gate and up, an activation, down; or the same without a gate.

use crate::llm::graph::{LlmStep, Pass};
use crate::operator::{Kind, Shape};

/// The operators of one feed-forward of an inner width, which devices share.
pub(super) fn steps(
    pass: &Pass<'_>,
    context: &str,
    inner: u64,
    bias: bool,
    steps: &mut Vec<LlmStep>,
) {
    let (tokens, hidden) = (pass.tokens(), pass.model.hidden);
    let own = inner / pass.tensor();
    let name = |part: &str| format!("{context}.{part}");
    steps.push(pass.linear(&name("gate_up_proj"), tokens, [hidden, 2 * own], bias));
    steps.push(gate(pass, &name("act_fn"), tokens, own));
    steps.push(pass.linear(&name("down_proj"), tokens, [own, hidden], bias));
}

/// The operators of a feed-forward without a gate: up, an activation, down.
pub(super) fn plain_steps(
    pass: &Pass<'_>,
    context: &str,
    inner: u64,
    bias: bool,
    steps: &mut Vec<LlmStep>,
) {
    let (tokens, hidden) = (pass.tokens(), pass.model.hidden);
    let own = inner / pass.tensor();
    let name = |part: &str| format!("{context}.{part}");
    steps.push(pass.linear(&name("up_proj"), tokens, [hidden, own], bias));
    let shape = vec![tokens, own];
    let shapes = [shape.clone(), Shape::new(), shape];
    steps.push(pass.step("Activation", &name("act_fn"), Kind::Elementwise, shapes));
    steps.push(pass.linear(&name("down_proj"), tokens, [own, hidden], bias));
}

/// The activation of the gate, and its product with up: two reads, one write.
pub(super) fn gate(pass: &Pass<'_>, context: &str, rows: u64, columns: u64) -> LlmStep {
    let shape = vec![rows, columns];
    let shapes = [shape.clone(), shape.clone(), shape];
    pass.step("ActAndMul", context, Kind::Elementwise, shapes)
}
