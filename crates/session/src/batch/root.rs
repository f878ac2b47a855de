//! Where the dumps of a batch are: a directory, or the files of an archive.

use std::path::{Path, PathBuf};

use crate::archive::{ArchiveError, Unpacked, is_archive};

/// The directory with the dumps.
#[derive(Debug)]
pub struct Root {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What it is called: the directory, or the archive.
    pub(crate) shown: PathBuf,
    unpacked: Option<Unpacked>,
}

impl Root {
    /// Root of what the user gave; an archive is unpacked.
    ///
    /// # Errors
    /// When the archive can't be used.
    pub fn open(input: &Path) -> Result<Self, ArchiveError> {
        let unpacked = if is_archive(input) { Some(Unpacked::unpack(input)?) } else { None };
        let path = unpacked.as_ref().map_or(input, Unpacked::root).to_owned();
        Ok(Self { path, shown: input.to_owned(), unpacked })
    }

    /// The root as it is named in notes: absolute and without links.
    pub(crate) fn source(&self) -> String {
        let shown = self.shown.canonicalize().unwrap_or_else(|_| self.shown.clone());
        shown.to_string_lossy().into_owned()
    }

    /// A dump as it is named in notes.
    pub(crate) fn source_of(&self, dump: &Path) -> String {
        let input = self.path.join(dump);
        let full = match &self.unpacked {
            None => input.canonicalize().unwrap_or(input),
            Some(_) => Path::new(&self.source()).join(dump),
        };
        full.to_string_lossy().into_owned()
    }

    /// A text that names the archive instead of the directory that its files are in.
    #[must_use]
    pub fn named(&self, text: String) -> String {
        match &self.unpacked {
            Some(unpacked) => unpacked.named(&text, &self.shown),
            None => text,
        }
    }
}
