//! Inputs that may be archives: they are unpacked first.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail};
use bigtpu_session::{Unpacked, is_archive};

use crate::batch::dumps;

/// The inputs of a run as directories.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Directories, in the order of the inputs: of an archive all dumps in it.
    pub(crate) paths: Vec<PathBuf>,
    /// The archives, and their files.
    unpacked: Vec<(PathBuf, Unpacked)>,
}

impl Inputs {
    /// Unpacks the archives among some inputs.
    ///
    /// # Errors
    /// When one can't be used, or holds no dump.
    pub(crate) fn of(inputs: &[&Path]) -> Result<Self> {
        if inputs.iter().filter(|input| **input == Path::new("-")).count() > 1 {
            bail!("-: stdin can be read once");
        }
        let mut all = Self::default();
        for &input in inputs {
            if !is_archive(input) {
                all.paths.push(input.to_owned());
                continue;
            }
            let unpacked = Unpacked::of(input)?;
            let root = unpacked.root().to_owned();
            // No directory for results is in it.
            let found = dumps(&root, Path::new(""), None);
            let found =
                found.map_err(|error| anyhow!(unpacked.named(&error.to_string(), input)))?;
            all.paths.extend(found.dumps.into_iter().map(|member| root.join(member.dump)));
            all.unpacked.push((input.to_owned(), unpacked));
        }
        all.paths.dedup();
        Ok(all)
    }

    /// A text that names archives instead of the directories that their files are in.
    pub(crate) fn named(&self, text: &str) -> String {
        let all = self.unpacked.iter();
        all.fold(text.to_owned(), |text, (archive, unpacked)| unpacked.named(&text, archive))
    }

    /// An error in such words.
    pub(crate) fn error(&self, error: Error) -> Error {
        if self.unpacked.is_empty() { error } else { anyhow!(self.named(&error.to_string())) }
    }
}
