//! Unfinished outputs of this process: temporary files, and directories made for them.
//!
//! One list for the whole process, so that a signal can clear it away. Whoever makes, renames or removes such a
//! file does so under the list's lock: the file and its entry come and go together.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::directory::Directory;
use crate::root::Root;

static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished {
    next: 0,
    files: BTreeMap::new(),
    directories: BTreeMap::new(),
    scratch: BTreeMap::new(),
});

struct Unfinished {
    /// Number of the next entry.
    next: u64,
    files: BTreeMap<u64, (Arc<Directory>, OsString)>,
    /// In the order in which they were made: parents first.
    directories: BTreeMap<u64, Place>,
    /// Directories that go with all that they hold.
    scratch: BTreeMap<u64, PathBuf>,
}

impl Unfinished {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

fn list() -> MutexGuard<'static, Unfinished> {
    // The list is sound after any panic: each change of it is a single one.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes everything unfinished, and prevents that anything else is started or finished: called before the process ends.
/// Files that are being renamed get there first.
pub fn abandon() {
    let list = list();
    for (directory, name) in list.files.values() {
        let _ = directory.remove_file(name);
    }
    list.directories.values().rev().for_each(Place::remove);
    for path in list.scratch.values() {
        let _ = std::fs::remove_dir_all(path);
    }
    // Whoever waits for the lock must not continue.
    std::mem::forget(list);
}

/// A temporary file. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Temporary {
    number: u64,
    directory: Arc<Directory>,
    name: OsString,
}

impl Temporary {
    pub(crate) fn create(directory: &Arc<Directory>, name: OsString) -> io::Result<(File, Self)> {
        let mut list = list();
        let file = directory.create(&name)?;
        let number = list.number();
        list.files.insert(number, (Arc::clone(directory), name.clone()));
        Ok((file, Self { number, directory: Arc::clone(directory), name }))
    }
}

impl Temporary {
    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    pub(crate) fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Without an entry it has its name.
        let mut list = list();
        if list.files.remove(&self.number).is_some() {
            // Once more after a fault that passes.
            let remove = || self.directory.remove_file(&self.name);
            let _ = remove().or_else(|_| remove());
        }
    }
}

/// A file that is whole, and the name that it is to get below a root.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) part: Temporary,
    pub(crate) root: Arc<Root>,
    pub(crate) name: PathBuf,
}

/// The list of all that is unfinished, held: no signal ends the process meanwhile.
pub(crate) struct Held(MutexGuard<'static, Unfinished>);

impl Held {
    pub(crate) fn new() -> Self {
        Self(list())
    }

    /// A file is no temporary one any more, or is left for another run.
    pub(crate) fn leave(&mut self, file: &Temporary) {
        self.0.files.remove(&file.number);
    }
}

/// Where a directory is that was made.
#[derive(Debug, Clone)]
enum Place {
    /// A path that the user gave.
    Path(PathBuf),
    /// A name in an output directory.
    Below(Arc<Directory>, OsString),
}

impl Place {
    /// Removes the directory, if it holds nothing.
    fn remove(&self) {
        let _ = match self {
            Self::Path(path) => std::fs::remove_dir(path),
            Self::Below(directory, name) => directory.remove_directory(name),
        };
    }
}

/// A directory that was made for files.
#[derive(Debug)]
pub(crate) struct Made {
    number: u64,
    place: Place,
}

impl Made {
    fn add(place: Place) -> Self {
        let mut list = list();
        let number = list.number();
        list.directories.insert(number, place.clone());
        Self { number, place }
    }

    /// Makes the directory that the user gave, with its parents; all that were made.
    pub(crate) fn path(directory: &Path) -> io::Result<Vec<Self>> {
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let mut missing: Vec<PathBuf> =
            directory.ancestors().take_while(is_missing).map(Path::to_owned).collect();
        std::fs::create_dir_all(directory)?;
        missing.reverse();
        Ok(missing.into_iter().map(|path| Self::add(Place::Path(path))).collect())
    }

    /// Makes a directory in another one; `None` where it was there.
    pub(crate) fn make_in(directory: &Arc<Directory>, name: &OsStr) -> io::Result<Option<Self>> {
        let is_new = directory.make(name)?;
        Ok(is_new.then(|| Self::add(Place::Below(Arc::clone(directory), name.to_owned()))))
    }
}

/// Directories that were made for files. Dropping them removes those that are empty.
#[derive(Debug, Default)]
pub(crate) struct Directories(Mutex<Vec<Made>>);

impl Directories {
    pub(crate) fn list(&self) -> MutexGuard<'_, Vec<Made>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Directories {
    fn drop(&mut self) {
        let own = std::mem::take(&mut *self.list());
        let mut list = list();
        for made in own.iter().rev() {
            list.directories.remove(&made.number);
            made.place.remove();
        }
    }
}

/// A directory that goes with all that it holds.
#[derive(Debug)]
pub(crate) struct ScratchEntry(u64);

impl ScratchEntry {
    /// Makes the directory, which must be new.
    pub(crate) fn make(builder: &std::fs::DirBuilder, path: &Path) -> io::Result<Self> {
        let mut list = list();
        builder.create(path)?;
        let number = list.number();
        list.scratch.insert(number, path.to_owned());
        Ok(Self(number))
    }
}

impl Drop for ScratchEntry {
    fn drop(&mut self) {
        let path = list().scratch.remove(&self.0);
        if let Some(path) = path {
            let _ = std::fs::remove_dir_all(path);
        }
    }
}
