//! The list of a run's files in its output directory: what the next run there replaces.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// Name of the list: a path relative to the directory on each line.
pub const MANIFEST_FILE: &str = ".bigtpuprofile-files";

/// Removes the files of the last run that this run did not write, with directories that are then empty, and lists
/// this run's files. Nothing else in the directory is touched.
///
/// # Errors
/// The file that can't be removed or written, and what the system said.
pub(crate) fn replace(root: &Path, written: &[PathBuf]) -> Result<(), (PathBuf, io::Error)> {
    let list = root.join(MANIFEST_FILE);
    let names: BTreeSet<&Path> =
        written.iter().filter_map(|path| path.strip_prefix(root).ok()).collect();
    let former = fs::read_to_string(&list).unwrap_or_default();
    if names.is_empty() && former.is_empty() {
        return Ok(());
    }
    for name in former.lines().map(Path::new).filter(|name| is_below(name)) {
        let path = root.join(name);
        if names.contains(name) || !path.is_file() {
            continue;
        }
        fs::remove_file(&path).map_err(|error| (path.clone(), error))?;
        // Those that still hold something stay.
        let parents = name.ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
        for parent in parents {
            let _ = fs::remove_dir(root.join(parent));
        }
    }
    let text: String =
        names.iter().filter_map(|name| Some(format!("{}\n", name.to_str()?))).collect();
    write_whole(&list, &text).map_err(|error| (list.clone(), error))
}

/// A name that can't lead out of the directory.
fn is_below(name: &Path) -> bool {
    let is_normal = |part: Component<'_>| matches!(part, Component::Normal(_));
    name.components().all(is_normal) && !name.as_os_str().is_empty()
}

fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new(""));
    let mut file = tempfile::Builder::new().prefix(".bigtpuprofile-").tempfile_in(parent)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_run_removes_what_it_does_not_write_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir(root.join("sub")).unwrap();
        for name in ["a", "sub/b", "own"] {
            fs::write(root.join(name), name).unwrap();
        }
        replace(root, &[root.join("a"), root.join("sub/b")]).unwrap();
        fs::write(root.join("c"), "").unwrap();
        replace(root, &[root.join("c"), root.join("a")]).unwrap();
        let exists = ["a", "c", "own", "sub"].map(|name| root.join(name).exists());
        assert_eq!(exists, [true, true, true, false]);
        assert_eq!(fs::read_to_string(root.join(MANIFEST_FILE)).unwrap(), "a\nc\n");
    }

    #[test]
    fn a_list_that_leads_elsewhere_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("out");
        fs::create_dir(&root).unwrap();
        let other = dir.path().join("other");
        fs::write(&other, "").unwrap();
        fs::write(root.join(MANIFEST_FILE), format!("../other\n{}\n", other.display())).unwrap();
        replace(&root, &[]).unwrap();
        assert!(other.exists());
    }
}
