//! Language models that a user measured: what their times make of the public factors.

use std::collections::BTreeSet;

use bigtpu_model::LlmPhase;

use crate::estimate::expected::MeasuredEvidence;

/// Rows that a phase takes at least.
const FEWEST: usize = 3;

/// What measured rows say of one phase.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnPhase {
    /// Measured over expected time: the median of the rows.
    pub factor: f64,
    /// The rows, and how far each is from what the other models make of it.
    pub evidence: MeasuredEvidence,
}

/// A measured row.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnRow {
    /// The model that it is of.
    pub model: String,
    /// Measured over expected time by the public factors.
    pub ratio: f64,
}

/// What measured rows say of both phases; `None` of a phase with too few of them.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnPhases {
    /// Prompt and further tokens.
    pub phases: [Option<OwnPhase>; 2],
}

impl OwnPhases {
    /// What is said of a phase.
    #[must_use]
    pub fn get(&self, phase: LlmPhase) -> Option<&OwnPhase> {
        let [prompt, token] = &self.phases;
        if phase == LlmPhase::Summarization { prompt.as_ref() } else { token.as_ref() }
    }
}

impl OwnPhase {
    /// From the rows of a phase; `None` where they are fewer than three.
    #[must_use]
    pub fn from_rows(rows: &[OwnRow]) -> Option<Self> {
        if rows.len() < FEWEST {
            return None;
        }
        let models: BTreeSet<&str> = rows.iter().map(|row| row.model.as_str()).collect();
        let mut residuals = left_out_models(rows);
        residuals.sort_by(f64::total_cmp);
        let last = (residuals.len() - 1) as f64;
        let at = |place: f64| residuals.get(place as usize).copied().unwrap_or(1.0);
        let errors = residuals.iter().map(|residual| (residual.recip() - 1.0).abs());
        let evidence = MeasuredEvidence {
            rows: rows.len() as u32,
            families: models.len() as u32,
            of: "rows of your own".to_owned(),
            median_error: Some(median(errors.collect())),
            ratios: Some([at((last * 0.1).floor()), at((last * 0.9).ceil())]),
            source: "--calibrate".to_owned(),
            is_own: true,
        };
        Some(Self { factor: median(rows.iter().map(|row| row.ratio).collect()), evidence })
    }
}

/// Measured time of each row over what the median of the other models' rows makes of it; of one model alone, of its
/// other rows.
#[must_use]
pub fn left_out_models(rows: &[OwnRow]) -> Vec<f64> {
    let first = rows.first().map(|row| &row.model);
    let are_several = rows.iter().any(|row| Some(&row.model) != first);
    let left_out = |(at, row): (usize, &OwnRow)| {
        let is_other = |(other_at, other): &(usize, &OwnRow)| {
            if are_several { other.model != row.model } else { *other_at != at }
        };
        let others = rows.iter().enumerate().filter(is_other).map(|(_, other)| other.ratio);
        row.ratio / median(others.collect())
    };
    rows.iter().enumerate().map(left_out).collect()
}

/// The value in the middle; of an even number of values, the mean of the two there.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let upper = values.get(values.len() / 2).copied().unwrap_or(1.0);
    let lower = values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(upper);
    f64::midpoint(lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_predicted_without_its_model() {
        let row = |model: &str, ratio| OwnRow { model: model.to_owned(), ratio };
        assert_eq!(OwnPhase::from_rows(&[row("a", 1.0), row("b", 2.0)]), None);
        let own = OwnPhase::from_rows(&[row("a", 2.0), row("a", 4.0), row("b", 1.0)]).unwrap();
        assert_eq!(own.factor, 2.0);
        // Both rows of a by b alone, and that of b by the median of a.
        assert_eq!(own.evidence.ratios, Some([1.0 / 3.0, 4.0]));
        assert_eq!((own.evidence.rows, own.evidence.families), (3, 2));
        let one = OwnPhase::from_rows(&[row("a", 1.0), row("a", 2.0), row("a", 4.0)]).unwrap();
        assert_eq!(one.evidence.ratios, Some([1.0 / 3.0, 4.0 / 1.5]));
    }
}
