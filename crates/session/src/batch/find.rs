//! Dumps below a directory.

use std::path::{Path, PathBuf};

use bigtpu_format::{Files, GLOBAL_PROFILE};
use bigtpu_messages::{ForeignReason as _, Message, message};
use bigtpu_timeline::{is_summary_only, iterations};
use walkdir::{DirEntry, WalkDir};

use super::error::BatchError;
use crate::dump_name::source_name;

/// A dump, or an iteration of libsophon's container.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its directory, relative to the root.
    pub(crate) dump: PathBuf,
    /// Which iteration of the container.
    pub(crate) iteration: Option<u32>,
    /// Where its results go, relative to the output directory: the dump's place, with the iteration where there are
    /// several.
    pub(crate) place: PathBuf,
}

/// A directory that was left out.
#[derive(Debug)]
pub(crate) struct Skipped {
    /// Which, and why.
    pub(crate) text: Message,
    /// Whether it may be a dump: it could not be read, or lacks its head.
    pub(crate) may_be_dump: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The dumps below the root, in the order of their names.
    pub(crate) dumps: Vec<Member>,
    /// What was left out: directories without permission, loops of links, summaries without PMU records.
    pub(crate) skipped: Vec<Skipped>,
}

impl Found {
    fn skip(&mut self, path: &Path, may_be_dump: bool, why: Message) {
        let path = path.display().to_string();
        let text = message!("batch-left-out", path = path, why = why);
        self.skipped.push(Skipped { text, may_be_dump });
    }

    /// Keeps only some dumps, named by their paths below `root`.
    pub(crate) fn keep(&mut self, only: &[PathBuf], root: &Path) -> Result<(), BatchError> {
        if let Some(other) = only.iter().find(|path| self.dumps.iter().all(|m| m.dump != **path)) {
            return Err(BatchError::NoSuchDump { root: root.to_owned(), dump: other.clone() });
        }
        self.dumps.retain(|member| only.contains(&member.dump));
        self.skipped.clear();
        Ok(())
    }
}

/// Finds all dumps below `root`, links included; `out` is left out where it lies below. `iteration`: the only one that
/// is wanted of a container.
pub(crate) fn dumps(root: &Path, out: &Path, iteration: Option<u32>) -> Result<Found, BatchError> {
    if !root.is_dir() {
        return Err(BatchError::NoDirectory(root.to_owned()));
    }
    let own = out.canonicalize().ok();
    if own.is_some() && own == root.canonicalize().ok() {
        return Err(BatchError::OutputOfDumps(out.to_owned()));
    }
    let is_own = |path: &Path| own.is_some() && path.canonicalize().ok() == own;
    let mut found = Found::default();
    let walk = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| !(entry.file_type().is_dir() && is_own(entry.path()))) {
        match entry {
            Ok(entry) if entry.file_name() == GLOBAL_PROFILE && entry.file_type().is_file() => {
                let dump = entry.path().parent().unwrap_or(root);
                if is_summary_only(dump, &Files::default()) {
                    found.skip(dump, false, message!("batch-summary-only"));
                } else {
                    found.dumps.extend(members(root, dump, iteration));
                }
            }
            Ok(entry) if is_dump_without_head(&entry) => {
                found.skip(entry.path(), true, message!("batch-no-head"));
            }
            Ok(_) => {}
            Err(error) => match error.io_error() {
                Some(why) => {
                    let path = error.path().unwrap_or(root);
                    let why = message!("batch-unreadable", why = why.reason());
                    found.skip(path, true, why);
                }
                // A loop of links leads to what is found without it.
                None => {
                    let path = error.path().unwrap_or(root).display().to_string();
                    let loop_of = error.loop_ancestor().unwrap_or(root).display().to_string();
                    let text = message!("batch-loop", path = path, to = loop_of);
                    found.skipped.push(Skipped { text, may_be_dump: false });
                }
            },
        }
    }
    if found.dumps.is_empty() {
        let left_out = found.skipped.into_iter().next().map(|skipped| skipped.text);
        return Err(BatchError::NoDump { root: root.to_owned(), left_out });
    }
    Ok(found)
}

/// A directory that the runtime made, or that holds records, but no `global.profile`.
fn is_dump_without_head(entry: &DirEntry) -> bool {
    // A head that is there and can't be looked at is found on the way, or told by it.
    let has_no_head = |error: std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    let head = std::fs::metadata(entry.path().join(GLOBAL_PROFILE));
    if !entry.file_type().is_dir() || !head.is_err_and(has_no_head) {
        return false;
    }
    let name = entry.file_name().to_string_lossy();
    if ["cdm_profile_data", "bmprofile_data"].iter().any(|prefix| name.starts_with(prefix)) {
        return true;
    }
    let files = std::fs::read_dir(entry.path()).into_iter().flatten().flatten();
    files.map(|file| file.path()).any(|path| path.extension().is_some_and(|e| e == "profile"))
}

/// A dump, or the iterations of a container.
fn members(root: &Path, dump: &Path, iteration: Option<u32>) -> Vec<Member> {
    let relative = dump.strip_prefix(root).unwrap_or(dump).to_owned();
    let several = iterations(dump, &Files::default());
    // A dump of another runtime has no iterations.
    let iteration = iteration.filter(|_| !several.is_empty());
    if iteration.is_some() || several.len() < 2 {
        return vec![Member { place: relative.clone(), dump: relative, iteration }];
    }
    let name = source_name(dump);
    let member = |n| Member {
        dump: relative.clone(),
        iteration: Some(n),
        // A root that is the dump itself has no name of its own among the results.
        place: match relative.parent() {
            Some(above) => above.join(format!("{name}_iter{n}")),
            None => PathBuf::from(format!("{name}_iter{n}")),
        },
    };
    several.into_iter().map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_found_at_any_depth_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for dump in ["b", "a/deep/er", "out/old"] {
            std::fs::create_dir_all(root.join(dump)).unwrap();
            std::fs::write(root.join(dump).join(GLOBAL_PROFILE), "").unwrap();
        }
        let found = dumps(root, &root.join("out"), None).unwrap();
        let places: Vec<&Path> = found.dumps.iter().map(|member| member.place.as_path()).collect();
        assert_eq!(places, [Path::new("a/deep/er"), Path::new("b")]);
        assert!(dumps(&root.join("a/deep/none"), root, None).is_err());
        assert!(found.skipped.is_empty(), "{:?}", found.skipped);
        std::fs::create_dir(root.join("cdm_profile_data_dev7-0")).unwrap();
        std::fs::create_dir(root.join("c")).unwrap();
        std::fs::write(root.join("c/cdmlib0_0.profile"), "").unwrap();
        let found = dumps(root, &root.join("out"), None).unwrap();
        let names = ["c: left out: it has no global.profile", "cdm_profile_data_dev7-0: left out"];
        for (skipped, name) in found.skipped.iter().zip(names) {
            assert!(
                skipped.text.text(bigtpu_messages::Language::English).contains(name)
                    && skipped.may_be_dump,
                "{skipped:?}"
            );
        }
        assert_eq!(found.skipped.len(), names.len());
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_is_skipped_with_a_warning() {
        let dir = tempfile::tempdir().unwrap();
        let dump = dir.path().join("dump");
        std::fs::create_dir(&dump).unwrap();
        std::fs::write(dump.join(GLOBAL_PROFILE), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dump.join("up")).unwrap();
        let found = dumps(dir.path(), &dir.path().join("out"), None).unwrap();
        assert_eq!(found.dumps.len(), 1);
        assert_eq!(found.dumps[0].dump, Path::new("dump"));
        assert_eq!(found.skipped.len(), 1, "{:?}", found.skipped);
        assert!(!found.skipped[0].may_be_dump);
    }
}
