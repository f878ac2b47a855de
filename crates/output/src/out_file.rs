//! A file that is being written.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::document::Document;
use crate::error::OutputError;
use crate::held::HeldFile;
use crate::out_dir::{Stage, Written};
use crate::unfinished::Whole;

/// From so many bytes on, a part is written by itself.
const UNBUFFERED: usize = 1 << 15;

/// A file that is being written under a temporary name. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct OutFile {
    target: Target,
    path: PathBuf,
    bytes: u64,
}

/// Where its bytes go.
#[derive(Debug)]
enum Target {
    /// To a temporary file.
    Disk { writer: BufWriter<File>, whole: Whole, stage: Arc<Stage> },
    /// To memory.
    Held(HeldFile),
}

impl Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Disk { writer, .. } => writer.write(bytes),
            Self::Held(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Disk { writer, .. } => writer.flush(),
            Self::Held(file) => file.flush(),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            // Large parts are not copied into the buffer first.
            Self::Disk { writer, .. } if bytes.len() >= UNBUFFERED => {
                writer.flush()?;
                writer.get_mut().write_all(bytes)
            }
            Self::Disk { writer, .. } => writer.write_all(bytes),
            Self::Held(file) => file.write_all(bytes),
        }
    }
}

impl OutFile {
    pub(crate) fn on_disk(file: File, whole: Whole, path: PathBuf, stage: Arc<Stage>) -> Self {
        let writer = BufWriter::with_capacity(1 << 18, file);
        Self { target: Target::Disk { writer, whole, stage }, path, bytes: 0 }
    }

    pub(crate) fn in_memory(file: HeldFile, path: PathBuf) -> Self {
        Self { target: Target::Held(file), path, bytes: 0 }
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
        self.target.write_all(bytes).map_err(|source| self.failed(source))
    }

    /// Appends parts that several threads write, each at its place.
    ///
    /// # Errors
    /// [`OutputError::File`] when the system refuses to write what was appended before.
    pub fn parts(&mut self) -> Result<Parts<'_>, OutputError> {
        self.target.flush().map_err(|source| self.failed(source))?;
        let start = self.bytes;
        Ok(Parts {
            file: self,
            start,
            #[cfg(not(unix))]
            lock: std::sync::Mutex::new(()),
        })
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
        let Self { target, path, bytes } = self;
        let error = |source| OutputError::File { path: path.clone(), source };
        match target {
            Target::Disk { writer, whole, stage } => {
                let file = writer.into_inner().map_err(|e| error(e.into_error()))?;
                file.sync_all().map_err(error)?;
                stage.add(whole);
            }
            Target::Held(file) => file.commit(),
        }
        Ok(Written { path, bytes })
    }
}

/// The end of a file, which several threads write.
#[derive(Debug)]
pub struct Parts<'f> {
    file: &'f mut OutFile,
    /// Bytes before it.
    start: u64,
    /// Held by who writes: the system can't write at a place.
    #[cfg(not(unix))]
    lock: std::sync::Mutex<()>,
}

impl Parts<'_> {
    /// Writes a part, `at` so many bytes behind what was in the file before.
    ///
    /// # Errors
    /// [`OutputError::File`] when the system refuses.
    pub fn write(&self, document: &impl Document, at: u64) -> Result<(), OutputError> {
        let written = self.write_at(document.bytes(), self.start + at);
        written.map_err(|source| self.file.failed(source))
    }

    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        match &self.file.target {
            Target::Disk { writer, .. } => self.write_to_disk(writer.get_ref(), bytes, at),
            Target::Held(file) => file.write_at(bytes, at),
        }
    }

    #[cfg(unix)]
    fn write_to_disk(&self, file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
    }

    #[cfg(not(unix))]
    fn write_to_disk(&self, mut file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
        let _one_at_a_time = self.lock.lock();
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    /// Ends the parts, which have so many bytes without gaps: what is appended next comes behind them.
    ///
    /// # Errors
    /// [`OutputError::File`] when the system refuses.
    pub fn end(self, bytes: u64) -> Result<(), OutputError> {
        let Self { file, start, .. } = self;
        file.bytes = start + bytes;
        // In memory the end is where the parts end.
        if let Target::Disk { writer, .. } = &mut file.target {
            let place = SeekFrom::Start(file.bytes);
            let moved = writer.seek(place).map(drop);
            moved.map_err(|source| file.failed(source))?;
        }
        Ok(())
    }
}

/// What a library writes to.
struct Bytes<'a>(&'a mut OutFile);

impl Write for Bytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.0.target.write(bytes)?;
        self.0.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.target.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::{ByLibrary, OutDir};

    #[test]
    fn parts_are_where_they_belong_whoever_writes_first() {
        let directory = tempfile::tempdir().unwrap();
        let out = OutDir::create(directory.path()).unwrap();
        let mut file = out.file("parts").unwrap();
        file.append(&ByLibrary(b"head ")).unwrap();
        let parts = file.parts().unwrap();
        parts.write(&ByLibrary(b"two "), 4).unwrap();
        parts.write(&ByLibrary(b"one "), 0).unwrap();
        parts.end(8).unwrap();
        file.append(&ByLibrary(b"tail")).unwrap();
        let written = file.commit().unwrap();
        assert_eq!(written.bytes, 17);
        out.publish().unwrap();
        assert_eq!(std::fs::read(written.path).unwrap(), b"head one two tail");
    }
}
