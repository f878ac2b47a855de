//! `report.json`: the report for machines. Its schema is `docs/report.schema.json`; that of several dumps' index is
//! `docs/dumps.schema.json`.

use bigtpu_answers::{Depth, DumpIndex, Report};
use bigtpu_output::{Json, OutputError, Written};

use crate::{Emitter, EmitterInput};

/// Name of the file.
pub const REPORT_FILE: &str = "report.json";

/// The report as JSON.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonReport;

impl Emitter for JsonReport {
    fn name(&self) -> &'static str {
        "report"
    }

    fn depth(&self) -> Depth {
        Depth::Answers
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let mut file = input.out.file(REPORT_FILE)?;
        file.append(&Json::in_file(&json(input.analysis.report(input.profile))))?;
        Ok(vec![file.commit()?])
    }
}

/// A report as indented JSON with a line break at its end: the same bytes for the same report.
#[must_use]
pub fn json(report: &Report) -> String {
    indented(report)
}

/// An index of several dumps as JSON, in the same manner.
#[must_use]
pub fn index_json(index: &DumpIndex) -> String {
    indented(index)
}

fn indented(value: &impl serde::Serialize) -> String {
    // Every key is a text and every number finite, so that nothing can go wrong.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads a report back.
///
/// # Errors
/// When the text is no report, or one of another [`bigtpu_answers::SCHEMA_VERSION`] whose fields differ.
pub fn read_json(text: &str) -> Result<Report, serde_json::Error> {
    serde_json::from_str(text)
}

/// Reads an index of several dumps back.
///
/// # Errors
/// When the text is no such index.
pub fn read_index(text: &str) -> Result<DumpIndex, serde_json::Error> {
    serde_json::from_str(text)
}
