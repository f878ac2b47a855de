//! What the results of a dump depend on.

use std::fs::{DirEntry, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

use bigtpu_format::Files;
use bigtpu_output::asked_page_language;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use crate::choice::Choice;
use crate::settings::Settings;

/// What the results of a dump depend on: equal fingerprints, equal results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    /// Version of the tool.
    version: String,
    /// The views that were asked for.
    #[serde(default)]
    views: String,
    /// How the dump is read, and what its views depend on.
    options: String,
    pub(crate) content: Content,
}

/// A dump's content; equal wherever and whenever it was copied.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Content {
    /// Its files, in the order of their names.
    files: Vec<InputFile>,
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.hash() == other.hash()
    }
}

/// A file of a dump.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct InputFile {
    name: String,
    bytes: u64,
    /// When its content and when anything of it was changed last, in ns since 1970. The second time can't be set, so a
    /// file with the same times has the same content.
    times: [i128; 2],
    /// Hash of its content.
    content: String,
}

impl Fingerprint {
    /// Fingerprint of a dump, or of an iteration of a container.
    pub(crate) fn new(
        content: Content,
        iteration: Option<u32>,
        choice: &Choice,
        settings: &Settings,
    ) -> Self {
        let Settings { chip, reading, hardware, compress_trace, trace_detail, language, .. } =
            settings;
        let page = settings.page_language.or_else(asked_page_language);
        let chip = chip.map(|chip| chip.name);
        let options = format!(
            "{chip:?} {reading:?} {iteration:?} {compress_trace:?} {trace_detail:?} {hardware:?} {language:?} {page:?}"
        );
        let (version, views) = (env!("CARGO_PKG_VERSION").to_owned(), format!("{choice:?}"));
        Self { version, views, options, content }
    }

    /// Fingerprint that no dump has, for results that another try may have more of.
    pub(crate) fn of_no_dump(self) -> Self {
        Self { content: Content { files: Vec::new() }, ..self }
    }

    /// Views of one hold for the other: they differ at most in the views that were asked for.
    pub(crate) fn is_of_same_run(&self, other: &Self) -> bool {
        self.version == other.version
            && self.options == other.options
            && self.content == other.content
    }
}

impl Content {
    /// The content of a dump as it is now. Files that did not change since `old` are not read.
    ///
    /// # Errors
    ///
    /// A file or the directory can't be read.
    pub(crate) fn read(dump: &Path, old: Option<&Self>) -> std::io::Result<Self> {
        let entries: Vec<DirEntry> = std::fs::read_dir(dump)?.collect::<std::io::Result<_>>()?;
        let file = |entry: &DirEntry| InputFile::read(entry, old).transpose();
        let files: std::io::Result<Vec<InputFile>> = entries.par_iter().filter_map(file).collect();
        let mut files = files?;
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { files })
    }

    /// Hash of the names and contents of all files, the identity of the dump wherever it lies.
    pub(crate) fn hash(&self) -> String {
        let lines: String =
            self.files.iter().map(|file| format!("{} {}\n", file.content, file.name)).collect();
        format!("{:032x}", XxHash3_128::oneshot(lines.as_bytes()))
    }

    /// Bytes of the dump.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

impl InputFile {
    /// A file as it is now; `None` of what is no file. It is read only if it changed since `old`.
    fn read(entry: &DirEntry, old: Option<&Content>) -> std::io::Result<Option<Self>> {
        // A link counts as what it points to.
        let metadata = match std::fs::metadata(entry.path()) {
            Ok(metadata) if metadata.is_file() => metadata,
            Ok(_) => return Ok(None),
            // A link to nothing, or around in a circle: no file, whoever looks.
            Err(_) if entry.file_type().is_ok_and(|kind| kind.is_symlink()) => return Ok(None),
            Err(error) => return Err(error),
        };
        let name = entry.file_name().to_string_lossy().into_owned();
        let (bytes, times) = (metadata.len(), times(&metadata));
        let known = old.and_then(|old| old.files.iter().find(|file| file.name == name));
        let content = match known {
            Some(file) if times.is_some() && (file.bytes, Some(file.times)) == (bytes, times) => {
                file.content.clone()
            }
            _ => hash(&entry.path())?,
        };
        Ok(Some(Self { name, bytes, times: times.unwrap_or_default(), content }))
    }
}

/// Times of the last changes, where the system has both.
fn times(metadata: &Metadata) -> Option<[i128; 2]> {
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    let modified = i128::try_from(modified).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let changed =
            i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
        Some([modified, changed])
    }
    #[cfg(not(unix))]
    {
        let _ = modified;
        None
    }
}

/// Hash of a file's content. It is mapped as the dump is: what was read of it stays in memory, and nothing is copied.
fn hash(path: &Path) -> std::io::Result<String> {
    let file = Files::default().bytes(path).map_err(std::io::Error::other)?;
    Ok(format!("{:032x}", XxHash3_128::oneshot(file.bytes())))
}
