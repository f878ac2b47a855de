//! What became of a dump: a line of the index, and the note that lies with its results.

use std::path::{Path, PathBuf};

use bigtpu_answers::FleetFacts;
use bigtpu_format::{MOST_MODEL, read_found};
use bigtpu_messages::Language;
use bigtpu_output::Written;
use serde::{Deserialize, Serialize};

use super::data_set;
use super::fingerprint::Fingerprint;
use super::identity::Identity;
use crate::run::Run;

/// How the analysis of a dump ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Everything that the runtime wrote is in the results.
    Whole,
    /// Some data was lost; the notes say what.
    Lost,
    /// There are no results; the error says why.
    Failed,
}

impl Status {
    /// Place in the index: what needs a look comes first.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Failed => 0,
            Self::Lost => 1,
            Self::Whole => 2,
        }
    }

    /// Name as the index has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Lost => "lost",
            Self::Failed => "failed",
        }
    }
}

/// A dump in the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The dump, relative to the root; its results are at the same place below the output directory.
    pub(crate) dump: String,
    /// Its place below the root of the batch that analyzed it, where that is another one: a shard with a directory of its own.
    #[serde(skip)]
    pub(crate) place: Option<String>,
    /// Whose run it is, where the names of its directories show it.
    #[serde(flatten)]
    pub(crate) identity: Identity,
    /// Hash of the names and contents of its files; equal dumps have equal ones. `None` where they can't be read.
    pub(crate) content: Option<String>,
    pub(crate) status: Status,
    pub(crate) error: Option<String>,
    pub(crate) chip: Option<String>,
    pub(crate) cores: usize,
    pub(crate) ports: usize,
    pub(crate) events: usize,
    /// From the first record to the last, in us.
    pub(crate) duration_us: Option<f64>,
    pub(crate) notes: Vec<String>,
    pub(crate) files: Vec<OutputFile>,
    /// Its file of the data set of events, if that is asked for.
    pub(crate) table: Option<OutputFile>,
    /// What the overview needs of it.
    #[serde(default)]
    pub(crate) facts: Option<FleetFacts>,
}

/// A file of results, relative to the dump's output directory; that of the data set to the output directory of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutputFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

impl Entry {
    /// An entry of a dump of which nothing is known yet.
    pub(crate) fn failed(dump: &Path, error: String) -> Self {
        Self {
            dump: dump.to_string_lossy().into_owned(),
            place: None,
            identity: Identity::of_place(dump),
            content: None,
            status: Status::Failed,
            error: Some(error),
            chip: None,
            cores: 0,
            ports: 0,
            events: 0,
            duration_us: None,
            notes: Vec::new(),
            files: Vec::new(),
            table: None,
            facts: None,
        }
    }

    /// Its place below the root of the batch that analyzed it, whose names say whose run it is.
    pub(crate) fn place(&self) -> &Path {
        Path::new(self.place.as_ref().unwrap_or(&self.dump))
    }

    /// The entry of an analyzed dump.
    pub(crate) fn new(dump: &Path, run: &Run<'_>, written: &[Written], dirs: &Dirs<'_>) -> Self {
        let below = |dir: &Path, file: &Written| OutputFile {
            name: file.path.strip_prefix(dir).unwrap_or(&file.path).to_string_lossy().into(),
            bytes: file.bytes,
        };
        let is_table = |file: &&Written| file.path.starts_with(data_set::dir(dirs.all));
        let table = written.iter().find(is_table).map(|file| below(dirs.all, file));
        let files = written.iter().filter(|file| !is_table(file));
        Self {
            status: if run.has_loss() { Status::Lost } else { Status::Whole },
            error: None,
            chip: Some(run.profile.chip.name.to_owned()),
            cores: run.profile.shown_cores().count(),
            ports: run.profile.ports.len(),
            events: run.profile.event_count(),
            duration_us: run.analysis.summary(&run.profile).total_ns.map(|ns| ns as f64 / 1000.0),
            notes: run.notes(Language::English, true),
            files: files.map(|file| below(dirs.own, file)).collect(),
            table,
            facts: Some(FleetFacts::from_report(run.report())),
            ..Self::failed(dump, String::new())
        }
    }
}

/// Where results go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dirs<'a> {
    /// Output directory of all dumps.
    pub(crate) all: &'a Path,
    /// Output directory of the dump.
    pub(crate) own: &'a Path,
}

impl Dirs<'_> {
    /// The files of an entry.
    pub(crate) fn files(&self, entry: &Entry) -> impl Iterator<Item = (PathBuf, u64)> {
        let path = |dir: &Path, file: &OutputFile| (dir.join(&file.name), file.bytes);
        let own = entry.files.iter().map(move |file| path(self.own, file));
        own.chain(entry.table.iter().map(move |file| path(self.all, file)))
    }
}

/// What lies with a dump's results: what they depend on, and what they are.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    /// The dump's directory, absolute and without links.
    pub(crate) source: String,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) entry: Entry,
}

/// Name of the file that [`Done`] is kept in.
pub(crate) const DONE: &str = "batch.json";

impl Done {
    /// What lies with the results in a directory.
    pub(crate) fn note(own: &Path) -> Option<Self> {
        serde_json::from_slice(&read_found(&own.join(DONE), MOST_MODEL).ok()?).ok()
    }

    /// What lies with a dump's results, if all of them are still there.
    pub(crate) fn read(dirs: &Dirs<'_>) -> Option<Self> {
        let done = Self::note(dirs.own)?;
        let is_there = |(path, bytes)| std::fs::metadata(path).is_ok_and(|m| m.len() == bytes);
        let mut files = dirs.files(&done.entry);
        let is_whole = files.all(is_there);
        drop(files);
        // An older program left no facts.
        (is_whole && done.entry.facts.is_some()).then_some(done)
    }
}
