//! Where the files of a dump are: on the disk, or in memory.
//!
//! What reads a dump asks [`Files`] for names and bytes, and so does not know which of them it is: the same analysis reads
//! directories, the members of an archive, and files that a browser was given.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Bound;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use bigtpu_messages::error_message;

use crate::mapped::{FileAccess, FileBytes};
use crate::side_file::{read_found, too_long};
use crate::{Error, Result};

/// Where files are.
#[derive(Debug, Clone)]
pub enum Files {
    /// On the disk.
    Disk(FileAccess),
    /// In memory.
    Held(Arc<HeldFiles>),
}

impl Default for Files {
    fn default() -> Self {
        Self::Disk(FileAccess::Map)
    }
}

/// What a name stands for; links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A file, with its length in bytes.
    File(u64),
    /// A directory.
    Directory,
    /// Anything else, such as a pipe.
    Other,
}

impl Files {
    /// What a name stands for.
    ///
    /// # Errors
    /// When there is nothing, or it can't be looked at.
    pub fn kind(&self, path: &Path) -> io::Result<FileKind> {
        match self {
            Self::Disk(_) => std::fs::metadata(path).map(|found| match () {
                () if found.is_file() => FileKind::File(found.len()),
                () if found.is_dir() => FileKind::Directory,
                () => FileKind::Other,
            }),
            Self::Held(held) => held.kind(path),
        }
    }

    /// Whether it is a file that can be looked at.
    #[must_use]
    pub fn is_file(&self, path: &Path) -> bool {
        matches!(self.kind(path), Ok(FileKind::File(_)))
    }

    /// Whether the name is taken, if only by a broken link.
    #[must_use]
    pub fn has_name(&self, path: &Path) -> bool {
        match self {
            Self::Disk(_) => std::fs::symlink_metadata(path).is_ok(),
            Self::Held(held) => held.kind(path).is_ok(),
        }
    }

    /// The names in a directory.
    ///
    /// # Errors
    /// When it can't be listed.
    pub fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        match self {
            Self::Disk(_) => {
                std::fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect()
            }
            Self::Held(held) => held.names(directory),
        }
    }

    /// The whole path of a file or directory, without links; `None` where there is none.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> Option<PathBuf> {
        match self {
            Self::Disk(_) => path.canonicalize().ok(),
            Self::Held(held) => held.kind(path).ok().map(|_| plain(path)),
        }
    }

    /// The bytes of a file that stay in memory, or are mapped.
    ///
    /// # Errors
    /// [`Error::Io`] when it can't be opened, mapped or read, or is not a regular file.
    pub fn bytes(&self, path: &Path) -> Result<FileBytes> {
        match self {
            Self::Disk(access) => FileBytes::open(path, *access),
            Self::Held(held) => {
                let bytes = held.bytes(path);
                bytes
                    .map(FileBytes::held)
                    .map_err(|source| Error::Io { path: path.to_owned(), source })
            }
        }
    }

    /// A file to be read from its start.
    ///
    /// # Errors
    /// When it can't be opened.
    pub fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Disk(_) => Box::new(File::open(path)?),
            Self::Held(held) => Box::new(Cursor::new(HeldBytes(held.bytes(path)?))),
        })
    }

    /// At most `most` bytes of a file, from an offset on.
    ///
    /// # Errors
    /// When it can't be opened or read.
    pub fn read_part(&self, path: &Path, from: u64, most: u64) -> io::Result<Vec<u8>> {
        match self {
            Self::Disk(_) => {
                let mut file = File::open(path)?;
                if from > 0 {
                    file.seek(SeekFrom::Start(from))?;
                }
                let mut bytes = Vec::new();
                file.take(most).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            Self::Held(held) => {
                let bytes = held.bytes(path)?;
                let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
                let (from, end) = (at(from), at(from.saturating_add(most)));
                Ok(bytes.get(from..end).unwrap_or_default().to_vec())
            }
        }
    }

    /// The content of a file that a run looks for by itself, as [`read_found`].
    ///
    /// # Errors
    /// When it is no plain file, can't be read, or has more than `most` bytes.
    pub fn read_found(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self {
            Self::Disk(_) => read_found(path, most),
            Self::Held(held) => {
                let bytes = held.bytes(path)?;
                if bytes.len() as u64 > most { Err(too_long(most)) } else { Ok(bytes.to_vec()) }
            }
        }
    }
}

/// Files in memory, by path. Directories are there as far as files are in them.
#[derive(Debug, Default)]
pub struct HeldFiles(BTreeMap<PathBuf, Arc<Vec<u8>>>);

impl HeldFiles {
    /// Adds a file. Its path is relative, without `..`.
    ///
    /// # Errors
    /// `AlreadyExists` where a file has this path, or is in it; `InvalidInput` for a path that leads elsewhere.
    pub fn add(&mut self, path: &Path, bytes: Vec<u8>) -> io::Result<()> {
        let is_inside =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let plain_path = plain(path);
        if !path.components().all(is_inside) || plain_path.as_os_str().is_empty() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let is_below_file = plain_path.ancestors().any(|above| self.0.contains_key(above));
        if is_below_file || self.kind(&plain_path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.0.insert(plain_path, Arc::new(bytes));
        Ok(())
    }

    /// The paths of all files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }

    /// Bytes of all files.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        self.0.values().map(|bytes| bytes.len() as u64).sum()
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let path = plain(path);
        if let Some(bytes) = self.0.get(&path) {
            return Ok(FileKind::File(bytes.len() as u64));
        }
        match self.paths_in(&path).next() {
            Some(_) => Ok(FileKind::Directory),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn bytes(&self, path: &Path) -> io::Result<Arc<Vec<u8>>> {
        match self.0.get(&plain(path)) {
            Some(bytes) => Ok(Arc::clone(bytes)),
            None => match self.kind(path)? {
                FileKind::File(_) | FileKind::Other => Err(io::ErrorKind::NotFound.into()),
                FileKind::Directory => {
                    Err(io::Error::other(error_message!("problem-no-regular-file")))
                }
            },
        }
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        let directory = plain(directory);
        let mut names: Vec<OsString> = Vec::new();
        for path in self.paths_in(&directory) {
            let below = path.strip_prefix(&directory).ok().and_then(|path| path.iter().next());
            // Files of one directory stand together.
            if let Some(name) = below.filter(|name| names.last().is_none_or(|last| last != name)) {
                names.push(name.to_owned());
            }
        }
        if names.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(names) }
    }

    /// The files below a directory.
    fn paths_in<'a>(&'a self, directory: &'a Path) -> impl Iterator<Item = &'a Path> + 'a {
        let behind = (Bound::Excluded(directory), Bound::Unbounded);
        let behind = self.0.range::<Path, _>(behind).map(|(path, _)| path.as_path());
        behind.take_while(move |path| path.starts_with(directory))
    }
}

/// A path without `.` in it.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// Bytes in memory that are read as a file.
struct HeldBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(paths: &[&str]) -> HeldFiles {
        let mut files = HeldFiles::default();
        for path in paths {
            files.add(Path::new(path), path.as_bytes().to_vec()).unwrap();
        }
        files
    }

    #[test]
    fn files_in_memory_are_found_as_on_the_disk() {
        let paths = ["d/a/x", "d/a.b", "./d/b", "e", "d/a/y"];
        let dir = tempfile::tempdir().unwrap();
        for path in paths {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, path.file_name().unwrap().as_encoded_bytes()).unwrap();
        }
        let (held, disk) = (Files::Held(Arc::new(held(&paths))), Files::default());
        for directory in ["", ".", "d", "./d/a", "none", "e"] {
            let names = |files: &Files, path: &Path| {
                let mut names = files.names(path).unwrap_or_default();
                names.sort();
                names
            };
            let (path, real) = (Path::new(directory), dir.path().join(directory));
            assert_eq!(names(&held, path), names(&disk, &real), "{directory}");
            let is_directory = |files: &Files, path: &Path| {
                files.kind(path).is_ok_and(|kind| kind == FileKind::Directory)
            };
            assert_eq!(is_directory(&held, path), is_directory(&disk, &real), "{directory}");
        }
        assert_eq!(held.kind(Path::new("d/a.b")).unwrap(), FileKind::File(5));
        assert_eq!(held.bytes(Path::new("./d/b")).unwrap().bytes(), b"./d/b");
        assert_eq!(held.read_part(Path::new("d/a/x"), 2, 2).unwrap(), b"a/");
        assert!(held.bytes(Path::new("d")).is_err() && held.bytes(Path::new("x")).is_err());
        assert!(held.read_found(Path::new("e"), 0).is_err());
        let mut text = String::new();
        held.open(Path::new("e")).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "e");
    }

    #[test]
    fn a_path_is_taken_once_and_leads_nowhere_else() {
        let mut files = held(&["d/a", "e/f/g"]);
        for path in ["d/a", "./d/a", "d/a/b", "e", "e/f"] {
            let error = files.add(Path::new(path), Vec::new()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{path}");
        }
        for path in ["../x", "/x", "", "."] {
            let error = files.add(Path::new(path), Vec::new()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path}");
        }
    }
}
