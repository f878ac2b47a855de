//! Two runs into one directory at once.

use std::process::Stdio;

use crate::support::case::case;
use crate::support::run::{finish, tool, tree};

/// Two dumps of whose results the names are the same and the contents not.
const CASES: [&str; 2] = ["aks-mode2-sync", "aks-bmodel"];

const ROUNDS: usize = 6;

#[test]
fn all_files_are_from_one_of_two_concurrent_runs() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["--perfetto", "--enable_doc"];
    let alone = CASES.map(|name| {
        let out = dir.path().join(name);
        let said = finish(tool().arg(case(name).dump()).arg(&out).args(args));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        tree(&out)
    });
    assert!(alone[0].keys().eq(alone[1].keys()) && alone[0] != alone[1]);
    let out = dir.path().join("both");
    for round in 0..ROUNDS {
        let runs = CASES.map(|name| {
            let mut command = tool();
            command.arg(case(name).dump()).arg(&out).args(args);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        });
        for run in runs {
            let ended = run.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(0), "{said}");
        }
        let found = tree(&out);
        assert!(alone.contains(&found), "round {round}: a mixture in {:?}", found.keys());
    }
}
