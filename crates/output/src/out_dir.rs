//! The output directory: a run's files appear in it together, when all of them are whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::commit::{self, Outdated};
use crate::directory::{Directory, Kind};
use crate::document::Document;
use crate::error::OutputError;
use crate::held::{HeldFile, HeldOutputs};
use crate::manifest::{self, MANIFEST_FILE};
use crate::out_file::OutFile;
use crate::root::{Root, is_temporary};
use crate::unfinished::{Directories, Held, Made, Whole};

/// The directory that all output goes into.
///
/// Files are written under temporary names. Nothing is seen of them, and old files stay, until they are
/// [published](OutDir::publish); without that, dropping the last handle leaves the directory as it was. Below the
/// directory no symbolic link is followed.
#[derive(Debug, Clone)]
pub struct OutDir {
    path: PathBuf,
    place: Place,
    /// The directory's path below the root.
    below: PathBuf,
    /// Knows the names of all files that are written here, where one list has them.
    registry: Option<IsOutput>,
}

/// Where the files are.
#[derive(Debug, Clone)]
enum Place {
    /// Below a directory.
    Disk { root: Arc<Root>, stage: Arc<Stage> },
    /// In memory.
    Held(Arc<HeldOutputs>),
}

#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// Whole files and the names that they are to get.
    whole: Mutex<Vec<Whole>>,
    // Dropped after the files in them.
    directories: Directories,
}

impl Stage {
    pub(crate) fn add(&self, file: Whole) {
        self.whole.lock().unwrap_or_else(PoisonError::into_inner).push(file);
    }
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Whether a name is that of an output.
type IsOutput = fn(&Path) -> bool;

impl OutDir {
    /// Makes the directory, with its parents.
    ///
    /// # Errors
    /// [`OutputError::Directory`] when it can't be made or is a file.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        Self::open(path, Arc::default())
    }

    /// Makes the directory as [`create`](OutDir::create) does, and refuses a directory with inputs: one that holds a
    /// file of the name `input`, or is below one that does, unless it is new, or all that it holds are results of an
    /// earlier run, whose names, relative to the directory, `is_result` knows. In debug builds, each file that is
    /// written has a name that it knows.
    ///
    /// # Errors
    /// As [`create`](OutDir::create); [`OutputError::Input`] when it holds inputs.
    pub fn create_outside(
        path: &Path,
        input: &str,
        is_result: fn(&Path) -> bool,
    ) -> Result<Self, OutputError> {
        if let Some(dump) = input_around(path, input, is_result) {
            return Err(OutputError::Input { path: path.to_owned(), dump });
        }
        Ok(Self { registry: Some(is_result), ..Self::create(path)? })
    }

    /// A directory in memory: nothing is written to the disk. See [`take_files`](OutDir::take_files).
    #[must_use]
    pub fn held() -> Self {
        let (path, below) = (PathBuf::new(), PathBuf::new());
        Self { path, place: Place::Held(Arc::default()), below, registry: None }
    }

    /// The files that were published in memory, by their names; they are not kept. There are none on the disk.
    #[must_use]
    pub fn take_files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        match &self.place {
            Place::Disk { .. } => BTreeMap::new(),
            Place::Held(outputs) => outputs.take(),
        }
    }

    /// Removes the check of names: for a file whose name is the user's.
    #[must_use]
    pub fn for_any_name(self) -> Self {
        Self { registry: None, ..self }
    }

    fn open(path: &Path, stage: Arc<Stage>) -> Result<Self, OutputError> {
        let failed = |source| OutputError::Directory { path: path.to_owned(), source };
        stage.directories.list().extend(Made::path(path).map_err(failed)?);
        let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let directory = Directory::open(named).map_err(failed)?;
        let root = Root::new(path.to_owned(), directory);
        let place = Place::Disk { root, stage };
        Ok(Self { path: path.to_owned(), place, below: PathBuf::new(), registry: None })
    }

    /// Another directory of the same run, made with its parents: its files are published together with those of this one.
    ///
    /// # Errors
    /// [`OutputError::Directory`] when it can't be made or is a file.
    pub fn with_root(&self, path: &Path) -> Result<Self, OutputError> {
        match &self.place {
            Place::Disk { stage, .. } => Self::open(path, Arc::clone(stage)),
            Place::Held(_) => Ok(Self { path: path.into(), below: path.into(), ..self.clone() }),
        }
    }

    /// A directory in this one, made when the first file is put there. Its files are published with this one's.
    #[must_use]
    pub fn subdirectory(&self, name: &str) -> Self {
        Self { path: self.path.join(name), below: self.below.join(name), ..self.clone() }
    }

    /// A directory in this one for a run of its own, made with its parents: its files are published without this one's.
    ///
    /// # Errors
    /// [`OutputError`] when it can't be made, is a file, or a symbolic link is in its path.
    pub fn run_below(&self, name: &Path) -> Result<Self, OutputError> {
        let path = self.path.join(name);
        let Place::Disk { root, .. } = &self.place else {
            let place = Place::Held(Arc::default());
            return Ok(Self { path, place, below: PathBuf::new(), registry: self.registry });
        };
        let stage: Arc<Stage> = Arc::default();
        let made = root.make(&self.below.join(name), &mut stage.directories.list());
        let directory = made.map_err(|(path, source)| OutputError::new(&path, source))?;
        let directory = directory.duplicate().map_err(|source| OutputError::new(&path, source))?;
        let root = Root::new(path.clone(), directory);
        let place = Place::Disk { root, stage };
        Ok(Self { path, place, below: PathBuf::new(), registry: self.registry })
    }

    /// Completes what a killed run has begun in this directory, and removes what it left: for a run that may have nothing to
    /// write here. `is_output` knows the names of outputs, the only ones that such a run may have taken away.
    pub fn recover(&self, is_output: fn(&Path) -> bool) {
        if let Place::Disk { root, .. } = &self.place {
            root.recover(is_output);
        }
    }

    /// Whether it is on the disk, and not in memory.
    #[must_use]
    pub fn is_on_disk(&self) -> bool {
        matches!(self.place, Place::Disk { .. })
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts a file. [Committed](OutFile::commit) and [published](OutDir::publish), it replaces an old one of its name,
    /// also a symbolic link.
    ///
    /// # Errors
    /// [`OutputError`] when it can't be created, a directory has its name, or a symbolic link is in its path.
    pub fn file(&self, name: &str) -> Result<OutFile, OutputError> {
        let path = self.path.join(name);
        let relative = self.below.join(name);
        // A name that the list lacks would make the directory one of someone else's files.
        debug_assert!(
            self.registry.is_none_or(|is_result| is_result(&relative)),
            "{} is missing in the list of outputs",
            relative.display()
        );
        let (root, stage) = match &self.place {
            Place::Disk { root, stage } => (root, stage),
            Place::Held(outputs) => {
                return Ok(OutFile::in_memory(HeldFile::new(relative, Arc::clone(outputs)), path));
            }
        };
        let failed = |source| OutputError::new(&path, source);
        let parent = relative.parent().unwrap_or(Path::new(""));
        let last = relative.file_name().ok_or(std::io::ErrorKind::InvalidInput.into());
        let last = last.map_err(failed)?;
        let made = root.make(parent, &mut stage.directories.list());
        let directory = made.map_err(|(path, source)| OutputError::new(&path, source))?;
        if directory.kind(last).map_err(failed)? == Some(Kind::Directory) {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        let (file, part) = root.part().map_err(failed)?;
        let whole = Whole { part, root: Arc::clone(root), name: relative };
        Ok(OutFile::on_disk(file, whole, path, Arc::clone(stage)))
    }

    /// Writes a file. There is none with bytes or a `String`, in which a text from outside could stand as it is:
    ///
    /// ```
    /// # let dir = std::env::temp_dir().join(format!("bigtpu-output-doc-{}", std::process::id()));
    /// # let out = bigtpu_output::OutDir::create(&dir)?;
    /// let name = String::from("</script>");
    /// let page: bigtpu_output::Text<bigtpu_output::Markup> = bigtpu_output::text!("<p>{}</p>", name);
    /// out.write("page.html", &page)?;
    /// # Ok::<(), bigtpu_output::OutputError>(())
    /// ```
    ///
    /// ```compile_fail
    /// # let dir = std::env::temp_dir().join(format!("bigtpu-output-doc-{}", std::process::id()));
    /// # let out = bigtpu_output::OutDir::create(&dir)?;
    /// let name = String::from("</script>");
    /// let page = format!("<p>{}</p>", name);
    /// out.write("page.html", &page)?;
    /// # Ok::<(), bigtpu_output::OutputError>(())
    /// ```
    ///
    /// # Errors
    /// As [`file`](OutDir::file); also when the bytes can't be written.
    pub fn write(&self, name: &str, document: &impl Document) -> Result<Written, OutputError> {
        let mut file = self.file(name)?;
        file.append(document)?;
        file.commit()
    }

    /// Gives all committed files their names. Of two runs into one directory, the files of the one that publishes last
    /// are there.
    ///
    /// # Errors
    /// [`OutputError::File`] when one can't be renamed: then all keep their old content.
    pub fn publish(&self) -> Result<(), OutputError> {
        self.publish_files(None).map(drop)
    }

    /// Publishes the files as [`publish`](OutDir::publish) does, and removes the files that earlier runs published so
    /// in this directory and that this run did not write, unless they are results of the same, `of`: one line that
    /// names dump, version and options. Files of anyone else stay: only names that `is_output` knows are removed.
    /// Returns the names of the removed files.
    ///
    /// # Errors
    /// As [`publish`](OutDir::publish); also when an old file can't be removed.
    pub fn publish_instead(
        &self,
        of: &str,
        is_output: fn(&Path) -> bool,
    ) -> Result<Vec<PathBuf>, OutputError> {
        self.publish_files(Some((of, is_output)))
    }

    /// Removes files of an earlier run in this directory, as far as `is_output` knows their names; others stay, as do
    /// those that can't be removed.
    pub fn remove<'a>(&self, names: impl Iterator<Item = &'a Path>, is_output: fn(&Path) -> bool) {
        for name in names.filter(|name| is_output(name)) {
            let name = self.below.join(name);
            match &self.place {
                Place::Disk { root, .. } => drop(manifest::remove(root, &name, |_| true)),
                Place::Held(outputs) => outputs.remove(&name),
            }
        }
    }

    fn publish_files(
        &self,
        replaces: Option<(&str, IsOutput)>,
    ) -> Result<Vec<PathBuf>, OutputError> {
        let (root, stage) = match &self.place {
            Place::Disk { root, stage } => (root, stage),
            Place::Held(outputs) => {
                outputs.publish();
                return Ok(Vec::new());
            }
        };
        let whole =
            std::mem::take(&mut *stage.whole.lock().unwrap_or_else(PoisonError::into_inner));
        let mut whole = whole;
        let failed = |(path, source): (PathBuf, _)| OutputError::new(&path, source);
        let list_failed = |source| failed((root.path.join(MANIFEST_FILE), source));
        // Made before the lock, which making the first temporary file takes, too.
        let list = replaces.map(|_| root.part()).transpose().map_err(list_failed)?;
        let lock = root.directory.lock();
        let is_output = replaces.map(|(_, is_output)| is_output);
        if lock.is_some() {
            commit::complete(&root.directory, is_output);
        }
        let mut outdated = Vec::new();
        if let Some(((of, is_output), (mut file, part))) = replaces.zip(list) {
            let own = whole.iter().filter(|file| Arc::ptr_eq(&file.root, root));
            let names: BTreeSet<PathBuf> = own.map(|file| file.name.clone()).collect();
            if let Some(change) = manifest::change(root, &names, of, is_output) {
                let written = file.write_all(change.list.as_bytes());
                written.and_then(|()| file.sync_all()).map_err(list_failed)?;
                let root = Arc::clone(root);
                whole.push(Whole { part, root, name: MANIFEST_FILE.into() });
                outdated = change.outdated;
            }
        }
        let to_go = |name: &PathBuf| Outdated { root: Arc::clone(root), name: name.clone() };
        let to_go: Vec<Outdated> = outdated.iter().map(to_go).collect();
        let directories = commit::commit(&whole, &to_go, &mut Held::new()).map_err(failed)?;
        outdated.iter().for_each(|name| manifest::remove_empty(root, name));
        // The names reach the disk, too.
        directories.iter().for_each(|directory| directory.sync());
        Ok(outdated)
    }
}

/// The directory with inputs that `path` is, or is in as something that is not an output directory.
fn input_around(path: &Path, input: &str, is_result: fn(&Path) -> bool) -> Option<PathBuf> {
    let holds_input = |path: &&Path| path.join(input).symlink_metadata().is_ok();
    let exact = path.canonicalize().ok()?;
    if holds_input(&exact.as_path()) {
        return Some(path.to_owned());
    }
    let dump = exact.ancestors().skip(1).find(holds_input)?;
    let is_ours = exact.join(MANIFEST_FILE).symlink_metadata().is_ok();
    (!is_ours && !has_results_only(&exact, Path::new(""), is_result)).then(|| dump.to_owned())
}

/// Whether all that a directory holds are results, also in directories that are results of dumps: those list their files. `below`:
/// its place in the output directory.
fn has_results_only(directory: &Path, below: &Path, is_result: fn(&Path) -> bool) -> bool {
    /// Folders of results: of the dumps of a batch, which lie as deep as the dumps.
    const DEEPEST: usize = 16;
    let Ok(entries) = directory.read_dir() else { return false };
    entries.flatten().all(|entry| {
        let name = below.join(entry.file_name());
        let Ok(kind) = entry.file_type() else { return false };
        if kind.is_dir() {
            let path = entry.path();
            return path.join(MANIFEST_FILE).symlink_metadata().is_ok()
                || name.components().count() <= DEEPEST
                    && has_results_only(&path, &name, is_result);
        }
        // What a killed run left, the next one removes.
        is_result(&name) || is_temporary(&entry.file_name())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ByLibrary;

    /// Names in a directory, without temporary files.
    fn names(dir: &Path) -> usize {
        let names = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| !name.to_string_lossy().ends_with(".part")).count()
    }

    #[test]
    fn files_appear_only_when_published() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(&dir.path().join("a/b")).unwrap();
        let old = out.path().join("x.txt");
        std::fs::write(&old, "old").unwrap();
        let mut dropped = out.file("x.txt").unwrap();
        dropped.append(&ByLibrary(b"half")).unwrap();
        drop(dropped);
        assert_eq!(names(out.path()), 1);
        for name in ["x.txt", "sub/x.txt"] {
            let mut file = out.file(name).unwrap();
            file.append(&ByLibrary(b"new")).unwrap();
            let written = file.commit().unwrap();
            assert_eq!(written, Written { path: out.path().join(name), bytes: 3 });
        }
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
        out.publish().unwrap();
        for name in ["x.txt", "sub/x.txt"] {
            assert_eq!(std::fs::read_to_string(out.path().join(name)).unwrap(), "new");
        }
        drop(out);
        assert_eq!(names(&dir.path().join("a/b")), 2);
    }

    #[test]
    fn unpublished_files_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(&dir.path().join("a/b")).unwrap();
        out.file("sub/x.txt").unwrap().commit().unwrap();
        drop(out);
        assert_eq!(names(dir.path()), 0);
    }

    #[test]
    fn files_below_are_published_together() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(dir.path()).unwrap();
        let below = out.subdirectory("a");
        assert_eq!((below.path(), names(dir.path())), (&*dir.path().join("a"), 0));
        below.file("x.txt").unwrap().commit().unwrap();
        drop(below);
        assert!(!dir.path().join("a/x.txt").exists());
        out.publish().unwrap();
        assert!(dir.path().join("a/x.txt").is_file());
    }

    #[test]
    fn a_directory_with_an_output_name_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutDir::create(dir.path()).unwrap();
        std::fs::create_dir(dir.path().join("x.txt")).unwrap();
        let error = out.file("x.txt").unwrap_err().to_string();
        assert!(error.contains("x.txt") && error.contains("directory"), "{error}");
    }

    #[test]
    fn a_file_instead_of_the_output_directory_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, "").unwrap();
        let error = OutDir::create(&path).unwrap_err().to_string();
        assert!(error.contains("cannot be used as output directory"), "{error}");
    }
}
