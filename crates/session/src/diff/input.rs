//! The runs that are compared: dumps, reports, and directories of these.

use bigtpu_messages::{Message, error_message, message};
use std::path::{Path, PathBuf};

use bigtpu_answers::{Compared, ComparedError, RunPlace};
use bigtpu_emit::report::{REPORT_FILE, read_index};
use bigtpu_emit_web::PAGE_FILE;
use bigtpu_format::{MOST_MODEL, read_found_text, read_given_text};
use bigtpu_timeline::{Dump, OpenError};

use super::error::{DiffError, HINT};
use crate::Unreadable;
use crate::batch::INDEX_FILE;
use crate::dump_name::source_name;
use crate::settings::Session;

/// Directories below the one that was given in which runs are looked for: hosts, repetitions, and a level of one's own.
const MOST_LEVELS: usize = 6;

/// Where a run comes from.
pub(super) struct Source {
    /// The path that stands for it.
    pub(super) name: String,
    /// The file or directory to read.
    path: PathBuf,
    /// A dump; else a report.
    pub(super) is_dump: bool,
    /// What its path says of whose run it is.
    pub(super) place: RunPlace,
}

impl Source {
    /// A file, a dump, or a directory that holds a report; `None` for any other directory. `above`: the directories
    /// between the one that was given and this one. `is_given`: it is that one itself.
    fn find(path: &Path, above: &[String], is_given: bool) -> Option<Self> {
        // The directory that carries the dump's name: of a report the one that it lies in.
        let is_file = path.is_file();
        let directory = if is_file { path.parent()? } else { path };
        let names: Vec<&str> = above.iter().map(String::as_str).collect();
        let source = |path: PathBuf, is_dump| {
            let name = path.display().to_string();
            let place =
                RunPlace::from_directories(&names, &source_name(directory), is_given || is_file);
            Some(Self { name, path, is_dump, place })
        };
        if is_file {
            return source(path.to_owned(), false);
        }
        if path.join(bigtpu_format::GLOBAL_PROFILE).is_file() {
            return source(path.to_owned(), true);
        }
        let inside = path.join(REPORT_FILE);
        // Of what was given itself the error says what is wrong with it.
        let is_run = || if is_given { !is_index(&inside) } else { is_report(&inside) };
        if inside.is_file() && is_run() { source(inside, false) } else { None }
    }

    /// A dump, wherever its files are.
    pub(super) fn of_dump(path: &Path) -> Self {
        let place = RunPlace::from_directories(&[], &source_name(path), true);
        Self { name: path.display().to_string(), path: path.to_owned(), is_dump: true, place }
    }

    /// Opens a dump.
    pub(super) fn open(&self, session: &Session) -> Result<Dump, OpenError> {
        session.open(&self.path, None)
    }

    /// The page of the run, which was written with its report; `None` for a dump, or where no page was written.
    pub(super) fn page(&self) -> Option<PathBuf> {
        let page = self.path.parent().filter(|_| !self.is_dump)?.join(PAGE_FILE);
        page.is_file().then_some(page)
    }

    /// The report: read, or made of the dump.
    pub(super) fn report(&self, session: &Session) -> Result<Compared, DiffError> {
        if !self.is_dump {
            return read(&self.path);
        }
        Ok(Compared::from_report(session.analyze(&self.open(session)?).report()))
    }
}

/// Runs, and what is none.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) runs: Vec<Source>,
    /// Files that are no results, and were left out.
    pub(super) notes: Vec<Message>,
}

/// The runs of a side.
pub(super) fn sources<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Result<Sources, DiffError> {
    let mut sources = Sources::default();
    for path in paths {
        match Source::find(path, &[], true) {
            Some(source) => sources.runs.push(source),
            None => {
                let before = sources.runs.len();
                add_runs_below(path, &mut Vec::new(), &mut sources)?;
                if sources.runs.len() == before {
                    return Err(DiffError::NoRun(path.clone()));
                }
            }
        }
    }
    Ok(sources)
}

/// Whether a file is the report of a run, of whatever version: by what is in it, because anything may be called `.json`.
fn is_report(path: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(rename = "schema_version")]
        _version: serde::de::IgnoredAny,
        #[serde(rename = "intervals")]
        _intervals: serde::de::IgnoredAny,
    }
    let text = read_found_text(path, MOST_MODEL);
    text.is_ok_and(|text| serde_json::from_str::<Head>(&text).is_ok())
}

/// Every run in a directory and below it, in the order of their names. What is below a run is not looked at.
fn add_runs_below(
    path: &Path,
    above: &mut Vec<String>,
    sources: &mut Sources,
) -> Result<(), DiffError> {
    let entries = std::fs::read_dir(path).map_err(Unreadable::from_io(path, HINT))?;
    let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    inside.sort_by_cached_key(|path| in_order(path));
    // A directory that a batch or an analysis of several dumps wrote has an index besides the runs.
    let is_other =
        |p: &PathBuf| p.file_name().is_some_and(|name| name == INDEX_FILE) || is_index(p);
    for path in &inside {
        if path.is_dir() {
            match Source::find(path, above, false) {
                Some(source) => sources.runs.push(source),
                None if above.len() < MOST_LEVELS => {
                    let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    above.push(own);
                    add_runs_below(path, above, sources)?;
                    above.pop();
                }
                None => {}
            }
        } else if path.extension().is_some_and(|e| e == "json") && !is_other(path) {
            if is_report(path) {
                sources.runs.extend(Source::find(path, above, false));
            } else {
                let path = path.display().to_string();
                sources.notes.push(message!("diff-no-report", path = path));
            }
        }
    }
    Ok(())
}

/// Names in the order in which runs are made: numbers count as numbers, so that 2 is before 10.
fn in_order(path: &Path) -> Vec<(String, u64)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_digit = |c: char| c.is_ascii_digit();
    let mut parts = Vec::new();
    let mut rest = name.as_str();
    while !rest.is_empty() {
        let (word, behind) = rest.split_at(rest.find(is_digit).unwrap_or(rest.len()));
        let end = behind.find(|c| !is_digit(c)).unwrap_or(behind.len());
        let (number, behind) = behind.split_at(end);
        parts.push((word.to_owned(), number.parse().unwrap_or(0)));
        rest = behind;
    }
    parts
}

/// The file lists several dumps; their own reports lie beside it.
fn is_index(path: &Path) -> bool {
    let is_report = path.file_name().is_some_and(|name| name == REPORT_FILE);
    is_report && read_found_text(path, MOST_MODEL).is_ok_and(|text| read_index(&text).is_ok())
}

fn read(path: &Path) -> Result<Compared, DiffError> {
    let advice = error_message!("problem-give-report");
    let text = read_given_text(path, MOST_MODEL).map_err(Unreadable::from_io(path, advice))?;
    let of = |source, advice| DiffError::Compared { path: path.to_owned(), source, advice };
    Compared::read(&text).map_err(|error| match (&error, read_index(&text)) {
        (ComparedError::NoReport(_), Ok(_)) => DiffError::Index(path.to_owned()),
        (ComparedError::NoReport(_), _) => of(error, error_message!("problem-analyze-again")),
        (ComparedError::Newer(_), _) => of(error, error_message!("problem-install")),
    })
}
