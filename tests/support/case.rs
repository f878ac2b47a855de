//! The fixtures: a dump each, and what the reference writes for it or a word on why there is none.

use std::fs;
use std::path::{Path, PathBuf};

/// One folder of `fixtures/` that holds a dump.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    root: PathBuf,
}

/// A file of `fixtures/`.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// The case of that name.
pub(crate) fn case(name: &str) -> Case {
    let case = Case { name: name.to_owned(), root: fixture(name) };
    assert!(case.dump().is_dir(), "{name}: no such case");
    case
}

/// Every case for which there is a reference, in name order.
pub(crate) fn with_reference() -> Vec<Case> {
    let cases = with_folder("ref");
    // An empty folder must not pass for a whole one.
    assert!(cases.len() >= 32, "only {} cases have a reference", cases.len());
    cases
}

/// Every case, in name order.
pub(crate) fn all() -> Vec<Case> {
    with_folder("dump")
}

fn with_folder(folder: &str) -> Vec<Case> {
    let cases = fs::read_dir(fixture("")).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = cases
        .filter(|case| case.path().join(folder).is_dir())
        .map(|case| case.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.iter().map(|name| case(name)).collect()
}

impl Case {
    /// The dump directory.
    pub(crate) fn dump(&self) -> PathBuf {
        self.root.join("dump")
    }

    /// What the reference wrote.
    pub(crate) fn reference(&self) -> PathBuf {
        self.root.join("ref")
    }

    /// A file that was blessed: an output that no reference tells.
    pub(crate) fn golden(&self, name: &str) -> PathBuf {
        self.root.join("golden").join(name)
    }

    /// The host trace that belongs to the dump, if there is one.
    pub(crate) fn host_trace(&self) -> Option<PathBuf> {
        Some(self.root.join("host_trace.json")).filter(|path| path.is_file())
    }

    /// Arguments for a run with everything that the case has.
    pub(crate) fn args(&self) -> Vec<String> {
        let mut args = ["--emit", "text,report,trace,summary"].map(str::to_owned).to_vec();
        if let Some(trace) = self.host_trace() {
            args.extend(["--trace_file".to_owned(), trace.to_str().unwrap().to_owned()]);
        }
        args
    }
}

/// A dump of real hardware.
pub(crate) fn real_dump(name: &str) -> PathBuf {
    fixture("real").join(name)
}
