//! An output directory of a run: its handle, and the run's claim to its temporary files.
//!
//! All temporary files of a run lie in the output directory itself, also those of files in directories below it. Their
//! names hold the run's token. A marker, an empty file whose name is the token alone, is locked as long as the run lives:
//! temporary files without a locked marker are those of a killed run, and the next run removes them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::commit::{self, JOURNAL_FILE};
use crate::directory::{Directory, try_lock};
use crate::unfinished::{Made, Temporary};

/// Names of temporary files: `.bigtpuprofile-TOKEN-NUMBER.part`, the marker `.bigtpuprofile-TOKEN.part`.
const PREFIX: &str = ".bigtpuprofile-";
const SUFFIX: &str = ".part";

#[derive(Debug)]
pub(crate) struct Root {
    /// The path that the user gave, for messages.
    pub(crate) path: PathBuf,
    pub(crate) directory: Arc<Directory>,
    claim: Mutex<Option<Claim>>,
}

/// The marker of this run, made with its first temporary file.
#[derive(Debug)]
struct Claim {
    token: String,
    parts: u64,
    // Removed before its lock goes.
    _marker: Temporary,
    _locked: File,
}

impl Root {
    pub(crate) fn new(path: PathBuf, directory: Directory) -> Arc<Self> {
        Arc::new(Self { path, directory: Arc::new(directory), claim: Mutex::default() })
    }

    /// Makes a temporary file.
    pub(crate) fn part(&self) -> io::Result<(File, Temporary)> {
        let mut claim = self.claim.lock().unwrap_or_else(PoisonError::into_inner);
        let claim = match &mut *claim {
            Some(claim) => claim,
            none => none.insert(Claim::new(&self.directory)?),
        };
        claim.parts += 1;
        let name = format!("{PREFIX}{}-{}{SUFFIX}", claim.token, claim.parts);
        Temporary::create(&self.directory, OsString::from(name))
    }

    /// Completes the commit of a killed run, and removes what runs that are no more have left.
    pub(crate) fn recover(&self, is_output: fn(&Path) -> bool) {
        recover(&self.directory, Some(is_output));
    }

    /// A name for a file that goes within a commit.
    pub(crate) fn temporary_name(&self) -> OsString {
        OsString::from(format!("{PREFIX}{}-0{SUFFIX}", token()))
    }

    /// Opens the directory at a relative path, made with its parents where it is missing.
    ///
    /// # Errors
    /// The path that is in the way, and what the system said.
    pub(crate) fn make(
        &self,
        relative: &Path,
        made: &mut Vec<Made>,
    ) -> Result<Arc<Directory>, (PathBuf, io::Error)> {
        let mut directory = Arc::clone(&self.directory);
        let mut path = self.path.clone();
        for part in relative.components() {
            path.push(part);
            let Component::Normal(name) = part else {
                return Err((path, io::ErrorKind::InvalidInput.into()));
            };
            let mut open = || {
                made.extend(Made::make_in(&directory, name)?);
                directory.child(name)
            };
            let child = open().map_err(|error| (path.clone(), error))?;
            directory = Arc::new(child);
        }
        Ok(directory)
    }
}

impl Claim {
    fn new(directory: &Arc<Directory>) -> io::Result<Self> {
        // Until the marker is locked, no other run may look whose temporary files these are.
        let _lock = recover(directory, None);
        let token = token();
        let marker = OsString::from(format!("{PREFIX}{token}{SUFFIX}"));
        let (file, marker) = Temporary::create(directory, marker)?;
        try_lock(&file);
        Ok(Self { token, parts: 0, _marker: marker, _locked: file })
    }
}

/// Completes the commit of a killed run, and removes the temporary files of runs that are no more; the directory's lock.
/// Without locks nobody can tell whose these are: they stay. Only who knows the names of outputs, `is_output`, removes any.
fn recover(directory: &Directory, is_output: Option<fn(&Path) -> bool>) -> Option<impl Sized> {
    let lock = directory.lock()?;
    commit::complete(directory, is_output);
    remove_orphans(directory);
    Some(lock)
}

/// A text that no other run has: process, time and a number.
fn token() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("{:x}.{time:x}.{number:x}", std::process::id())
}

/// Removes the temporary files of runs that are no more.
fn remove_orphans(directory: &Directory) {
    let names = directory.names().unwrap_or_default();
    let tokens: Vec<(&OsString, &str)> =
        names.iter().filter_map(|name| Some((name, token_of(name)?))).collect();
    let is_alive =
        |token: &str| directory.is_locked(OsStr::new(&format!("{PREFIX}{token}{SUFFIX}")));
    let found: BTreeSet<&str> = tokens.iter().map(|(_, token)| *token).collect();
    let has_marker = |token: &str| {
        let marker = format!("{PREFIX}{token}{SUFFIX}");
        names.iter().any(|name| name.as_os_str() == marker.as_str())
    };
    let dead: BTreeSet<&str> =
        found.into_iter().filter(|token| !has_marker(token) || !is_alive(token)).collect();
    for (name, token) in tokens {
        // What a journal still says is for whoever knows the names of outputs.
        if dead.contains(token) && name != JOURNAL_FILE {
            let _ = directory.remove_file(name);
        }
    }
}

/// Whether a name is that of a temporary file.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    token_of(name).is_some()
}

/// The token of a temporary file's name.
fn token_of(name: &OsStr) -> Option<&str> {
    let inner = name.to_str()?.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    Some(inner.split_once('-').map_or(inner, |(token, _)| token))
}
