//! Dumps below a directory.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use bigtpu_format::GLOBAL_PROFILE;
use walkdir::WalkDir;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Dump directories below the root, each relative to it, in the order of their names.
    pub(crate) dumps: Vec<PathBuf>,
    /// What could not be looked at: directories without permission, loops of links.
    pub(crate) skipped: Vec<String>,
}

/// Finds all dump directories below `root`, links included; `out` is left out where it lies below.
pub(crate) fn dumps(root: &Path, out: &Path) -> Result<Found> {
    if !root.is_dir() {
        bail!("{}: no such directory; give one below which there are dumps", root.display());
    }
    let own = out.canonicalize().ok();
    let is_own = |path: &Path| own.is_some() && path.canonicalize().ok() == own;
    let mut found = Found::default();
    let walk = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| !(entry.file_type().is_dir() && is_own(entry.path()))) {
        match entry {
            Ok(entry) if entry.file_name() == GLOBAL_PROFILE && entry.file_type().is_file() => {
                let dump = entry.path().parent().unwrap_or(root);
                found.dumps.push(dump.strip_prefix(root).unwrap_or(dump).to_owned());
            }
            Ok(_) => {}
            Err(error) => found.skipped.push(error.to_string()),
        }
    }
    if found.dumps.is_empty() {
        bail!(
            "{}: no dump below it; a dump directory (cdm_profile_data_dev0-0/) holds global.profile",
            root.display()
        );
    }
    Ok(found)
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
        let found = dumps(root, &root.join("out")).unwrap();
        assert_eq!(found.dumps, [PathBuf::from("a/deep/er"), PathBuf::from("b")]);
        assert!(dumps(&root.join("a/deep/none"), root).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_is_left_and_told() {
        let dir = tempfile::tempdir().unwrap();
        let dump = dir.path().join("dump");
        std::fs::create_dir(&dump).unwrap();
        std::fs::write(dump.join(GLOBAL_PROFILE), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dump.join("up")).unwrap();
        let found = dumps(dir.path(), &dir.path().join("out")).unwrap();
        assert_eq!(found.dumps, [PathBuf::from("dump")]);
        assert_eq!(found.skipped.len(), 1, "{:?}", found.skipped);
    }
}
