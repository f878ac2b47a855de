//! A record of each run, and since which run a time is longer.

use std::path::{Path, PathBuf};

use bigtpu_answers::{HISTORY_SCHEMA_VERSION, History, Record};
use bigtpu_emit_text::diff::{history_json, history_junit};
use bigtpu_format::{MOST_MODEL, read_found_text};
use bigtpu_output::{ByLibrary, Written};

use super::error::DiffError;
use super::input::{Source, sources};
use super::{Pool, pooled};
use crate::Unreadable;
use crate::outputs::output_directory;
use crate::settings::Session;

/// The records, one a line; the result; the same for CI systems.
pub(crate) const RECORDS: &str = "history.jsonl";
pub(crate) const RESULT: &str = "history.json";
pub(crate) const JUNIT: &str = "history.junit.xml";

/// Which runs are added to a history.
#[derive(Debug, Clone, Default)]
pub struct HistoryRequest {
    /// The runs: dumps, reports, directories of these.
    pub runs: Vec<PathBuf>,
    /// The directory of the history.
    pub dir: PathBuf,
    /// What does not tell runs apart.
    pub pool: Vec<Pool>,
    /// What the runs are called; else by their paths.
    pub label: Option<String>,
}

/// A history with what was added.
#[derive(Debug)]
pub struct Remembered {
    /// Since when times are longer.
    pub history: History,
    /// The same as JSON.
    pub json: String,
    /// Its files.
    pub written: Vec<Written>,
}

/// Adds runs to a history.
///
/// # Errors
/// [`DiffError`] when a run or the history can't be read, or a file not be written.
pub fn remember(request: &HistoryRequest, session: &Session) -> Result<Remembered, DiffError> {
    let found = sources(request.runs.iter())?;
    let mut records = read(&request.dir.join(RECORDS))?;
    let known = records.len();
    for source in &found {
        let record = Record::of(
            label(request, source),
            &pooled(&source.unit, &request.pool),
            &source.report(session)?,
        );
        if !records.iter().any(|old| old.is_same_run(&record)) {
            records.push(record);
        }
    }
    let history = History::of(&records, records.len() - known);
    let out = output_directory(&request.dir)?;
    let mut lines = Vec::new();
    for record in &records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    let json = history_json(&history);
    let written = vec![
        out.write(RECORDS, &ByLibrary(&lines))?,
        out.write(RESULT, &ByLibrary(json.as_bytes()))?,
        out.write(JUNIT, &history_junit(&history))?,
    ];
    out.publish()?;
    Ok(Remembered { history, json, written })
}

/// What the run is called.
fn label(request: &HistoryRequest, source: &Source) -> String {
    request.label.clone().unwrap_or_else(|| source.name.clone())
}

/// The records so far; none where there is no file yet.
fn read(path: &Path) -> Result<Vec<Record>, DiffError> {
    let text = match read_found_text(path, MOST_MODEL) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Unreadable::at(path, "")(source).into()),
    };
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            let at = path.to_owned();
            let record: Record = serde_json::from_str(line)
                .map_err(|source| DiffError::NoRecord { path: at.clone(), line: number, source })?;
            if record.schema_version > HISTORY_SCHEMA_VERSION {
                return Err(DiffError::NewerRecord { path: at, line: number });
            }
            Ok(record)
        })
        .collect()
}
