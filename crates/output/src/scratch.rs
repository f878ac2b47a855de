//! A directory for files that are needed for a moment only.

use std::fs::{DirBuilder, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::unfinished::ScratchEntry;

/// Names that are tried for a directory.
const MOST_NAMES: u32 = 10_000;

/// A new directory among the system's temporary ones, which nobody else can read. Dropping it removes it with all that it
/// holds; so does a signal that ends the process.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _entry: ScratchEntry,
}

impl Scratch {
    /// Makes the directory.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create() -> io::Result<Self> {
        let above = std::env::temp_dir();
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for number in 0..MOST_NAMES {
            let path = above.join(format!("bigtpuprofile-{}-{number}", std::process::id()));
            match ScratchEntry::make(&builder, &path) {
                Ok(entry) => return Ok(Self { path, _entry: entry }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
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
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        File::create_new(path)
    }
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
}
