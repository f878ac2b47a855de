//! Operators and settings, checked once for all machines that they are estimated on.

use std::collections::BTreeMap;

use crate::estimate::error::EstimateError;
use crate::estimate::expected::{Coefficients, MeasuredEvidence};
use bigtpu_model::check_operators;
use bigtpu_model::{GraphSettings, Semantics};
use bigtpu_model::{Kind, Operator, elements};

/// What runs, wherever it runs.
#[derive(Debug, Clone, Copy)]
pub struct Workload<'a> {
    /// Operators in execution order.
    pub(crate) operators: &'a [Operator],
    /// All else.
    pub(crate) settings: &'a GraphSettings,
    /// Elements of all distinct weights.
    pub(crate) weights: f64,
    /// How far chips stay behind their ideal rates.
    pub(crate) coefficients: Coefficients,
    /// How the measured times lay around the expected ones, where the user's own coefficients are used.
    pub(crate) own_evidence: Option<&'a MeasuredEvidence>,
}

impl<'a> Workload<'a> {
    /// Checks the operators.
    ///
    /// # Errors
    ///
    /// An operator's shapes do not fit together.
    pub fn new(
        operators: &'a [Operator],
        settings: &'a GraphSettings,
    ) -> Result<Self, EstimateError> {
        if settings.semantics == Semantics::Own {
            check_operators(operators)?;
        }
        let weights = distinct_weights(operators);
        let coefficients = Coefficients::fitted();
        Ok(Self { operators, settings, weights, coefficients, own_evidence: None })
    }

    /// Replaces the coefficients by those that were fitted to the user's own measurements.
    #[must_use]
    pub fn calibrated(self, coefficients: Coefficients, evidence: &'a MeasuredEvidence) -> Self {
        Self { coefficients, own_evidence: Some(evidence), ..self }
    }
}

fn distinct_weights(operators: &[Operator]) -> f64 {
    let mut distinct: BTreeMap<(u64, &str, &str), f64> = BTreeMap::new();
    for operator in operators {
        if matches!(operator.kind, Kind::Linear | Kind::Conv2d) {
            let key = (operator.id, operator.name.as_str(), operator.context.as_str());
            distinct.entry(key).or_insert_with(|| elements(&operator.weights));
        }
    }
    distinct.values().sum()
}
