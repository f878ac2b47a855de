//! A view writes the same bytes alone as beside all others, with one thread and with several: what is found only when a view asks for it
//! is the same whoever asks first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::case::{all, fixture};
use crate::support::run::{finish, tool, tree};

/// All views.
const VIEWS: [&str; 11] = [
    "text", "summary", "report", "brief", "events", "csv", "layers", "workbook", "page", "trace",
    "json",
];
/// One view in so many of each dump is written alone; of the next dump these are others.
const APART: usize = 6;

/// A dump, and the trace of its host if it has one.
type Input = (PathBuf, Option<PathBuf>);

fn inputs() -> Vec<Input> {
    let made = all().into_iter().map(|case| (case.dump(), case.host_trace()));
    let real = std::fs::read_dir(fixture("real")).unwrap().map(|entry| entry.unwrap().path());
    let mut real: Vec<PathBuf> =
        real.filter(|path| path.join("global.profile").is_file()).collect();
    real.sort();
    made.chain(real.into_iter().map(|path| (path, None))).collect()
}

fn outputs((dump, host): &Input, views: &str, threads: usize) -> BTreeMap<PathBuf, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let host = host.iter().flat_map(|trace| [Path::new("--trace_file"), trace]);
    let mut command = tool();
    command.arg(dump).arg(&out).args(host).args(["--emit", views]).arg(format!("-j{threads}"));
    let said = finish(&mut command);
    assert!(matches!(said.code, Some(0 | 3)), "{}: {}", dump.display(), said.stderr);
    tree(&out)
}

#[test]
fn views_are_the_same_alone_and_together_with_any_number_of_threads() {
    let mut compared = [0; VIEWS.len()];
    for (number, input) in inputs().iter().enumerate() {
        let together = outputs(input, &VIEWS.join(","), 1 + number % 3);
        for (at, view) in VIEWS.iter().enumerate().skip(number % APART).step_by(APART) {
            let alone = outputs(input, view, 1 + (number + 1 + at / APART) % 3);
            for (name, bytes) in &alone {
                assert!(together.get(name) == Some(bytes), "{input:?}: {}", name.display());
            }
            compared[at] += alone.values().filter(|bytes| !bytes.is_empty()).count();
        }
    }
    assert!(compared.iter().all(|files| *files > 0), "{compared:?}");
}
