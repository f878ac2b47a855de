//! Outputs are whole or absent, whatever happens to the run.

mod concurrent;
mod overlap;
mod signal;
mod space;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::dump::{DumpCopy, record_bytes};
use crate::support::run::{finish, tool, tree};

/// A dump whose analysis takes a while: the monitors of a fixture many times over.
fn large_dump() -> DumpCopy {
    let dump = DumpCopy::copy("aks-mode2-sync");
    for core in [0, 1] {
        dump.edit(&format!("cdmlib0_{core}.profile"), |blocks| {
            for block in blocks.iter_mut().filter(|block| record_bytes(block.kind).is_some()) {
                block.content = block.content.repeat(1000);
            }
        });
    }
    dump
}

/// Old results of another dump in `out`.
fn old_results(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let old = DumpCopy::copy("aksv-mode1");
    let mut run = tool();
    let said = finish(run.arg(old.path()).arg(out).args(["--perfetto", "--enable_doc"]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    tree(out)
}
