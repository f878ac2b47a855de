//! A mixture of experts: the router, what goes to other devices, the experts, what comes back.

use crate::llm::architecture::Experts;
use crate::llm::feed_forward;
use crate::llm::graph::{Exchange, LlmStep, Pass};
use crate::operator::{Kind, Shape};

/// The operators of a layer's experts on one device.
pub(super) fn steps(pass: &Pass<'_>, each: Experts, steps: &mut Vec<LlmStep>) {
    let (tokens, hidden) = (pass.tokens(), pass.model.hidden);
    let groups = u64::from(pass.split.experts.max(1));
    steps.push(plain(pass, "mlp.router", tokens, [hidden, each.count], each.bias));
    let shape = vec![tokens, each.count];
    let shapes = [shape.clone(), Shape::new(), shape];
    steps.push(pass.step("Softmax", "mlp.router", Kind::Softmax, shapes));
    all_to_all(pass, "mlp.dispatch", each, steps);
    // Tokens of all devices, divided over the groups evenly.
    let all = pass.all.saturating_mul(pass.rows);
    let rows = all.saturating_mul(each.per_token).div_ceil(groups).max(1);
    let kept = each.count / groups;
    let used = used(kept, each, all).min(rows);
    let own = each.inner / pass.tensor();
    for (name, matrix) in [("gate_up_proj", [hidden, 2 * own]), ("down_proj", [own, hidden])] {
        let [from, to] = matrix;
        let context = format!("mlp.experts.{name}");
        let shapes = [vec![rows, from], vec![used, from, to], vec![rows, to]];
        let mut step = pass.step("Linear", &context, Kind::Linear, shapes);
        step.operator.weight_type = Some(pass.types.weights);
        step.stored = kept * (from * to + if each.bias { to } else { 0 });
        steps.push(step);
        if name == "gate_up_proj" {
            steps.push(feed_forward::gate(pass, "mlp.experts.act_fn", rows, own));
        }
    }
    all_to_all(pass, "mlp.combine", each, steps);
    let shapes = [vec![tokens, each.per_token, hidden], Shape::new(), vec![tokens, hidden]];
    steps.push(pass.step("WeightedSum", "mlp.combine", Kind::Elementwise, shapes));
    if each.shared_inner > 0 {
        feed_forward::steps(pass, "mlp.shared_expert", each.shared_inner, false, steps);
    }
    if each.shared_gate {
        steps.push(plain(pass, "mlp.shared_expert_gate", tokens, [hidden, 1], false));
    }
    pass.all_reduce("mlp", steps);
}

/// A product whose weights are not quantized.
fn plain(pass: &Pass<'_>, context: &str, rows: u64, matrix: [u64; 2], bias: bool) -> LlmStep {
    let mut step = pass.linear(context, rows, matrix, bias);
    step.operator.weight_type = None;
    step
}

/// Each token's row goes to the groups that have its experts, or comes back from there.
fn all_to_all(pass: &Pass<'_>, context: &str, each: Experts, steps: &mut Vec<LlmStep>) {
    if pass.split.experts > 1 {
        let shape = vec![pass.tokens(), each.per_token, pass.model.hidden];
        let shapes = [shape.clone(), Shape::new(), shape];
        let mut step = pass.step("AllToAll", context, Kind::Free, shapes);
        step.exchange = Some(Exchange::AllToAll(pass.split.experts));
        steps.push(step);
    }
}

/// Number of the `kept` experts that at least one of `tokens` tokens goes through: the mean for tokens that choose
/// evenly and independently, rounded up.
fn used(kept: u64, each: Experts, tokens: u64) -> u64 {
    let chosen = each.per_token as f64 / each.count as f64;
    let none = (1.0 - chosen).powf(tokens as f64);
    let mean = kept as f64 * (1.0 - none);
    // A mean that is whole but for the error of the arithmetic stays.
    ((mean - 1e-9).ceil() as u64).clamp(1, kept)
}
