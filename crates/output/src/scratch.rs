//! A directory for files that are needed for a moment only.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::directory::Directory;
use crate::document::Document;
use crate::unfinished::{Held, ScratchEntry};

/// Names begin with it; the number of the process and another one follow.
const PREFIX: &str = "bigtpuprofile-";

/// Names that are tried for a directory.
const MOST_NAMES: u32 = 10_000;

/// The number of the next directory of this process.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A new directory among the system's temporary ones, which nobody else can read. Dropping it removes it with all that it
/// holds; so does a signal that ends the process. What a killed process leaves, the next one removes that makes such a
/// directory: its lock is free.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _entry: ScratchEntry,
    /// Holds the directory's lock.
    _locked: Option<Directory>,
}

impl Scratch {
    /// Makes the directory.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create() -> io::Result<Self> {
        let above = std::env::temp_dir();
        remove_left(&above);
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for _ in 0..MOST_NAMES {
            // No name twice in a process: who still looks for one that is gone does not find the next.
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = above.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match ScratchEntry::make(&builder, &path) {
                Ok(entry) => {
                    let locked = Directory::open(&path).ok().filter(Directory::claim);
                    // Someone may have taken it for one that was left, before it was locked.
                    if path.is_dir() {
                        return Ok(Self { path, _entry: entry, _locked: locked });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Makes a file of a name in it that only this user can read, and writes a text.
    ///
    /// # Errors
    /// As [`file`](Self::file); also when it can't be written.
    pub fn write(&self, name: &str, document: &impl Document) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = {
            let _held = Held::new();
            options.open(&path)?
        };
        file.write_all(document.bytes())?;
        Ok(path)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a file that no name leads to any more: it goes with its handle.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn nameless(&self) -> io::Result<File> {
        let path = self.path.join(".nameless");
        let _held = Held::new();
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(path)?;
        Ok(file)
    }

    /// Makes a file of a name below it, with the directories of the name.
    ///
    /// # Errors
    /// When the name is no plain path below it, the file exists, or the system refuses.
    pub fn file(&self, name: &Path) -> io::Result<File> {
        let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_plain || name.file_name().is_none() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let path = self.path.join(name);
        // A signal removes the directory: from then on nothing more is put into it.
        let _held = Held::new();
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        File::create_new(path)
    }
}

/// Removes the directories that killed processes of this user have left.
fn remove_left(above: &Path) {
    let entries = std::fs::read_dir(above).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_scratch(&entry.file_name())) {
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_directory {
            continue;
        }
        // Those of others can't be opened, those of the living not be claimed.
        let Ok(directory) = Directory::open(&entry.path()) else { continue };
        if directory.is_own() && directory.claim() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a name is that of such a directory.
fn is_scratch(name: &OsStr) -> bool {
    let inner = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    let parts = inner.and_then(|inner| inner.split_once('-'));
    parts.is_some_and(|(process, number)| {
        [process, number]
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_gone_with_its_files_and_takes_none_outside() {
        let scratch = Scratch::create().unwrap();
        let path = scratch.path().to_owned();
        drop(scratch.file(Path::new("a/b.profile")).unwrap());
        assert!(path.join("a/b.profile").is_file());
        for name in ["../x", "/tmp/x", "", ".", "a/../../x", "a/b.profile"] {
            assert!(scratch.file(Path::new(name)).is_err(), "{name}");
        }
        assert_ne!(Scratch::create().unwrap().path(), path);
        drop(scratch);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it_and_what_a_killed_process_left_goes() {
        use std::os::unix::fs::PermissionsExt;
        let left = std::env::temp_dir().join(format!("{PREFIX}{}-99999", std::process::id()));
        let other = std::env::temp_dir().join(format!("{PREFIX}{}-x", std::process::id()));
        for path in [&left, &other] {
            std::fs::create_dir(path).unwrap();
            std::fs::write(path.join("file"), "").unwrap();
        }
        let living = Scratch::create().unwrap();
        let scratch = Scratch::create().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let file = scratch.write("a", &crate::ByLibrary(b"secret")).unwrap();
        assert_eq!((mode(scratch.path()), mode(&file)), (0o700, 0o600));
        assert!(living.path().is_dir() && !left.exists() && other.exists());
        std::fs::remove_dir_all(other).unwrap();
    }
}
