//! Copies of dumps that a test may damage.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::case::case;
use super::run::{Finished, analyze};

/// Number of a block's type.
pub(crate) mod kind {
    pub(crate) const TIU: u32 = 3;
    pub(crate) const GDMA: u32 = 4;
    pub(crate) const DYN_DATA: u32 = 5;
    pub(crate) const DYN_EXTRA: u32 = 6;
    pub(crate) const SDMA: u32 = 11;
    pub(crate) const CDMA: u32 = 12;
    pub(crate) const DES_KV: u32 = 17;
}

/// Bytes of a PMU record of AKS and AKSV; `None` for a block that is no monitor.
pub(crate) fn record_bytes(kind: u32) -> Option<usize> {
    match kind {
        kind::TIU => Some(16),
        kind::GDMA | kind::SDMA => Some(64),
        kind::CDMA => Some(128),
        _ => None,
    }
}

/// A block of a `.profile` file: type, length, content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: u32,
    pub(crate) content: Vec<u8>,
}

/// Bytes of a block's header.
pub(crate) const HEAD: usize = 8;

/// Takes a sound file apart.
pub(crate) fn blocks(file: &[u8]) -> Vec<Block> {
    let mut rest = file;
    let mut blocks = Vec::new();
    while let Some((head, after)) = rest.split_at_checked(HEAD) {
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap());
        let (content, after) = after.split_at(word(4) as usize);
        blocks.push(Block { kind: word(0), content: content.to_vec() });
        rest = after;
    }
    assert!(rest.is_empty(), "the file ends inside a block");
    blocks
}

/// Puts a file together.
pub(crate) fn join(blocks: &[Block]) -> Vec<u8> {
    let mut file = Vec::new();
    for block in blocks {
        file.extend(block.kind.to_le_bytes());
        file.extend((block.content.len() as u32).to_le_bytes());
        file.extend(&block.content);
    }
    file
}

/// Where each block starts, and where the file ends.
pub(crate) fn boundaries(file: &[u8]) -> Vec<usize> {
    let lengths = blocks(file).into_iter().map(|block| HEAD + block.content.len());
    let ends = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// A dump of its own.
#[derive(Debug)]
pub(crate) struct DumpCopy {
    keep: TempDir,
}

impl DumpCopy {
    /// A copy of a fixture's dump.
    pub(crate) fn copy(name: &str) -> Self {
        Self::of_path(&case(name).dump())
    }

    /// A copy of a dump.
    pub(crate) fn of_path(dump: &Path) -> Self {
        let copy = Self { keep: tempfile::tempdir().unwrap() };
        fs::create_dir(copy.path()).unwrap();
        for entry in fs::read_dir(dump).unwrap() {
            let from = entry.unwrap().path();
            fs::copy(&from, copy.file(from.file_name().unwrap().to_str().unwrap())).unwrap();
        }
        copy
    }

    /// The dump directory, named as the runtime does.
    pub(crate) fn path(&self) -> PathBuf {
        self.keep.path().join("cdm_profile_data_dev0-0")
    }

    /// The directory around it.
    pub(crate) fn parent(&self) -> &Path {
        self.keep.path()
    }

    /// A file of the dump.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// A file's bytes.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    /// Replaces a file's bytes.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.file(name), bytes).unwrap();
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.file(name)).unwrap();
    }

    /// Changes a file's blocks.
    pub(crate) fn edit(&self, name: &str, change: impl FnOnce(&mut Vec<Block>)) {
        let mut blocks = blocks(&self.read(name));
        change(&mut blocks);
        self.write(name, join(&blocks));
    }

    /// Changes the text of `global.profile`.
    pub(crate) fn edit_global(&self, change: impl FnOnce(String) -> String) {
        let text = String::from_utf8(self.read("global.profile")).unwrap();
        self.write("global.profile", change(text));
    }

    /// Adds `cycles` to the times of every PMU record (AKS and AKSV), modulo 2^32 as the counters do.
    pub(crate) fn shift_counters(&self, cycles: u32) {
        let files = fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let names = files.map(|name| name.into_string().unwrap());
        for name in names.filter(|name| name != "global.profile") {
            self.edit(&name, |blocks| {
                for block in blocks {
                    let Some(size) = record_bytes(block.kind) else { continue };
                    for record in block.content.chunks_exact_mut(size) {
                        for time in record[..8].chunks_exact_mut(4) {
                            let now = u32::from_le_bytes((&*time).try_into().unwrap());
                            time.copy_from_slice(&now.wrapping_add(cycles).to_le_bytes());
                        }
                    }
                }
            });
        }
    }

    /// Analyzes the copy, whatever the outcome.
    pub(crate) fn analyze(&self, args: &[&str]) -> Finished {
        analyze(&self.path(), args)
    }
}
