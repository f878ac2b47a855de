//! What became of a dump: a line of the index, and the note that lies with its results.

use std::path::Path;

use bigtpu_analysis::Analysis;
use bigtpu_emit::{OutDir, Written};
use bigtpu_timeline::Profile;
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use crate::dump_name::device_and_call;

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
    /// Device and call, where the directory's name tells them.
    pub(crate) device: Option<u32>,
    pub(crate) call: Option<u32>,
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
}

/// A file of results, relative to the dump's output directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutputFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

impl Entry {
    /// An entry of a dump of which nothing is known yet.
    pub(crate) fn failed(dump: &Path, error: String) -> Self {
        let name = dump.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let (device, call) = device_and_call(&name);
        Self {
            dump: dump.to_string_lossy().into_owned(),
            device,
            call,
            status: Status::Failed,
            error: Some(error),
            chip: None,
            cores: 0,
            ports: 0,
            events: 0,
            duration_us: None,
            notes: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The entry of an analyzed dump.
    pub(crate) fn of(
        dump: &Path,
        profile: &Profile<'_>,
        analysis: &Analysis,
        written: &[Written],
        out: &OutDir,
    ) -> Self {
        let files = written.iter().map(|file| OutputFile {
            name: file.path.strip_prefix(out.path()).unwrap_or(&file.path).to_string_lossy().into(),
            bytes: file.bytes,
        });
        Self {
            status: if profile.ledger.has_loss() { Status::Lost } else { Status::Whole },
            error: None,
            chip: Some(profile.chip.name.clone()),
            cores: profile.cores.len(),
            ports: profile.ports.len(),
            events: profile.event_count(),
            duration_us: analysis.summary.total_ns.map(|ns| ns as f64 / 1000.0),
            notes: bigtpu_emit_text::notes(profile),
            files: files.collect(),
            ..Self::failed(dump, String::new())
        }
    }
}

/// What lies with a dump's results: what they depend on, and what they are.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) entry: Entry,
}

/// Name of the file that [`Done`] is kept in.
pub(crate) const DONE: &str = "batch.json";

impl Done {
    /// What lies in a directory of results, if its files are still there.
    pub(crate) fn read(dir: &Path) -> Option<Self> {
        let done: Self = serde_json::from_slice(&std::fs::read(dir.join(DONE)).ok()?).ok()?;
        let is_there = |file: &OutputFile| {
            std::fs::metadata(dir.join(&file.name)).is_ok_and(|m| m.len() == file.bytes)
        };
        done.entry.files.iter().all(is_there).then_some(done)
    }
}
