//! The runs that are compared: dumps, reports, and directories of these.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use bigtpu_answers::Report;
use bigtpu_emit_report::{REPORT_FILE, read_index, read_json};
use bigtpu_session::Session;
use bigtpu_timeline::Dump;

use crate::batch::index::INDEX_FILE;

/// Where a run comes from.
pub(super) struct Source {
    /// The path that stands for it.
    pub(super) name: String,
    /// The file or directory to read.
    path: PathBuf,
    /// A dump; else a report.
    pub(super) is_dump: bool,
}

impl Source {
    /// A file, a dump, or a directory that holds a report; `None` for any other directory.
    fn of(path: &Path) -> Option<Self> {
        let source = |path: PathBuf, name: &Path, is_dump| {
            Some(Self { name: name.display().to_string(), path, is_dump })
        };
        if path.is_file() {
            return source(path.to_owned(), path, false);
        }
        if path.join(bigtpu_format::GLOBAL_PROFILE).is_file() {
            return source(path.to_owned(), path, true);
        }
        let inside = path.join(REPORT_FILE);
        if inside.is_file() { source(inside, path, false) } else { None }
    }

    /// Opens a dump.
    pub(super) fn open(&self, session: &Session) -> Result<Dump> {
        Ok(session.open(&self.path, None)?)
    }

    /// The report: read, or made of the dump.
    pub(super) fn report(&self, session: &Session) -> Result<Report> {
        if !self.is_dump {
            return read(&self.path);
        }
        Ok(session.analyze(&self.open(session)?).analysis.report)
    }
}

/// The runs of a side.
pub(super) fn sources<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in paths {
        match Source::of(path) {
            Some(source) => sources.push(source),
            None => sources.extend(sources_within(path)?),
        }
    }
    Ok(sources)
}

/// Every run in a directory, in the order of their names.
fn sources_within(path: &Path) -> Result<Vec<Source>> {
    let name = path.display();
    let hint = "give a dump directory, a report.json, or a directory of these";
    let entries = std::fs::read_dir(path)
        .map_err(|error| anyhow!("{name}: cannot be read ({error}); {hint}"))?;
    let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    inside.sort();
    // A directory that a batch wrote has an index besides the runs.
    let is_index = |p: &PathBuf| p.file_name().is_some_and(|name| name == INDEX_FILE);
    let is_json = |p: &PathBuf| p.extension().is_some_and(|e| e == "json") && !is_index(p);
    let is_candidate = |p: &&PathBuf| p.is_dir() || is_json(p);
    let sources: Vec<Source> =
        inside.iter().filter(is_candidate).filter_map(|path| Source::of(path)).collect();
    if sources.is_empty() {
        bail!("{name}: holds neither a dump nor a report; {hint}");
    }
    Ok(sources)
}

fn read(path: &Path) -> Result<Report> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        anyhow!("{name}: cannot be read ({error}); give a report.json or a dump directory")
    })?;
    read_json(&text).map_err(|error| match read_index(&text) {
        Ok(_) => anyhow!("{name}: lists several dumps; give the report.json in the directory of one of them"),
        Err(_) => anyhow!(
            "{name}: not a report of this version ({error}); analyze the dump again, or give the dump itself"
        ),
    })
}
