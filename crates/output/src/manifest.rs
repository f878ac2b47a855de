//! The list of a run's files in its output directory: what the next run there replaces.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::directory::Kind;
use crate::root::Root;

/// Name of the list: what the files are results of, then a path relative to the directory on each line.
pub const MANIFEST_FILE: &str = ".bigtpuprofile-files";

/// A longer list is not one of ours.
const MOST_BYTES: u64 = 4 << 20;

/// Before what the files are results of.
const OF: &str = "# of ";

/// What a run changes in a directory next to its own files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The list of this run's files.
    pub(crate) list: String,
    /// The files of earlier runs that go.
    pub(crate) outdated: Vec<PathBuf>,
}

/// The files of earlier runs that this run did not write, and the list of this run's files. Those that are results of the
/// same, `of`, stay, and stay listed. Nothing else in the directory is touched: the list may be anyone's, so that only names
/// that `is_output` knows go, and no symbolic link is followed. `None` where there is nothing to list.
pub(crate) fn change(
    root: &Root,
    written: &BTreeSet<PathBuf>,
    of: &str,
    is_output: fn(&Path) -> bool,
) -> Option<Change> {
    let former = root.directory.read(OsStr::new(MANIFEST_FILE), MOST_BYTES).unwrap_or_default();
    if written.is_empty() && former.is_empty() {
        return None;
    }
    let former = String::from_utf8_lossy(&former);
    let is_same =
        !of.is_empty() && former.lines().next().and_then(|l| l.strip_prefix(OF)) == Some(of);
    let mut outdated: BTreeSet<PathBuf> = BTreeSet::new();
    let mut listed = written.clone();
    let others = former.lines().map(Path::new).filter(|name| !written.contains(*name));
    for name in others.filter(|name| is_file(root, name)) {
        if is_same {
            listed.insert(name.to_owned());
        } else if is_output(name) {
            outdated.insert(name.to_owned());
        }
    }
    let mut list = format!("{OF}{of}\n");
    for name in &listed {
        list.extend(name.to_str().into_iter().flat_map(|name| [name, "\n"]));
    }
    Some(Change { list, outdated: outdated.into_iter().collect() })
}

/// Whether a name is that of a file below the directory.
fn is_file(root: &Root, name: &Path) -> bool {
    let directory = root.directory.open_subdirectory(name.parent().unwrap_or(Path::new("")));
    let kind = |directory: crate::directory::Directory| {
        directory.kind(name.file_name().unwrap_or_default())
    };
    is_below(name) && matches!(directory.and_then(kind), Ok(Some(Kind::File)))
}

/// Removes a file of a former run, with directories that are then empty. A name that is none of an output, and whatever
/// is no file, stays. Whether it was removed.
///
/// # Errors
/// The file that can't be removed, and what the system said.
pub(crate) fn remove(
    root: &Root,
    name: &Path,
    is_output: fn(&Path) -> bool,
) -> Result<bool, (PathBuf, io::Error)> {
    if !is_below(name) || !is_output(name) {
        return Ok(false);
    }
    let parent = name.parent().unwrap_or(Path::new(""));
    // Where a link or nothing is in its way, it is no file of ours.
    let Ok(directory) = root.directory.open_subdirectory(parent) else { return Ok(false) };
    let last = name.file_name().unwrap_or_default();
    if !matches!(directory.kind(last), Ok(Some(Kind::File))) {
        return Ok(false);
    }
    directory.remove_file(last).map_err(|error| (root.path.join(name), error))?;
    remove_empty(root, name);
    Ok(true)
}

/// Removes the directories that a file was in, as far as they hold nothing.
pub(crate) fn remove_empty(root: &Root, name: &Path) {
    for empty in name.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty()) {
        let above = root.directory.open_subdirectory(empty.parent().unwrap_or(Path::new("")));
        // Those that still hold something stay.
        let _ =
            above.and_then(|above| above.remove_directory(empty.file_name().unwrap_or_default()));
    }
}

/// A name that can't lead out of the directory.
pub(crate) fn is_below(name: &Path) -> bool {
    let is_normal = |part: Component<'_>| matches!(part, Component::Normal(_));
    name.components().all(is_normal) && !name.as_os_str().is_empty()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{ByLibrary, OutDir};

    fn replaced_by(path: &Path, names: &[&str], of: &str) -> Vec<PathBuf> {
        let out = OutDir::create(path).unwrap();
        for name in names {
            out.write(name, &ByLibrary(name.as_bytes())).unwrap();
        }
        out.publish_instead(of, |name| !name.ends_with("own")).unwrap()
    }

    fn replaced(path: &Path, names: &[&str]) {
        replaced_by(path, names, "");
    }

    #[test]
    fn results_of_the_same_stay_and_what_is_removed_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for name in ["a", "b", "c"] {
            fs::write(root.join(name), name).unwrap();
        }
        assert!(replaced_by(root, &["a", "b"], "x 1").is_empty());
        assert!(replaced_by(root, &["b"], "x 1").is_empty());
        fs::remove_file(root.join("b")).unwrap();
        assert!(replaced_by(root, &["c"], "x 1").is_empty());
        assert_eq!(fs::read_to_string(root.join(MANIFEST_FILE)).unwrap(), "# of x 1\na\nc\n");
        assert_eq!(replaced_by(root, &["c"], "x 2"), [PathBuf::from("a")]);
        assert!(!root.join("a").exists() && root.join("c").exists());
        // What is known of nothing is the same as nothing.
        assert!(replaced_by(root, &["c"], "").is_empty());
        fs::write(root.join("d"), "").unwrap();
        assert_eq!(replaced_by(root, &["d"], ""), [PathBuf::from("c")]);
    }

    #[test]
    fn the_next_run_removes_what_it_does_not_write_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir(root.join("sub")).unwrap();
        for name in ["a", "sub/b", "own"] {
            fs::write(root.join(name), name).unwrap();
        }
        replaced(root, &["a", "sub/b"]);
        fs::write(root.join("c"), "").unwrap();
        replaced(root, &["c", "a"]);
        let exists = ["a", "c", "own", "sub"].map(|name| root.join(name).exists());
        assert_eq!(exists, [true, true, true, false]);
        assert_eq!(fs::read_to_string(root.join(MANIFEST_FILE)).unwrap(), "# of \na\nc\n");
        assert_eq!(fs::read_dir(root).unwrap().count(), 4);
    }

    #[test]
    fn a_list_that_leads_elsewhere_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("out");
        fs::create_dir(&root).unwrap();
        let other = dir.path().join("other");
        fs::write(&other, "").unwrap();
        fs::write(root.join("own"), "").unwrap();
        let list = format!("../other\n{}\nown\nlink/other\n", other.display());
        fs::write(root.join(MANIFEST_FILE), list).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(dir.path(), root.join("link")).unwrap();
        replaced(&root, &[]);
        assert!(other.exists() && root.join("own").exists());
    }
}
