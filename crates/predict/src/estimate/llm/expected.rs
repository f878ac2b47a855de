//! From the roofs of a language model's operators to the times that are expected on a chip of Sophgo, and the bound.
//!
//! Measured over roof time is nearly one number for products with weights and one for attention
//! (`docs/prediction/measured.md`): weights are read at two thirds of the bandwidth, and a prompt reaches as much of the
//! peak; attention has small products and moves its operands.

use bigtpu_machine::Machine;
use bigtpu_model::{Attention, Kind, LlmPhase, Operator, from_last, work};

use crate::estimate::expected::MeasuredEvidence;

/// Measured over roof time of a phase: the factor, its range, and the rows that they are of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseFactor {
    /// Expected over roof time.
    pub factor: f64,
    /// Expected over roof time of attention, whose heads are small products.
    pub attention: f64,
    /// Measured over expected time that one in ten stays below, and one in ten exceeds.
    pub range: [f64; 2],
    /// Measured rows.
    pub rows: u32,
    /// Models that they are of.
    pub models: u32,
    /// Median distance of expected from measured time, over the measured time.
    pub median_error: f64,
}

/// Factors of the prompt, and of a further token: from the rows of `fixtures/measured/language_models.json`, checked by
/// `language_models_take_what_was_measured`.
pub const PHASES: [PhaseFactor; 2] = [
    PhaseFactor {
        factor: 1.5,
        attention: 4.0,
        range: [0.86, 1.92],
        rows: 33,
        models: 10,
        median_error: 0.069,
    },
    PhaseFactor {
        factor: 1.55,
        attention: 4.0,
        range: [0.8, 1.39],
        rows: 51,
        models: 15,
        median_error: 0.137,
    },
];

impl PhaseFactor {
    /// Factor of a phase on a chip whose units are known; `None` for other machines, on which no language model was
    /// measured.
    #[must_use]
    pub fn find(machine: &Machine, phase: LlmPhase) -> Option<Self> {
        let [prompt, token] = PHASES;
        machine.array.map(|_| if phase == LlmPhase::Summarization { prompt } else { token })
    }

    /// Expected over roof time of an operator.
    #[must_use]
    pub fn of_kind(&self, kind: Kind) -> f64 {
        if kind == Kind::Attention { self.attention } else { self.factor }
    }
}

/// What stands behind the times of a language model on a machine.
pub(super) fn evidence(machine: &Machine, phase: LlmPhase) -> MeasuredEvidence {
    let Some(own) = PhaseFactor::find(machine, phase) else {
        return MeasuredEvidence::none();
    };
    let what = if phase == LlmPhase::Summarization { "first token" } else { "further tokens" };
    MeasuredEvidence {
        rows: own.rows,
        families: own.models,
        of: format!("language models on BM1684X and BM1688, {what}"),
        median_error: Some(own.median_error),
        ratios: Some(own.range),
        ..MeasuredEvidence::none()
    }
}

/// What a static model computes: all scores of a prompt, where a query needs those up to its own row only.
pub(super) fn as_compiled(operator: &mut Operator, machine: &Machine) {
    operator.scores.causal &= machine.array.is_none();
}

/// The least time of a phase on one device: operations of products at the peak, or weights and cache at the bandwidth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct LeastTime {
    compute_ns: f64,
    memory_ns: f64,
}

impl LeastTime {
    /// Adds executions of an operator on elements of so many bytes, at so many operations and bytes a ns.
    pub(super) fn add(
        &mut self,
        operator: &Operator,
        (bytes, past): (f64, Option<f64>),
        (operations_a_ns, bytes_a_ns): (f64, f64),
        executions: f64,
    ) {
        if !matches!(operator.kind, Kind::Linear | Kind::MatMul | Kind::Attention) {
            return;
        }
        let own = work(operator, bytes, Attention::default(), past);
        // Attention counts its softmax, too: five operations a score beside four a score and column.
        let columns = from_last(&operator.output, 0).max(1.0);
        let products = match operator.kind {
            Kind::Attention => own.operations * 4.0 * columns / (4.0 * columns + 5.0),
            _ => own.operations,
        };
        self.compute_ns += products / operations_a_ns * executions;
        self.memory_ns += (own.weight_bytes + own.cache_bytes) / bytes_a_ns * executions;
    }

    pub(super) fn ns(&self) -> f64 {
        self.compute_ns.max(self.memory_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_that_the_softmax_does_not_take() {
        let shape = vec![1, 2, 8, 16];
        let operator = Operator::new("a", "a", Kind::Attention, [shape.clone(), Vec::new(), shape]);
        let mut least = LeastTime::default();
        least.add(&operator, (2.0, None), (1.0, 1e9), 3.0);
        // Two products of 2 x heads x queries x keys x columns.
        assert_eq!(least.ns(), 3.0 * 4.0 * 2.0 * 8.0 * 8.0 * 16.0);
    }
}
