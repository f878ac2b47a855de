//! `whatif.json`: what was predicted, and what that rests on.

use anyhow::Result;
use bigtpu_replay::{
    Change, Confidence, KernelTime, Piece, Prediction, Predictor, Sensitivity, SensitivityRow,
};
use serde::Serialize;

use super::cache::Served;
use super::commands::Rules;

/// Name of the file.
pub(super) const FILE: &str = "whatif.json";

const SCHEMA_VERSION: u32 = 1;

/// The whole answer.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    schema_version: u32,
    pub(super) measured_ns: i64,
    pub(super) predicted_ns: i64,
    /// Shortest and longest prediction: idle time without a known cause is kept in `predicted_ns`, and may change.
    pub(super) predicted_range_ns: (i64, i64),
    /// What the errors of measured predictions make of it, with `--hw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) machine_range_ns: Option<[i64; 2]>,
    /// As `--scale` takes them.
    pub(super) changes: Vec<String>,
    /// What the measured run waited for; sums to its wall time.
    pub(super) critical_path: &'a [Piece],
    pub(super) by_kernel: &'a [KernelTime],
    pub(super) sensitivity: Vec<SensitivityRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bounds: Option<Bounds>,
    pub(super) confidence: &'a Confidence,
    /// How well the times of single commands on the other chip are known, with `--chip`, `--lanes` or `--line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<Rules>,
    /// What the cache of constants serves, with `--cache`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache: Option<Served>,
}

/// What no tuning gets below.
#[derive(Debug, Serialize)]
pub(super) struct Bounds {
    pub(super) transfers_hidden_ns: i64,
    pub(super) engines_ideal_ns: i64,
}

impl<'a> Answer<'a> {
    pub(super) fn new(
        changes: &[Change],
        prediction: &'a Prediction,
        range: Option<[f64; 2]>,
        sensitivity: Option<Sensitivity>,
        predictor: &'a Predictor,
        critical_path: &'a [Piece],
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
            by_kernel: &prediction.by_kernel,
            sensitivity: sensitivity.map(|s| s.rows).unwrap_or_default(),
            bounds,
            confidence: predictor.confidence(),
            rules: None,
            cache: None,
        }
    }

    /// The same with what single commands take on another chip, or from a cache.
    pub(super) fn with_commands(
        mut self,
        labels: Vec<String>,
        rules: Option<Rules>,
        cache: Option<Served>,
    ) -> Self {
        self.changes.splice(0..0, labels);
        Self { rules, cache, ..self }
    }

    pub(super) fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
