//! The commit of a run's files: all of them get their names, or none.
//!
//! ```text
//! parts are whole ─► journal ─► old files kept ─► parts renamed, old files of other runs taken away ─► journal removed
//!                    │                            │ an error: everything is put back
//!                    └ from here on the run is decided: what a killed process leaves, the next run completes
//! ```
//!
//! The journal is a file in each directory of results. It names each part and the name that it gets, and each file that goes.
//! Steps may be repeated: a part that is gone has its name. Old files are kept under temporary names until the last step
//! has succeeded, by a second link to them.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::directory::{Directory, Kind};
use crate::manifest::is_below;
use crate::root::{Root, is_temporary};
use crate::unfinished::{Held, Whole};

/// Name of the journal of a commit that is not complete.
pub(crate) const JOURNAL_FILE: &str = ".bigtpuprofile-journal.part";
/// The first words of a journal, and the last: one that was cut is none.
const FIRST: &str = "bigtpuprofile commit 1";
const LAST: &str = "end";
/// A longer journal is none of ours.
const MOST_BYTES: u64 = 64 << 20;

/// A file that goes: one of an earlier run.
#[derive(Debug)]
pub(crate) struct Outdated {
    pub(crate) root: Arc<Root>,
    pub(crate) name: PathBuf,
}

/// What went wrong, and where.
pub(crate) type Failure = (PathBuf, io::Error);

/// A commit that is under way.
struct Commit<'f> {
    files: &'f [Whole],
    outdated: &'f [Outdated],
    /// Directories of the files, opened once.
    directories: HashMap<(*const Root, PathBuf), Arc<Directory>>,
    /// What to put back after an error, the last step last.
    done: Vec<Step>,
}

/// A step that was made.
enum Step {
    /// A file has its name; its part's name is free.
    Named {
        part: OsString,
        of: Arc<Directory>,
        directory: Arc<Directory>,
        name: OsString,
        old: Option<OsString>,
    },
    /// An old file is kept under a temporary name.
    Gone { kept: OsString, of: Arc<Directory>, directory: Arc<Directory>, name: OsString },
}

/// Gives files their names and takes outdated files away, all of it before a signal can end the process. The directories that
/// were changed.
///
/// # Errors
/// The file in whose place something is wrong, and what the system said: then all is as it was. If even that fails, the next
/// run into the directory completes this one.
pub(crate) fn commit(
    files: &[Whole],
    outdated: &[Outdated],
    held: &mut Held,
) -> Result<Vec<Arc<Directory>>, Failure> {
    let mut commit = Commit { files, outdated, directories: HashMap::new(), done: Vec::new() };
    let roots = commit.roots();
    // One file is there or not: nothing can be half done.
    let is_single = files.len() + outdated.len() <= 1;
    let mut journals = Vec::new();
    if !is_single {
        for root in &roots {
            if let Err(error) = commit.write_journal(root) {
                journals.iter().for_each(remove_journal);
                return Err(error);
            }
            journals.push(Arc::clone(root));
        }
    }
    if let Err(error) = commit.make_steps() {
        if commit.put_back() {
            journals.iter().for_each(remove_journal);
        } else {
            // The parts are needed by the run that completes this one.
            files.iter().for_each(|file| held.leave(&file.part));
        }
        return Err(error);
    }
    journals.iter().for_each(remove_journal);
    for file in files {
        held.leave(&file.part);
    }
    for step in &commit.done {
        let (Step::Named { old: Some(kept), of, .. } | Step::Gone { kept, of, .. }) = step else {
            continue;
        };
        // What stays here, the next run removes.
        let _ = again(|| of.remove_file(kept));
    }
    Ok(commit.directories.into_values().collect())
}

impl Commit<'_> {
    /// All roots of the files, the first one first.
    fn roots(&self) -> Vec<Arc<Root>> {
        let mut roots: Vec<Arc<Root>> = Vec::new();
        let all = self.files.iter().map(|file| &file.root);
        for root in all.chain(self.outdated.iter().map(|file| &file.root)) {
            if !roots.iter().any(|known| Arc::ptr_eq(known, root)) {
                roots.push(Arc::clone(root));
            }
        }
        roots
    }

    fn write_journal(&self, root: &Arc<Root>) -> Result<(), Failure> {
        let failed = |error| (root.path.join(JOURNAL_FILE), error);
        let mut text: Vec<u8> = FIRST.into();
        let mut word = |word: &OsStr| {
            text.push(0);
            text.extend_from_slice(word.as_encoded_bytes());
        };
        for file in self.files.iter().filter(|file| Arc::ptr_eq(&file.root, root)) {
            ["put".as_ref(), file.part.name(), file.name.as_os_str()]
                .into_iter()
                .for_each(&mut word);
        }
        for file in self.outdated.iter().filter(|file| Arc::ptr_eq(&file.root, root)) {
            ["drop".as_ref(), file.name.as_os_str()].into_iter().for_each(&mut word);
        }
        word(LAST.as_ref());
        // No entry for a signal to find: that waits until the commit is over.
        let name = root.temporary_name();
        let mut file = root.directory.create(&name).map_err(failed)?;
        let written = file.write_all(&text).and_then(|()| file.sync_all());
        let renamed = written
            .and_then(|()| root.directory.rename(&name, &root.directory, JOURNAL_FILE.as_ref()));
        if renamed.is_err() {
            let _ = again(|| root.directory.remove_file(&name));
        }
        renamed.map_err(failed)?;
        root.directory.sync();
        Ok(())
    }

    fn make_steps(&mut self) -> Result<(), Failure> {
        for file in self.files {
            let Whole { part, root, name } = file;
            let failed = |error| (root.path.join(name), error);
            let directory = self.directory(root, name).map_err(failed)?;
            let last = name.file_name().unwrap_or_default();
            // Where the file system knows no links, an error leaves the completion to the next run.
            let kept = root.temporary_name();
            let is_kept = matches!(directory.kind(last), Ok(Some(_)))
                && directory.link(last, &root.directory, &kept).is_ok();
            let old = is_kept.then_some(kept);
            if let Err(error) = part.directory().rename(part.name(), &directory, last) {
                old.iter().for_each(|kept| drop(root.directory.remove_file(kept)));
                return Err(failed(error));
            }
            self.done.push(Step::Named {
                part: part.name().to_owned(),
                of: Arc::clone(part.directory()),
                directory,
                name: last.to_owned(),
                old,
            });
        }
        for Outdated { root, name } in self.outdated {
            let failed = |error| (root.path.join(name), error);
            let directory = self.directory(root, name).map_err(failed)?;
            let (last, kept) = (name.file_name().unwrap_or_default(), root.temporary_name());
            directory.rename(last, &root.directory, &kept).map_err(failed)?;
            let of = Arc::clone(&root.directory);
            self.done.push(Step::Gone { kept, of, directory, name: last.to_owned() });
        }
        Ok(())
    }

    /// Puts everything back; whether that was possible.
    fn put_back(&mut self) -> bool {
        let mut all = true;
        while let Some(step) = self.done.pop() {
            let is_back = match &step {
                Step::Named { part, of, directory, name, old: Some(kept) } => {
                    // The new file goes back under its part's name, so that the next run could complete the commit.
                    again(|| directory.link(name, of, part)).is_ok()
                        && again(|| of.rename(kept, directory, name)).is_ok()
                }
                Step::Named { part, of, directory, name, old: None } => {
                    again(|| directory.rename(name, of, part)).is_ok()
                }
                Step::Gone { kept, of, directory, name } => {
                    again(|| of.rename(kept, directory, name)).is_ok()
                }
            };
            all &= is_back;
        }
        all
    }

    fn directory(&mut self, root: &Arc<Root>, name: &Path) -> io::Result<Arc<Directory>> {
        let parent = name.parent().unwrap_or(Path::new(""));
        let key = (Arc::as_ptr(root), parent.to_owned());
        if let Some(known) = self.directories.get(&key) {
            return Ok(Arc::clone(known));
        }
        let opened = Arc::new(root.directory.open_subdirectory(parent)?);
        self.directories.insert(key, Arc::clone(&opened));
        Ok(opened)
    }
}

/// A step back that a passing fault does not prevent.
fn again(mut step: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    step().or_else(|_| step()).or_else(|_| step())
}

fn remove_journal(root: &Arc<Root>) {
    // One that stays names parts that are gone: it does nothing more.
    let _ = again(|| root.directory.remove_file(JOURNAL_FILE.as_ref()));
}

/// Completes the commit of a run that was killed in it. To be called with the directory's lock only: then a journal is of no
/// living run. Only plain files get names or go, no link is followed, and only files with names of outputs go.
pub(crate) fn complete(directory: &Directory, is_output: Option<fn(&Path) -> bool>) {
    let Ok(text) = directory.read(JOURNAL_FILE.as_ref(), MOST_BYTES) else { return };
    if text.is_empty() {
        return;
    }
    let mut words = text.split(|byte| *byte == 0).map(word_of);
    let mut puts: BTreeMap<PathBuf, OsString> = BTreeMap::new();
    let mut drops = Vec::new();
    let mut is_whole = false;
    if words.next().flatten().as_deref() == Some(FIRST.as_ref()) {
        while let Some(Some(kind)) = words.next() {
            match kind.to_str() {
                Some("put") => {
                    let (Some(Some(part)), Some(Some(name))) = (words.next(), words.next()) else {
                        break;
                    };
                    puts.insert(name.into(), part);
                }
                Some("drop") => {
                    let Some(Some(name)) = words.next() else { break };
                    drops.push(PathBuf::from(name));
                }
                Some(LAST) => {
                    is_whole = true;
                    break;
                }
                _ => break,
            }
        }
    }
    if is_whole {
        for (name, part) in &puts {
            complete_file(directory, part, name);
        }
        // Only who knows the names of outputs removes any.
        if !drops.is_empty() && is_output.is_none() {
            return;
        }
        for name in drops.iter().filter(|name| is_output.is_some_and(|known| known(name))) {
            if is_below(name)
                && !puts.contains_key(name)
                && let Ok(parent) =
                    directory.open_subdirectory(name.parent().unwrap_or(Path::new("")))
                && let Some(last) = name.file_name()
                && matches!(parent.kind(last), Ok(Some(Kind::File)))
            {
                let _ = parent.remove_file(last);
            }
        }
        directory.sync();
    }
    let _ = directory.remove_file(JOURNAL_FILE.as_ref());
}

/// Gives a part its name, if it still has its own.
fn complete_file(directory: &Directory, part: &OsStr, name: &Path) {
    let is_part = is_temporary(part) && matches!(directory.kind(part), Ok(Some(Kind::File)));
    let Some(last) = name.file_name().filter(|_| is_part && is_below(name)) else { return };
    if let Ok(parent) = directory.open_subdirectory(name.parent().unwrap_or(Path::new("")))
        && !matches!(parent.kind(last), Ok(Some(Kind::Directory)))
    {
        let _ = directory.rename(part, &parent, last);
    }
}

#[cfg(unix)]
fn word_of(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(bytes).to_owned())
}

#[cfg(not(unix))]
fn word_of(bytes: &[u8]) -> Option<OsString> {
    std::str::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{ByLibrary, OutDir};

    fn is_output(name: &Path) -> bool {
        name != Path::new("own")
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_default()
    }

    /// A directory as a run leaves it that was killed behind its journal, after so many steps.
    fn killed(steps: usize) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir(root.join("sub")).unwrap();
        for name in ["a", "sub/b", "old", "own"] {
            fs::write(root.join(name), "old").unwrap();
        }
        let puts = [
            (".bigtpuprofile-x-1.part", "a"),
            (".bigtpuprofile-x-2.part", "sub/b"),
            (".bigtpuprofile-x-3.part", "c"),
        ];
        let mut journal = FIRST.to_owned();
        for (n, (part, name)) in puts.into_iter().enumerate() {
            fs::write(root.join(if n < steps { name } else { part }), "new").unwrap();
            journal.push_str(&format!("\0put\0{part}\0{name}"));
        }
        journal.push_str("\0drop\0old\0drop\0own\0drop\0../own\0end");
        fs::write(root.join(JOURNAL_FILE), journal).unwrap();
        dir
    }

    #[test]
    fn the_next_run_completes_what_a_killed_one_has_begun() {
        for steps in 0..=3 {
            let dir = killed(steps);
            let root = dir.path();
            let out = OutDir::create(root).unwrap();
            out.write("d", &ByLibrary(b"next")).unwrap();
            out.publish_instead("x", is_output).unwrap();
            drop(out);
            for name in ["a", "sub/b", "c"] {
                assert_eq!(text(&root.join(name)), "new", "{name} after {steps} steps");
            }
            assert!(!root.join("old").exists() && root.join("own").exists());
            assert_eq!(text(&root.join("d")), "next");
            let left = fs::read_dir(root).unwrap().flatten().map(|entry| entry.file_name());
            let left: Vec<_> = left.filter(|name| is_temporary(name)).collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }

    #[test]
    fn a_journal_that_is_cut_or_leads_elsewhere_does_nothing() {
        let dir = killed(0);
        let root = dir.path();
        let whole = fs::read(root.join(JOURNAL_FILE)).unwrap();
        for length in [0, 5, FIRST.len(), 60, whole.len() - 1] {
            fs::write(root.join(JOURNAL_FILE), &whole[..length]).unwrap();
            complete(&Directory::open(root).unwrap(), Some(is_output));
            assert_eq!(text(&root.join("a")), "old", "{length}");
        }
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("x"), "x").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path(), root.join("link")).unwrap();
        let journal = format!(
            "{FIRST}\0put\0own\0c\0put\0.bigtpuprofile-x-1.part\0../c\0put\0.bigtpuprofile-x-2.part\0link/x\0drop\0link/x\0end"
        );
        fs::write(root.join(JOURNAL_FILE), journal).unwrap();
        complete(&Directory::open(root).unwrap(), Some(is_output));
        assert!(root.join("own").exists() && !root.join("c").exists());
        assert_eq!(text(&outside.path().join("x")), "x");
        assert!(!root.join(JOURNAL_FILE).exists());
    }

    /// An error in the middle: a directory has taken the place of a file.
    #[test]
    fn an_error_puts_everything_back() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for name in ["a", "old"] {
            fs::write(root.join(name), "old").unwrap();
        }
        fs::write(root.join(crate::MANIFEST_FILE), "# of y\na\nold\n").unwrap();
        let out = OutDir::create(root).unwrap();
        for name in ["a", "b", "c"] {
            out.write(name, &ByLibrary(b"new")).unwrap();
        }
        fs::create_dir(root.join("c")).unwrap();
        assert!(out.publish_instead("x", is_output).is_err());
        drop(out);
        assert_eq!([text(&root.join("a")), text(&root.join("old"))], ["old", "old"]);
        let mut left: Vec<_> =
            fs::read_dir(root).unwrap().flatten().map(|entry| entry.file_name()).collect();
        left.sort();
        assert_eq!(left, [crate::MANIFEST_FILE, "a", "c", "old"]);
    }
}
