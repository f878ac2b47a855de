//! A file that is being written.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::document::Document;
use crate::error::OutputError;
use crate::out_dir::{Stage, Written};
use crate::unfinished::Whole;

/// From so many bytes on, a part is written by itself.
const UNBUFFERED: usize = 1 << 15;

/// A file that is being written under a temporary name. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct OutFile {
    writer: BufWriter<File>,
    whole: Whole,
    path: PathBuf,
    bytes: u64,
    stage: Arc<Stage>,
}

impl OutFile {
    pub(crate) fn new(file: File, whole: Whole, path: PathBuf, stage: Arc<Stage>) -> Self {
        let writer = BufWriter::with_capacity(1 << 18, file);
        Self { writer, whole, path, bytes: 0, stage }
    }

    /// What to say when writing it failed.
    #[must_use]
    pub fn failed(&self, source: io::Error) -> OutputError {
        OutputError::File { path: self.path.clone(), source }
    }

    /// Appends to it.
    ///
    /// # Errors
    /// [`OutputError::File`] when the system refuses.
    pub fn append(&mut self, document: &impl Document) -> Result<(), OutputError> {
        let bytes = document.bytes();
        self.bytes += bytes.len() as u64;
        self.put(bytes).map_err(|source| self.failed(source))
    }

    /// Large parts are not copied into the buffer first.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() < UNBUFFERED {
            return self.writer.write_all(bytes);
        }
        self.writer.flush()?;
        self.writer.get_mut().write_all(bytes)
    }

    /// The file for a library that writes to it, see [`ByLibrary`](crate::ByLibrary).
    pub fn for_library(&mut self) -> impl Write + Send + '_ {
        Bytes(self)
    }

    /// Ends the file: its bytes are on the disk, and it is ready to be [published](crate::OutDir::publish).
    ///
    /// # Errors
    /// [`OutputError::File`] when the last bytes can't be written.
    pub fn commit(self) -> Result<Written, OutputError> {
        let Self { writer, whole, path, bytes, stage } = self;
        let error = |source| OutputError::File { path: path.clone(), source };
        let file = writer.into_inner().map_err(|e| error(e.into_error()))?;
        file.sync_all().map_err(error)?;
        stage.add(whole);
        Ok(Written { path, bytes })
    }
}

/// What a library writes to.
struct Bytes<'a>(&'a mut OutFile);

impl Write for Bytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.0.writer.write(bytes)?;
        self.0.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.writer.flush()
    }
}
