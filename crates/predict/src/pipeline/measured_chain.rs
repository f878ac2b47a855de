//! Measured parts as a chain.

use bigtpu_model::costs::MeasuredPart;

use crate::pipeline::chain::ModelPart;
use crate::pipeline::cost::Cost;

/// Costs of training that a forward-only measurement lacks, by the role of a part: parts with weights (matrix products,
/// convolutions, embeddings) take as long as their forward for each of the two gradients, others have one gradient.
#[must_use]
pub fn role_cost(name: &str, forward: u64) -> Cost {
    const WITH_WEIGHTS: [&str; 9] =
        ["matmul", "gemm", "linear", "conv", "fc", "embed", "mlp", "proj", "dense"];
    let name = name.to_ascii_lowercase();
    let has_weights = WITH_WEIGHTS.iter().any(|role| name.contains(role));
    Cost { fwd: forward, bwd: forward, wgt: if has_weights { forward } else { 0 } }
}

/// The chain that the parts form in one pass. It takes as long as the pass: times are rounded to ns so that their sum is
/// right.
#[must_use]
pub fn chain(parts: &[MeasuredPart], training: bool) -> Vec<ModelPart> {
    let (mut whole, mut given) = (0.0_f64, 0_u64);
    let mut forward = |part: &MeasuredPart| {
        whole += part.pass_ns();
        let until = whole.round().min(u64::MAX as f64 / 4.0) as u64;
        let own = until.saturating_sub(given);
        given = until;
        own
    };
    let mut cost = |part: &MeasuredPart| {
        let forward = forward(part);
        if training { role_cost(&part.name, forward) } else { Cost::new(forward, 0, 0) }
    };
    parts.iter().map(|part| ModelPart { name: part.name.clone(), cost: cost(part) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_follow_the_role_and_rounding_loses_nothing() {
        let part = |name: &str, times, ns| MeasuredPart {
            name: name.to_owned(),
            times,
            ns,
            ..MeasuredPart::default()
        };
        let parts = [part("conv1", 1.0, 100.4), part("relu", 2.0, 7.2), part("add", 1.0, 0.4)];
        let training = chain(&parts, true);
        assert_eq!(training[0].cost, Cost::new(100, 100, 100));
        assert_eq!(training[1].cost, Cost::new(15, 15, 0));
        let all: u64 = chain(&parts, false).iter().map(|part| part.cost.fwd).sum();
        assert_eq!(all, 115);
    }
}
