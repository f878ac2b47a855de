//! An opened dump: its files mapped, its chip found.

use std::path::{Path, PathBuf};

use bigtpu_chip::{Chip, UnknownChip};
use bigtpu_format::{DumpDir, FileBytes, Global};

use crate::ledger::{Extent, Note, Severity};

/// Why a dump can't be analyzed at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or a file of it.
    #[error(transparent)]
    Format(#[from] bigtpu_format::Error),
    /// `arch` names no chip that we know.
    #[error("{path}: {source}; correct the line `arch=...`, or ask for support of this chip")]
    Chip {
        /// `global.profile`.
        path: PathBuf,
        /// What was asked for.
        source: UnknownChip,
    },
}

/// A mapped profile file.
#[derive(Debug)]
pub struct SourceFile {
    /// Core number or CDMA port.
    pub index: u32,
    /// Where it is.
    pub path: PathBuf,
    bytes: FileBytes,
}

impl SourceFile {
    /// The file's bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.bytes()
    }
}

/// An opened dump directory.
#[derive(Debug)]
pub struct Dump {
    /// The directory.
    pub root: PathBuf,
    /// What the runtime says of the dump.
    pub global: Global,
    /// The chip.
    pub chip: &'static Chip,
    /// The cores' files, by core.
    pub cores: Vec<SourceFile>,
    /// The CDMA ports' files, by port.
    pub ports: Vec<SourceFile>,
    /// What is wrong with the directory; becomes part of the ledger.
    pub(crate) notes: Vec<Note>,
}

impl Dump {
    /// Opens a dump directory and maps its files.
    ///
    /// A file that can't be read is a note, not an error, as long as another one can.
    ///
    /// # Errors
    /// When the directory is no dump, its chip is not known, or none of its files can be read.
    pub fn open(root: &Path) -> Result<Self, OpenError> {
        let dir = DumpDir::open(root)?;
        let global = Global::read(&dir.global)?;
        let chip = Chip::find(&global.arch)
            .map_err(|source| OpenError::Chip { path: dir.global.clone(), source })?;
        let mut notes: Vec<Note> = Vec::new();
        let mut note = |severity, file: &Path, text: String| {
            let mut note = Note::of(severity, file, text);
            if severity == Severity::Loss {
                note.extent = whole_file(file);
            }
            notes.push(note);
        };
        for text in &global.warnings {
            note(Severity::Warning, &dir.global, text.clone());
        }
        for (path, why) in &dir.ignored {
            note(Severity::Loss, path, format!("left out: {why}"));
        }
        let mut first_error = None;
        let mut open = |files: Vec<bigtpu_format::ProfileFile>, most: Option<u32>| {
            let mut opened = Vec::new();
            for file in files {
                if most.is_some_and(|most| file.index >= most) {
                    let text =
                        format!("left out: {} has {} CDMA ports", chip.name, chip.cdma_ports);
                    note(Severity::Loss, &file.path, text);
                    continue;
                }
                match FileBytes::open(&file.path) {
                    Ok(bytes) => {
                        opened.push(SourceFile { index: file.index, path: file.path, bytes });
                    }
                    Err(error) => {
                        note(Severity::Loss, &file.path, format!("left out: {error}"));
                        first_error.get_or_insert(error);
                    }
                }
            }
            opened
        };
        let cores = open(dir.cores, None);
        let ports = open(dir.ports, Some(chip.cdma_ports));
        if let Some(error) = first_error.filter(|_| cores.is_empty() && ports.is_empty()) {
            return Err(error.into());
        }
        Ok(Self { root: root.to_owned(), global, chip, cores, ports, notes })
    }
}

/// All of a file; `None` for what is no file or can't be looked at.
fn whole_file(file: &Path) -> Option<Extent> {
    let metadata = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    Some(Extent { bytes: metadata.len(), of: metadata.len() })
}
