//! The command line of `synth`.

use std::path::Path;

use crate::support::run::{Said, analyzed, files, finish, tool};

fn synth(out: &Path, args: &[&str], threads: &str) -> Said {
    finish(tool().env("RAYON_NUM_THREADS", threads).arg("synth").arg(out).args(args))
}

#[test]
fn the_same_options_give_the_same_bytes_for_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let args =
        ["--chip", "aksv", "--cdma", "3", "--seed", "7", "--loss", "0.1", "--disorder", "0.2"];
    let dump = |name: &str, threads| {
        let out = dir.path().join(name);
        let said = synth(&out, &args, threads);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
        let (count, bytes) = (files(&out).len(), files(&out).values().map(Vec::len).sum::<usize>());
        assert_eq!(said.stdout, format!("{}: {count} files, {bytes} bytes\n", out.display()));
        files(&out)
    };
    let one = dump("one", "1");
    assert_eq!(one.len(), 4 + 3 + 1);
    assert!(one == dump("three", "3"));
}

#[test]
fn the_demo_of_the_readme_works() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("demo");
    assert_eq!(synth(&out, &["-q"], "1").stdout, "");
    let run = analyzed(&out, &["--perfetto"]);
    assert_eq!(run.said.stderr, "");
    let trace = run.trace();
    assert!(trace.slices.iter().any(|slice| slice.name == "flash_attention"));
    // The sync that ends a launch is certain: each send releases the waits of all cores.
    assert!(trace.slices.iter().any(|slice| !slice.flows.is_empty()));
}

#[test]
fn invalid_options_are_an_error_of_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |args: &[&str]| {
        let out = dir.path().join("never");
        let said = synth(&out, args, "1");
        assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""), "{said:?}");
        assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
        assert!(!out.exists());
        said.stderr
    };
    assert!(refused(&["--chip", "bm1688", "--cdma", "1"]).contains("BM1688 has 0 CDMA ports"));
    assert!(refused(&["--style", "rvt"]).contains("AKS has no RISC-V front end"));
    let usage = synth(dir.path(), &["--plant", "nothing"], "1");
    assert_eq!(usage.code, Some(2));
    assert!(usage.stderr.contains("slow-kernel=NAME:FACTOR"), "{}", usage.stderr);
    std::fs::write(dir.path().join("a"), b"").unwrap();
    assert!(synth(dir.path(), &[], "1").stderr.contains("is not empty"));
}
