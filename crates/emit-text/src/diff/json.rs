//! `diff.json`; its schema is `docs/diff.schema.json`.

use bigtpu_answers::{
    Comparison, DIFF_SCHEMA_VERSION, DiffVerdict, Gate, Method, Row, Unit, UnitDiff,
};
use bigtpu_messages::{Language, Message};
use serde::Serialize;

/// The whole file. With a single unit it has the comparison of this unit; else the rows of all units, each with its
/// unit's name, and the list of units.
#[derive(Serialize)]
struct Layout<'a> {
    schema_version: u32,
    /// Verdict; with several units, that of the unit whose wall time grew most.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a DiffVerdict>,
    before: Vec<&'a str>,
    after: Vec<&'a str>,
    noise_is_known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<Method>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_change: Option<f64>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    units: Vec<UnitLayout<'a>>,
    rows: Vec<RowLayout<'a>>,
    gate: &'a Gate,
}

#[derive(Serialize)]
struct UnitLayout<'a> {
    name: String,
    #[serde(flatten)]
    unit: &'a Unit,
    before: &'a [String],
    after: &'a [String],
    noise_is_known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<Method>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_change: Option<f64>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a DiffVerdict>,
}

#[derive(Serialize)]
struct RowLayout<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(flatten)]
    row: &'a Row,
}

/// The comparison and what became of the limits, as in `diff.json`.
#[must_use]
pub fn json(comparison: &Comparison, gate: &Gate) -> String {
    let units = &comparison.units;
    let is_single = comparison.is_single();
    let texts = |of: fn(&UnitDiff) -> &[String]| units.iter().flat_map(of).map(String::as_str);
    let of_unit = |unit: &'_ UnitDiff| (!is_single).then(|| unit.unit.to_string());
    let rows = units.iter().flat_map(|unit| {
        let name = of_unit(unit);
        unit.diff.rows.iter().map(move |row| RowLayout { unit: name.clone(), row })
    });
    let listed = units.iter().filter(|_| !is_single).map(|UnitDiff { unit, diff }| UnitLayout {
        name: unit.to_string(),
        unit,
        before: &diff.before,
        after: &diff.after,
        noise_is_known: diff.noise_is_known,
        method: diff.method,
        least_change: diff.least_change,
        warnings: in_english(&diff.warnings).collect(),
        verdict: diff.verdict.as_ref(),
    });
    let layout = Layout {
        schema_version: DIFF_SCHEMA_VERSION,
        verdict: comparison.worst().and_then(|unit| unit.diff.verdict.as_ref()),
        before: texts(|unit| &unit.diff.before).collect(),
        after: texts(|unit| &unit.diff.after).collect(),
        noise_is_known: units.iter().all(|unit| unit.diff.noise_is_known),
        method: comparison.worst().and_then(|unit| unit.diff.method),
        least_change: comparison.worst().and_then(|unit| unit.diff.least_change),
        warnings: in_english(&comparison.warnings)
            .chain(units.iter().flat_map(|unit| in_english(&unit.diff.warnings)))
            .chain(in_english(&comparison.notes))
            .collect(),
        units: listed.collect(),
        rows: rows.collect(),
        gate,
    };
    serde_json::to_string_pretty(&layout).unwrap_or_default() + "\n"
}

fn in_english(messages: &[Message]) -> impl Iterator<Item = String> {
    messages.iter().map(|one| one.text(Language::English))
}
