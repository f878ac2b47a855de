//! Files that are written together: all of them, or none.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::Result;

/// The files that were made so far below a directory.
#[derive(Debug)]
pub(crate) struct NewFiles<'d> {
    directory: &'d Path,
    made: Mutex<Vec<PathBuf>>,
}

impl<'d> NewFiles<'d> {
    /// Writes files below a directory. What was made is removed again when it fails, so that a full disk leaves no cut dump, and the
    /// next call finds the directory empty.
    pub(crate) fn write_all<T>(
        directory: &'d Path,
        write: impl FnOnce(&Self) -> Result<T>,
    ) -> Result<T> {
        let files = Self { directory, made: Mutex::default() };
        let written = write(&files);
        if written.is_err() {
            files.remove();
        }
        written
    }

    /// Makes a file, whose mode follows the process's mask. What took its name since the directory was seen to be empty, also a
    /// symbolic link, is an error.
    pub(crate) fn create(&self, path: &Path) -> io::Result<File> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.made.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        Ok(file)
    }

    /// Makes a file with this content, see [`NewFiles::create`].
    pub(crate) fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.create(path)?.write_all(content)
    }

    /// Files, and directories below that are empty then. What can't be removed stays: the error that led here is told.
    fn remove(self) {
        for path in self.made.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let _ = std::fs::remove_file(&path);
            for above in path.ancestors().skip(1).take_while(|above| *above != self.directory) {
                let _ = std::fs::remove_dir(above);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn nothing_is_left_of_what_fails() {
        let dir = tempfile::tempdir().unwrap();
        let (one, inner) = (dir.path().join("one"), dir.path().join("host/inner"));
        let failed = NewFiles::write_all(dir.path(), |files| {
            files.write(&one, b"1").unwrap();
            std::fs::create_dir_all(inner.parent().unwrap()).unwrap();
            files.write(&inner, b"2").unwrap();
            let source = files.write(&one, b"again").unwrap_err();
            Err::<(), _>(Error::Io { path: one.clone(), source })
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        let failed = |source| Error::Io { path: one.clone(), source };
        NewFiles::write_all(dir.path(), |files| files.write(&one, b"1").map_err(failed)).unwrap();
        assert_eq!(std::fs::read(&one).unwrap(), b"1");
    }

    #[cfg(unix)]
    #[test]
    fn a_dump_is_written_through_no_link() {
        let dir = tempfile::tempdir().unwrap();
        let (victim, name) = (dir.path().join("victim"), dir.path().join("cdmlib0_0.profile"));
        std::fs::write(&victim, "kept").unwrap();
        std::os::unix::fs::symlink(&victim, &name).unwrap();
        let written = NewFiles::write_all(dir.path(), |files| {
            let failed = |source| Error::Io { path: name.clone(), source };
            files.write(&name, b"new").map_err(failed)
        });
        assert!(written.is_err() && name.is_symlink());
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "kept");
    }
}
