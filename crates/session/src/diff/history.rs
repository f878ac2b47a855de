//! A record of each run, and since which run a time is longer.

use std::path::{Path, PathBuf};

use bigtpu_answers::{
    HISTORY_SCHEMA_VERSION, History, HistoryBuild, HistoryLine, HistoryOptions, RunRecord,
};
use bigtpu_emit_text::diff::{history_json, history_junit, history_page};
use bigtpu_format::{MOST_MODEL, read_found_text};
use bigtpu_messages::Message;
use bigtpu_output::{Json, Written};

use super::Pool;
use super::error::DiffError;
use super::groups::{ReadRun, units_of};
use super::input::{Source, Sources, sources};
use super::run_link::{leads_somewhere, link_to_run};
use crate::Unreadable;
use crate::outputs::output_directory;
use crate::settings::Session;

/// The records, one a line; the result; the same for CI systems; the lines of all times.
pub(crate) const RECORDS: &str = "history.jsonl";
pub(crate) const RESULT: &str = "history.json";
pub(crate) const JUNIT: &str = "history.junit.xml";
pub(crate) const PAGE: &str = "history.html";

/// Which runs are added to a history.
#[derive(Debug, Clone, Default)]
pub struct HistoryRequest {
    /// The runs: dumps, reports, directories of these.
    pub runs: Vec<PathBuf>,
    /// The directory of the history.
    pub dir: PathBuf,
    /// What does not tell runs apart.
    pub pool: Vec<Pool>,
    /// The workload of all runs; else their names tell.
    pub workload: Option<String>,
    /// What the runs are called: then they are one build; else by their paths.
    pub label: Option<String>,
    /// Where to read about the build; else a build whose run has a page next to its report links to that page.
    pub link: Option<String>,
    /// How changes are told from noise.
    pub options: HistoryOptions,
}

/// A history with what was added.
#[derive(Debug)]
pub struct Remembered {
    /// Since when times are longer.
    pub history: History,
    /// `history` as JSON.
    pub json: String,
    /// What was left out, and why.
    pub notes: Vec<Message>,
    /// Its files.
    pub written: Vec<Written>,
}

/// Adds runs to a history.
///
/// # Errors
/// [`DiffError`] when a run or the history can't be read, or a file not be written.
pub fn remember(request: &HistoryRequest, session: &Session) -> Result<Remembered, DiffError> {
    let Sources { runs: found, mut notes } = sources(request.runs.iter())?;
    let mut builds = read(&request.dir.join(RECORDS))?;
    let known = builds.len();
    let runs: Result<Vec<ReadRun<'_>>, DiffError> = found
        .iter()
        .map(|source| Ok(ReadRun { source, side: 0, report: source.report(session)? }))
        .collect();
    let runs = runs?;
    let (units, said) = units_of(&runs, &request.pool, request.workload.as_deref());
    notes.extend(said);
    for (ReadRun { source, report, .. }, unit) in runs.iter().zip(&units) {
        let record =
            RunRecord::from_report(label(request, source), request.label.is_some(), unit, report);
        let mut records = builds.iter().flat_map(|build| &build.records);
        if !records.any(|old| old.is_same_run(&record)) {
            HistoryBuild::add(&mut builds, record);
            if let Some(build) = builds.get_mut(known..).and_then(<[_]>::last_mut) {
                let own = || link_to_run(&request.dir, PAGE, &source.page()?);
                build.link = build.link.take().or_else(|| request.link.clone()).or_else(own);
            }
        }
    }
    let added = builds.len() - known;
    let mut history = History::compute(&mut builds, added, request.options);
    let out = output_directory(&request.dir)?;
    let links = history.labels.iter_mut().map(|(_, link)| link);
    links.for_each(|link| _ = link.take_if(|link| !leads_somewhere(&request.dir, link)));
    let mut lines = String::new();
    for line in builds.into_iter().flat_map(HistoryBuild::into_lines) {
        lines.push_str(&serde_json::to_string(&line)?);
        lines.push('\n');
    }
    let json = history_json(&history);
    let written = vec![
        out.write(RECORDS, &Json::in_file(&lines))?,
        out.write(RESULT, &Json::in_file(&json))?,
        out.write(JUNIT, &history_junit(&history))?,
        out.write(PAGE, &history_page(&history))?,
    ];
    out.publish()?;
    Ok(Remembered { history, json, notes, written })
}

/// What the run is called.
fn label(request: &HistoryRequest, source: &Source) -> String {
    request.label.clone().unwrap_or_else(|| source.name.clone())
}

/// The builds so far; none where there is no file yet.
fn read(path: &Path) -> Result<Vec<HistoryBuild>, DiffError> {
    let text = match read_found_text(path, MOST_MODEL) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Unreadable::from_io(path, None)(source).into()),
    };
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let lines: Result<Vec<HistoryLine>, DiffError> = lines
        .map(|(text, number)| {
            let at = path.to_owned();
            let line: HistoryLine = serde_json::from_str(text)
                .map_err(|source| DiffError::NoRecord { path: at.clone(), line: number, source })?;
            if line.schema_version() > HISTORY_SCHEMA_VERSION {
                return Err(DiffError::NewerRecord { path: at, line: number });
            }
            Ok(line)
        })
        .collect();
    Ok(HistoryBuild::of_lines(lines?))
}
