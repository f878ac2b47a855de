//! The dump directory (section 1): which file is whose.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use bigtpu_messages::{Arg, Message, error_message, message};

use crate::files::{FileKind, Files};
use crate::what_is_there::{in_directory, in_file};
use crate::{Error, Result};

/// The text file that makes a directory a dump.
pub const GLOBAL_PROFILE: &str = "global.profile";

/// Numbers of cores and ports must be below this; no chip has a tenth of it.
pub const MAX_CORES: u32 = 256;

/// One `.profile` file and the number of the core or port that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileFile {
    /// Core number or CDMA port: the last number of the file's name.
    pub index: u32,
    /// Where the file is.
    pub path: PathBuf,
}

/// A dump directory's files.
#[derive(Debug, Clone)]
pub struct DumpDir {
    /// The directory.
    pub root: PathBuf,
    /// `global.profile`.
    pub global: PathBuf,
    /// `cdmlib*_{core}.profile`, by core.
    pub cores: Vec<ProfileFile>,
    /// `cdma*_{port}.profile`, by port.
    pub ports: Vec<ProfileFile>,
    /// libsophon's container, if the directory has no file of a core or port: `iter{n}.profile`, or bmlib's
    /// `bmlib_{n}.profile`, by n.
    pub iterations: Vec<ProfileFile>,
    /// Files that look like profiles but belong to no core or port, with the reason.
    pub ignored: Vec<(PathBuf, Message)>,
}

/// Whether a file is named as a compiled model.
#[must_use]
pub fn is_compiled_model(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bmodel"))
}

impl DumpDir {
    /// Finds the files of a dump directory.
    ///
    /// # Errors
    /// When there is no such directory, when it can't be listed, or when it is no dump.
    pub fn open(root: &Path, files: &Files) -> Result<Self> {
        let kind = files.kind(root).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => Error::NoDirectory { path: root.to_owned() },
            _ => Error::Io { path: root.to_owned(), source },
        })?;
        if kind != FileKind::Directory && is_compiled_model(root) {
            return Err(Error::CompiledModel { path: root.to_owned() });
        }
        if kind != FileKind::Directory {
            return Err(Error::NotADirectory { path: root.to_owned(), hint: in_file(root, files) });
        }
        let global = root.join(GLOBAL_PROFILE);
        if !files.is_file(&global) {
            if files.has_name(&global) {
                let source = std::io::Error::other(error_message!("problem-broken-link"));
                return Err(Error::Io { path: global, source });
            }
            return Err(Error::NoGlobal { path: root.to_owned(), hint: in_directory(root, files) });
        }
        let mut ignored = Vec::new();
        let mut cores = BTreeMap::new();
        let mut ports = BTreeMap::new();
        let mut iterations = BTreeMap::new();
        for name in names(root, files)? {
            let Some((kind, index)) = split_name(&name) else { continue };
            let path = root.join(&name);
            let most = if kind == Kind::Iteration { u32::MAX } else { MAX_CORES };
            let Some(index) = index.filter(|&i| i < most) else {
                ignored.push((path, Message::new("note-no-number")));
                continue;
            };
            let side = match kind {
                Kind::Core => &mut cores,
                Kind::Port => &mut ports,
                Kind::Iteration => &mut iterations,
            };
            match side.entry(index) {
                Entry::Vacant(free) => {
                    free.insert(path);
                }
                Entry::Occupied(_) => {
                    let number = Arg::Number(index.into());
                    ignored.push((path, message!("note-number-taken", number = number)));
                }
            }
        }
        if !cores.is_empty() || !ports.is_empty() {
            iterations.clear();
        } else if iterations.is_empty() {
            return Err(Error::NoProfiles { path: root.to_owned() });
        }
        let listed = |side: BTreeMap<u32, PathBuf>| {
            side.into_iter().map(|(index, path)| ProfileFile { index, path }).collect()
        };
        Ok(Self {
            root: root.to_owned(),
            global,
            cores: listed(cores),
            ports: listed(ports),
            iterations: listed(iterations),
            ignored,
        })
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Kind {
    Core,
    Port,
    Iteration,
}

/// Splits `cdmlib0_12.profile` into its kind and 12; `None` for a file that is no profile.
fn split_name(name: &str) -> Option<(Kind, Option<u32>)> {
    let stem = name.strip_suffix(".profile")?;
    let kind = if stem.starts_with("cdmlib") {
        Kind::Core
    } else if stem.starts_with("cdma") {
        Kind::Port
    } else if stem.starts_with("iter") || stem.starts_with("bmlib_") {
        Kind::Iteration
    } else {
        return None;
    };
    let digits = stem.len() - stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    Some((kind, stem.get(stem.len() - digits..).and_then(|d| d.parse().ok())))
}

/// The directory's entry names in a fixed order, whatever the file system's is.
fn names(root: &Path, files: &Files) -> Result<Vec<String>> {
    let io = |source| Error::Io { path: root.to_owned(), source };
    let names = files.names(root).map_err(io)?.into_iter();
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.sort_by_key(|n| (n.len(), n.clone()));
    Ok(names)
}

/// Dump directories directly in `path`, in name order.
#[must_use]
pub fn find_dumps_in(path: &Path, files: &Files) -> Vec<PathBuf> {
    let names = files.names(path).unwrap_or_default().into_iter();
    let mut found: Vec<PathBuf> = names.map(|name| path.join(name)).collect();
    found.retain(|path| is_dump(path, files));
    found.sort();
    found
}

/// Dump directories directly above or below `path`: the one above, then those below in name order.
#[must_use]
pub fn find_dumps_near(path: &Path, files: &Files) -> Vec<PathBuf> {
    let above = files.absolute(path).and_then(|p| p.parent().map(Path::to_owned));
    let above = above.into_iter().filter(|path| is_dump(path, files));
    above.chain(find_dumps_in(path, files)).collect()
}

fn is_dump(path: &Path, files: &Files) -> bool {
    files.is_file(&path.join(GLOBAL_PROFILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(dir: &Path, name: &str) {
        std::fs::write(dir.join(name), b"").unwrap();
    }

    #[test]
    fn core_numbers_come_from_the_file_names() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["global.profile", "cdmlib0_10.profile", "cdmlib0_2.profile", "cdma0_1.profile"]
        {
            touch(dir.path(), name);
        }
        touch(dir.path(), "cdmlib1_2.profile");
        touch(dir.path(), "cdmlib0_4000000000.profile");
        touch(dir.path(), "notes.txt");
        let dump = DumpDir::open(dir.path(), &Files::default()).unwrap();
        let cores: Vec<_> = dump.cores.iter().map(|f| f.index).collect();
        assert_eq!(cores, [2, 10]);
        assert_eq!(dump.ports[0].index, 1);
        assert_eq!(dump.ignored.len(), 2);
    }

    #[test]
    fn a_nearby_dump_is_suggested() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("cdm_profile_data_dev0-0");
        std::fs::create_dir(&inner).unwrap();
        touch(&inner, "global.profile");
        let above = DumpDir::open(dir.path(), &Files::default()).unwrap_err().to_string();
        assert!(above.contains("did you mean") && above.contains("dev0-0"), "{above}");
        let below = inner.join("sub");
        std::fs::create_dir(&below).unwrap();
        let below = DumpDir::open(&below, &Files::default()).unwrap_err().to_string();
        assert!(below.contains("did you mean"), "{below}");
        let empty = DumpDir::open(&inner, &Files::default()).unwrap_err().to_string();
        assert!(empty.contains("only global.profile"), "{empty}");
    }
}
