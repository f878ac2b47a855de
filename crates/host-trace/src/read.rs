//! Reading a trace: from a file or a stream to a [`HostTrace`].

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::build::Builder;
use crate::error::{EventError, TraceError};
use crate::model::HostTrace;
use crate::source::Source;
use crate::splitter::{Piece, Splitter};

/// Bounds on what reading may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Bytes read at a time; the text buffer holds this and one event.
    pub chunk_bytes: usize,
    /// Events whose text is longer than this are left out.
    pub max_event_bytes: usize,
    /// How many bad events are described; all are counted.
    pub kept_bad: usize,
}

impl Default for ReadOptions {
    /// 256 KiB, 64 MiB, 8.
    fn default() -> Self {
        Self { chunk_bytes: 256 << 10, max_event_bytes: 64 << 20, kept_bad: 8 }
    }
}

impl HostTrace {
    /// Reads the Chrome JSON trace in the file `path`: plain, gzipped, or the only file of a zip archive.
    ///
    /// # Errors
    /// [`TraceError`] if the file cannot be opened or read, or is no trace. Bad events and a
    /// damaged or missing end are no errors: see [`HostFile::stats`](crate::HostFile::stats).
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, TraceError> {
        Self::open_all(&[path], options)
    }

    /// Reads several such files as one trace, on the clock of the first: see [`FileClock`](crate::FileClock).
    ///
    /// Processes with the same id are the same one. Ids of arrows and asynchronous events mean something in their file only.
    ///
    /// # Errors
    /// As [`open`](Self::open), for any of the files.
    pub fn open_all(paths: &[impl AsRef<Path>], options: &ReadOptions) -> Result<Self, TraceError> {
        Self::read_all(paths, |path| File::open(path), options)
    }

    /// Reads several files as one trace, as [`open_all`](Self::open_all) does; `open` opens them, wherever they are.
    ///
    /// # Errors
    /// As [`open`](Self::open), for any of the files.
    pub fn read_all<R: Read>(
        paths: &[impl AsRef<Path>],
        open: impl Fn(&Path) -> io::Result<R>,
        options: &ReadOptions,
    ) -> Result<Self, TraceError> {
        let mut builder = Builder::default();
        for path in paths {
            let path = path.as_ref();
            let file =
                open(path).map_err(|source| TraceError::Open { path: path.to_owned(), source })?;
            builder.read_file(file, path, options)?;
        }
        Ok(builder.finish())
    }

    /// Reads the Chrome JSON trace that `reader` gives, packed as in [`open`](Self::open) or not; `path` names it in errors.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(reader: impl Read, path: &Path, options: &ReadOptions) -> Result<Self, TraceError> {
        let mut builder = Builder::default();
        builder.read_file(reader, path, options)?;
        Ok(builder.finish())
    }
}

impl Builder {
    /// Adds the events of a file.
    fn read_file(
        &mut self,
        reader: impl Read,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<(), TraceError> {
        self.begin(path);
        let source = Source::new(reader, options.chunk_bytes.max(1))
            .map_err(|source| TraceError::reading(path.to_owned(), 0, source))?;
        let mut splitter =
            Splitter::new(source, path.to_owned(), options.chunk_bytes, options.max_event_bytes);
        let mut events = 0;
        loop {
            let piece = splitter.next()?;
            events += u64::from(piece != Piece::End);
            let (offset, why) = match piece {
                Piece::End => break,
                Piece::Bad(offset, why) => (offset, why),
                Piece::Event(offset) => match self.add(splitter.event()) {
                    Ok(()) => continue,
                    Err(why) => {
                        if matches!(why, EventError::Syntax(_)) {
                            splitter.reject_event();
                        }
                        (offset, why)
                    }
                },
            };
            self.add_bad(offset, why, options.kept_bad);
        }
        let members = splitter.members;
        let text_bytes = splitter.feed.end_offset();
        if !members.has_events {
            return Err(TraceError::NoEvents { path: path.to_owned(), offset: text_bytes });
        }
        self.end(events, text_bytes, members);
        Ok(())
    }
}
