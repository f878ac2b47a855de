//! Unfinished outputs of this process: temporary files, and directories made for them.
//!
//! One list for the whole process, so that a signal can clear it away. Whoever makes, renames or removes such a
//! file does so under the list's lock: the file and its entry come and go together.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

static UNFINISHED: Mutex<Unfinished> =
    Mutex::new(Unfinished { files: BTreeSet::new(), directories: Vec::new() });

struct Unfinished {
    files: BTreeSet<PathBuf>,
    /// In the order in which they were made: parents first.
    directories: Vec<PathBuf>,
}

fn list() -> MutexGuard<'static, Unfinished> {
    // The list is sound after any panic: each change of it is a single one.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes everything unfinished, and prevents that anything else is started or finished: called before the process ends.
/// Files that are being renamed get there first.
pub fn abandon() {
    let list = list();
    for file in &list.files {
        let _ = std::fs::remove_file(file);
    }
    remove_empty(&list.directories);
    // Whoever waits for the lock must not continue.
    std::mem::forget(list);
}

/// Removes directories that hold nothing, children first.
fn remove_empty(directories: &[PathBuf]) {
    for directory in directories.iter().rev() {
        let _ = std::fs::remove_dir(directory);
    }
}

/// A temporary file. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Part {
    // Fields are dropped in order: the file goes before its entry.
    path: TempPath,
    entry: Entry,
}

#[derive(Debug)]
struct Entry(PathBuf);

impl Drop for Entry {
    fn drop(&mut self) {
        list().files.remove(&self.0);
    }
}

impl Part {
    /// Makes a temporary file in a directory.
    pub(crate) fn create(
        builder: &tempfile::Builder<'_, '_>,
        directory: &Path,
    ) -> io::Result<(File, Self)> {
        let mut list = list();
        let (file, path) = builder.tempfile_in(directory)?.into_parts();
        list.files.insert(path.to_path_buf());
        let entry = Entry(path.to_path_buf());
        Ok((file, Self { path, entry }))
    }
}

/// Gives files their names, all of them before a signal can end the process.
///
/// # Errors
/// The file that can't be renamed, and what the system said.
pub(crate) fn rename_all(parts: Vec<(Part, PathBuf)>) -> Result<(), (PathBuf, io::Error)> {
    let mut entries = Vec::new();
    let list = list();
    let mut result = Ok(());
    for (Part { path, entry }, name) in parts {
        entries.push(entry);
        if result.is_ok() {
            result = path.persist(&name).map_err(|error| (name, error.error));
        }
    }
    // The entries take the lock when they go.
    drop(list);
    result
}

/// Directories that were made for files. Dropping them removes those that are empty.
#[derive(Debug)]
pub(crate) struct Directories(Mutex<Vec<PathBuf>>);

impl Directories {
    pub(crate) fn none() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Makes a directory with its parents.
    pub(crate) fn make(&self, directory: &Path) -> io::Result<()> {
        let mut list = list();
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let mut missing: Vec<PathBuf> =
            directory.ancestors().take_while(is_missing).map(Path::to_owned).collect();
        std::fs::create_dir_all(directory)?;
        missing.reverse();
        list.directories.extend(missing.iter().cloned());
        self.own().extend(missing);
        Ok(())
    }

    fn own(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Directories {
    fn drop(&mut self) {
        let mut list = list();
        let own = self.own();
        list.directories.retain(|directory| !own.contains(directory));
        remove_empty(&own);
    }
}
