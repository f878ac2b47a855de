//! A file's bytes, mapped or read: the only place of the project with `unsafe`.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use bigtpu_messages::error_message;

use crate::{Error, Result};

/// How a file's bytes come into memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileAccess {
    /// Mapped: pages are read when they are used. If the file is cut meanwhile, the system ends the process.
    #[default]
    Map,
    /// Read when the file is opened: whatever is written to it later changes nothing.
    Read,
}

/// The bytes of one file, read-only.
#[derive(Debug)]
pub struct FileBytes(Held);

/// Where the bytes are; an empty file has no map.
#[derive(Debug)]
enum Held {
    Mapped(memmap2::Mmap),
    Read(Arc<Vec<u8>>),
}

impl FileBytes {
    /// Maps or reads `path`.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be opened, mapped or read, or is not a regular file.
    pub(crate) fn open(path: &Path, access: FileAccess) -> Result<Self> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        let metadata = std::fs::metadata(path).map_err(io)?;
        if !metadata.is_file() {
            return Err(io(std::io::Error::other(error_message!("problem-no-regular-file"))));
        }
        if metadata.len() == 0 {
            return Ok(Self(Held::Read(Arc::default())));
        }
        if access == FileAccess::Read {
            return std::fs::read(path).map(|bytes| Self(Held::Read(Arc::new(bytes)))).map_err(io);
        }
        let file = File::open(path).map_err(io)?;
        map(&file).map(|map| Self(Held::Mapped(map))).map_err(io)
    }

    /// Bytes that are in memory.
    pub(crate) fn held(bytes: Arc<Vec<u8>>) -> Self {
        Self(Held::Read(bytes))
    }

    /// The whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Held::Mapped(map) => map,
            Held::Read(bytes) => bytes,
        }
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
