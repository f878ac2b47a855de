//! What files were before a run, and which of them the run wrote.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use walkdir::WalkDir;

/// Files have the time of the system's last tick, which may lie before the moment at which they were written.
const TICK: Duration = Duration::from_millis(20);

/// What tells that a file was written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// The file's number and the time of its last change of any kind, which a program can't set.
    identity: [i64; 3],
}

impl Stamp {
    fn from_metadata(file: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            [file.ino().cast_signed(), file.ctime(), file.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let identity = [0; 3];
        Self { bytes: file.len(), modified: file.modified().ok(), identity }
    }
}

/// Depth to which the files of a directory are known: its own, and those of the dumps in it.
const KNOWN_DEPTH: usize = 2;

/// The files of a directory before a run.
#[derive(Debug)]
pub(super) struct Before {
    start: SystemTime,
    directory: PathBuf,
    stamps: BTreeMap<PathBuf, Stamp>,
}

/// A dump beside the files that a run wrote.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// All of its files are of this run.
    OfThisRun,
    /// None is.
    Earlier,
    /// Some are: the path is one of an earlier run.
    Mixed(PathBuf),
}

impl Before {
    /// Looks at the files of `directory` and of the directories in it.
    pub(super) fn look(directory: &Path) -> Self {
        Self {
            start: SystemTime::now(),
            directory: directory.to_owned(),
            stamps: files_in(directory, KNOWN_DEPTH).collect(),
        }
    }

    /// Whose the files of a dump are.
    pub(super) fn whose(&self, dump: &Path) -> Whose {
        let (new, old): (Vec<_>, Vec<_>) =
            files_in(dump, usize::MAX).partition(|(path, stamp)| self.is_new(path, stamp));
        match (new.is_empty(), old.into_iter().next()) {
            (true, _) => Whose::Earlier,
            (false, None) => Whose::OfThisRun,
            (false, Some((path, _))) => Whose::Mixed(path),
        }
    }

    /// The files directly in `directory` that the run wrote.
    pub(super) fn new_files(&self, directory: &Path) -> Vec<PathBuf> {
        let new = files_in(directory, 1).filter(|(path, stamp)| self.is_new(path, stamp));
        new.map(|(path, _)| path).collect()
    }

    /// Whether a file is new: its stamp is not the known one. A file without known stamp is judged by its time, which
    /// the clock of a file server may shift.
    fn is_new(&self, path: &Path, stamp: &Stamp) -> bool {
        let below = path.strip_prefix(&self.directory);
        if below.is_ok_and(|below| below.components().count() <= KNOWN_DEPTH) {
            return self.stamps.get(path) != Some(stamp);
        }
        stamp.modified.is_some_and(|time| time + TICK >= self.start)
    }
}

fn files_in(directory: &Path, depth: usize) -> impl Iterator<Item = (PathBuf, Stamp)> + use<> {
    let entries = WalkDir::new(directory).max_depth(depth).sort_by_file_name().into_iter();
    entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_file()).filter_map(|entry| {
        let stamp = Stamp::from_metadata(&entry.metadata().ok()?);
        Some((entry.into_path(), stamp))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(root: &Path, name: &str, cores: u32) -> PathBuf {
        let dump = root.join(name);
        std::fs::create_dir_all(&dump).unwrap();
        std::fs::write(dump.join("global.profile"), "arch=5\n").unwrap();
        for core in 0..cores {
            std::fs::write(dump.join(format!("cdmlib0_{core}.profile")), b"records").unwrap();
        }
        dump
    }

    #[test]
    fn dumps_of_this_run_are_told_from_earlier_ones_by_their_files() {
        let root = tempfile::tempdir().unwrap();
        let [old, again, mixed] =
            [("old", 2), ("again", 2), ("mixed", 3)].map(|(n, cores)| dump(root.path(), n, cores));
        let before = Before::look(root.path());
        dump(root.path(), "again", 2);
        dump(root.path(), "mixed", 1);
        let new = dump(root.path(), "new", 1);
        assert_eq!(before.whose(&old), Whose::Earlier);
        // The same bytes at the same place.
        assert_eq!(before.whose(&again), Whose::OfThisRun);
        assert_eq!(before.whose(&new), Whose::OfThisRun);
        assert_eq!(before.whose(&mixed), Whose::Mixed(mixed.join("cdmlib0_1.profile")));
    }

    #[test]
    fn in_directories_that_were_not_looked_at_before_times_decide() {
        let [known, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let old = dump(elsewhere.path(), "old", 1);
        for file in ["global.profile", "cdmlib0_0.profile"] {
            let file = std::fs::File::options().write(true).open(old.join(file)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        }
        let before = Before::look(known.path());
        let new = dump(elsewhere.path(), "new", 1);
        assert_eq!(before.whose(&old), Whose::Earlier);
        assert_eq!(before.whose(&new), Whose::OfThisRun);
    }
}
