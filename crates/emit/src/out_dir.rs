//! The output directory: files are whole or absent.

use std::fs::Permissions;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::EmitError;

/// The directory that all output goes into.
#[derive(Debug, Clone)]
pub struct OutDir {
    root: PathBuf,
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
        std::fs::create_dir_all(root)
            .map_err(|source| EmitError::Directory { path: root.to_owned(), source })?;
        Ok(Self { root: root.to_owned() })
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Starts a file. It appears under its name when it is [committed](OutFile::commit); until then an old
    /// file of that name stays.
    ///
    /// # Errors
    /// [`EmitError::File`] when it can't be created.
    pub fn file(&self, name: &str) -> Result<OutFile, EmitError> {
        let path = self.root.join(name);
        let error = |source| EmitError::File { path: path.clone(), source };
        let parent = path.parent().unwrap_or(&self.root);
        std::fs::create_dir_all(parent).map_err(error)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".bigtpuprofile-").suffix(".part");
        if let Some(permissions) = ordinary_permissions() {
            builder.permissions(permissions);
        }
        let file = builder.tempfile_in(parent).map_err(error)?;
        Ok(OutFile { writer: BufWriter::with_capacity(1 << 18, file), path, bytes: 0 })
    }
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
    writer: BufWriter<NamedTempFile>,
    path: PathBuf,
    bytes: u64,
}

impl OutFile {
    fn error(&self, source: std::io::Error) -> EmitError {
        EmitError::File { path: self.path.clone(), source }
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// [`EmitError::File`] when the system refuses.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), EmitError> {
        self.bytes += bytes.len() as u64;
        self.writer.write_all(bytes).map_err(|source| self.error(source))
    }

    /// Gives the whole file its name.
    ///
    /// # Errors
    /// [`EmitError::File`] when the last bytes can't be written or the file can't be renamed.
    pub fn commit(self) -> Result<Written, EmitError> {
        let Self { writer, path, bytes } = self;
        let error = |source| EmitError::File { path: path.clone(), source };
        let file = writer.into_inner().map_err(|e| error(e.into_error()))?;
        file.persist(&path).map_err(|e| error(e.error))?;
        Ok(Written { path, bytes })
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = self.writer.write(bytes)?;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_only_when_committed() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(&dir.path().join("a/b")).unwrap();
        std::fs::write(out.path().join("x.txt"), "old").unwrap();
        let mut file = out.file("x.txt").unwrap();
        file.append(b"new").unwrap();
        assert_eq!(std::fs::read_to_string(out.path().join("x.txt")).unwrap(), "old");
        drop(file);
        assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 1);
        let mut file = out.file("sub/x.txt").unwrap();
        file.append(b"new").unwrap();
        let written = file.commit().unwrap();
        assert_eq!(
            (std::fs::read_to_string(&written.path).unwrap().as_str(), written.bytes),
            ("new", 3)
        );
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, "").unwrap();
        let error = OutDir::create(&path).unwrap_err().to_string();
        assert!(error.contains("cannot be used as output directory"), "{error}");
    }
}
