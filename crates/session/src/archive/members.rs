//! The members of an archive on their way into a directory, or into memory: their names, numbers and sizes are checked.

use bigtpu_messages::{Message, error_message};
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use bigtpu_format::HeldFiles;
use bigtpu_host_trace::{FREE_BYTES, MOST_FOLD};
use bigtpu_output::{Scratch, Untrusted};

use super::ArchiveError;

/// Members of an archive at most: 16 384 dumps of 16 files.
const MOST_MEMBERS: u64 = 1 << 18;
/// Bytes of all members at most, unpacked.
const MOST_BYTES: u64 = 1 << 38;

/// Where members go.
#[derive(Debug)]
pub(super) enum Target<'s> {
    Disk(&'s Scratch),
    Held(&'s mut HeldFiles),
}

/// Members of an archive, which go into a directory.
#[derive(Debug)]
pub(super) struct Members<'s> {
    /// What errors call the archive.
    name: &'s str,
    /// The directory below the target.
    stem: &'s str,
    target: Target<'s>,
    /// Bytes of the archive that were read.
    packed: Rc<Cell<u64>>,
    members: u64,
    bytes: u64,
    buffer: Vec<u8>,
}

impl<'s> Members<'s> {
    pub(super) fn new(
        name: &'s str,
        stem: &'s str,
        target: Target<'s>,
        packed: Rc<Cell<u64>>,
    ) -> Self {
        Self { name, stem, target, packed, members: 0, bytes: 0, buffer: vec![0; 1 << 16] }
    }

    /// What to say when the archive can't be read.
    pub(super) fn failed(&self, source: io::Error) -> ArchiveError {
        super::failed(self.name, source)
    }

    /// Error for a file that is no archive.
    pub(super) fn no_archive(&self) -> ArchiveError {
        ArchiveError::NoArchive { archive: self.name.to_owned() }
    }

    /// What to say of a member that is not taken.
    pub(super) fn refused(&self, path: &Path, what: Message) -> ArchiveError {
        let member = Untrusted::from(path).line().to_string();
        ArchiveError::Member { archive: self.name.to_owned(), member, what }
    }

    /// A file of no name, for what has to be read at any place; `None` where that is done in memory.
    pub(super) fn spool(&self) -> io::Result<Option<std::fs::File>> {
        match self.target {
            Target::Disk(scratch) => scratch.nameless().map(Some),
            Target::Held(_) => Ok(None),
        }
    }

    /// Counts a member.
    pub(super) fn count(&mut self) -> Result<(), ArchiveError> {
        self.members += 1;
        self.expect(self.members, 0, u64::MAX)
    }

    /// Refuses members and bytes that are too many, before they are unpacked. `packed`: bytes of all of them in the archive.
    pub(super) fn expect(&self, members: u64, bytes: u64, packed: u64) -> Result<(), ArchiveError> {
        let archive = || self.name.to_owned();
        if members > MOST_MEMBERS {
            return Err(ArchiveError::TooMuch {
                archive: archive(),
                most: MOST_MEMBERS,
                what: error_message!("problem-members"),
            });
        }
        if bytes > MOST_BYTES {
            return Err(ArchiveError::TooMuch {
                archive: archive(),
                most: MOST_BYTES,
                what: error_message!("problem-bytes"),
            });
        }
        if bytes > FREE_BYTES && bytes / MOST_FOLD > packed {
            return Err(ArchiveError::Unfolds { archive: archive(), most: MOST_FOLD });
        }
        Ok(())
    }

    /// Puts a member of a name into the directory; how many bytes it has.
    pub(super) fn put(&mut self, path: &Path, content: impl Read) -> Result<u64, ArchiveError> {
        let plain = self.plain_name(path)?;
        let plain = Path::new(self.stem).join(plain);
        let failed = |members: &Self, error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                members.refused(path, error_message!("problem-member-twice"))
            }
            _ => members.failed(error),
        };
        if let Target::Disk(scratch) = self.target {
            let file = scratch.file(&plain).map_err(|error| failed(self, error))?;
            return self.copy(content, file);
        }
        let mut bytes = Vec::new();
        let read = self.copy(content, &mut bytes)?;
        if let Target::Held(files) = &mut self.target {
            let added = files.add(&plain, bytes);
            added.map_err(|error| failed(self, error))?;
        }
        Ok(read)
    }

    /// Passes a member that is not needed: what it unfolds to counts all the same.
    pub(super) fn pass(&mut self, content: impl Read) -> Result<(), ArchiveError> {
        self.copy(content, io::sink()).map(drop)
    }

    fn copy(&mut self, mut content: impl Read, mut file: impl Write) -> Result<u64, ArchiveError> {
        let mut own = 0;
        loop {
            let read = match content.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(|source| self.failed(source))?,
            };
            if read == 0 {
                return Ok(own);
            }
            (own, self.bytes) = (own + read as u64, self.bytes + read as u64);
            self.expect(self.members, self.bytes, self.packed.get())?;
            let piece = self.buffer.get(..read).unwrap_or_default();
            file.write_all(piece).map_err(|source| self.failed(source))?;
        }
    }

    /// The name of a member, if it is that of a file below the directory.
    fn plain_name(&self, path: &Path) -> Result<PathBuf, ArchiveError> {
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => plain.push(name),
                Component::CurDir => {}
                Component::ParentDir => {
                    return Err(self.refused(path, error_message!("problem-member-parent")));
                }
                Component::RootDir | Component::Prefix(_) => {
                    return Err(self.refused(path, error_message!("problem-member-absolute")));
                }
            }
        }
        if plain.as_os_str().is_empty() {
            return Err(self.refused(path, error_message!("problem-member-unnamed")));
        }
        Ok(plain)
    }
}
