//! Outputs in memory, for callers that have no directory: whole or absent, as those on the disk.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files of a run, by their names below its output directory.
#[derive(Debug, Default)]
pub(crate) struct HeldOutputs(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Committed, and not yet published.
    whole: BTreeMap<PathBuf, Vec<u8>>,
    published: BTreeMap<PathBuf, Vec<u8>>,
}

impl HeldOutputs {
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn publish(&self) {
        self.change(|state| {
            let whole = std::mem::take(&mut state.whole);
            state.published.extend(whole);
        });
    }

    pub(crate) fn remove(&self, name: &Path) {
        self.change(|state| state.published.remove(name));
    }

    /// The published files; they are not kept.
    pub(crate) fn take(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.change(|state| std::mem::take(&mut state.published))
    }
}

/// A file that is being written to memory.
#[derive(Debug)]
pub(crate) struct HeldFile {
    bytes: Mutex<Vec<u8>>,
    name: PathBuf,
    outputs: Arc<HeldOutputs>,
}

impl HeldFile {
    pub(crate) fn new(name: PathBuf, outputs: Arc<HeldOutputs>) -> Self {
        Self { bytes: Mutex::default(), name, outputs }
    }

    /// Writes at a place; bytes between the end and a place behind it are 0.
    pub(crate) fn write_at(&self, part: &[u8], at: u64) -> io::Result<()> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let too_large = || io::Error::from(io::ErrorKind::FileTooLarge);
        let start = usize::try_from(at).map_err(|_| too_large())?;
        let end = start.checked_add(part.len()).ok_or_else(too_large)?;
        if bytes.len() < end {
            let more = end - bytes.len();
            bytes.try_reserve(more).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
            bytes.resize(end, 0);
        }
        if let Some(place) = bytes.get_mut(start..end) {
            place.copy_from_slice(part);
        }
        Ok(())
    }

    pub(crate) fn commit(self) {
        let bytes = self.bytes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let name = self.name;
        self.outputs.change(|state| state.whole.insert(name, bytes));
    }
}

impl Write for HeldFile {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let bytes = self.bytes.get_mut().unwrap_or_else(PoisonError::into_inner);
        bytes.try_reserve(part.len()).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        bytes.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{ByLibrary, OutDir};
    use std::path::{Path, PathBuf};

    #[test]
    fn files_in_memory_are_there_when_they_are_published() {
        let out = OutDir::held();
        let mut dropped = out.file("a").unwrap();
        dropped.append(&ByLibrary(b"half")).unwrap();
        drop(dropped);
        let written = out.subdirectory("d").write("b", &ByLibrary(b"whole")).unwrap();
        assert_eq!((written.path.as_path(), written.bytes), (Path::new("d/b"), 5));
        assert!(out.take_files().is_empty());
        out.publish().unwrap();
        let files = out.take_files();
        assert_eq!(Vec::from_iter(files), [(PathBuf::from("d/b"), b"whole".to_vec())]);
    }

    #[test]
    fn parts_in_memory_are_where_they_belong() {
        let out = OutDir::held();
        let mut file = out.file("parts").unwrap();
        file.append(&ByLibrary(b"head ")).unwrap();
        let parts = file.parts().unwrap();
        parts.write(&ByLibrary(b"two "), 4).unwrap();
        parts.write(&ByLibrary(b"one "), 0).unwrap();
        parts.end(8).unwrap();
        file.append(&ByLibrary(b"tail")).unwrap();
        assert_eq!(file.commit().unwrap().bytes, 17);
        out.publish().unwrap();
        assert_eq!(out.take_files()[Path::new("parts")], b"head one two tail");
    }
}
