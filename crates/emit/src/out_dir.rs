//! The output directory: a run's files appear in it together, when all of them are whole.

use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::EmitError;
use crate::manifest;
use crate::unfinished::{Directories, Part, rename_all};

/// The directory that all output goes into.
///
/// Files are written under temporary names. Nothing is seen of them, and old files stay, until they are
/// [published](OutDir::publish); without that, dropping the last handle leaves the directory as it was.
#[derive(Debug, Clone)]
pub struct OutDir {
    root: PathBuf,
    stage: Arc<Stage>,
}

#[derive(Debug)]
struct Stage {
    /// Whole files and the names that they are to get.
    whole: Mutex<Vec<(Part, PathBuf)>>,
    // Dropped after the files in them.
    directories: Directories,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

impl OutDir {
    /// Makes the directory, with its parents.
    ///
    /// # Errors
    /// [`EmitError::Directory`] when it can't be made or is a file.
    pub fn create(root: &Path) -> Result<Self, EmitError> {
        let stage = Stage { whole: Mutex::default(), directories: Directories::none() };
        Self { root: PathBuf::new(), stage: Arc::new(stage) }.with_root(root)
    }

    /// Another directory of the same run, made with its parents: its files are published together with those of this one.
    ///
    /// # Errors
    /// [`EmitError::Directory`] when it can't be made or is a file.
    pub fn with_root(&self, root: &Path) -> Result<Self, EmitError> {
        self.stage
            .directories
            .make(root)
            .map_err(|source| EmitError::Directory { path: root.to_owned(), source })?;
        Ok(Self { root: root.to_owned(), stage: Arc::clone(&self.stage) })
    }

    /// A directory in this one, made when the first file is put there. Its files are published with this one's.
    #[must_use]
    pub fn below(&self, name: &str) -> Self {
        Self { root: self.root.join(name), stage: Arc::clone(&self.stage) }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Starts a file. [Committed](OutFile::commit) and [published](OutDir::publish), it replaces an old one of its name.
    ///
    /// # Errors
    /// [`EmitError::File`] when it can't be created, or a directory has its name.
    pub fn file(&self, name: &str) -> Result<OutFile, EmitError> {
        let path = self.root.join(name);
        let error = |source| EmitError::File { path: path.clone(), source };
        if path.is_dir() {
            return Err(error(io::ErrorKind::IsADirectory.into()));
        }
        let parent = path.parent().unwrap_or(&self.root);
        self.stage.directories.make(parent).map_err(error)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".bigtpuprofile-").suffix(".part");
        if let Some(permissions) = ordinary_permissions() {
            builder.permissions(permissions);
        }
        let (file, part) = Part::create(&builder, parent).map_err(error)?;
        let writer = BufWriter::with_capacity(1 << 18, file);
        Ok(OutFile { writer, part, path, bytes: 0, stage: Arc::clone(&self.stage) })
    }

    /// Gives all committed files their names. Of two runs into one directory, the files of the one that publishes last
    /// are there.
    ///
    /// # Errors
    /// [`EmitError::File`] when one can't be renamed; those behind it then keep their old content.
    pub fn publish(&self) -> Result<(), EmitError> {
        self.publish_files(false)
    }

    /// The same, and removes the files that an earlier run published so in this directory and that this run did not
    /// write: results of another dump, or of other options. Files of anyone else stay.
    ///
    /// # Errors
    /// As [`publish`](OutDir::publish); also when an old file can't be removed.
    pub fn publish_instead(&self) -> Result<(), EmitError> {
        self.publish_files(true)
    }

    fn publish_files(&self, replaces: bool) -> Result<(), EmitError> {
        let whole =
            std::mem::take(&mut *self.stage.whole.lock().unwrap_or_else(PoisonError::into_inner));
        let parents: BTreeSet<PathBuf> =
            whole.iter().filter_map(|(_, path)| path.parent().map(Path::to_owned)).collect();
        let names: Vec<PathBuf> = whole.iter().map(|(_, path)| path.clone()).collect();
        let failed = |(path, source)| EmitError::File { path, source };
        let _lock = lock(&self.root);
        rename_all(whole).map_err(failed)?;
        if replaces {
            manifest::replace(&self.root, &names).map_err(failed)?;
        }
        // The names reach the disk, too. Where a directory can't be synced, the system does it in its own time.
        for parent in parents {
            let _ = File::open(parent).and_then(|directory| directory.sync_all());
        }
        Ok(())
    }
}

/// Waits until no other run gives files in this directory their names. Where the file system knows no locks,
/// each file is whole all the same.
#[cfg(unix)]
fn lock(directory: &Path) -> Option<File> {
    let directory = File::open(directory).ok()?;
    rustix::fs::flock(&directory, rustix::fs::FlockOperation::LockExclusive).ok()?;
    Some(directory)
}

#[cfg(not(unix))]
fn lock(_directory: &Path) -> Option<File> {
    None
}

/// What any new file gets, less the process's mask; temporary files are private otherwise.
#[cfg(unix)]
fn ordinary_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn ordinary_permissions() -> Option<Permissions> {
    None
}

/// A file that is being written under a temporary name. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct OutFile {
    writer: BufWriter<File>,
    part: Part,
    path: PathBuf,
    bytes: u64,
    stage: Arc<Stage>,
}

impl OutFile {
    /// What to say when writing it failed.
    #[must_use]
    pub fn failed(&self, source: io::Error) -> EmitError {
        EmitError::File { path: self.path.clone(), source }
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// [`EmitError::File`] when the system refuses.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), EmitError> {
        self.bytes += bytes.len() as u64;
        self.writer.write_all(bytes).map_err(|source| self.failed(source))
    }

    /// Ends the file: its bytes are on the disk, and it is ready to be [published](OutDir::publish).
    ///
    /// # Errors
    /// [`EmitError::File`] when the last bytes can't be written.
    pub fn commit(self) -> Result<Written, EmitError> {
        let Self { writer, part, path, bytes, stage } = self;
        let error = |source| EmitError::File { path: path.clone(), source };
        let file = writer.into_inner().map_err(|e| error(e.into_error()))?;
        file.sync_all().map_err(error)?;
        stage.whole.lock().unwrap_or_else(PoisonError::into_inner).push((part, path.clone()));
        Ok(Written { path, bytes })
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.writer.write(bytes)?;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> usize {
        std::fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn files_appear_only_when_published() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(&dir.path().join("a/b")).unwrap();
        let old = out.path().join("x.txt");
        std::fs::write(&old, "old").unwrap();
        let mut dropped = out.file("x.txt").unwrap();
        dropped.append(b"half").unwrap();
        drop(dropped);
        assert_eq!(names(out.path()), 1);
        for name in ["x.txt", "sub/x.txt"] {
            let mut file = out.file(name).unwrap();
            file.append(b"new").unwrap();
            let written = file.commit().unwrap();
            assert_eq!(written, Written { path: out.path().join(name), bytes: 3 });
        }
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
        out.publish().unwrap();
        for name in ["x.txt", "sub/x.txt"] {
            assert_eq!(std::fs::read_to_string(out.path().join(name)).unwrap(), "new");
        }
        drop(out);
        assert_eq!(names(&dir.path().join("a/b")), 2);
    }

    #[test]
    fn unpublished_files_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(&dir.path().join("a/b")).unwrap();
        out.file("sub/x.txt").unwrap().commit().unwrap();
        drop(out);
        assert_eq!(names(dir.path()), 0);
    }

    #[test]
    fn files_below_are_published_together() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(dir.path()).unwrap();
        let below = out.below("a");
        assert_eq!((below.path(), names(dir.path())), (&*dir.path().join("a"), 0));
        below.file("x.txt").unwrap().commit().unwrap();
        drop(below);
        assert!(!dir.path().join("a/x.txt").exists());
        out.publish().unwrap();
        assert!(dir.path().join("a/x.txt").is_file());
    }

    #[test]
    fn a_directory_with_an_output_name_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(dir.path()).unwrap();
        std::fs::create_dir(dir.path().join("x.txt")).unwrap();
        let error = out.file("x.txt").unwrap_err().to_string();
        assert!(error.contains("x.txt") && error.contains("directory"), "{error}");
    }

    #[test]
    fn a_file_instead_of_the_output_directory_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, "").unwrap();
        let error = OutDir::create(&path).unwrap_err().to_string();
        assert!(error.contains("cannot be used as output directory"), "{error}");
    }
}
