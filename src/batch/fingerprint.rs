//! What the results of a dump depend on.

use std::path::Path;
use std::time::UNIX_EPOCH;

use bigtpu_machine::Overrides;
use serde::{Deserialize, Serialize};

use crate::args::views::Views;

/// What the results of a dump depend on: equal fingerprints, equal results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    /// Version of the tool.
    version: String,
    /// What was asked for.
    options: String,
    /// The dump's files, in the order of their names.
    files: Vec<InputFile>,
}

/// A file of a dump.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct InputFile {
    name: String,
    bytes: u64,
    /// Time of its last change, in ns since 1970.
    modified_ns: u128,
}

impl Fingerprint {
    /// The fingerprint of a dump as it is now.
    pub(crate) fn of(dump: &Path, views: &Views, roofs: &Overrides) -> std::io::Result<Self> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(dump)? {
            let entry = entry?;
            // A link counts as what it points to.
            let Ok(metadata) = std::fs::metadata(entry.path()) else { continue };
            if metadata.is_file() {
                let modified = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
                files.push(InputFile {
                    name: entry.file_name().to_string_lossy().into_owned(),
                    bytes: metadata.len(),
                    modified_ns: modified.as_nanos(),
                });
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self { version, options: format!("{views:?} {roofs:?}"), files })
    }

    /// Bytes of the dump.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}
