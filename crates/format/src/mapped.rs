//! A file's bytes, mapped: the only place of the project with `unsafe`.

use std::fs::File;
use std::path::Path;

use crate::{Error, Result};

/// The bytes of one file, read-only, mapped into memory (an empty file has no map).
#[derive(Debug)]
pub struct FileBytes(Option<memmap2::Mmap>);

impl FileBytes {
    /// Maps `path`.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be opened or mapped, or is not a regular file.
    pub fn open(path: &Path) -> Result<Self> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        let metadata = std::fs::metadata(path).map_err(io)?;
        if !metadata.is_file() {
            return Err(io(std::io::Error::other("not a regular file")));
        }
        if metadata.len() == 0 {
            return Ok(Self(None));
        }
        let file = File::open(path).map_err(io)?;
        map(&file).map(|m| Self(Some(m))).map_err(io)
    }

    /// The whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or(&[])
    }
}

/// Maps a file read-only.
#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the map is private to this type and handed out as `&[u8]` only. What the compiler
    // cannot know is that the file is not truncated while it is mapped: a dump is written once by
    // the runtime, before it is analyzed. If someone does, the process gets SIGBUS; it can't read
    // memory that is not the file's.
    unsafe { memmap2::Mmap::map(file) }
}
