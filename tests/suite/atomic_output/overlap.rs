//! Where the output directory lies, and what is in its way.

use std::fs;

use crate::support::case::case;
use crate::support::dump::DumpCopy;
use crate::support::run::{finish, tool, tree};

const CASE: &str = "aks-mode2-sync";

#[test]
fn input_inside_output_and_output_inside_input_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let alone = dir.path().join("alone");
    let said = finish(tool().arg(case(CASE).dump()).arg(&alone).arg("--perfetto"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let results = tree(&alone);
    for below in ["..", ".", "out"] {
        let dump = DumpCopy::of(CASE);
        let input = tree(&dump.path());
        let out = dump.path().join(below);
        // The second run finds the results of the first.
        for _ in 0..2 {
            let said = finish(tool().arg(dump.path()).arg(&out).arg("--perfetto"));
            assert_eq!(said.code, Some(0), "{below}: {}", said.stderr);
        }
        let found = tree(&out);
        assert!(results.iter().all(|(name, bytes)| found.get(name) == Some(bytes)), "{below}");
        let now = tree(&dump.path());
        assert!(input.iter().all(|(name, bytes)| now.get(name) == Some(bytes)), "{below}");
    }
}

#[test]
fn a_directory_with_a_results_name_is_an_error_and_nothing_changes() {
    let dir = tempfile::tempdir().unwrap();
    for name in
        ["perfetto.pftrace", "summary.txt", "tdmaRegInfo_1.txt", "PerfDoc/PerfAI_output.xlsx"]
    {
        let out = dir.path().join("out");
        fs::create_dir_all(out.join(name)).unwrap();
        fs::write(out.join("tiuRegInfo_0.txt"), "old").unwrap();
        let before = tree(&out);
        let args = ["--perfetto", "--enable_doc"];
        let said = finish(tool().arg(case(CASE).dump()).arg(&out).args(args));
        assert_eq!(said.code, Some(1), "{name}: {}", said.stderr);
        assert!(said.stderr.contains(name) && said.stderr.contains("directory"), "{}", said.stderr);
        assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
        assert!(tree(&out) == before, "{name}: {:?}", tree(&out).keys());
        fs::remove_dir_all(&out).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_link_with_a_results_name_is_replaced_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let (out, other) = (dir.path().join("out"), dir.path().join("other"));
    fs::create_dir(&out).unwrap();
    fs::write(&other, "not ours").unwrap();
    std::os::unix::fs::symlink(&other, out.join("summary.txt")).unwrap();
    let said = finish(tool().arg(case(CASE).dump()).arg(&out).arg("--perfetto"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(fs::read_to_string(&other).unwrap(), "not ours");
    assert!(fs::symlink_metadata(out.join("summary.txt")).unwrap().is_file());
}
