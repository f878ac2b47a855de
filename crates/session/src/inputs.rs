//! Inputs that may be archives: they are unpacked first.

use bigtpu_messages::{Message, error_message};
use std::path::{Path, PathBuf};

use crate::archive::{ArchiveError, Unpacked, is_archive};
use crate::batch::dumps;

/// Why inputs are not used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// Several inputs are stdin.
    #[error("{}", error_message!("error-inputs-stdin-twice"))]
    StdinTwice,
    /// An archive can't be unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// An archive holds no dump; the message names it.
    #[error("{0}")]
    NoDump(Message),
}

/// The inputs of a run as directories.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Directories, in the order of the inputs: of an archive all dumps in it.
    pub paths: Vec<PathBuf>,
    /// The archives, and their files.
    unpacked: Vec<(PathBuf, Unpacked)>,
}

impl Inputs {
    /// Unpacks the archives among some inputs.
    ///
    /// # Errors
    /// [`InputError`] when one can't be used, or holds no dump.
    pub fn open(inputs: &[&Path]) -> Result<Self, InputError> {
        if inputs.iter().filter(|input| **input == Path::new("-")).count() > 1 {
            return Err(InputError::StdinTwice);
        }
        let mut all = Self::default();
        for &input in inputs {
            if !is_archive(input) {
                all.paths.push(input.to_owned());
                continue;
            }
            let unpacked = Unpacked::unpack(input)?;
            let root = unpacked.root().to_owned();
            // No directory for results is in it.
            let found = dumps(&root, Path::new(""), None);
            let found = found.map_err(|error| {
                let rename = |text: &str| unpacked.named(text, input);
                InputError::NoDump(Message::displayed(&error).renamed(&rename))
            })?;
            all.paths.extend(found.dumps.into_iter().map(|member| root.join(member.dump)));
            all.unpacked.push((input.to_owned(), unpacked));
        }
        all.paths.dedup();
        Ok(all)
    }

    /// A text that names archives instead of the directories that their files are in.
    #[must_use]
    pub fn named(&self, text: &str) -> String {
        let all = self.unpacked.iter();
        all.fold(text.to_owned(), |text, (archive, unpacked)| unpacked.named(&text, archive))
    }

    /// Whether there are archives among them.
    #[must_use]
    pub fn has_archives(&self) -> bool {
        !self.unpacked.is_empty()
    }
}
