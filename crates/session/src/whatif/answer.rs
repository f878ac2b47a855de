//! `whatif.json`: what was predicted, and what that rests on.

use bigtpu_replay::{
    Confidence, KernelTime, Piece, Prediction, Predictor, ResourceChange, Sensitivity,
    SensitivityRow,
};
use serde::Serialize;

use super::cache::Served;
use super::commands::Rules;

/// Name of the file.
pub(super) const FILE: &str = "whatif.json";

const SCHEMA_VERSION: u32 = 1;

/// The whole answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    schema_version: u32,
    /// Wall time of the run.
    pub measured_ns: i64,
    /// Predicted wall time.
    pub predicted_ns: i64,
    /// Shortest and longest prediction: idle time without a known cause is kept in `predicted_ns`, and may change.
    pub predicted_range_ns: (i64, i64),
    /// What the errors of measured predictions make of it, with `--hw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_range_ns: Option<[i64; 2]>,
    /// As `--scale` takes them.
    pub changes: Vec<String>,
    /// What the measured run waited for; sums to its wall time.
    pub critical_path: Vec<Piece>,
    /// Time of each kernel, before and after.
    pub by_kernel: Vec<KernelTime>,
    /// The predicted time with one part faster, by part.
    pub sensitivity: Vec<SensitivityRow>,
    /// What no tuning gets below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// What the prediction rests on.
    pub confidence: Confidence,
    /// How well the times of single commands on the other chip are known, with `--chip`, `--lanes` or `--line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules>,
    /// What the cache of constants serves, with `--cache`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<Served>,
}

/// What no tuning gets below.
#[derive(Debug, Serialize)]
pub struct Bounds {
    /// If transfers took no time.
    pub transfers_hidden_ns: i64,
    /// If no work took any time.
    pub engines_ideal_ns: i64,
}

impl Answer {
    pub(super) fn new(
        changes: &[ResourceChange],
        prediction: &Prediction,
        range: Option<[f64; 2]>,
        sensitivity: Option<Sensitivity>,
        predictor: &Predictor,
        critical_path: Vec<Piece>,
    ) -> Self {
        let bounds = sensitivity.as_ref().map(|s| Bounds {
            transfers_hidden_ns: s.transfers_hidden_ns,
            engines_ideal_ns: s.engines_ideal_ns,
        });
        Self {
            schema_version: SCHEMA_VERSION,
            measured_ns: prediction.measured_ns,
            predicted_ns: prediction.predicted_ns,
            predicted_range_ns: prediction.range_ns,
            machine_range_ns: range.map(|ends| ends.map(|ns| ns.round() as i64)),
            changes: changes.iter().map(ToString::to_string).collect(),
            critical_path,
            by_kernel: prediction.by_kernel.clone(),
            sensitivity: sensitivity.map(|s| s.rows).unwrap_or_default(),
            bounds,
            confidence: predictor.confidence().clone(),
            rules: None,
            cache: None,
        }
    }

    /// Adds the labels and rules of single commands' times on another chip, and what a cache served.
    pub(super) fn with_commands(
        mut self,
        labels: Vec<String>,
        rules: Option<Rules>,
        cache: Option<Served>,
    ) -> Self {
        self.changes.splice(0..0, labels);
        Self { rules, cache, ..self }
    }

    /// As JSON.
    ///
    /// # Errors
    /// Never for numbers that are some.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
