//! Outputs are whole or absent, whatever happens to the run.

mod concurrent;
mod place;
mod signal;
mod space;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::dump::{DumpCopy, record_bytes};
use crate::support::run::finish;

/// Every file below a directory, hidden ones too, and an entry for each directory.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            if path.is_dir() {
                found.insert(name, Vec::new());
                open.push(path);
            } else {
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// A dump whose analysis takes a while: the monitors of a fixture many times over.
fn large_dump() -> DumpCopy {
    let dump = DumpCopy::of("aks-mode2-sync");
    for core in [0, 1] {
        dump.edit(&format!("cdmlib0_{core}.profile"), |blocks| {
            for block in blocks.iter_mut().filter(|block| record_bytes(block.kind).is_some()) {
                block.content = block.content.repeat(2500);
            }
        });
    }
    dump
}

/// Old results of another dump in `out`.
fn old_results(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let old = DumpCopy::of("aksv-mode1");
    let mut run = crate::support::run::tool();
    let said = finish(run.arg(old.path()).arg(out).args(["--perfetto", "--enable_doc"]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    tree(out)
}
